import {
  type Account,
  type AccountEvent,
  type ApiKeyCreated,
  type ApiKeysRolled,
  account,
  type Companies,
  createApiKey as decideCreate,
  deleteApiKey as decideDelete,
  rollApiKeys as decideRoll,
  type IssuedKey,
  type KeyPrint,
  keysNaming,
  type Membership,
  narrowRevokedKeys,
  wasFounded,
} from '../domain/account.ts'
import type { DecisionContext } from '../domain/aggregate.ts'
import {
  type Company,
  type CompanyEvent,
  company,
  keysAtOnce,
  type MemberKeysRevoked,
  revokeMemberKeys,
} from '../domain/company.ts'
import type { Stored } from '../domain/event.ts'
import { conflict } from '../domain/refusal.ts'
import type { Command, CommandContext, Load, Process, ProcessMeans } from './command.ts'
import { concurrently } from './concurrently.ts'

/** Streams read at the same time. */
const companiesAtOnce = 16

/** Makes a key: the secret, and what is kept of it. */
export type NewKey = () => { readonly key: string; readonly print: KeyPrint }

export interface ApiKeyRecord {
  readonly keyId: string
  readonly label: string
  readonly prefix: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly snapshot: readonly Membership[]
  /** The only answer that ever holds it; null when the answer is given again. */
  readonly key: string | null
}

/** A step of a process: by the same caller, but a repeat of the request decides it afresh. */
function byItself({ actor, correlationId }: CommandContext): CommandContext {
  return { actor, correlationId }
}

function answered({ hash: _, snapshotAt: __, revision, ...record }: IssuedKey, key: string | null) {
  return {
    body: { ...record, lastUsedAt: null, key },
    etag: revision,
  }
}

/** A command that issues a key: the secret never leaves this value but in the answer to its own decision. */
function issueKey<Consulted = undefined>(
  userId: string,
  newKey: NewKey,
  decide: (
    state: Account,
    print: KeyPrint,
    context: DecisionContext,
    consulted: Consulted,
  ) => readonly AccountEvent[],
): Command<Account, AccountEvent, ApiKeyRecord, Consulted> {
  let made: ReturnType<NewKey> | undefined
  return {
    aggregate: account,
    id: userId,
    decide: (state, context, consulted) => {
      made = newKey()
      return decide(state, made.print, context, consulted)
    },
    answer: (state, recorded) => {
      const { keyId } = (recorded.at(-1) as Stored<ApiKeyCreated | ApiKeysRolled>).data
      const issued = state.keys.find((key) => key.keyId === keyId)!
      // Another request under the same Idempotency-Key may have been first: then the key is not ours to show.
      return answered(issued, made?.print.hash === issued.hash ? made.key : null)
    },
  }
}

function createKey(
  userId: string,
  wanted: WantedKey & { readonly snapshot: readonly Membership[] },
  newKey: NewKey,
): Command<Account, AccountEvent, ApiKeyRecord> {
  return issueKey(userId, newKey, (state, print, context) => decideCreate(state, wanted, print, context))
}

export interface WantedKey {
  readonly label: string
  readonly expiresInDays: number | null
}

/** The companies that these keys name, each read once. */
async function companiesOf(load: Load, keys: Iterable<Pick<IssuedKey, 'snapshot'>>): Promise<Companies> {
  const companyIds = new Set<string>()
  for (const { snapshot } of keys) for (const { companyId } of snapshot) companyIds.add(companyId)
  const loaded = await concurrently(
    companiesAtOnce,
    [...companyIds],
    async (companyId) => [companyId, (await load(company, companyId)).state] as const,
  )
  return new Map(loaded)
}

/**
 * Creates a key, and deletes it again if its owner had lost a role of its snapshot before. A removal looks for
 * keys after it has removed the member, and a creation looks at the members after it has created the key, so one
 * of the two finds the other. Nobody sees the key before that. A repeat looks again, because the first attempt
 * may have broken off.
 * @param memberships those of the account as they are now
 */
export function createApiKey(
  userId: string,
  wanted: WantedKey,
  memberships: () => Promise<readonly Membership[]>,
  newKey: NewKey,
): Process<ApiKeyRecord> {
  return {
    aggregate: account,
    async carryOut({ execute }, context) {
      const snapshot = await memberships()
      const outcome = await execute(createKey(userId, { ...wanted, snapshot }, newKey), context)
      const check = deleteIfUnfounded(userId, { ...outcome.body, snapshotAt: outcome.position })
      const { body } = await execute(check, byItself(context))
      if (body.wasFounded) return outcome
      throw conflict(
        'membership-ended',
        'A membership, or a role in it, ended while the key was made; the key is deleted again.',
      )
    },
  }
}

function deleteIfUnfounded(
  userId: string,
  key: Pick<IssuedKey, 'keyId' | 'snapshot' | 'snapshotAt'>,
): Command<Account, AccountEvent, { readonly wasFounded: boolean }, boolean> {
  return {
    aggregate: account,
    id: userId,
    consult: async (load) => wasFounded(key, userId, await companiesOf(load, [key])),
    decide: (state, _context, founded) => (founded ? [] : decideDelete(state, userId, key.keyId)),
    answer: (_state, _recorded, founded) => ({ body: { wasFounded: founded } }),
  }
}

export function rollApiKeys(
  userId: string,
  newKey: NewKey,
): Command<Account, AccountEvent, ApiKeyRecord, Companies> {
  return {
    ...issueKey<Companies>(userId, newKey, decideRoll),
    consult: (load, { keys }) => companiesOf(load, keys),
  }
}

/** Deleting a key again records nothing; a key that never existed is not found. */
export function deleteApiKey(userId: string, keyId: string): Command<Account, AccountEvent, null> {
  return {
    aggregate: account,
    id: userId,
    target: (state) =>
      state.keys.find((key) => key.keyId === keyId) ?? (state.lines.has(keyId) ? { revision: 0 } : undefined),
    addressed: { what: 'API key', id: keyId, where: 'in this account' },
    decide: (state) => decideDelete(state, userId, keyId),
    answer: () => ({ body: null }),
  }
}

interface RevokedKey {
  readonly userId: string | undefined
}

/**
 * Records in the company's own history that it takes itself out of a key of somebody's account, and of the key
 * that it has been rolled into meanwhile. Again it records nothing.
 * @param owner the account whose key names the company; undefined when there is no such key
 */
function revokeKey(
  companyId: string,
  keyId: string,
  owner: string | undefined,
): Command<Company, CompanyEvent, RevokedKey, Account> {
  return {
    aggregate: company,
    id: companyId,
    target: (state) => (owner !== undefined || state?.revokedKeys.has(keyId) ? { revision: 0 } : undefined),
    addressed: { what: 'API key', id: keyId },
    consult: async (load) => (owner === undefined ? account.initial : (await load(account, owner)).state),
    decide: (state, _context, of) => {
      const keyIds = keysNaming(of, companyId, keyId)
      if (owner === undefined || keyIds.length === 0) return []
      return revokeMemberKeys(state!, owner, [...new Set([keyId, ...keyIds])])
    },
    answer: (state) => ({ body: { userId: owner ?? state!.revokedKeys.get(keyId) } }),
  }
}

/**
 * The same for all keys of an account that name the company, or only if the account is no member any more: as
 * many as fit into one append. Answers their number.
 */
function revokeKeysOf(
  companyId: string,
  userId: string,
  which: 'all' | 'of former members',
): Command<Company, CompanyEvent, number, Account> {
  return {
    aggregate: company,
    id: companyId,
    consult: async (load) => (await load(account, userId)).state,
    decide: (state, _context, of) =>
      which === 'of former members' && state!.members.has(userId)
        ? []
        : revokeMemberKeys(state!, userId, keysNaming(of, companyId)),
    answer: (_state, [revoked]) => ({
      body: (revoked as Stored<MemberKeysRevoked> | undefined)?.data.keyIds.length ?? 0,
    }),
  }
}

/**
 * Takes a company out of the keys of an account that its history says it has revoked, as many as fit into one
 * append. Answers whether there may be more.
 */
function narrowKeys(userId: string, companyId: string): Command<Account, AccountEvent, boolean, Company> {
  return {
    aggregate: account,
    id: userId,
    consult: async (load) => (await load(company, companyId)).state,
    decide: (state, _context, of) => narrowRevokedKeys(state, userId, companyId, of),
    answer: (_state, recorded) => ({
      body: recorded.filter(({ type }) => type === 'ApiKeyDeleted').length === keysAtOnce,
    }),
  }
}

/** Returns the position from which on nobody gets into the company by the keys that it has revoked. */
async function narrowAllKeys(
  { execute }: Pick<ProcessMeans, 'execute'>,
  context: CommandContext,
  userId: string,
  companyId: string,
): Promise<number> {
  for (;;) {
    const { body: more, position } = await execute(narrowKeys(userId, companyId), byItself(context))
    if (!more) return position
  }
}

/**
 * Takes a company out of the keys of an account. The company's own history says so first, and read models go by
 * that, so that a workflow that breaks off in between leaves less access; a repeat finishes. It ends with the
 * first portion that is not full: the owner, who may go on creating keys meanwhile, cannot keep it from ending.
 * Returns the position from which on none of the keys lets anybody into the company.
 */
export async function takeCompanyOutOfKeys(
  means: ProcessMeans,
  context: CommandContext,
  companyId: string,
  userId: string,
  which: 'all' | 'of former members',
): Promise<number> {
  for (;;) {
    const revoked = await means.execute(revokeKeysOf(companyId, userId, which), byItself(context))
    const position = await narrowAllKeys(means, context, userId, companyId)
    if (revoked.body < keysAtOnce) return Math.max(revoked.position, position)
  }
}

/**
 * Takes a company out of one key.
 * @param owner finds the account whose key names the company
 */
export function revokeApiKey(
  companyId: string,
  keyId: string,
  owner: () => Promise<string | undefined>,
): Process<null> {
  return {
    aggregate: company,
    async carryOut(means, context) {
      const revoked = await means.execute(revokeKey(companyId, keyId, await owner()), context)
      const position = await narrowAllKeys(means, context, revoked.body.userId!, companyId)
      return { ...revoked, body: null, position: Math.max(revoked.position, position) }
    },
  }
}
