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
  mostIssuedInADay,
  type Owner,
} from './account.ts'
import { type Company, commonRoles } from './company.ts'
import type { Role } from './companyEvents.ts'
import { rolesAt } from './members.ts'

/** The decisions on the API keys of an account: they are created, rolled and deleted. */

const hour = 3_600_000
const day = 24 * hour
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
  refuseManyKeys(state, context.now)
  const expiresAt = expiresInDays === null ? null : addMs(context.now, expiresInDays * day)
  const key = { keyId: context.newId(), label, ...fingerprint, expiresAt, snapshot }
  return [{ type: 'ApiKeyCreated', data: { ...ownerOf(context), ...key } }]
}

/** @throws Refusal `too-many-api-keys` when the account has no room for another key, or has issued too many */
function refuseManyKeys(state: Account, now: string): void {
  // The other half is for rolls of the whole account, which end keys that others may have.
  refuseManyInADay(state, now, mostIssuedInADay / 2)
  if (state.keys.count((key) => isLive(key, now)) >= mostKeys)
    throw conflict(
      'too-many-api-keys',
      `This account has ${mostKeys} API keys, and no account may have more. Delete one that is not used any more.`,
    )
}

/**
 * No event is ever deleted, and an account has no share in the events of a company, so its keys have a bound of their own.
 * @throws Refusal `too-many-api-keys`
 */
function refuseManyInADay({ issuedAt }: Account, now: string, most: number): void {
  const first = issuedAt.get(-most)
  if (first !== undefined && first > addMs(now, -day))
    throw conflict(
      'too-many-api-keys',
      `This account has issued ${most} API keys within a day, so none was issued. Use one of them, or come back at ${addMs(first, day)}.`,
    )
}

/** The companies and roles that a key is to have, of those that its owner has; all of them when nothing is said. */
export interface Extent {
  readonly companies?: readonly string[] | undefined
  readonly roles?: readonly Role[] | undefined
}

/** An Admin has every permission, and every role may read what a Viewer reads. */
function covers(held: readonly Role[], role: Role): boolean {
  return held.includes(role) || held.includes('Admin') || (role === 'Viewer' && held.length > 0)
}

/**
 * Return the part of the owner's memberships that the key is to have.
 * @throws Refusal 400 for another company, and when no role is left
 */
export function within(memberships: readonly Membership[], { companies, roles }: Extent): Membership[] {
  const held = new Map(memberships.map((one) => [one.companyId, one.roles]))
  const faults = (companies ?? []).flatMap((companyId, index) =>
    held.has(companyId)
      ? []
      : [
          {
            path: `/companies/${index}`,
            code: 'not-one-of' as const,
            message: 'must be a company of which you are a member',
          },
        ],
  )
  if (faults.length > 0) throw invalid(faults)
  const snapshot = [...new Set(companies ?? held.keys())].flatMap((companyId) => {
    const own = held.get(companyId)!
    const left = roles?.filter((role) => covers(own, role)) ?? own
    return left.length > 0 ? [{ companyId, roles: [...new Set(left)] }] : []
  })
  if (roles && snapshot.length === 0)
    throw invalid([{ path: '/roles', code: 'not-one-of', message: 'must have a role that you have' }])
  return snapshot
}

/**
 * A company may bound the life of the keys that let somebody into it.
 * @throws Refusal 400
 */
export function refuseLongLife(
  { expiresInDays, snapshot }: { expiresInDays: number | null; snapshot: readonly Membership[] },
  companies: Companies,
): void {
  const days = longestDays(snapshot, companies)
  if ((expiresInDays ?? Number.POSITIVE_INFINITY) <= days) return
  throw invalid([
    {
      path: '/expiresInDays',
      code: 'out-of-bounds',
      message: `must be at most ${days}: a company of the account lets no key live longer`,
    },
  ])
}

function longestDays(snapshot: readonly Membership[], companies: Companies): number {
  return Math.min(
    ...snapshot.flatMap(({ companyId }) => companies.get(companyId)?.settings.longestKeyDays ?? []),
  )
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
    return roles.every((role) => covers(held, role))
  })
}

/** The roles that the company has left to keys of the account, by their lines. Other lines keep all of theirs. */
export function rolesLeftTo(
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
 * Return the key with all that its successor may do; undefined for a key that may have none: one that has expired, one
 * whose creation was never checked and should have been refused, and one to which its companies have left no role.
 */
function findRollable(state: Account, key: IssuedKey, now: string, userId: string, companies: Companies) {
  if (!isLive(key, now) || !wasFounded(key, userId, companies)) return undefined
  const snapshot = whatIsLeft(state, key, userId, companies)
  return snapshot && { ...key, snapshot }
}

/**
 * Issues a new key with the newest live key's label, expiry and snapshot as they are; all earlier keys go,
 * however many there are. @throws Refusal `no-api-key`, `too-many-api-keys`
 */
export function rollApiKeys(
  state: Account,
  fingerprint: KeyFingerprint,
  context: DecisionContext,
  companies: Companies,
): readonly AccountEvent[] {
  refuseManyInADay(state, context.now, mostIssuedInADay)
  const owner = ownerOf(context)
  let from: IssuedKey | undefined
  for (const key of state.keys.reverse())
    from ??= findRollable(state, key, context.now, owner.userId, companies)
  if (!from) throw conflict('no-api-key', 'This account has no API key to roll. Create one.')
  const { keyId: rolledFrom, label, expiresAt, snapshot } = from
  const key = { keyId: context.newId(), label, ...fingerprint, expiresAt, snapshot }
  return [{ type: 'ApiKeysRolled', data: { ...owner, ...key, rolledFrom } }]
}

/**
 * Issues a successor of one key, for as long as the key was issued, or as its companies let keys live. The key itself
 * ends after these hours. A key that is rolled once more keeps its earlier end.
 * @throws Refusal `no-api-key`, `too-many-api-keys`
 */
export function rollApiKey(
  state: Account,
  { key, overlapHours }: { key: IssuedKey; overlapHours: number },
  fingerprint: KeyFingerprint,
  context: DecisionContext,
  companies: Companies,
): readonly AccountEvent[] {
  const { now } = context
  const owner = ownerOf(context)
  const from = findRollable(state, key, now, owner.userId, companies)
  if (!from)
    throw conflict('no-api-key', 'The key has expired, or gives no access any more. Create another one.')
  if (overlapHours > 0) refuseManyKeys(state, now)
  // It ends a key that others may have.
  else refuseManyInADay(state, now, mostIssuedInADay)
  const { keyId: rolledFrom, label, snapshot } = from
  const lifeMs = Math.min(from.lifeMs ?? Number.POSITIVE_INFINITY, longestDays(snapshot, companies) * day)
  const expiresAt = Number.isFinite(lifeMs) ? addMs(now, lifeMs) : null
  const end = addMs(now, overlapHours * hour)
  const rolledFromExpiresAt =
    overlapHours === 0 ? null : from.expiresAt !== null && from.expiresAt < end ? from.expiresAt : end
  const successor = { keyId: context.newId(), label, ...fingerprint, expiresAt, snapshot }
  return [{ type: 'ApiKeyRolled', data: { ...owner, ...successor, rolledFrom, rolledFromExpiresAt } }]
}

export function deleteApiKey(state: Account, userId: string, keyId: string): readonly AccountEvent[] {
  const isLeft = state.keys.some((key) => key.keyId === keyId)
  return isLeft ? [{ type: 'ApiKeyDeleted', data: { userId, keyId } }] : []
}

function ownerOf({ actor }: DecisionContext): Owner {
  return { userId: actor.id, userKind: actor.kind }
}

function addMs(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString()
}

function isLive({ expiresAt }: ApiKey, now: string): boolean {
  return expiresAt === null || expiresAt > now
}
