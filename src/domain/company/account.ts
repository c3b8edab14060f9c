import { Map as ImmutableMap, List } from 'immutable'
import type { Aggregate } from '../kernel/aggregate.ts'
import type { Actor, DomainEvent, Stored } from '../kernel/event.ts'
import type { Role } from './companyEvents.ts'

/** The API keys of one account. `apiKeys.ts` has the decisions on them. */
export function accountStream(userId: string): string {
  return `account-${userId}`
}

/** A company that a key names, with the roles of its owner there. */
export interface Membership {
  readonly companyId: string
  readonly roles: readonly Role[]
}

/** The part of a new key that is kept: the key itself is shown once and stored nowhere. */
export interface KeyFingerprint {
  /** The beginning of the key, by which its owner recognises it. */
  readonly prefix: string
  /** SHA-256 of the key, in hex. */
  readonly hash: string
}

export interface ApiKey extends KeyFingerprint {
  readonly keyId: string
  readonly label: string
  /** RFC 3339 in UTC; null: never. */
  readonly expiresAt: string | null
  /** All that the key may do: the owner's memberships when the first key of its line was created. */
  readonly snapshot: readonly Membership[]
}

/** It has no name, because companies keep the names of persons. */
export interface Owner {
  readonly userId: string
  readonly userKind: Actor['kind']
}

interface KeyRef {
  readonly userId: string
  readonly keyId: string
}

export type ApiKeyCreated = DomainEvent<'ApiKeyCreated', Owner & ApiKey>
/** Issues a new key and ends every earlier key of the account, in one fact. */
export type ApiKeysRolled = DomainEvent<
  'ApiKeysRolled',
  Owner &
    ApiKey & {
      /** The key whose label, expiry and snapshot the new one takes over. */
      readonly rolledFrom: string
    }
>
/** Issues a successor of one key, with a life of its own. All other keys stay. */
export type ApiKeyRolled = DomainEvent<
  'ApiKeyRolled',
  Owner &
    ApiKey & {
      readonly rolledFrom: string
      /** The key that was rolled is good until then; null: it has ended. */
      readonly rolledFromExpiresAt: string | null
    }
>
/** The key keeps these roles in the company: with none, it lets nobody in, and goes on for its other companies. */
export type ApiKeyNarrowed = DomainEvent<'ApiKeyNarrowed', KeyRef & Membership>
export type ApiKeyDeleted = DomainEvent<'ApiKeyDeleted', KeyRef>
export type AccountEvent = ApiKeyCreated | ApiKeysRolled | ApiKeyRolled | ApiKeyNarrowed | ApiKeyDeleted
/** The events that issue a key. */
export type KeyIssued = ApiKeyCreated | ApiKeysRolled | ApiKeyRolled

export interface IssuedKey extends ApiKey {
  readonly createdAt: string
  readonly revision: number
  /** The time for which its line of keys was issued; null: for ever. A roll of the key may shorten its own end. */
  readonly lifeMs: number | null
  /**
   * The position of the first key of the line, at which the snapshot was taken. A roll goes on with the line of
   * the key that it carries over, so this identifies the line.
   */
  readonly snapshotAt: number
}

export interface Account {
  /** Oldest first. */
  readonly keys: List<IssuedKey>
  /** The line (`snapshotAt`) of every key that there ever was, by key id. */
  readonly lines: ImmutableMap<string, number>
  /** When the last keys were issued, oldest first: as many as matter for the bound of a day. */
  readonly issuedAt: List<string>
}

/** The most keys that an account issues in a day, those of its emergency rolls included. */
export const mostIssuedInADay = 1_000

function issuedKeyOf({ data, metadata, revision, position }: Stored<KeyIssued>): IssuedKey {
  const { keyId, label, prefix, hash, expiresAt, snapshot } = data
  const { occurredAt: createdAt } = metadata
  const lifeMs = expiresAt === null ? null : Date.parse(expiresAt) - Date.parse(createdAt)
  const key = { keyId, label, prefix, hash, expiresAt, snapshot, createdAt }
  return { ...key, revision, lifeMs, snapshotAt: position }
}

function withKey(
  { lines, issuedAt }: Account,
  keys: List<IssuedKey>,
  { keyId, snapshotAt, createdAt }: IssuedKey,
): Account {
  return {
    keys,
    lines: lines.set(keyId, snapshotAt),
    issuedAt: issuedAt.push(createdAt).takeLast(mostIssuedInADay),
  }
}

function allRolled(state: Account, event: Stored<ApiKeysRolled>): Account {
  const from = state.keys.find(({ keyId }) => keyId === event.data.rolledFrom)
  const key = { ...issuedKeyOf(event), ...(from && { snapshotAt: from.snapshotAt, lifeMs: from.lifeMs }) }
  return withKey(state, List([key]), key)
}

function oneRolled(state: Account, event: Stored<ApiKeyRolled>): Account {
  const { rolledFrom, rolledFromExpiresAt: expiresAt } = event.data
  const from = state.keys.find(({ keyId }) => keyId === rolledFrom)
  const key = { ...issuedKeyOf(event), ...(from && { snapshotAt: from.snapshotAt }) }
  const left =
    expiresAt === null
      ? state.keys.filter(({ keyId }) => keyId !== rolledFrom)
      : state.keys.map((one) => (one === from ? { ...one, expiresAt, revision: event.revision } : one))
  return withKey(state, left.push(key), key)
}

function evolve(state: Account, event: Stored<AccountEvent>): Account {
  switch (event.type) {
    case 'ApiKeyCreated':
      return withKey(state, state.keys.push(issuedKeyOf(event)), issuedKeyOf(event))
    case 'ApiKeysRolled':
      return allRolled(state, event)
    case 'ApiKeyRolled':
      return oneRolled(state, event)
    case 'ApiKeyNarrowed': {
      const { keyId, companyId, roles } = event.data
      const narrow = (key: IssuedKey): IssuedKey => ({
        ...key,
        snapshot: cutDown(key.snapshot, companyId, roles),
        revision: event.revision,
      })
      return { ...state, keys: state.keys.map((key) => (key.keyId === keyId ? narrow(key) : key)) }
    }
    case 'ApiKeyDeleted':
      return { ...state, keys: state.keys.filter(({ keyId }) => keyId !== event.data.keyId) }
    default:
      return state
  }
}

export const account: Aggregate<Account, AccountEvent> = {
  name: 'account',
  streamName: accountStream,
  initial: { keys: List(), lines: ImmutableMap(), issuedAt: List() },
  evolve,
  events: { ApiKeyCreated: {}, ApiKeysRolled: {}, ApiKeyRolled: {}, ApiKeyNarrowed: {}, ApiKeyDeleted: {} },
}

/** Return a snapshot that has only roles that are left in the company, and is without the company if none is. */
export function cutDown(
  snapshot: readonly Membership[],
  companyId: string,
  left: readonly Role[],
): readonly Membership[] {
  return snapshot.flatMap((membership) => {
    if (membership.companyId !== companyId) return [membership]
    const roles = membership.roles.filter((role) => left.includes(role))
    return roles.length > 0 ? [{ companyId, roles }] : []
  })
}
