import { ruleTaggingName } from './ruleTagging.ts'

/** The names of every policy of this release. */
export const policyNames: readonly string[] = [ruleTaggingName]
