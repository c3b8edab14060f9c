import { account, keysBeyond, keysNaming, narrowRevokedKeys } from '../../domain/company/account.ts'
import { type Company, company, type MemberKeysRevoked, type Role } from '../../domain/company/company.ts'
import { keysAtOnce, revokeMemberKeys } from '../../domain/company/members.ts'
import type { Stored } from '../../domain/kernel/event.ts'
import type { ProblemCode } from '../../problems/catalogue.ts'
import {
  type Command,
  type CommandContext,
  onRecord,
  onStream,
  type Workflow,
  type WorkflowTools,
} from '../executor/command.ts'
import { asStep } from './apiKeys.ts'

/** A company takes itself out of API keys of accounts. */

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
      const position = await narrowAllKeys(tools, context, revoked.body.userId, companyId)
      return { ...revoked, body: undefined, position: Math.max(revoked.position, position) }
    },
  }
}
revokeApiKey.refuses = ['api-key-not-found'] as const satisfies readonly ProblemCode[]

/**
 * Take a company out of the keys of an account that have a role there which the account has not. The company's
 * own history says so first, and read models go by that, so that a workflow that breaks off in between leaves less
 * access; a repeat finishes. It ends with the first portion that is not full, so that the owner cannot keep it from
 * ending by creating more keys.
 * Return the position from which on none of the keys lets anybody into the company.
 */
export async function takeCompanyOutOfKeys(
  tools: WorkflowTools,
  context: CommandContext,
  companyId: string,
  userId: string,
  rolesLeft: RolesLeft,
): Promise<number> {
  for (;;) {
    const revoked = await tools.execute(revokeKeysOf(companyId, userId, rolesLeft), asStep(context))
    const position = await narrowAllKeys(tools, context, userId, companyId)
    if (revoked.body < keysAtOnce) return Math.max(revoked.position, position)
  }
}

/** Return the roles of the account in the company. A key that has no other role there stays as it is. */
type RolesLeft = (company: NonNullable<Company>) => readonly Role[]

/** An API key that names a company. */
export interface CompanyKey {
  /** The account whose key it is. */
  readonly userId: string
  /** The revision of the event that issued it. */
  readonly revision: number
}

/**
 * Record in the company's own history that it takes itself out of a key of somebody's account, and of the key that it
 * has been rolled into meanwhile. Again it records nothing.
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
        const userId = owner ?? state?.revokedKeys.get(keyId)
        return state && userId !== undefined ? { company: state, userId, revision: key?.revision } : undefined
      },
    },
    dependencies: async (load) =>
      owner === undefined ? account.initial : (await load(account, owner)).state,
    decide: ({ company: state }, _context, of) => {
      const keyIds = keysNaming(of, companyId, keyId)
      if (owner === undefined || keyIds.length === 0) return []
      return revokeMemberKeys(state, owner, [...new Set([keyId, ...keyIds])])
    },
    answer: ({ userId }) => ({ body: { userId } }),
  })
}

/**
 * The same for all keys of an account that have a role in the company which is not left: as many as fit into one append.
 * The answer is their number.
 */
function revokeKeysOf(companyId: string, userId: string, rolesLeft: RolesLeft): Command<number> {
  return onRecord({
    aggregate: company,
    id: companyId,
    record: {
      id: companyId,
      find: (state) => state && { company: state, revision: 0 },
    },
    dependencies: async (load) => (await load(account, userId)).state,
    decide: ({ company: state }, _context, of) =>
      revokeMemberKeys(state, userId, keysBeyond(of, companyId, rolesLeft(state))),
    answer: (_found, [revoked]) => ({
      body: (revoked as Stored<MemberKeysRevoked> | undefined)?.data.keyIds.length ?? 0,
    }),
  })
}

/** Return the position from which on nobody gets into the company by the keys that it has revoked. */
async function narrowAllKeys(
  { execute }: WorkflowTools,
  context: CommandContext,
  userId: string,
  companyId: string,
): Promise<number> {
  for (;;) {
    const { body: more, position } = await execute(narrowKeys(userId, companyId), asStep(context))
    if (!more) return position
  }
}

/**
 * Take a company out of the keys that it has revoked, as many as fit into one append. The answer is whether there may
 * be more.
 */
function narrowKeys(userId: string, companyId: string): Command<boolean> {
  return onStream({
    aggregate: account,
    id: userId,
    dependencies: async (load) => (await load(company, companyId)).state,
    decide: (state, _context, of) => narrowRevokedKeys(state, userId, companyId, of),
    answer: (_state, recorded) => ({
      body: recorded.length === keysAtOnce,
    }),
  })
}
