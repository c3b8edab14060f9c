import { type Role, roles } from '../domain/company/companyEvents.ts'

/** The roles that grant each permission in a company. */
export const permissions = {
  /** Every read of company data except members, the history and packs. */
  view: roles,
  /** Filter profiles. */
  edit: ['Editor', 'Admin'],
  /** Tags, manual assignments. */
  tag: ['Editor', 'Quality', 'Admin'],
  /** Register and correct certificates. */
  certify: ['Planner', 'Quality', 'Admin'],
  /** Release, reject, reopen, void and reinstate certificates. */
  release: ['Quality', 'Admin'],
  /** Orders, plans, bars. */
  plan: ['Planner', 'Admin'],
  /** Change members of an order, each with its role: substitutes as Quality, all others as Planner. */
  amend: ['Planner', 'Quality', 'Admin'],
  /** Approve bars, accept and reject their cuts. */
  approve: ['Planner', 'Quality', 'Admin'],
  /** Go on in spite of Block findings. */
  override: ['Quality', 'Admin'],
  /** Start and complete bars. */
  saw: ['Planner', 'Cutter', 'Admin'],
  /** Take bars back to an earlier step. The bar's status and the caller's other permissions say to which. */
  revert: ['Planner', 'Cutter', 'Quality', 'Admin'],
  /** Scrap pieces. */
  scrap: ['Quality', 'Admin'],
  /** Say which certificate the steel of a bar has. */
  identify: ['Planner', 'Cutter', 'Quality', 'Admin'],
  /** Record that pieces have left the workshop. */
  dispatch: ['Planner', 'Quality', 'Admin'],
  /** Store and delete documents, attach them to certificates and detach them. */
  document: ['Planner', 'Quality', 'Admin'],
  /** Issue packs of orders. */
  pack: ['Planner', 'Quality', 'Admin'],
  /** Read packs of orders: they hold a part of the history. */
  readPack: ['Planner', 'Quality', 'Auditor', 'Admin'],
  /** Export the whole history. */
  audit: ['Auditor', 'Quality', 'Admin'],
  /** Export everything that the company has. */
  export: ['Admin'],
  /** Rule packs, members, settings. An API key may look at them, and changes none of them. */
  administer: ['Admin'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export function mayDo(held: readonly Role[], permission: Permission): boolean {
  return permissions[permission].some((role) => held.includes(role))
}
