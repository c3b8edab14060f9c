import type { Role } from '../domain/company/companyEvents.ts'
import { access } from '../projections/company/access.ts'
import { findCompanyKey } from '../projections/company/apiKeyQueries.ts'
import type { Reader } from '../projections/engine/reading/reader.ts'
import type { Memberships } from './memberships.ts'
import { mayDo, type Permission } from './permissions.ts'

/** Long work goes on after the request that began it. Meanwhile its author may have lost the access to the company. */

/** The account, or the API key, by which work was begun. */
interface Beginner {
  readonly companyId: string
  readonly userId: string
  /** Undefined for a token. */
  readonly keyId: string | undefined
  readonly permission: Permission
}

/** Return whether the same request would still be allowed. @throws PostgresUnavailable */
export type StillMay = (beginner: Beginner) => Promise<boolean>

export function createStillMay({
  memberships,
  reader,
}: {
  readonly memberships: Pick<Memberships, 'rolesIn'>
  readonly reader: Pick<Reader, 'read'>
}): StillMay {
  /** A key has the roles of its snapshot, also after its owner was removed. */
  const rolesOfKey = async (companyId: string, keyId: string): Promise<readonly Role[]> => {
    const { value } = await reader.read([access], (reading) => {
      reading.requireRunning(access)
      return reading.query<{ roles: readonly Role[] }>(findCompanyKey(reading, companyId, keyId))
    })
    return value[0]?.roles ?? []
  }
  return async ({ companyId, userId, keyId, permission }) => {
    const held = keyId === undefined ? memberships.rolesIn(userId, companyId) : rolesOfKey(companyId, keyId)
    return mayDo(await held, permission)
  }
}
