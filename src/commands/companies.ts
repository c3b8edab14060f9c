import {
  type Company,
  type CompanyEvent,
  company,
  registerCompany as decideRegister,
  removeMember as decideRemove,
  setMemberRoles as decideRoles,
  type Role,
} from '../domain/company.ts'
import type { Command } from './command.ts'

export interface CompanyRecord {
  readonly companyId: string
  readonly name: string
}

export interface MemberRecord {
  readonly userId: string
  readonly roles: readonly Role[]
}

export const registerCompany = (
  companyId: string,
  name: string,
): Command<Company, CompanyEvent, CompanyRecord> => ({
  aggregate: company,
  id: companyId,
  decide: (state, context) => decideRegister(state, { companyId, name }, context),
  answer: (state) => ({ body: { companyId, name: state!.name } }),
})

/** A member that is new has no revision to match yet: that of the company's registration counts, 0. */
export const setMemberRoles = (
  companyId: string,
  userId: string,
  wanted: readonly Role[],
): Command<Company, CompanyEvent, MemberRecord> => ({
  aggregate: company,
  id: companyId,
  target: (state) => state && { revision: state.members.get(userId)?.revision ?? 0 },
  addressed: { what: 'company', id: companyId },
  decide: (state) => decideRoles(state!, { userId, wanted }),
  answer: (state) => {
    const { roles, revision } = state!.members.get(userId)!
    return { body: { userId, roles }, etag: revision }
  },
})

/** Removing a former member again records nothing; one who never was a member is not found. */
export const removeMember = (companyId: string, userId: string): Command<Company, CompanyEvent, null> => ({
  aggregate: company,
  id: companyId,
  target: (state) =>
    state?.members.get(userId) ?? (state?.formerMembers.has(userId) ? { revision: 0 } : undefined),
  addressed: { what: 'member', id: userId },
  decide: (state) => decideRemove(state!, userId),
  answer: () => ({ body: null }),
})
