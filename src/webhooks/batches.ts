import type { CloudEvent } from '../changes/cloudEvents.ts'
import type { ChangePage } from '../changes/readChanges.ts'

/** The most changes in one request. */
export const mostChanges = 100

export interface Batch {
  readonly changes: readonly CloudEvent[]
  /** The place when it is accepted. An event with more changes than a request holds counts when its last one is accepted. */
  readonly reached: number
}

/** Divide a page into requests. */
export function batchesOf({ changes, next }: ChangePage, after: number): Batch[] {
  const batches: Batch[] = []
  let reached = after
  for (let from = 0; from < changes.length; from += mostChanges) {
    const some = changes.slice(from, from + mostChanges)
    const following = changes[from + mostChanges]
    const whole = some.findLast((one) => one.position !== following?.position)
    if (whole) reached = Number(whole.position)
    batches.push({ changes: some, reached: following ? reached : next })
  }
  return batches
}
