import { approvalReviewName, everyApproval } from './approvalReview.ts'
import { ruleTaggingName } from './ruleTagging.ts'

/** A policy, with the names of its two findings in `heatmark doctor`: one about its leader, one about its work. */
export interface NamedPolicy {
  readonly name: string
  readonly leader: string
  readonly work: string
  /** The scope of a sweep: all targets of the policy in a company. Absent if the policy needs no sweep. */
  readonly sweep?: string
}

/** A policy that may need a sweep, because it starts at the head of the store. */
export type SweptPolicy = NamedPolicy & Required<Pick<NamedPolicy, 'sweep'>>

/** Every policy of this release. */
export const policies: readonly NamedPolicy[] = [
  { name: ruleTaggingName, leader: 'rule policy', work: 'rule packs' },
  { name: approvalReviewName, leader: 'approval policy', work: 'approvals', sweep: everyApproval },
]

export const policyNames: readonly string[] = policies.map(({ name }) => name)

export const sweptPolicies: readonly SweptPolicy[] = policies.filter(
  (policy): policy is SweptPolicy => policy.sweep !== undefined,
)
