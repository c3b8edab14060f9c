import { account } from '../../domain/company/account.ts'
import { type Company, company } from '../../domain/company/company.ts'
import type { MemberKeysNarrowed, Role } from '../../domain/company/companyEvents.ts'
import {
  narrowKeys as decideToNarrowKeys,
  keysBeyond,
  keysNaming,
} from '../../domain/company/keyNarrowing.ts'
import { keysAtOnce, narrowMemberKeys } from '../../domain/company/members.ts'
import type { Stored } from '../../domain/kernel/event.ts'
import { refusals } from '../../problems/catalogue.ts'
import {
  type Command,
  type CommandContext,
  onRecord,
  onStream,
  type Workflow,
  type WorkflowTools,
} from '../executor/command.ts'
import { asStep } from './apiKeys.ts'

/** A company narrows API keys of accounts: they keep some of their roles in it, or none. */

/**
 * Take a company out of one key.
 * @param find finds the key, if it names the company
 */
export function revokeApiKey(
  companyId: string,
  keyId: string,
  find: () => Promise<CompanyKey | undefined>,
): Workflow<undefined> {
  return {
    aggregate: company,
    async run(tools, context) {
      const revoked = await tools.execute(revokeKey(companyId, keyId, await find()), context)
      const position = await narrowInAccount(tools, context, revoked.body.userId, companyId)
      return { ...revoked, body: undefined, position: Math.max(revoked.position, position) }
    },
  }
}
revokeApiKey.refuses = refusals('api-key-not-found')

/**
 * Cut the keys of an account down to the roles that it has left in a company. The company's own history says so first,
 * and read models go by that, so that a workflow that breaks off in between leaves less access; a repeat finishes. It
 * ends with the first portion that is not full, so that the owner cannot keep it from ending by creating more keys.
 * Return the position from which on none of the keys has another role in the company.
 */
export async function narrowKeys(
  tools: WorkflowTools,
  context: CommandContext,
  companyId: string,
  userId: string,
  rolesLeft: RolesLeft,
): Promise<number> {
  for (;;) {
    const narrowed = await tools.execute(narrowKeysOf(companyId, userId, rolesLeft), asStep(context))
    const position = await narrowInAccount(tools, context, userId, companyId)
    if (narrowed.body < keysAtOnce) return Math.max(narrowed.position, position)
  }
}

/** Return the roles of the account in the company. */
type RolesLeft = (company: NonNullable<Company>) => readonly Role[]

/** An API key that names a company. */
export interface CompanyKey {
  /** The account whose key it is. */
  readonly userId: string
  /** The revision of the event that issued it. */
  readonly revision: number
}

/**
 * Record in the company's own history that a key of an account no longer opens the company, nor does the key that it
 * was rolled into meanwhile. A repeat records nothing.
 * @param key undefined when no key of this id names the company
 */
function revokeKey(
  companyId: string,
  keyId: string,
  key: CompanyKey | undefined,
): Command<{ readonly userId: string }> {
  const owner = key?.userId
  return onRecord({
    aggregate: company,
    id: companyId,
    record: {
      missing: 'api-key-not-found',
      id: keyId,
      find: (state) => {
        const userId = owner ?? state?.narrowedKeys.get(keyId)?.userId
        return state && userId !== undefined ? { company: state, userId, revision: key?.revision } : undefined
      },
    },
    dependencies: async (load) =>
      owner === undefined ? account.initial : (await load(account, owner)).state,
    decide: ({ company: state }, _context, of) => {
      const keyIds = keysNaming(of, companyId, keyId)
      if (owner === undefined || keyIds.length === 0) return []
      return narrowMemberKeys(state, { userId: owner, roles: [] }, [...new Set([keyId, ...keyIds])])
    },
    answer: ({ userId }) => ({ body: { userId } }),
  })
}

/**
 * Record in the company's own history which roles it leaves to the keys of an account that have further ones: as many
 * keys as fit into one append. The answer is their number.
 */
function narrowKeysOf(companyId: string, userId: string, rolesLeft: RolesLeft): Command<number> {
  return onRecord({
    aggregate: company,
    id: companyId,
    record: {
      id: companyId,
      find: (state) => state && { company: state, revision: 0 },
    },
    dependencies: async (load) => (await load(account, userId)).state,
    decide: ({ company: state }, _context, of) => {
      const roles = rolesLeft(state)
      return narrowMemberKeys(state, { userId, roles }, keysBeyond(of, companyId, roles))
    },
    answer: (_found, [narrowed]) => ({
      body: (narrowed as Stored<MemberKeysNarrowed> | undefined)?.data.keyIds.length ?? 0,
    }),
  })
}

/** Return the position from which on no key has a role that the company has not left to it. */
async function narrowInAccount(
  { execute }: WorkflowTools,
  context: CommandContext,
  userId: string,
  companyId: string,
): Promise<number> {
  for (;;) {
    const { body: more, position } = await execute(narrowPortion(userId, companyId), asStep(context))
    if (!more) return position
  }
}

/** Narrow as many keys as fit into one append. The answer is whether there may be more. */
function narrowPortion(userId: string, companyId: string): Command<boolean> {
  return onStream({
    aggregate: account,
    id: userId,
    dependencies: async (load) => (await load(company, companyId)).state,
    decide: (state, _context, of) => decideToNarrowKeys(state, userId, companyId, of),
    answer: (_state, recorded) => ({
      body: recorded.length === keysAtOnce,
    }),
  })
}
