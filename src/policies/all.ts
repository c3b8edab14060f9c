import { ruleTaggingName } from './ruleTagging.ts'

/** A policy, with the names of its two findings in `heatmark doctor`: of its leader and of its work. */
export interface NamedPolicy {
  readonly name: string
  readonly leader: string
  readonly work: string
}

/** Every policy of this release. */
export const policies: readonly NamedPolicy[] = [
  { name: ruleTaggingName, leader: 'rule policy', work: 'rule packs' },
]

export const policyNames: readonly string[] = policies.map(({ name }) => name)
