import type { DecisionContext } from '../kernel/aggregate.ts'
import { conflict } from '../kernel/refusal.ts'
import { stands } from '../verdict/verdict.ts'
import { allows, type OpenedBar, type ProductionPlanBar, refuseOutOfTurn } from './bar.ts'
import {
  approvalWithdrawn,
  type Judgement,
  mayNotBeCut,
  withdrawApproval,
  withStopped,
} from './barApproval.ts'
import { type BarRequest, contentOf, countAcceptedCuts, isContentOf, remnantMm } from './barContent.ts'
import { type BarRef, type ProductionPlanBarEvent, refOf } from './barEvents.ts'
import { withoutOverride } from './keptJudgement.ts'

/** The way of a bar through the workshop: it is opened, started, completed or cancelled. */

/**
 * Open a bar. The same content for the same plan records nothing, whatever became of the bar since.
 * @param source the bar whose remnant it is: the new bar is the same steel, so it has its certificate, profile and heat, and the mark if it was transferred
 */
export function openBar(
  state: ProductionPlanBar,
  ref: BarRef,
  request: BarRequest,
  { newId }: DecisionContext,
  source?: Pick<OpenedBar, 'millCertificationId' | 'profile' | 'heatRead' | 'markTransferred'>,
): readonly ProductionPlanBarEvent[] {
  if (!state) {
    const { millCertificationId } = source ?? request
    const profile = source?.profile ?? request.profile
    const content = {
      ...contentOf({ ...request, profile, millCertificationId }, () => newId()),
      remnantMm: remnantMm(request),
    }
    const heatRead = source?.heatRead && { ...source.heatRead, marked: source.markTransferred }
    return [{ type: 'BarOpened', data: { ...refOf(ref), ...content, ...(heatRead && { heatRead }) } }]
  }
  if (state.planId === ref.planId && isContentOf(state.opened, request)) return []
  throw barsAlreadyPlanned([ref.barId])
}

export function barsAlreadyPlanned(barIds: readonly string[]) {
  return conflict(
    'bar-already-planned',
    `These bars exist with another content or in another plan: ${barIds.join(', ')}.`,
    { barIds },
  )
}

/**
 * Start an Approved bar. It is judged once more, because facts may have changed since: with a Block that nobody has
 * overridden the approval is withdrawn instead. A missing certificate that blocks the bar only refuses the start.
 * @throws Refusal
 */
export function startBar(bar: OpenedBar, judgement: Judgement): readonly ProductionPlanBarEvent[] {
  if (bar.withdrawal) throw approvalWithdrawn(bar)
  refuseOutOfTurn(bar, 'BarStarted')
  const withdrawn = withdrawApproval(bar, judgement)
  if (withdrawn.length > 0) return withdrawn
  const verdict = judgement.verdictOn(bar)
  if (!verdict.mayBeCut) throw mayNotBeCut(bar, verdict)
  return [{ type: 'BarStarted', data: { ...refOf(bar), lineItems: countAcceptedCuts(bar.cuts) } }]
}

/** A completion as a request gives it. */
export interface CompletionRequest {
  /** Whether the pieces and the remnant have got the mark of the heat. */
  readonly markTransferred?: boolean | undefined
  readonly reason?: string | undefined
}

/**
 * Complete a Started bar. The steel is cut, so no finding refuses that; the event keeps the Blocks that nobody has
 * overridden, and the pieces are held. Those of a former completion still count.
 */
export function completeBar(
  bar: OpenedBar,
  judgement: Judgement,
  { markTransferred, reason }: CompletionRequest = {},
): readonly ProductionPlanBarEvent[] {
  refuseOutOfTurn(bar, 'BarCompleted')
  const uncovered = withStopped(judgement.verdictOn(bar), bar).findings.filter(stands).map(withoutOverride)
  return [
    {
      type: 'BarCompleted',
      data: {
        ...refOf(bar),
        lineItems: countAcceptedCuts(bar.cuts),
        ...(uncovered.length > 0 && { uncovered }),
        ...(markTransferred && { markTransferred }),
        ...(reason !== undefined && { reason }),
      },
    },
  ]
}

/** Cancel a bar that is not started yet. Its cuts no longer count. A repeat records nothing. @throws Refusal */
export function cancelBar(
  bar: OpenedBar,
  reason: string,
  dispatchedCuts: readonly string[],
): readonly ProductionPlanBarEvent[] {
  const { barId, status } = bar
  if (status === 'Cancelled') return []
  if (!allows(bar, 'BarCancelled'))
    throw conflict(
      'bar-not-cancellable',
      `Bar ${barId} is ${status}, so it cannot be cancelled. Only a Draft or Approved bar can; scrap the pieces of a bar that was cut.`,
      {
        state: status,
      },
    )
  refuseDispatched(bar, dispatchedCuts)
  return [
    {
      type: 'BarCancelled',
      data: { ...refOf(bar), from: bar.status, reason, lineItems: countAcceptedCuts(bar.cuts) },
    },
  ]
}

/** @throws Refusal `cut-dispatched` */
export function refuseDispatched({ barId }: OpenedBar, cutIds: readonly string[]): void {
  if (cutIds.length > 0)
    throw conflict(
      'cut-dispatched',
      `Pieces of bar ${barId} have left the workshop, so it can only stay or become Completed.`,
      { cutIds },
    )
}
