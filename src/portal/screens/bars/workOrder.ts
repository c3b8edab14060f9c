import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { hasToStop, type Judged } from './barSteps.ts'

/** The order in which people take the bars to the saw. */

/** Compare open bars. The order is: has to stop, is being cut, may be cut, may not be cut. */
export function byWork(one: Judged, other: Judged): number {
  return place(one) - place(other)
}

function place(bar: Judged): number {
  if (bar.status === 'Started') return hasToStop(bar) ? 0 : 1
  return bar.verdict?.mayBeCut ? 2 : 3
}

type Planned = Judged & Pick<ListedProductionPlanBar, 'planId' | 'ordinal'>

/** Return the next bar of the same plan that may be started, or else the first such bar of all plans. */
export function nextAfter<Bar extends Planned>(
  done: Pick<Planned, 'planId' | 'ordinal'>,
  bars: readonly Bar[],
): Bar | undefined {
  const ready = bars.filter(({ status, verdict }) => status === 'Approved' && verdict?.mayBeCut)
  return ready.find(({ planId, ordinal }) => planId === done.planId && ordinal > done.ordinal) ?? ready[0]
}
