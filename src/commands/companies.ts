import {
  type Company,
  type CompanyEvent,
  company,
  registerCompany as decideRegister,
  removeMember as decideRemove,
  setMemberRoles as decideRoles,
  type Role,
  wasEverMember,
} from '../domain/company.ts'
import { derivedId } from '../domain/identifiers.ts'
import { takeCompanyOutOfKeys } from './apiKeys.ts'
import type { Command, Process } from './command.ts'

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
  // Its registration opens the stream, and nothing changes it afterwards.
  answer: (state) => ({ body: { companyId, name: state!.name }, etag: 0 }),
})

const namespace = 'b0ea9a0e-6a0f-4f0c-9a4e-3f1f6d0b7a52'

/** Without an id, a repeat under the same Idempotency-Key finds the company by what the two have in common. */
export const registerNewCompany = (companyId: string | undefined, name: string): Process<CompanyRecord> => ({
  aggregate: company,
  carryOut({ execute, newId }, context) {
    const { key, caller } = context.idempotency ?? {}
    const derived = key === undefined ? newId() : derivedId(namespace, 'company', caller, key)
    return execute(registerCompany(companyId ?? derived, name), context)
  },
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
const removal = (companyId: string, userId: string): Command<Company, CompanyEvent, null> => ({
  aggregate: company,
  id: companyId,
  target: (state) =>
    state?.members.get(userId) ?? (wasEverMember(state, userId) ? { revision: 0 } : undefined),
  addressed: { what: 'member', id: userId },
  decide: (state) => decideRemove(state!, userId),
  answer: () => ({ body: null }),
})

/** Refuses whatever the removal would refuse, and records nothing. */
const asQuestion = (command: ReturnType<typeof removal>): typeof command => ({
  ...command,
  decide: (...decision) => {
    command.decide(...decision)
    return []
  },
})

/**
 * Removes a member; with `revokeKeys` it first takes the company out of the account's keys, so that a workflow
 * that breaks off leaves less access, and a repeat finishes. A key that is created in between is found when the
 * member is gone; a key that is being created then is given up by its own creation (`createApiKey`).
 */
export const removeMember = (
  companyId: string,
  userId: string,
  { revokeKeys }: { readonly revokeKeys: boolean },
): Process<null> => ({
  aggregate: company,
  async carryOut(means, context) {
    const remove = removal(companyId, userId)
    if (!revokeKeys) return means.execute(remove, context)
    const asked = await means.execute(asQuestion(remove), context)
    if (!asked.replayed) await takeCompanyOutOfKeys(means, context, companyId, userId, 'all')
    const outcome = asked.replayed ? asked : await means.execute(remove, context)
    const position = await takeCompanyOutOfKeys(means, context, companyId, userId, 'of former members')
    return { ...outcome, position: Math.max(outcome.position, position) }
  },
})
