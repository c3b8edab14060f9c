import type { Role } from '../domain/company.ts'

/** Who may do what in a company: the table of the interface, as data. */
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

export const mayDo = (roles: readonly Role[], permission: Permission): boolean =>
  permissions[permission].some((role) => roles.includes(role))
