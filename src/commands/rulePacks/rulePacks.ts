import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { notFound, Refusal } from '../../domain/kernel/refusal.ts'
import {
  type OwnRulePack,
  type OwnRulePackRef,
  ownRulePack,
  ownRulePackKey,
} from '../../domain/rulePacks/ownRulePack.ts'
import { canEvaluate, type OwnOutcomes } from '../../domain/rulePacks/ruleAssignments.ts'
import type { Parameters, RuleBook, RulePackOffer, RuleSubject } from '../../domain/rulePacks/ruleBook.ts'
import {
  defaultsOf,
  type ParameterSchema,
  parameterSchemaOf,
} from '../../domain/rulePacks/rulePackParameters.ts'
import {
  subscribeRulePack as decideToSubscribeRulePack,
  unsubscribeRulePack as decideToUnsubscribeRulePack,
  upgradeRulePack as decideToUpgradeRulePack,
  validateRulePack as decideToValidateRulePack,
} from '../../domain/rulePacks/rulePackSubscriptions.ts'
import type { CatalogueEvent, Validation } from '../../domain/tags/catalogueEvents.ts'
import { evaluateByRules as decideToEvaluateByRules } from '../../domain/tags/subject.ts'
import { subjects } from '../../domain/tags/subjects.ts'
import type { Family } from '../../domain/tags/tag.ts'
import { type TagCatalogue, tagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Answered, type Command, type Load, onStream } from '../executor/command.ts'
import { catalogueOf } from '../tags/catalogue.ts'

/** A pack as its commands answer it: what is shipped, and what is in force. */
export interface DecidedRulePack {
  readonly companyId: string
  readonly rulePackId: string
  readonly name: string
  /** The version that this release ships; that in force, where this release does not ship the pack. */
  readonly version: number
  readonly subscribedVersion: number | null
  readonly subscribed: boolean
  /** The company's choices; without a subscription the defaults. */
  readonly parameters: Parameters
  readonly parameterSchema: ParameterSchema
  /** Whether the company has written it itself. */
  readonly own: boolean
  /** null while nobody has validated it. */
  readonly validation: Validation | null
}

/** A pack as it is answered with its document. */
export interface WrittenRulePack extends DecidedRulePack {
  readonly hash: string
  readonly document: object
}

/** Subscribe to the newest version of a pack. */
export function subscribeRulePack(
  companyId: string,
  rulePackId: string,
  parameters: Parameters = {},
): Command<DecidedRulePack> {
  return changeSubscription(companyId, rulePackId, (catalogue, { newest, version }) =>
    decideToSubscribeRulePack(catalogue, companyId, ifOffered(rulePackId, newest), parameters, version),
  )
}
subscribeRulePack.refuses = refusals(
  'rule-pack-not-found',
  'tag-name-taken',
  'too-many-tags',
  'own-rules-too-costly',
)

/** Upgrade to the newest version. */
export function upgradeRulePack(companyId: string, rulePackId: string): Command<DecidedRulePack> {
  return changeSubscription(companyId, rulePackId, (catalogue, { newest }) =>
    decideToUpgradeRulePack(catalogue, companyId, ifOffered(rulePackId, newest)),
  )
}
upgradeRulePack.refuses = refusals(
  'rule-pack-not-found',
  'tag-name-taken',
  'too-many-tags',
  'rule-pack-not-subscribed',
  'rule-pack-newer',
  'own-rules-too-costly',
)

/** Record that somebody has compared the pack with an edition of its standard. */
export function validateRulePack(
  companyId: string,
  rulePackId: string,
  validation: Omit<Validation, 'version'>,
): Command<DecidedRulePack> {
  return changeSubscription(companyId, rulePackId, (catalogue, { newest }) =>
    decideToValidateRulePack(catalogue, companyId, ifOffered(rulePackId, newest), validation),
  )
}
validateRulePack.refuses = refusals('rule-pack-not-found')

/** Unsubscribe, also from a pack that this release does not ship. */
export function unsubscribeRulePack(companyId: string, rulePackId: string): Command<DecidedRulePack> {
  return changeSubscription(companyId, rulePackId, (catalogue) =>
    decideToUnsubscribeRulePack(catalogue, companyId, rulePackId),
  )
}
unsubscribeRulePack.refuses = refusals('rule-pack-not-found')

/** Return the outcomes of the packs in force that the company has written itself. */
export type JudgeByOwnRules = (
  companyId: string,
  catalogue: TagCatalogue,
  subject: RuleSubject,
) => Promise<OwnOutcomes>

/** Load the packs in force of one company. */
type LoadCatalogue = (load: Load) => Promise<TagCatalogue>

/**
 * Load the packs in force once for many subjects, which may then miss a later decision. Such a decision must bring an
 * evaluation of its own.
 */
export function catalogueOnce(companyId: string): LoadCatalogue {
  let loading: Promise<TagCatalogue> | undefined
  return (load) => {
    loading ??= catalogueOf(companyId)(load)
    return loading
  }
}

/**
 * Bring the rule assignments of one subject in line with the packs in force. Evaluating again records nothing new, so
 * this may be repeated at any time, and mends a subject that an older subscription was evaluated for.
 */
export function evaluateByRules(
  companyId: string,
  family: Family,
  subjectId: string,
  loadCatalogue: LoadCatalogue,
  judgeByOwnRules: JudgeByOwnRules,
): Command<undefined> {
  const kind = subjects[family]
  return onStream({
    aggregate: kind.aggregate,
    id: kind.key(companyId, subjectId),
    dependencies: async (load, state) => {
      const catalogue = await loadCatalogue(load)
      const own = state && (await judgeByOwnRules(companyId, catalogue, kind.forRules(state.facts)))
      return { catalogue, own }
    },
    decide: (state, context, { catalogue, own }) => {
      refuseIncomplete(catalogue, context)
      return state ? decideToEvaluateByRules(kind, state, catalogue, context, own) : []
    },
  })
}

/** The versions of a pack that a company may subscribe to. */
interface Offered {
  readonly newest: RulePackOffer | undefined
  readonly version: (version: number) => RulePackOffer | undefined
  /** The revision of the newest version; undefined for a shipped pack. */
  readonly revision?: number
}

/** A pack that the company has written itself goes before a shipped one. */
async function findOffered(
  { companyId, rulePackId }: OwnRulePackRef,
  { ownRulePacks }: TagCatalogue,
  load: Load,
  rules: RuleBook,
): Promise<Offered> {
  const { state: own } = ownRulePacks.has(rulePackId)
    ? await load(ownRulePack, ownRulePackKey(companyId, rulePackId))
    : { state: undefined }
  if (!own) return { newest: rules.find(rulePackId), version: (version) => rules.find(rulePackId, version) }
  const { offer, choices, revision } = own
  return {
    newest: offer,
    version: (version) => ({ ...offer, version, choices: choices.get(version) }),
    revision,
  }
}

function changeSubscription(
  companyId: string,
  rulePackId: string,
  decide: (catalogue: TagCatalogue, offered: Offered) => readonly CatalogueEvent[],
): Command<DecidedRulePack> {
  return onStream({
    aggregate: tagCatalogue,
    id: companyId,
    dependencies: (load, catalogue, rules) => findOffered({ companyId, rulePackId }, catalogue, load, rules),
    versionOf: (catalogue, { newest, revision }) => {
      if (!newest && !catalogue.subscriptions.has(rulePackId))
        throw notFound('rule-pack-not-found', rulePackId)
      return { revision: revision ?? catalogue.subscriptions.get(rulePackId)?.revision }
    },
    decide: (catalogue, _context, offered) => decide(catalogue, offered),
    answer: (catalogue, _recorded, offered) => presentPack(catalogue, companyId, rulePackId, offered),
  })
}

function presentPack(
  catalogue: TagCatalogue,
  companyId: string,
  rulePackId: string,
  { newest, revision }: Offered,
): Answered<DecidedRulePack> {
  const subscription = catalogue.subscriptions.get(rulePackId)
  return {
    body: decidedOn(catalogue, companyId, newest ?? { ...subscription!, tags: [] }),
    etag: revision ?? subscription?.revision,
  }
}

/** Answer a pack that the company has written itself, with its newest document. */
export function presentOwnPack(
  catalogue: TagCatalogue,
  { companyId, offer, document, revision }: OwnRulePack,
): Answered<WrittenRulePack> {
  const decided = { ...decidedOn(catalogue, companyId, offer), own: true }
  return { body: { ...decided, hash: offer.hash, document }, etag: revision }
}

function decidedOn(
  { subscriptions, ownRulePacks, validations }: TagCatalogue,
  companyId: string,
  offer: RulePackOffer,
): DecidedRulePack {
  const { rulePackId, name, version } = offer
  const inForce = subscriptions.get(rulePackId)
  const subscribed = inForce?.active ?? false
  return {
    companyId,
    rulePackId,
    name,
    version,
    subscribed,
    subscribedVersion: subscribed ? inForce!.version : null,
    parameters: (subscribed ? inForce!.parameters : undefined) ?? defaultsOf(offer),
    parameterSchema: parameterSchemaOf(offer),
    own: ownRulePacks.has(rulePackId),
    validation: validations.get(rulePackId) ?? null,
  }
}

/** @throws Refusal `rule-pack-not-found` when neither this release nor the company has the pack */
function ifOffered(rulePackId: string, offered: RulePackOffer | undefined): RulePackOffer {
  if (!offered) throw notFound('rule-pack-not-found', rulePackId)
  return offered
}

/** An evaluation without one of the packs in force would leave out findings. @throws Refusal `rule-pack-not-shipped` */
function refuseIncomplete(catalogue: TagCatalogue, context: DecisionContext): void {
  if (!canEvaluate(catalogue, context))
    throw new Refusal(
      'rule-pack-not-shipped',
      'This release does not ship every rule pack in the version that is in force, so it cannot evaluate this. A node of the release that ships them can.',
    )
}
