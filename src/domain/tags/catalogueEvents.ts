import { eventsAbout } from '../audit/audited.ts'
import { changeOf, fieldsOf, sayWords, setFrom } from '../audit/words.ts'
import type { Change } from '../kernel/changes.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { pick } from '../kernel/fields.ts'
import type { PairRule } from '../rulePacks/pairRules.ts'
import type { Parameters, RulePackVersion } from '../rulePacks/ruleBook.ts'
import { day, sentence } from '../verdict/sentence.ts'
import type { TagContent, TagRef } from './tag.ts'
import { isRaised, tagFields } from './tag.ts'

/** The events of the catalogue of tags, and of its rule packs. */

export type TagCreated = DomainEvent<'TagCreated', TagRef & TagContent & { readonly isSystemTag: boolean }>
export type TagUpdated = DomainEvent<
  'TagUpdated',
  TagRef & TagContent & { readonly changes: readonly Change[] }
>
export type TagSoftDeleted = DomainEvent<'TagSoftDeleted', TagRef & { readonly name: string }>
export type TagRestored = DomainEvent<'TagRestored', TagRef & { readonly name: string }>
export type TagEvent = TagCreated | TagUpdated | TagSoftDeleted | TagRestored

type SubscribedPack = RulePackVersion & {
  readonly companyId: string
  /** The tagId of each of the pack's tags by its key. */
  readonly tagIds: Readonly<Record<string, string>>
  /** The company's choices; undefined when the pack offers none. */
  readonly parameters?: Parameters | undefined
  /** The most steps of an evaluation of one subject; undefined for a shipped pack. */
  readonly cost?: number | undefined
  /** These are the rules of a company's own pack. A verdict is judged by them as long as the subscription lasts. */
  readonly pairRules?: readonly PairRule[] | undefined
}

export type RulePackSubscribed = DomainEvent<'RulePackSubscribed', SubscribedPack>
export type RulePackUpgraded = DomainEvent<
  'RulePackUpgraded',
  SubscribedPack & { readonly fromVersion: number }
>
export type RulePackUnsubscribed = DomainEvent<'RulePackUnsubscribed', SubscribedPack>
/** The company has written a rule pack of its own. Its versions are in the stream of that pack. */
export type OwnRulePackAdded = DomainEvent<
  'OwnRulePackAdded',
  { readonly companyId: string; readonly rulePackId: string; readonly name: string }
>
/** The company has withdrawn a rule pack of its own. Its versions stay in the stream of that pack. */
export type OwnRulePackWithdrawn = DomainEvent<'OwnRulePackWithdrawn', OwnRulePackAdded['data']>
/** Somebody has compared a rule pack with an edition of its standard. */
export interface Validation {
  /** The version of the pack. */
  readonly version: number
  readonly by: string
  readonly edition: string
  readonly date: string
  readonly note: string | null
}
export type RulePackValidated = DomainEvent<'RulePackValidated', OwnRulePackAdded['data'] & Validation>
export type RulePackEvent = RulePackSubscribed | RulePackUpgraded | RulePackUnsubscribed

export type CatalogueEvent =
  | TagEvent
  | RulePackEvent
  | OwnRulePackAdded
  | OwnRulePackWithdrawn
  | RulePackValidated

export const catalogueEvents = {
  ...eventsAbout<TagEvent>('tag', 'tagId', {
    TagCreated: {
      bound: 'day',
      tell: ({ name, severity }) =>
        severity === null
          ? sentence('TagCreated', { name })
          : sentence('TagCreatedWithSeverity', { name, severity: sentence(severity) }),
      listChanges: (data) => setFrom(pick(tagFields, data)),
    },
    TagUpdated: {
      bound: ({ changes }) =>
        changes.some((change) => change.field === 'severity' && isRaised(change)) ? 'none' : 'day',
      tell: ({ name, changes }) => sentence('TagUpdated', { name, fields: fieldsOf(changes) }),
      listChanges: ({ changes }) => changes,
    },
    TagSoftDeleted: {
      bound: 'day',
      tell: ({ name }) => sentence('TagSoftDeleted', { name }),
      listChanges: () => changeOf('active', true, false),
    },
    TagRestored: {
      bound: 'none',
      tell: ({ name }) => sentence('TagRestored', { name }),
      listChanges: () => changeOf('active', false, true),
    },
  }),
  ...eventsAbout<Exclude<CatalogueEvent, TagEvent>>('rulePack', 'rulePackId', {
    RulePackSubscribed: {
      bound: 'rules',
      tell: ({ name, version }) => sentence('RulePackSubscribed', { name, version }),
    },
    RulePackUpgraded: {
      bound: 'rules',
      tell: ({ name, version, fromVersion }) => sentence('RulePackUpgraded', { name, version, fromVersion }),
    },
    RulePackUnsubscribed: {
      bound: 'rules',
      tell: ({ name }) => sentence('RulePackUnsubscribed', { name }),
    },
    OwnRulePackAdded: {
      bound: 'day',
      tell: ({ name }) => sentence('OwnRulePackAdded', { name }),
    },
    OwnRulePackWithdrawn: {
      bound: 'day',
      tell: ({ name }) => sentence('OwnRulePackWithdrawn', { name }),
    },
    RulePackValidated: {
      bound: 'day',
      tell: ({ name, version, by, edition, date, note }) =>
        sentence('RulePackValidated', {
          name,
          version,
          by,
          edition,
          date: day(date),
          note: sayWords('note', note),
        }),
    },
  }),
}
