import { type Leading, type LeadingStatus, startLeading } from '../leading/leading.ts'
import { leaseNameOf } from './cursor.ts'
import { follow, type Means, type RuleTaggingObserver } from './follow.ts'
import { isBeyond, troubleText } from './trouble.ts'

/**
 * Rule packs tag what is there already. A registration is evaluated as it is recorded; this policy follows
 * the store and sees to the rest: all subjects of a company that has decided on a pack, and each subject
 * that was registered or corrected by a node that did not know of that decision yet. All it does is repeat
 * `evaluateByRules`, which is harmless, so it may be ended anywhere and go on from its last kept position.
 */

/** The pool is its own, of two connections: one holds the lease, one does the rest. */
export interface RuleTaggingOptions extends Means {
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly observe?: RuleTaggingObserver
}

export interface RuleTagging extends Leading {
  /** `position` is that of the last event that it has dealt with; undefined while it has never led. */
  status(): LeadingStatus & { readonly position: number | undefined }
}

export type { RuleTaggingObserver } from './follow.ts'

/** So long it leaves the lease to others, having met what it does not ship. */
const giveUpMs = 5_000

export const startRuleTagging = (options: RuleTaggingOptions): RuleTagging => {
  const { postgres, storeId, owner, observe = {} } = options
  let position: number | undefined
  const reached = (now: number) => {
    position = now
  }
  const leading = startLeading({
    ...{ postgres, owner, observe, leaseName: leaseNameOf(storeId) },
    lead: (term) => follow({ ...options, ...term, observe, reached }),
    textOf: troubleText,
    longPauseAfter: (error) => (isBeyond(error) ? giveUpMs : undefined),
  })
  return { ...leading, status: () => ({ ...leading.status(), position }) }
}
