import type { DecisionContext } from '../kernel/aggregate.ts'
import { conflict, invalid } from '../kernel/refusal.ts'
import {
  type Account,
  type AccountEvent,
  type ApiKey,
  cutDown,
  type IssuedKey,
  type KeyFingerprint,
  type Membership,
  type Owner,
} from './account.ts'
import { type Company, commonRoles } from './company.ts'
import type { Role } from './companyEvents.ts'
import { keysAtOnce, rolesAt } from './members.ts'

/** The decisions on the API keys of an account: they are created, rolled, deleted and narrowed. */

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
function carryOver(state: Account, now: string, userId: string, companies: Companies) {
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
  const from = carryOver(state, context.now, owner.userId, companies)
  if (!from) throw conflict('no-api-key', 'This account has no API key to roll. Create one.')
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

function ownerOf({ actor }: DecisionContext): Owner {
  return { userId: actor.id, userKind: actor.kind }
}

function isLive({ expiresAt }: ApiKey, now: string): boolean {
  return expiresAt === null || expiresAt > now
}
