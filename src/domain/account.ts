import { Set as ImmutableSet, List } from 'immutable'
import type { Aggregate, DecisionContext } from './aggregate.ts'
import type { Role } from './company.ts'
import type { Actor, DomainEvent, Stored } from './event.ts'
import { conflict } from './refusal.ts'

/** The API keys of one account. */
export const accountStream = (userId: string): string => `account-${userId}`

/** What its owner may do in a company. */
export interface Membership {
  readonly companyId: string
  readonly roles: readonly Role[]
}

/** The part of a new key that is kept: the key itself is shown once and stored nowhere. */
export interface KeyPrint {
  /** The beginning of the key, by which its owner recognises it. */
  readonly prefix: string
  /** SHA-256 of the key, in hex. */
  readonly hash: string
}

export interface ApiKey extends KeyPrint {
  readonly keyId: string
  readonly label: string
  /** RFC 3339 in UTC; null: never. */
  readonly expiresAt: string | null
  /** The owner's memberships when the first key of this line was created: what the key may do. */
  readonly snapshot: readonly Membership[]
}

interface Owner {
  readonly userId: string
  readonly userName: string
  readonly userKind: Actor['kind']
}

type DeletedKey = Pick<ApiKey, 'keyId' | 'hash'>

export type ApiKeyCreated = DomainEvent<'ApiKeyCreated', Owner & ApiKey>
/** A new key, and all others gone, in one fact. */
export type ApiKeysRolled = DomainEvent<
  'ApiKeysRolled',
  Owner & ApiKey & { readonly deleted: readonly DeletedKey[] }
>
export type ApiKeyDeleted = DomainEvent<'ApiKeyDeleted', { readonly userId: string } & DeletedKey>
export type AccountEvent = ApiKeyCreated | ApiKeysRolled | ApiKeyDeleted

export interface IssuedKey extends ApiKey {
  readonly createdAt: string
  readonly revision: number
  /** The position at which the snapshot was taken: that of the first key of its line, which rolling goes on with. */
  readonly snapshotAt: number
}

export interface Account {
  /** Oldest first. */
  readonly keys: List<IssuedKey>
  readonly deletedKeyIds: ImmutableSet<string>
}

const issued = ({ data, metadata, revision, position }: Stored<ApiKeyCreated | ApiKeysRolled>): IssuedKey => {
  const { keyId, label, prefix, hash, expiresAt, snapshot } = data
  const { occurredAt: createdAt } = metadata
  return { keyId, label, prefix, hash, expiresAt, snapshot, createdAt, revision, snapshotAt: position }
}

const isLive = ({ expiresAt }: ApiKey, now: string): boolean => expiresAt === null || expiresAt > now
const newestLiveKey = ({ keys }: Account, now: string): IssuedKey | undefined =>
  keys.findLast((key) => isLive(key, now))

const evolve = (state: Account, event: Stored<AccountEvent>): Account => {
  switch (event.type) {
    case 'ApiKeyCreated':
      return { ...state, keys: state.keys.push(issued(event)) }
    case 'ApiKeysRolled': {
      const { snapshotAt } = newestLiveKey(state, event.metadata.occurredAt) ?? issued(event)
      return {
        keys: List([{ ...issued(event), snapshotAt }]),
        deletedKeyIds: state.deletedKeyIds.union(event.data.deleted.map(({ keyId }) => keyId)),
      }
    }
    case 'ApiKeyDeleted': {
      const { keyId } = event.data
      return {
        keys: state.keys.filter((key) => key.keyId !== keyId),
        deletedKeyIds: state.deletedKeyIds.add(keyId),
      }
    }
    default:
      return state
  }
}

export const account: Aggregate<Account, AccountEvent> = {
  name: 'account',
  streamName: accountStream,
  initial: { keys: List(), deletedKeyIds: ImmutableSet() },
  evolve,
  eventVersions: { ApiKeyCreated: 1, ApiKeysRolled: 1, ApiKeyDeleted: 1 },
}

const ownerOf = ({ actor }: DecisionContext): Owner => ({
  userId: actor.id,
  userName: actor.name,
  userKind: actor.kind,
})

const day = 86_400_000

export const createApiKey = (
  {
    label,
    expiresInDays,
    snapshot,
  }: { label: string; expiresInDays: number | null; snapshot: readonly Membership[] },
  print: KeyPrint,
  context: DecisionContext,
): readonly AccountEvent[] => {
  const expiresAt =
    expiresInDays === null ? null : new Date(Date.parse(context.now) + expiresInDays * day).toISOString()
  const key = { keyId: context.newId(), label, ...print, expiresAt, snapshot }
  return [{ type: 'ApiKeyCreated', data: { ...ownerOf(context), ...key } }]
}

/**
 * Issues a new key with the newest live key's label, expiry and snapshot as they are; all others go. Those in
 * `unfounded` go first: nothing is carried over from a key that should not have been.
 */
export const rollApiKeys = (
  state: Account,
  print: KeyPrint,
  context: DecisionContext,
  unfounded: readonly IssuedKey[] = [],
): readonly AccountEvent[] => {
  const owner = ownerOf(context)
  const keys = state.keys.filter((key) => !unfounded.includes(key))
  const newest = newestLiveKey({ ...state, keys }, context.now)
  if (!newest) throw conflict('no-api-key', 'This account has no API key to roll.')
  const { label, expiresAt, snapshot } = newest
  const key = { keyId: context.newId(), label, ...print, expiresAt, snapshot }
  const others = keys.map(({ keyId, hash }) => ({ keyId, hash })).toArray()
  return [
    ...unfounded.map((gone) => deleted(owner.userId, gone)),
    { type: 'ApiKeysRolled', data: { ...owner, ...key, deleted: others } },
  ]
}

const deleted = (userId: string, { keyId, hash }: ApiKey): ApiKeyDeleted => ({
  type: 'ApiKeyDeleted',
  data: { userId, keyId, hash },
})

export const deleteApiKey = (state: Account, userId: string, keyId: string): readonly AccountEvent[] =>
  state.keys
    .filter((key) => key.keyId === keyId)
    .map((key) => deleted(userId, key))
    .toArray()

/** So that deleting them fits into one append, whoever does it. */
const deletedAtOnce = 200

/** Keys that let their holder into this company: as many as go at once, so it is repeated until none is left. */
export const deleteKeysNaming = (
  state: Account,
  userId: string,
  companyId: string,
): readonly AccountEvent[] =>
  state.keys
    .filter(({ snapshot }) => snapshot.some((membership) => membership.companyId === companyId))
    .take(deletedAtOnce)
    .map((key) => deleted(userId, key))
    .toArray()
