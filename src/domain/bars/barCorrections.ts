import type { DecisionContext } from '../kernel/aggregate.ts'
import { conflict, forbidden } from '../kernel/refusal.ts'
import { allows, type OpenedBar } from './bar.ts'
import { type Decider, type Judgement, judgeForApproval } from './barApproval.ts'
import { type Cut, countAcceptedCuts } from './barContent.ts'
import { type BarStatus, type BarStep, barSteps, type ProductionPlanBarEvent, refOf } from './barEvents.ts'
import { refuseHeld } from './barStop.ts'
import { refuseDispatched } from './barWork.ts'
import { judgementFields } from './keptJudgement.ts'
import { isTaken, remnantUsed, type Taker } from './remnants.ts'

/** Corrections of the floor's record: a step taken back, and a piece scrapped. */

export interface RevertRequest {
  readonly to: Exclude<BarStep, 'Completed'>
  readonly reason: string
}

/** The facts that a revert is decided on. */
export interface Reverting {
  /** Loaded when the bar is to be Approved again. */
  readonly judgement?: Judgement | undefined
  /** The ids of its cuts that have left the workshop. */
  readonly dispatchedCuts: readonly string[]
  /** Whether the caller may take back any step. */
  readonly isQuality: boolean
  /** Whether the caller may take back an approval. */
  readonly isPlanner: boolean
  /** The bar that has taken the remnant. */
  readonly taker?: Taker | undefined
  readonly context: Decider & Pick<DecisionContext, 'now'>
}

/**
 * Take a bar back to an earlier step. Every step that is undone must be one that the caller may take back. A bar that is
 * Approved again is judged as for an approval. One with a stop was cut, so it stays Started. @throws Refusal
 */
export function revertBar(
  bar: OpenedBar,
  { to, reason }: RevertRequest,
  { judgement, dispatchedCuts, isQuality, isPlanner, taker, context }: Reverting,
): readonly ProductionPlanBarEvent[] {
  const { barId, status } = bar
  const undone = stepsBetween(to, status)
  if (!allows(bar, 'BarReverted') || undone.length === 0)
    throw conflict(
      'bar-not-revertible',
      `Bar ${barId} is ${status}, so it cannot go back to ${to}. Choose an earlier step, if it has one.`,
      {
        state: status,
      },
    )
  const mayTakeBack = { Draft: false, Approved: isPlanner, ...ownTaps(bar, context) }
  if (!isQuality && !undone.every((step) => mayTakeBack[step]))
    throw forbidden(
      `You may take back only your own start or completion, within ${ownTapMinutes} minutes, so nothing was recorded. Ask a person with the role Quality or Admin.`,
    )
  if (to !== 'Started') refuseHeld(bar)
  refuseDispatched(bar, dispatchedCuts)
  if (status === 'Completed' && isTaken(bar, taker, context.now)) throw remnantUsed(bar)
  const verdict =
    to === 'Approved' && judgement ? judgeForApproval(bar, judgement, undefined, context) : undefined
  return [
    {
      type: 'BarReverted',
      data: {
        ...refOf(bar),
        from: bar.status,
        to,
        reason,
        lineItems: countAcceptedCuts(bar.cuts),
        ...(verdict && judgementFields(verdict.findings)),
      },
    },
  ]
}

/** Return the steps that a bar has made since. A Cancelled bar stands on no step. */
function stepsBetween(since: BarStep, status: BarStatus): readonly BarStep[] {
  return barSteps.slice(
    barSteps.indexOf(since) + 1,
    status === 'Cancelled' ? 0 : barSteps.indexOf(status) + 1,
  )
}

/** Minutes within which people may take back a start or a completion of their own. */
const ownTapMinutes = 10

function ownTaps(
  { startedBy, startedAt, completedBy, completedAt }: OpenedBar,
  { actor, now }: Reverting['context'],
) {
  const isOwn = (by: string | null, at: string | null) =>
    by === actor.id && at !== null && Date.parse(now) - Date.parse(at) <= ownTapMinutes * 60_000
  return { Started: isOwn(startedBy, startedAt), Completed: isOwn(completedBy, completedAt) }
}

/** Scrap a piece that was cut wrong. A repeat records nothing. @throws Refusal */
export function scrapCut(
  bar: OpenedBar,
  { cutId, orderId, lineItemId, status }: Cut,
  reason: string,
): readonly ProductionPlanBarEvent[] {
  if (status === 'Scrapped') return []
  if (!allows(bar, 'CutScrapped') || status !== 'Accepted')
    throw conflict(
      'cut-not-scrappable',
      `Cut ${cutId} is ${status} and bar ${bar.barId} is ${bar.status}, so there is no piece to scrap.`,
      { state: bar.status, cutStatus: status },
    )
  const piece = { cutId, orderId, lineItemId }
  return [{ type: 'CutScrapped', data: { ...refOf(bar), barStatus: bar.status, ...piece, reason } }]
}
