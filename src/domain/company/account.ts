import { Map as ImmutableMap, List } from 'immutable'
import type { Aggregate, DecisionContext } from '../kernel/aggregate.ts'
import type { Actor, DomainEvent, Stored } from '../kernel/event.ts'
import { conflict, invalid } from '../kernel/refusal.ts'
import { type Company, commonRoles } from './company.ts'
import type { Role } from './companyEvents.ts'
import { keysAtOnce, rolesAt } from './members.ts'

/** The API keys of one account. */
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
interface Owner {
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
/** The key keeps these roles in the company: with none, it lets nobody in, and goes on for its other companies. */
export type ApiKeyNarrowed = DomainEvent<'ApiKeyNarrowed', KeyRef & Membership>
export type ApiKeyDeleted = DomainEvent<'ApiKeyDeleted', KeyRef>
export type AccountEvent = ApiKeyCreated | ApiKeysRolled | ApiKeyNarrowed | ApiKeyDeleted

export interface IssuedKey extends ApiKey {
  readonly createdAt: string
  readonly revision: number
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
}

function issued({ data, metadata, revision, position }: Stored<ApiKeyCreated | ApiKeysRolled>): IssuedKey {
  const { keyId, label, prefix, hash, expiresAt, snapshot } = data
  const { occurredAt: createdAt } = metadata
  return { keyId, label, prefix, hash, expiresAt, snapshot, createdAt, revision, snapshotAt: position }
}

function isLive({ expiresAt }: ApiKey, now: string): boolean {
  return expiresAt === null || expiresAt > now
}

function withKey({ lines }: Account, keys: List<IssuedKey>, { keyId, snapshotAt }: IssuedKey): Account {
  return {
    keys,
    lines: lines.set(keyId, snapshotAt),
  }
}

function rolled(state: Account, event: Stored<ApiKeysRolled>): Account {
  const from = state.keys.find(({ keyId }) => keyId === event.data.rolledFrom)
  const key = { ...issued(event), ...(from && { snapshotAt: from.snapshotAt }) }
  return withKey(state, List([key]), key)
}

function evolve(state: Account, event: Stored<AccountEvent>): Account {
  switch (event.type) {
    case 'ApiKeyCreated':
      return withKey(state, state.keys.push(issued(event)), issued(event))
    case 'ApiKeysRolled':
      return rolled(state, event)
    case 'ApiKeyNarrowed': {
      const { keyId, companyId, roles } = event.data
      const narrowed = (key: IssuedKey): IssuedKey => ({
        ...key,
        snapshot: cutDown(key.snapshot, companyId, roles),
        revision: event.revision,
      })
      return { ...state, keys: state.keys.map((key) => (key.keyId === keyId ? narrowed(key) : key)) }
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
  initial: { keys: List(), lines: ImmutableMap() },
  evolve,
  events: { ApiKeyCreated: {}, ApiKeysRolled: {}, ApiKeyNarrowed: {}, ApiKeyDeleted: {} },
}

function ownerOf({ actor }: DecisionContext): Owner {
  return { userId: actor.id, userKind: actor.kind }
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

function names({ snapshot }: ApiKey, companyId: string): boolean {
  return snapshot.some((membership) => membership.companyId === companyId)
}

const day = 86_400_000
/** Keys of an account that have not expired. */
const mostKeys = 50

/** @throws Refusal `too-many-api-keys` */
export function createApiKey(
  state: Account,
  {
    label,
    expiresInDays,
    snapshot,
  }: { label: string; expiresInDays: number | null; snapshot: readonly Membership[] },
  fingerprint: KeyFingerprint,
  context: DecisionContext,
): readonly AccountEvent[] {
  if (state.keys.count((key) => isLive(key, context.now)) >= mostKeys)
    throw conflict(
      'too-many-api-keys',
      `This account has ${mostKeys} API keys, and no account may have more. Delete one that is not used any more.`,
    )
  const expiresAt =
    expiresInDays === null ? null : new Date(Date.parse(context.now) + expiresInDays * day).toISOString()
  const key = { keyId: context.newId(), label, ...fingerprint, expiresAt, snapshot }
  return [{ type: 'ApiKeyCreated', data: { ...ownerOf(context), ...key } }]
}

/**
 * A company may bound the life of the keys that let somebody into it.
 * @throws Refusal 400
 */
export function refuseLongLife(
  { expiresInDays, snapshot }: { expiresInDays: number | null; snapshot: readonly Membership[] },
  companies: Companies,
): void {
  const limits = snapshot.flatMap(({ companyId }) => companies.get(companyId)?.settings.longestKeyDays ?? [])
  const days = Math.min(...limits)
  if ((expiresInDays ?? Number.POSITIVE_INFINITY) <= days) return
  throw invalid([
    {
      path: '/expiresInDays',
      code: 'out-of-bounds',
      message: `must be at most ${days}: a company of the account lets no key live longer`,
    },
  ])
}

/** The companies that keys name, as they are now. */
export type Companies = ReadonlyMap<string, Company>

/** Whether the owner had every role of the snapshot when it was taken. */
export function wasFounded(
  { snapshot, snapshotAt }: Pick<IssuedKey, 'snapshot' | 'snapshotAt'>,
  userId: string,
  companies: Companies,
): boolean {
  return snapshot.every(({ companyId, roles }) => {
    const held = rolesAt(companies.get(companyId), userId, snapshotAt)
    return roles.every((role) => held.includes(role))
  })
}

/** The roles that the company has left to keys of the account, by their lines. Other lines keep all of theirs. */
function rolesLeftTo(
  { lines }: Account,
  userId: string,
  company: Company,
): ReadonlyMap<number, readonly Role[]> {
  const left = new Map<number, readonly Role[]>()
  for (const [keyId, key] of company?.narrowedKeys ?? []) {
    const line = lines.get(keyId)
    if (key.userId === userId && line !== undefined) left.set(line, commonRoles(left.get(line), key.roles))
  }
  return left
}

/** Return a key's snapshot with the roles that its companies have left to it; undefined when it has none left. */
function whatIsLeft(state: Account, key: IssuedKey, userId: string, companies: Companies) {
  const snapshot = key.snapshot.flatMap((membership) => {
    const { companyId } = membership
    const left = rolesLeftTo(state, userId, companies.get(companyId)).get(key.snapshotAt)
    return left ? cutDown([membership], companyId, left) : [membership]
  })
  return snapshot.length > 0 || key.snapshot.length === 0 ? snapshot : undefined
}

/**
 * The newest live key that a roll may go on with, and what its new key may do. A key whose creation was never
 * checked and should have been refused does not count, nor does one to which its companies have left no role.
 */
function carriedOver(state: Account, now: string, userId: string, companies: Companies) {
  for (const key of state.keys.reverse()) {
    if (!isLive(key, now) || !wasFounded(key, userId, companies)) continue
    const snapshot = whatIsLeft(state, key, userId, companies)
    if (snapshot) return { ...key, snapshot }
  }
  return undefined
}

/**
 * Issues a new key with the newest live key's label, expiry and snapshot as they are; all earlier keys go,
 * however many there are. @throws Refusal `no-api-key`
 */
export function rollApiKeys(
  state: Account,
  fingerprint: KeyFingerprint,
  context: DecisionContext,
  companies: Companies,
): readonly AccountEvent[] {
  const owner = ownerOf(context)
  const from = carriedOver(state, context.now, owner.userId, companies)
  if (!from) throw conflict('no-api-key', 'This account has no API key to roll.')
  const { keyId: rolledFrom, label, expiresAt, snapshot } = from
  const key = { keyId: context.newId(), label, ...fingerprint, expiresAt, snapshot }
  return [{ type: 'ApiKeysRolled', data: { ...owner, ...key, rolledFrom } }]
}

export function deleteApiKey(state: Account, userId: string, keyId: string): readonly AccountEvent[] {
  const isLeft = state.keys.some((key) => key.keyId === keyId)
  return isLeft ? [{ type: 'ApiKeyDeleted', data: { userId, keyId } }] : []
}

/** Ids of the live keys of one key's line that let their holder into the company. */
export function keysNaming({ keys, lines }: Account, companyId: string, lineOf: string): readonly string[] {
  return keys
    .filter((key) => names(key, companyId) && key.snapshotAt === lines.get(lineOf))
    .map(({ keyId }) => keyId)
    .toArray()
}

/** Whether the key has a role in the company that is none of these. */
function isBeyond({ snapshot }: ApiKey, companyId: string, left: readonly Role[]): boolean {
  return snapshot.some(
    (membership) =>
      membership.companyId === companyId && membership.roles.some((role) => !left.includes(role)),
  )
}

/** Ids of the live keys that have a role in the company which is none of these. */
export function keysBeyond({ keys }: Account, companyId: string, left: readonly Role[]): readonly string[] {
  return keys
    .filter((key) => isBeyond(key, companyId, left))
    .map(({ keyId }) => keyId)
    .toArray()
}

function narrowed(
  userId: string,
  companyId: string,
  { keyId, snapshot }: IssuedKey,
  left: readonly Role[],
): AccountEvent {
  const kept = cutDown(snapshot, companyId, left)
  if (kept.length === 0) return { type: 'ApiKeyDeleted', data: { userId, keyId } }
  const roles = kept.find((membership) => membership.companyId === companyId)?.roles ?? []
  return { type: 'ApiKeyNarrowed', data: { userId, keyId, companyId, roles } }
}

/**
 * Cuts the keys that the company has narrowed, and those that were rolled from them, down to the roles that it has left
 * to them. A key that has no company left is deleted. As many as fit into one append go at once, so it is repeated
 * until none is left.
 */
export function narrowKeys(
  state: Account,
  userId: string,
  companyId: string,
  company: Company,
): readonly AccountEvent[] {
  const left = rolesLeftTo(state, userId, company)
  return state.keys
    .flatMap((key): [IssuedKey, readonly Role[]][] => {
      const roles = left.get(key.snapshotAt)
      return roles && isBeyond(key, companyId, roles) ? [[key, roles]] : []
    })
    .take(keysAtOnce)
    .map(([key, roles]) => narrowed(userId, companyId, key, roles))
    .toArray()
}
