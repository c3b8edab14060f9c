import type { ListedMember } from '../../api/generated.ts'

export type Role = ListedMember['roles'][number]

/** The roles of a member, in the order in which forms offer them. */
export const roles: readonly Role[] = ['Viewer', 'Editor', 'Planner', 'Cutter', 'Quality', 'Auditor', 'Admin']
