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
import type { Stored } from '../domain/event.ts'
import type { Command } from './command.ts'

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

const answered = ({ hash: _, revision, ...record }: IssuedKey, key: string | null) => ({
  body: { ...record, lastUsedAt: null, key },
  etag: revision,
})

/** A command that issues a key: the secret never leaves this value but in the answer to its own decision. */
const issueKey = (
  userId: string,
  newKey: NewKey,
  decide: (...args: [Account, KeyPrint, Parameters<typeof decideRoll>[2]]) => readonly AccountEvent[],
): Command<Account, AccountEvent, ApiKeyRecord> => {
  let made: ReturnType<NewKey> | undefined
  return {
    aggregate: account,
    id: userId,
    decide: (state, context) => {
      made = newKey()
      return decide(state, made.print, context)
    },
    answer: (state, [event]) => {
      const { keyId } = (event as Stored<ApiKeyCreated | ApiKeysRolled>).data
      const issued = state.keys.find((key) => key.keyId === keyId)!
      // Another request under the same Idempotency-Key may have been first: then the key is not ours to show.
      return answered(issued, made?.print.hash === issued.hash ? made.key : null)
    },
  }
}

export const createApiKey = (
  userId: string,
  wanted: { label: string; expiresInDays?: number | undefined; snapshot: readonly Membership[] },
  newKey: NewKey,
): Command<Account, AccountEvent, ApiKeyRecord> =>
  issueKey(userId, newKey, (_state, print, context) => decideCreate(wanted, print, context))

export const rollApiKeys = (userId: string, newKey: NewKey): Command<Account, AccountEvent, ApiKeyRecord> =>
  issueKey(userId, newKey, decideRoll)

/** Deleting a key again records nothing; one that never was is not found. */
export const deleteApiKey = (userId: string, keyId: string): Command<Account, AccountEvent, null> => ({
  aggregate: account,
  id: userId,
  target: (state) =>
    state.keys.find((key) => key.keyId === keyId) ??
    (state.deletedKeyIds.has(keyId) ? { revision: 0 } : undefined),
  addressed: { what: 'API key', id: keyId },
  decide: (state) => decideDelete(state, userId, keyId),
  answer: () => ({ body: null }),
})

/** All keys of an account that let their holder into this company. */
export const revokeKeys = (userId: string, companyId: string): Command<Account, AccountEvent, null> => ({
  aggregate: account,
  id: userId,
  decide: (state) => deleteKeysNaming(state, userId, companyId),
  answer: () => ({ body: null }),
})
