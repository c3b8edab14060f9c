import { eventsAbout } from '../audit/audited.ts'
import { fieldsOf, memberPlace } from '../audit/words.ts'
import type { Change } from '../kernel/changes.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { isRaised } from '../tags/tag.ts'
import type { ReleasePolicy } from '../verdict/releasePolicy.ts'
import { type Sequence, sentence } from '../verdict/sentence.ts'
/** The events of a company and its members. */

export const roles = ['Viewer', 'Editor', 'Planner', 'Cutter', 'Quality', 'Auditor', 'Admin'] as const
export type Role = (typeof roles)[number]

export interface CompanySettings {
  /** A request that changes or deletes a record must say by If-Match which state of the record it has seen. */
  readonly requireIfMatch: boolean
  /** Minutes without use after which a session ends here, for people who have no role here but Cutter and Viewer. */
  readonly cutterIdleMinutes: number
  /** The days for which a new API key of a member lives at most; null when there is no limit. */
  readonly longestKeyDays: number | null
}

export type CompanyRegistered = DomainEvent<
  'CompanyRegistered',
  { readonly companyId: string; readonly name: string }
>
export type MemberRolesSet = DomainEvent<
  'MemberRolesSet',
  {
    readonly companyId: string
    readonly userId: string
    readonly roles: readonly Role[]
    /** None for a new member. */
    readonly formerRoles: readonly Role[]
  }
>
export type MemberRemoved = DomainEvent<
  'MemberRemoved',
  {
    readonly companyId: string
    readonly userId: string
    /** The Admin has decided that the API keys of the account go on. */
    readonly keepsKeys?: true
  }
>
/** These API keys of an account keep no other roles in the company than these: with none, they let nobody in. */
export type MemberKeysNarrowed = DomainEvent<
  'MemberKeysNarrowed',
  { readonly companyId: string; readonly keyIds: readonly string[] } & NarrowedKey
>
export interface NarrowedKey {
  /** The account that owns the key. */
  readonly userId: string
  readonly roles: readonly Role[]
}
/** The company keeps no name of this person any more. Until the person is admitted again, it keeps no new one. */
export type PersonErased = DomainEvent<
  'PersonErased',
  { readonly companyId: string; readonly userId: string } & Traces
>
/** The part of a person's history that an erasure leaves without a name. */
export interface Traces {
  /** Acts of responsibility of the last ten years. Nobody can name their author any more. */
  readonly responsibleActs: number
}
/** The company's own severities for the findings of verdicts, as they are from now on. */
export type ReleasePolicySet = DomainEvent<
  'ReleasePolicySet',
  { readonly companyId: string; readonly changes: readonly Change[] } & ReleasePolicy
>
/** The settings are complete, so the last of these events says them all. */
export type CompanySettingsSet = DomainEvent<
  'CompanySettingsSet',
  { readonly companyId: string; readonly changes: readonly Change[] } & CompanySettings
>
export type CompanyEvent =
  | CompanyRegistered
  | MemberRolesSet
  | MemberRemoved
  | MemberKeysNarrowed
  | PersonErased
  | ReleasePolicySet
  | CompanySettingsSet

type EventOfCompany = CompanyRegistered | ReleasePolicySet | CompanySettingsSet

export const companyEvents = {
  ...eventsAbout<EventOfCompany>('company', 'companyId', {
    CompanyRegistered: {
      bound: 'day',
      tell: ({ name }) => sentence('CompanyRegistered', { name }),
    },
    ReleasePolicySet: {
      bound: ({ changes }) => (changes.every(isStricter) ? 'none' : 'day'),
      tell: ({ changes }) => sentence('ReleasePolicySet', { fields: fieldsOf(changes) }),
      listChanges: ({ changes }) => changes,
    },
    CompanySettingsSet: {
      bound: ({ changes }) => (changes.every(isNarrower) ? 'none' : 'day'),
      tell: ({ changes }) => sentence('CompanySettingsSet', { fields: fieldsOf(changes) }),
      listChanges: ({ changes }) => changes,
    },
  }),
  ...eventsAbout<Exclude<CompanyEvent, EventOfCompany>>('member', 'userId', {
    MemberRolesSet: {
      bound: ({ roles, formerRoles }) => (roles.every((role) => formerRoles.includes(role)) ? 'none' : 'day'),
      tell: ({ roles }) =>
        sentence('MemberRolesSet', { member: memberPlace, count: roles.length, roles: named(roles) }),
      listChanges: ({ roles, formerRoles }) => [
        { field: 'roles', from: formerRoles.length > 0 ? formerRoles : null, to: roles },
      ],
    },
    MemberRemoved: {
      bound: 'none',
      tell: ({ keepsKeys }) =>
        sentence(keepsKeys ? 'MemberRemovedWithoutKeys' : 'MemberRemoved', { member: memberPlace }),
    },
    MemberKeysNarrowed: {
      bound: 'none',
      tell: ({ keyIds, roles }) =>
        sentence(roles.length === 0 ? 'MemberKeysEmptied' : 'MemberKeysNarrowed', {
          member: memberPlace,
          keys: keyIds.length,
          roles: named(roles),
        }),
    },
    PersonErased: { bound: 'none', tell: () => sentence('PersonErased', { member: memberPlace }) },
  }),
}

function named(roles: readonly Role[]): Sequence {
  return { parts: roles.map((role) => sentence(role)), between: ', ' }
}

/** Whether the change of a release policy lets less steel be cut, whatever the policy says elsewhere. */
function isStricter(change: Change): boolean {
  const { field, from, to } = change
  if (field === 'fourEyes' || field === 'qualityOnly') return to === true
  return field.includes('/') && (to === 'Block' || (from !== null && to !== null && isRaised(change)))
}

/** Whether the change of the settings lets keys, sessions or requests do less. */
function isNarrower({ field, from, to }: Change): boolean {
  if (field === 'requireIfMatch') return to === true
  return typeof to === 'number' && to < Number(from ?? Number.POSITIVE_INFINITY)
}
