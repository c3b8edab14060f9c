import { systemTagIdOf } from '../domain/kernel/identifiers.ts'
import { notFound } from '../domain/kernel/refusal.ts'
import type {
  Parameters,
  RuleBook,
  RuleOutcome,
  RulePackOffer,
  RuleSubject,
} from '../domain/rulePacks/ruleBook.ts'
import { offerOf } from '../domain/rulePacks/rulePackOffer.ts'
import { chosenOf, stillOffered } from '../domain/rulePacks/rulePackParameters.ts'
import { previewPack } from '../domain/rulePacks/rulePackPreview.ts'
import { families, type ShownTag } from '../domain/tags/tag.ts'
import { certificates } from '../projections/certificates/certificates.ts'
import type { Reader, StreamReading } from '../projections/engine/reading/reader.ts'
import { orders } from '../projections/orders/orders.ts'
import {
  listPreviewedSubjects,
  listShownTags,
  type PreviewedSubject,
} from '../projections/rulePacks/rulePackPreview.ts'
import {
  type FoundOwnPack,
  findOwnPack,
  listSubscribedPacks,
  type SubscribedPack,
} from '../projections/rulePacks/rulePackQueries.ts'
import { rulePacks } from '../projections/rulePacks/rulePacks.ts'
import { tags } from '../projections/tags/tags.ts'
import type { OwnRules } from './ownRules/ownRules.ts'
import type { PackContent } from './rulePack.ts'

/** Preview the tag changes of a subscription to a rule pack or of an upgrade. Nothing is recorded. */

export interface TagChange {
  readonly subjectId: string
  readonly subjectLabel: string
  readonly tag: ShownTag
}

export interface Preview {
  /** The first changes: certificates, then orders. */
  readonly gains: readonly TagChange[]
  readonly losses: readonly TagChange[]
  /** The number of all changes. */
  readonly gainCount: number
  readonly lossCount: number
}

/** The most listed gains, and losses: a company may have millions of subjects. */
export const maxListedChanges = 10_000

/** The pack with the parameters to try; those that are left out are as they are, or have their defaults. */
interface PreviewedPack {
  readonly companyId: string
  readonly rulePackId: string
  readonly parameters?: Parameters | undefined
}

/** The means to judge: the rules of this release, and those of companies. */
interface PreviewMeans {
  readonly reader: Reader
  readonly rules: RuleBook
  readonly ownRules: Pick<OwnRules, 'evaluate'>
}

/** @throws Refusal 404 for a pack that neither this release nor the company has; Failure `rules-not-evaluated` */
export function previewRulePack(
  { reader, rules, ownRules }: PreviewMeans,
  { companyId, rulePackId, parameters }: PreviewedPack,
): Promise<Preview & { readonly position: number }> {
  return reader.stream(companyId, [certificates, orders, tags, rulePacks], async (reading) => {
    const [own] = await reading.query<FoundOwnPack>(findOwnPack(reading, companyId, rulePackId))
    const pack = own ? offerOf(own.document, own) : rules.find(rulePackId)
    if (!pack) throw notFound('rule-pack-not-found', rulePackId)
    const subscribed = await reading.query<SubscribedPack>(listSubscribedPacks(reading, companyId))
    const present = subscribed.find((one) => one.rulePackId === rulePackId)
    const shown = await tagsOf(reading, companyId, pack, present)
    const tried = {
      ...pack,
      ...chosenOf(pack, { ...stillOffered(pack, present?.parameters), ...parameters }),
    }
    const packs = [...new Set([...subscribed.map((one) => one.rulePackId), rulePackId])]
    const readDocument = async () => own!.document as PackContent
    const evaluate = async (subject: RuleSubject): Promise<readonly RuleOutcome[]> =>
      own
        ? (
            await ownRules.evaluate(companyId, [{ ...tried, document: readDocument }], {
              subject,
              subscribed: packs,
            })
          )[0]!
        : rules.evaluate(tried, subject, packs)!
    const changes = await changesOf(reading, { companyId, rulePackId }, shown, evaluate)
    return { ...changes, position: reading.position }
  })
}

/**
 * Evaluate every subject of a company, and compare the outcomes with the tags that it has by the pack.
 * @param shown the tags of the pack, by their ids
 */
async function changesOf(
  reading: StreamReading,
  { companyId, rulePackId }: Omit<PreviewedPack, 'parameters'>,
  shown: ReadonlyMap<string, ShownTag>,
  evaluate: (subject: RuleSubject) => Promise<readonly RuleOutcome[]>,
): Promise<Preview> {
  const gains = createTally()
  const losses = createTally()
  for await (const { family, subject } of subjectsOf(reading, companyId, [...shown.keys()])) {
    const { subjectId, subjectLabel, content, ...has } = subject
    const outcomes = await evaluate({ family, content } as RuleSubject)
    const changed = previewPack({ companyId, rulePackId }, outcomes, has)
    const change = (tagId: string): TagChange => ({ subjectId, subjectLabel, tag: shown.get(tagId)! })
    for (const tagId of changed.gained) gains.add(change(tagId))
    for (const tagId of changed.lost) losses.add(change(tagId))
  }
  return { gains: gains.listed, losses: losses.listed, gainCount: gains.count(), lossCount: losses.count() }
}

/** Yield the certificates of a company, then its orders, each with those of the tags that it has. */
async function* subjectsOf(reading: StreamReading, companyId: string, tagIds: readonly string[]) {
  for (const family of families)
    for await (const subjects of reading.portions<PreviewedSubject>(
      listPreviewedSubjects(reading, { companyId, family, tagIds }),
    ))
      for (const subject of subjects) yield { family, subject }
}

/** Count all changes and keep the first. */
function createTally() {
  const listed: TagChange[] = []
  let count = 0
  return {
    listed,
    count: () => count,
    add(change: TagChange) {
      count += 1
      if (count <= maxListedChanges) listed.push(change)
    },
  }
}

/** Map the tags of a pack by id: those of this version, and those it provisioned before. */
async function tagsOf(
  reading: StreamReading,
  companyId: string,
  { rulePackId, tags: shipped }: RulePackOffer,
  subscribed: SubscribedPack | undefined,
): Promise<Map<string, ShownTag>> {
  const before = Object.values(subscribed?.tagIds ?? {})
  const present = await reading.query<ShownTag>(listShownTags(reading, companyId, before))
  const offered = shipped.map(({ key, name, color, severity }) => ({
    tagId: systemTagIdOf(companyId, rulePackId, key),
    name,
    color,
    severity,
  }))
  return new Map([...present, ...offered].map((tag) => [tag.tagId, tag]))
}
