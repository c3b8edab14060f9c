/** The parts of the overview, in the order that suits the work of a person. Everybody sees all of them. */

export const homeParts = [
  'toStop',
  'held',
  'withdrawn',
  'blockedCertificates',
  'blockedOrders',
  'toRelease',
  'rejected',
  'incomplete',
  'withoutCertificate',
  'toApprove',
  'toSaw',
  'packsBehind',
  'changed',
] as const
export type HomePart = (typeof homeParts)[number]

/** The tag of the shipped rule pack that finds what a certificate should state and does not. */
export const incompleteTag = 'Certificate incomplete'

/** Steel that is cut, or was cut, in spite of a Block comes first for everybody. */
const urgent: readonly HomePart[] = ['toStop', 'held']

/** The parts that come next, by role. Of several roles, the first one here counts. */
const firstFor: readonly (readonly [role: string, parts: readonly HomePart[]])[] = [
  ['Planner', ['withdrawn', 'toApprove', 'blockedOrders']],
  ['Quality', ['toRelease', 'rejected', 'incomplete', 'withoutCertificate', 'blockedCertificates']],
  ['Cutter', ['toSaw']],
  ['Auditor', ['changed']],
  ['Admin', ['packsBehind']],
]

/** @param roles the roles of the person in the company */
export function homeOrder(roles: readonly string[]): readonly HomePart[] {
  const [, own = []] = firstFor.find(([role]) => roles.includes(role)) ?? []
  return [...new Set([...urgent, ...own, ...homeParts])]
}
