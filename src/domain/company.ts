import { Map as ImmutableMap } from 'immutable'
import type { Aggregate, DecisionContext } from './aggregate.ts'
import { sameValue } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import { conflict } from './refusal.ts'

/** A company and who may do what in it. */
export const companyStream = (companyId: string): string => `company-${companyId}`

export const roles = ['Viewer', 'Editor', 'Planner', 'Auditor', 'Admin'] as const
export type Role = (typeof roles)[number]

export type CompanyRegistered = DomainEvent<
  'CompanyRegistered',
  { readonly companyId: string; readonly name: string }
>
export type MemberRolesSet = DomainEvent<
  'MemberRolesSet',
  { readonly companyId: string; readonly userId: string; readonly roles: readonly Role[] }
>
export type MemberRemoved = DomainEvent<
  'MemberRemoved',
  { readonly companyId: string; readonly userId: string }
>
export type CompanyEvent = CompanyRegistered | MemberRolesSet | MemberRemoved

export interface Member {
  readonly userId: string
  /** In the order of `roles`, each once. */
  readonly roles: readonly Role[]
  /** Of the event that set them. */
  readonly revision: number
}

export interface RegisteredCompany {
  readonly companyId: string
  readonly name: string
  readonly members: ImmutableMap<string, Member>
  /** Everyone who ever was one. */
  readonly formerMembers: ImmutableMap<string, true>
}

export type Company = RegisteredCompany | undefined

const evolve = (state: Company, event: Stored<CompanyEvent>): Company => {
  if (event.type === 'CompanyRegistered') {
    const { companyId, name } = event.data
    return { companyId, name, members: ImmutableMap(), formerMembers: ImmutableMap() }
  }
  if (!state) return state
  switch (event.type) {
    case 'MemberRolesSet': {
      const { userId, roles } = event.data
      return { ...state, members: state.members.set(userId, { userId, roles, revision: event.revision }) }
    }
    case 'MemberRemoved': {
      const { userId } = event.data
      return {
        ...state,
        members: state.members.delete(userId),
        formerMembers: state.formerMembers.set(userId, true),
      }
    }
    default:
      return state
  }
}

export const company: Aggregate<Company, CompanyEvent> = {
  name: 'company',
  streamName: companyStream,
  initial: undefined,
  evolve,
  eventVersions: { CompanyRegistered: 1, MemberRolesSet: 1, MemberRemoved: 1 },
}

/** Who registers a company becomes its first Admin. The same registration again records nothing. */
export const registerCompany = (
  state: Company,
  { companyId, name }: { companyId: string; name: string },
  { actor }: DecisionContext,
): readonly CompanyEvent[] => {
  if (!state)
    return [
      { type: 'CompanyRegistered', data: { companyId, name } },
      { type: 'MemberRolesSet', data: { companyId, userId: actor.id, roles: ['Admin'] } },
    ]
  if (state.name === name) return []
  throw conflict('company-already-exists', `Company ${companyId} exists under another name.`)
}

const refuseLastAdmin = (state: RegisteredCompany, userId: string): void => {
  const isAdmin = ({ roles }: Member) => roles.includes('Admin')
  const member = state.members.get(userId)
  if (member && isAdmin(member) && state.members.count(isAdmin) === 1)
    throw conflict('last-admin', `${userId} is the company's last Admin.`)
}

export const setMemberRoles = (
  state: RegisteredCompany,
  { userId, wanted }: { userId: string; wanted: readonly Role[] },
): readonly CompanyEvent[] => {
  const ordered = roles.filter((role) => wanted.includes(role))
  if (sameValue(state.members.get(userId)?.roles, ordered)) return []
  if (!ordered.includes('Admin')) refuseLastAdmin(state, userId)
  return [{ type: 'MemberRolesSet', data: { companyId: state.companyId, userId, roles: ordered } }]
}

export const removeMember = (state: RegisteredCompany, userId: string): readonly CompanyEvent[] => {
  if (!state.members.has(userId)) return []
  refuseLastAdmin(state, userId)
  return [{ type: 'MemberRemoved', data: { companyId: state.companyId, userId } }]
}
