import { changesOf, sameValue } from '../kernel/changes.ts'
import { pick } from '../kernel/fields.ts'
import { systemTagIdOf } from '../kernel/identifiers.ts'
import { conflict } from '../kernel/refusal.ts'
import type { CatalogueEvent, Validation } from '../tags/catalogueEvents.ts'
import { families, type TagContent, tagFields } from '../tags/tag.ts'
import {
  holderInWords,
  holderOf,
  refOf,
  refuseTooManyTags,
  type Subscription,
  type Tag,
  type TagCatalogue,
} from '../tags/tagCatalogue.ts'
import { refuseTooCostly } from './ownRulePack.ts'
import type { Parameters, RulePackOffer, RulePackVersion, SystemTag } from './ruleBook.ts'
import { chosenOf, stillOffered } from './rulePackParameters.ts'

/** A company's rule pack subscriptions. They are part of its catalogue because a pack provisions tags. */

/** @throws Refusal `tag-name-taken` with every name of the pack that another tag holds, active or deleted */
function refuseClashes(state: TagCatalogue, tags: readonly SystemTag[], own: ReadonlySet<string>): void {
  const holders = tags.flatMap(({ family, name }) => {
    const holder = holderOf(state, family, name)
    return holder && !own.has(holder.tagId) ? [holder] : []
  })
  if (holders.length > 0)
    throw conflict(
      'tag-name-taken',
      `The company has tags of these names already, so nothing was recorded: ${holders.map((holder) => holderInWords(state, holder)).join(', ')}. Give one of the two another name.`,
      { clashes: holders.map(({ family, name, tagId }) => ({ family, name, tagId })) },
    )
}

function refuseTooMany(state: TagCatalogue, created: readonly CatalogueEvent[]): void {
  for (const family of families) {
    const more = created.filter(({ type, data }) => type === 'TagCreated' && data.family === family)
    refuseTooManyTags(state, family, more.length)
  }
}

/** Create, restore or update the pack's tags, and soft-delete those that this version no longer has. */
function provision(
  state: TagCatalogue,
  companyId: string,
  { rulePackId, tags }: RulePackOffer,
): { events: CatalogueEvent[]; tagIds: Record<string, string> } {
  const tagIds = Object.fromEntries(tags.map(({ key }) => [key, systemTagIdOf(companyId, rulePackId, key)]))
  const own = new Set(Object.values(tagIds))
  refuseClashes(state, tags, own)

  const events = tags.flatMap((tag): CatalogueEvent[] => {
    const ref = { companyId, family: tag.family, tagId: tagIds[tag.key]! }
    const content = pick(tagFields, tag)
    const present = state.tags.get(ref.tagId)
    if (!present) return [{ type: 'TagCreated', data: { ...ref, ...content, isSystemTag: true } }]
    const changes = changesOf<TagContent>(present, content)
    return [
      ...(present.active ? [] : [{ type: 'TagRestored' as const, data: { ...ref, name: present.name } }]),
      ...(changes.length > 0 ? [{ type: 'TagUpdated' as const, data: { ...ref, ...content, changes } }] : []),
    ]
  })
  refuseTooMany(state, events)
  const obsolete = tagsOfPack(state, rulePackId)
    .filter((tagId) => !own.has(tagId))
    .flatMap((tagId) => softDelete(state.tags.get(tagId)))
  return { events: [...events, ...obsolete], tagIds }
}

/** The ids of a pack's tags, without those that another pack in force shares. */
function tagsOfPack({ subscriptions }: TagCatalogue, rulePackId: string): readonly string[] {
  const others = subscriptions.filter((other) => other.active && other.rulePackId !== rulePackId)
  const used = new Set([...others.values()].flatMap(({ tagIds }) => Object.values(tagIds)))
  return Object.values(subscriptions.get(rulePackId)?.tagIds ?? {}).filter((tagId) => !used.has(tagId))
}

function softDelete(tag: Tag | undefined): CatalogueEvent[] {
  return tag?.active ? [{ type: 'TagSoftDeleted', data: { ...refOf(tag), name: tag.name } }] : []
}

/**
 * Subscribe, with all of the pack's tags or none. Subscribing again records nothing, even in another version, unless it
 * chooses other parameters; one that is left out stays as it is. `shipped` finds the version in force.
 */
export function subscribeRulePack(
  state: TagCatalogue,
  companyId: string,
  pack: RulePackOffer,
  parameters: Parameters = {},
  shippedVersion: (version: number) => RulePackOffer | undefined = () => pack,
): readonly CatalogueEvent[] {
  const present = state.subscriptions.get(pack.rulePackId)
  if (present?.active) return chooseAgain(companyId, present, shippedVersion(present.version), parameters)
  refuseTooCostly(state, pack)
  const chosen = chosenOf(pack, parameters)
  const { events, tagIds } = provision(state, companyId, pack)
  return [
    ...events,
    { type: 'RulePackSubscribed', data: { companyId, ...versionOf(pack), tagIds, ...chosen } },
  ]
}

function chooseAgain(
  companyId: string,
  present: Subscription,
  inForce: RulePackOffer | undefined,
  parameters: Parameters,
): readonly CatalogueEvent[] {
  const { version, tagIds, parameters: before } = present
  const chosen = chosenOf(inForce, { ...before, ...parameters })
  if (Object.keys(parameters).length === 0 || sameValue(chosen.parameters, before)) return []
  const data = { companyId, ...versionOf(present), tagIds, ...chosen, fromVersion: version }
  return [{ type: 'RulePackUpgraded', data }]
}

/** Move to the newest version. It never goes back to an older one. */
export function upgradeRulePack(
  state: TagCatalogue,
  companyId: string,
  pack: RulePackOffer,
): readonly CatalogueEvent[] {
  const { rulePackId, version, hash } = pack
  const present = state.subscriptions.get(rulePackId)
  if (!present?.active)
    throw conflict(
      'rule-pack-not-subscribed',
      `The company has not subscribed to ${rulePackId}, so nothing was recorded. Subscribe to it first.`,
    )
  if (present.version === version && present.hash === hash) return []
  if (present.version > version)
    throw conflict(
      'rule-pack-newer',
      `Version ${present.version} of ${rulePackId} is in force, and this release ships the older ${version}, so nothing was recorded. Send the request to a node of the newer release.`,
      { subscribedVersion: present.version, version },
    )
  refuseTooCostly(state, pack)
  const chosen = chosenOf(pack, stillOffered(pack, present.parameters))
  const { events, tagIds } = provision(state, companyId, pack)
  const data = { companyId, ...versionOf(pack), tagIds, ...chosen, fromVersion: present.version }
  return [...events, { type: 'RulePackUpgraded', data }]
}

function versionOf({
  rulePackId,
  name,
  version,
  hash,
  cost,
  pairRules = [],
}: Pick<RulePackOffer, keyof RulePackVersion | 'cost' | 'pairRules'>) {
  return {
    rulePackId,
    name,
    version,
    hash,
    ...(cost !== undefined && { cost }),
    ...(pairRules.length > 0 && { pairRules }),
  }
}

/** Record who has compared the pack with its standard. The same again records nothing. */
export function validateRulePack(
  { subscriptions, validations }: TagCatalogue,
  companyId: string,
  { rulePackId, name, version: newest }: RulePackOffer,
  asked: Omit<Validation, 'version'>,
): readonly CatalogueEvent[] {
  const present = subscriptions.get(rulePackId)
  const validation = { version: present?.active ? present.version : newest, ...asked }
  if (sameValue(validations.get(rulePackId), validation)) return []
  return [{ type: 'RulePackValidated', data: { companyId, rulePackId, name, ...validation } }]
}

/** Unsubscribe and soft-delete the pack's tags. Without a subscription it records nothing. */
export function unsubscribeRulePack(
  state: TagCatalogue,
  companyId: string,
  rulePackId: string,
): readonly CatalogueEvent[] {
  const present = state.subscriptions.get(rulePackId)
  if (!present?.active) return []
  const { name, version, hash, tagIds, parameters } = present
  return [
    ...tagsOfPack(state, rulePackId).flatMap((tagId) => softDelete(state.tags.get(tagId))),
    {
      type: 'RulePackUnsubscribed',
      data: { companyId, rulePackId, name, version, hash, tagIds, ...(parameters && { parameters }) },
    },
  ]
}
