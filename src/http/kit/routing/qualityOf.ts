import type { IsQuality } from '../../../commands/company/qualityOnly.ts'
import { mayDo, type Permission } from '../../../identity/permissions.ts'
import type { Principal } from '../services.ts'

/** Return a way to find out whether the caller has the role Quality or Admin in a company. */
export function qualityOf(principal: Principal, companyId: string): IsQuality {
  return mayOf(principal, companyId, 'override')
}

/** Return a way to find out whether the caller has a permission in a company. */
export function mayOf(
  { rolesIn }: Principal,
  companyId: string,
  permission: Permission,
): () => Promise<boolean> {
  return async () => mayDo(await rolesIn(companyId), permission)
}
