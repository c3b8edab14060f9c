import { conflict } from '../kernel/refusal.ts'
import { allows, type OpenedBar, type ProductionPlanBar, refuseCancelled } from './bar.ts'
import {
  type Decider,
  findingsOverridden,
  type Judgement,
  judgeForApproval,
  nothingToOverride,
  withOverride,
} from './barApproval.ts'
import { type Cut, type PlannedCutStatus, remnantMm } from './barContent.ts'
import { type ProductionPlanBarEvent, refOf } from './barEvents.ts'
import { refuseHeld } from './barStop.ts'
import { judgementFields, type OverrideRequest } from './keptJudgement.ts'

/** The cuts of a bar. */

export function findCut(bar: ProductionPlanBar, cutId: string) {
  return bar?.cuts.find((cut) => cut.cutId === cutId)
}

export function changeCutStatus(
  bar: OpenedBar,
  { cutId, orderId, lineItemId, status }: Cut,
  to: PlannedCutStatus,
  judging?: {
    readonly judgement: Judgement
    readonly request: OverrideRequest | undefined
    readonly context: Decider
  },
): readonly ProductionPlanBarEvent[] {
  refuseCancelled(bar)
  if (!allows(bar, 'CutStatusChanged'))
    throw conflict(
      'bar-completed',
      `Bar ${bar.barId} is Completed, so its cuts stay as they are. Scrap a piece that is wrong, or take the bar back.`,
      {
        state: bar.status,
      },
    )
  if (status === 'Scrapped')
    throw conflict('cut-scrapped', `Cut ${cutId} is scrapped. Plan the piece once more, on a new bar.`)
  if (status !== to) refuseHeld(bar)
  const isJudged = to === 'Accepted' && bar.status !== 'Draft'
  const request = judging?.request
  if (request && !isJudged) throw nothingToOverride()
  if (status === to)
    return judging && request
      ? withOverride(bar, judging.judgement, request, {
          context: judging.context,
          path: '/override/findings',
        })
      : []
  const cuts = bar.cuts.map((cut) => (cut.cutId === cutId ? { ...cut, status: to } : cut))
  const left = remnantMm({ ...bar, cuts })
  if (left < 0)
    throw conflict(
      'bar-overfull',
      `The cuts would need ${-left} mm more than the ${bar.stockLengthMm} mm of bar ${bar.barId}, so nothing was recorded. Reject a cut, or plan a longer bar.`,
    )
  const verdict =
    isJudged && judging
      ? judgeForApproval({ ...bar, cuts }, judging.judgement, request, judging.context)
      : undefined
  const cut = { barStatus: bar.status, cutId, orderId, lineItemId, from: status, to }
  return [
    ...(request && verdict ? [findingsOverridden(bar, request, verdict.findings)] : []),
    {
      type: 'CutStatusChanged',
      data: { ...refOf(bar), ...cut, remnantMm: left, ...(verdict && judgementFields(verdict.findings)) },
    },
  ]
}
