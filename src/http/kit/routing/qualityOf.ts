import type { IsQuality } from '../../../commands/qualityOnly.ts'
import { mayDo } from '../../../identity/permissions.ts'
import type { Principal } from '../services.ts'

/** Return a way to find out whether the caller has the role Quality or Admin in a company. */
export function qualityOf({ rolesIn }: Principal, companyId: string): IsQuality {
  return async () => mayDo(await rolesIn(companyId), 'override')
}
