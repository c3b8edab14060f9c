import type { Role } from '../domain/company.ts'

/** The roles that grant each permission in a company. */
export const permissions = {
  /** Every read of company data except members. */
  view: ['Viewer', 'Editor', 'Planner', 'Auditor', 'Admin'],
  /** Tags, manual assignments, filter profiles. */
  edit: ['Editor', 'Admin'],
  /** Certificates, orders, plans, bars. */
  plan: ['Planner', 'Admin'],
  /** Rule packs, members. */
  administer: ['Admin'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export function mayDo(roles: readonly Role[], permission: Permission): boolean {
  return permissions[permission].some((role) => roles.includes(role))
}
