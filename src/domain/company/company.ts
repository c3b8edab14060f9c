import { Map as ImmutableMap, List } from 'immutable'
import type { AuditedAggregate } from '../audit/audited.ts'
import type { DecisionContext } from '../kernel/aggregate.ts'
import { changesOf } from '../kernel/changes.ts'
import type { Stored } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import { changesOfPolicy, defaultReleasePolicy, type ReleasePolicy } from '../verdict/releasePolicy.ts'
import type { CompanyEvent, CompanySettings, NarrowedKey, Role, Traces } from './companyEvents.ts'
import { companyEvents } from './companyEvents.ts'

/** A company and who may do what in it. */
export function companyStream(companyId: string): string {
  return `company-${companyId}`
}

/** The settings of a company that has set none. */
export const defaultSettings: CompanySettings = {
  requireIfMatch: false,
  cutterIdleMinutes: 30,
  longestKeyDays: null,
}

/** Take these settings from an event, and nothing else. */
export function settingsIn({
  requireIfMatch,
  cutterIdleMinutes,
  longestKeyDays,
}: CompanySettings): CompanySettings {
  return { requireIfMatch, cutterIdleMinutes, longestKeyDays }
}

export interface Member {
  readonly userId: string
  /** In the order of `roles`, each once. */
  readonly roles: readonly Role[]
  /** Revision of the event that set them. */
  readonly revision: number
}

export interface RegisteredCompany {
  readonly companyId: string
  readonly name: string
  readonly members: ImmutableMap<string, Member>
  /** By user id, for everybody who ever was a member: each change of roles, oldest first. */
  readonly roleChanges: ImmutableMap<string, List<RoleChange>>
  /** The roles that the company has left to API keys, by key id. Other keys keep all of theirs. */
  readonly narrowedKeys: ImmutableMap<string, NarrowedKey>
  /** By user id, for the persons who were erased and have not been admitted again: the last erasure. */
  readonly erasures: ImmutableMap<string, Erasure>
  /** With the revision of the event that set it, or of the registration while nobody has set it. */
  readonly releasePolicy: { readonly policy: ReleasePolicy; readonly revision: number }
  readonly settings: CompanySettings
  /** The revision of the event that set them, or of the registration while nobody has set them. */
  readonly settingsRevision: number
}

export interface Erasure extends Traces {
  /** RFC 3339 in UTC. */
  readonly erasedAt: string
}

interface RoleChange {
  readonly position: number
  /** RFC 3339 in UTC. */
  readonly at: string
  /** None after a removal. */
  readonly roles: readonly Role[]
}

export type Company = RegisteredCompany | undefined

function withRoles(
  { roleChanges }: RegisteredCompany,
  userId: string,
  { position, metadata: { occurredAt: at } }: Stored<CompanyEvent>,
  roles: readonly Role[],
): RegisteredCompany['roleChanges'] {
  return roleChanges.set(userId, roleChanges.get(userId, List<RoleChange>()).push({ position, at, roles }))
}

/** The roles that are in both sets; `undefined` stands for all roles. */
export function commonRoles(some: readonly Role[] | undefined, others: readonly Role[]): readonly Role[] {
  return some?.filter((role) => others.includes(role)) ?? others
}

function evolve(state: Company, event: Stored<CompanyEvent>): Company {
  if (event.type === 'CompanyRegistered') {
    const { companyId, name } = event.data
    return {
      companyId,
      name,
      members: ImmutableMap(),
      roleChanges: ImmutableMap(),
      narrowedKeys: ImmutableMap(),
      erasures: ImmutableMap(),
      releasePolicy: { policy: defaultReleasePolicy, revision: event.revision },
      settings: defaultSettings,
      settingsRevision: event.revision,
    }
  }
  if (!state) return state
  switch (event.type) {
    case 'MemberRolesSet': {
      const { userId, roles } = event.data
      return {
        ...state,
        members: state.members.set(userId, { userId, roles, revision: event.revision }),
        roleChanges: withRoles(state, userId, event, roles),
        erasures: state.erasures.delete(userId),
      }
    }
    case 'MemberRemoved': {
      const { userId } = event.data
      return {
        ...state,
        members: state.members.delete(userId),
        roleChanges: withRoles(state, userId, event, []),
      }
    }
    case 'MemberKeysNarrowed': {
      const { userId, keyIds, roles } = event.data
      const narrowedKeys = keyIds.reduce(
        (keys, keyId) =>
          keys.update(keyId, (before) => ({ userId, roles: commonRoles(before?.roles, roles) })),
        state.narrowedKeys,
      )
      return { ...state, narrowedKeys }
    }
    case 'PersonErased': {
      const { userId, responsibleActs } = event.data
      const { occurredAt: erasedAt } = event.metadata
      const erasure = { erasedAt, responsibleActs }
      return { ...state, erasures: state.erasures.set(userId, erasure) }
    }
    case 'ReleasePolicySet': {
      const { severities, byExecutionClass, defaultInspectionDocument, fourEyes, qualityOnly } = event.data
      const policy = { severities, byExecutionClass, defaultInspectionDocument, fourEyes, qualityOnly }
      return { ...state, releasePolicy: { policy, revision: event.revision } }
    }
    case 'CompanySettingsSet':
      return { ...state, settings: settingsIn(event.data), settingsRevision: event.revision }
    default:
      return state
  }
}

export const company: AuditedAggregate<Company, CompanyEvent> = {
  name: 'company',
  streamName: companyStream,
  initial: undefined,
  evolve,
  events: companyEvents,
}

/** Register a company. The caller becomes its first Admin. The same registration again records nothing. */
export function registerCompany(
  state: Company,
  { companyId, name }: { companyId: string; name: string },
  { actor }: DecisionContext,
): readonly CompanyEvent[] {
  if (!state)
    return [
      { type: 'CompanyRegistered', data: { companyId, name } },
      { type: 'MemberRolesSet', data: { companyId, userId: actor.id, roles: ['Admin'], formerRoles: [] } },
    ]
  if (state.name === name) return []
  throw conflict(
    'company-already-exists',
    `Company ${companyId} exists under another name, so nothing was recorded. Choose another id.`,
  )
}

/** Set the settings of a company. The same settings again record nothing. */
export function setCompanySettings(
  { companyId, settings }: RegisteredCompany,
  wanted: CompanySettings,
): readonly CompanyEvent[] {
  const changes = changesOf(settings, wanted)
  if (changes.length === 0) return []
  return [{ type: 'CompanySettingsSet', data: { companyId, ...wanted, changes } }]
}

/** The release policy of a company, also of one that has set none. */
export function releasePolicyOf(state: Company): ReleasePolicy {
  return state?.releasePolicy.policy ?? defaultReleasePolicy
}

/** Set the release policy. One that judges as the present one does records nothing. */
export function setReleasePolicy(
  { companyId, releasePolicy }: RegisteredCompany,
  policy: ReleasePolicy,
): readonly CompanyEvent[] {
  const changes = changesOfPolicy(releasePolicy.policy, policy)
  return changes.length === 0 ? [] : [{ type: 'ReleasePolicySet', data: { companyId, ...policy, changes } }]
}
