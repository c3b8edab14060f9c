import { type Account, type AccountEvent, type ApiKey, cutDown, type IssuedKey } from './account.ts'
import { rolesLeftTo } from './apiKeys.ts'
import type { Company } from './company.ts'
import type { Role } from './companyEvents.ts'
import { keysAtOnce } from './members.ts'

/** A company leaves fewer roles to API keys of an account, or none. */

function names({ snapshot }: ApiKey, companyId: string): boolean {
  return snapshot.some((membership) => membership.companyId === companyId)
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

function narrowKey(
  userId: string,
  companyId: string,
  { keyId, snapshot }: IssuedKey,
  left: readonly Role[],
): AccountEvent {
  const snapshotLeft = cutDown(snapshot, companyId, left)
  if (snapshotLeft.length === 0) return { type: 'ApiKeyDeleted', data: { userId, keyId } }
  const roles = snapshotLeft.find((membership) => membership.companyId === companyId)?.roles ?? []
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
    .map(([key, roles]) => narrowKey(userId, companyId, key, roles))
    .toArray()
}
