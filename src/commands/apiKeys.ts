import {
  type Account,
  type AccountEvent,
  type ApiKeyCreated,
  type ApiKeysRolled,
  account,
  createApiKey as decideCreate,
  deleteApiKey as decideDelete,
  rollApiKeys as decideRoll,
  deleteKeysNaming,
  type IssuedKey,
  type KeyPrint,
  type Membership,
} from '../domain/account.ts'
import type { DecisionContext } from '../domain/aggregate.ts'
import { company } from '../domain/company.ts'
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
const byItself = ({ actor, correlationId }: CommandContext): CommandContext => ({ actor, correlationId })

const answered = ({ hash: _, snapshotAt: __, revision, ...record }: IssuedKey, key: string | null) => ({
  body: { ...record, lastUsedAt: null, key },
  etag: revision,
})

/** A command that issues a key: the secret never leaves this value but in the answer to its own decision. */
const issueKey = <Consulted = undefined>(
  userId: string,
  newKey: NewKey,
  decide: (
    state: Account,
    print: KeyPrint,
    context: DecisionContext,
    consulted: Consulted,
  ) => readonly AccountEvent[],
): Command<Account, AccountEvent, ApiKeyRecord, Consulted> => {
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

const createKey = (
  userId: string,
  wanted: WantedKey & { readonly snapshot: readonly Membership[] },
  newKey: NewKey,
): Command<Account, AccountEvent, ApiKeyRecord> =>
  issueKey(userId, newKey, (_state, print, context) => decideCreate(wanted, print, context))

export interface WantedKey {
  readonly label: string
  readonly expiresInDays: number | null
}

/**
 * Whether the account had all that a key says when the key was made. Memberships are read before that, where
 * they may be out of date; the streams say how they were at the key's own position, whenever they are asked.
 */
const wasFounded = async (
  load: Load,
  userId: string,
  { snapshot, snapshotAt }: Pick<IssuedKey, 'snapshot' | 'snapshotAt'>,
): Promise<boolean> => {
  const held = await concurrently(companiesAtOnce, snapshot, async ({ companyId, roles }) => {
    const { state } = await load(company, companyId, snapshotAt)
    const member = state?.members.get(userId)
    return member !== undefined && roles.every((role) => member.roles.includes(role))
  })
  return held.every(Boolean)
}

/**
 * Creates a key, and deletes it again if its owner did not have any more what it says: whoever removes a
 * member looks for keys afterwards, whoever creates a key looks for members afterwards, so one of the two
 * finds it. Until this is over nobody has seen the key. A repeat looks again: the first may have broken off.
 * @param memberships those of the account as they are now
 */
export const createApiKey = (
  userId: string,
  wanted: WantedKey,
  memberships: () => Promise<readonly Membership[]>,
  newKey: NewKey,
): Process<ApiKeyRecord> => ({
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
})

const deleteIfUnfounded = (
  userId: string,
  key: Pick<IssuedKey, 'keyId' | 'snapshot' | 'snapshotAt'>,
): Command<Account, AccountEvent, { readonly wasFounded: boolean }, boolean> => ({
  aggregate: account,
  id: userId,
  consult: (load) => wasFounded(load, userId, key),
  decide: (state, _context, founded) => (founded ? [] : decideDelete(state, userId, key.keyId)),
  answer: (_state, _recorded, founded) => ({ body: { wasFounded: founded } }),
})

/**
 * Keys that would be gone if whoever made them had come to look, from the newest down to the first that is
 * founded and never expires: nothing older is rolled.
 */
const unfoundedKeys = async (load: Load, userId: string, { keys }: Account): Promise<IssuedKey[]> => {
  const unfounded: IssuedKey[] = []
  for (const key of keys.reverse()) {
    if (!(await wasFounded(load, userId, key))) unfounded.push(key)
    else if (key.expiresAt === null) break
  }
  return unfounded
}

export const rollApiKeys = (
  userId: string,
  newKey: NewKey,
): Command<Account, AccountEvent, ApiKeyRecord, readonly IssuedKey[]> => ({
  ...issueKey<readonly IssuedKey[]>(userId, newKey, decideRoll),
  consult: (load, state) => unfoundedKeys(load, userId, state),
})

/** Deleting a key again records nothing; one that never was is not found. */
export const deleteApiKey = (userId: string, keyId: string): Command<Account, AccountEvent, null> => ({
  aggregate: account,
  id: userId,
  target: (state) =>
    state.keys.find((key) => key.keyId === keyId) ??
    (state.deletedKeyIds.has(keyId) ? { revision: 0 } : undefined),
  addressed: { what: 'API key', id: keyId, where: 'in this account' },
  decide: (state) => decideDelete(state, userId, keyId),
  answer: () => ({ body: null }),
})

/** Keys of an account that let their holder into this company, as many as go at once. */
const deleteSomeKeys = (
  userId: string,
  companyId: string,
  which: 'all' | 'of former members',
): Command<Account, AccountEvent, null, boolean> => ({
  aggregate: account,
  id: userId,
  consult: async (load) => which === 'all' || !(await load(company, companyId)).state?.members.has(userId),
  decide: (state, _context, wanted) => (wanted ? deleteKeysNaming(state, userId, companyId) : []),
  answer: () => ({ body: null }),
})

/**
 * Deletes all keys of an account that let their holder into this company; those of former members: unless the
 * account is a member. Answers the position from which on none of them is there.
 */
export const deleteKeysOf = async (
  { execute }: ProcessMeans,
  context: CommandContext,
  ...keys: Parameters<typeof deleteSomeKeys>
): Promise<number> => {
  for (;;) {
    const { recorded, position } = await execute(deleteSomeKeys(...keys), byItself(context))
    if (recorded.length === 0) return position
  }
}
