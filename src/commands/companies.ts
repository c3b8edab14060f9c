import type { Administrator, Company, CompanyEvent, Role } from '../domain/company.ts'
import * as companies from '../domain/company.ts'
import { derivedId } from '../domain/identifiers.ts'
import { takeCompanyOutOfKeys } from './apiKeys.ts'
import {
  type AddressedRecord,
  type Check,
  type Command,
  checkOn,
  onRecord,
  onStream,
  type Workflow,
} from './command.ts'

export interface CompanyRecord {
  readonly companyId: string
  readonly name: string
}

export interface MemberRecord {
  readonly userId: string
  readonly roles: readonly Role[]
}

export function registerCompany(companyId: string, name: string): Command<CompanyRecord> {
  return onStream({
    aggregate: companies.company,
    id: companyId,
    decide: (state, context) => companies.registerCompany(state, { companyId, name }, context),
    // Its registration opens the stream, and nothing changes it afterwards.
    answer: (state) => ({ body: { companyId, name: state.name }, etag: 0 }),
  })
}

const namespace = 'b0ea9a0e-6a0f-4f0c-9a4e-3f1f6d0b7a52'

/** Register a company. Without an id, the Idempotency-Key gives it one, so that a repeat finds it. */
export function registerNewCompany(companyId: string | undefined, name: string): Workflow<CompanyRecord> {
  return {
    aggregate: companies.company,
    run({ execute, newId }, context) {
      const { key, caller } = context.idempotency ?? {}
      const derived = key === undefined ? newId() : derivedId(namespace, 'company', caller, key)
      return execute(registerCompany(companyId ?? derived, name), context)
    },
  }
}

/** Set a member's roles; without `by` the service does so itself. A new member has no revision yet, so If-Match compares with 0, that of the registration. */
export function setMemberRoles(
  companyId: string,
  userId: string,
  wanted: readonly Role[],
  by?: Administrator,
): Command<MemberRecord> {
  return onRecord<Company, CompanyEvent, FoundCompany, undefined, MemberRecord>({
    aggregate: companies.company,
    id: companyId,
    record: {
      noun: 'company',
      id: companyId,
      find: (company) => company && { company, revision: company.members.get(userId)?.revision ?? 0 },
    },
    decide: ({ company }) => companies.setMemberRoles(company, { userId, wanted, by }),
    answer: ({ company, revision }) => ({
      body: { userId, roles: company.members.get(userId)!.roles },
      etag: revision,
    }),
  })
}

/**
 * Remove a member. With `revokeKeys` the company is taken out of the account's keys first, so that a workflow that
 * breaks off leaves less access, and a repeat finishes. A key that is created in between is found once the member is
 * gone; a key that is being created then is given up by its own creation (`createApiKey`).
 */
export function removeMember(
  companyId: string,
  userId: string,
  { revokeKeys }: { readonly revokeKeys: boolean },
): Workflow<undefined> {
  return {
    aggregate: companies.company,
    async run(tools, context) {
      if (!revokeKeys) return tools.execute(removal(companyId, userId), context)
      const checked = await tools.check(checkRemoval(companyId, userId), context)
      if (!checked.replayed) await takeCompanyOutOfKeys(tools, context, companyId, userId, 'all')
      const outcome = checked.replayed ? checked : await tools.execute(removal(companyId, userId), context)
      const position = await takeCompanyOutOfKeys(tools, context, companyId, userId, 'of former members')
      return { ...outcome, position: Math.max(outcome.position, position) }
    },
  }
}

/** Removing a former member again records nothing. */
function removal(companyId: string, userId: string): Command<undefined> {
  return onRecord({
    aggregate: companies.company,
    id: companyId,
    record: member(userId),
    decide: ({ company }) => companies.removeMember(company, userId),
  })
}

/** Refuse what the removal would refuse. */
function checkRemoval(companyId: string, userId: string): Check<undefined> {
  return checkOn<Company, CompanyEvent, FoundCompany>({
    aggregate: companies.company,
    id: companyId,
    record: member(userId),
    refuse: ({ company }) => void companies.removeMember(company, userId),
  })
}

interface FoundCompany {
  readonly company: NonNullable<Company>
  readonly revision: number
}

/** A present or former member. Somebody who never was a member is not found. */
function member(userId: string): AddressedRecord<Company, FoundCompany> {
  return {
    noun: 'member',
    id: userId,
    find: (company) => {
      const present = company?.members.get(userId)
      if (!company || !(present || companies.wasEverMember(company, userId))) return undefined
      return { company, revision: present?.revision ?? 0 }
    },
  }
}
