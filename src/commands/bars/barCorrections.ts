import {
  revertBar as decideToRevertBar,
  scrapCut as decideToScrapCut,
  type Reverting,
  type RevertRequest,
} from '../../domain/bars/barCorrections.ts'
import { cancelBar as decideToCancelBar } from '../../domain/bars/barWork.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, onRecord } from '../executor/command.ts'
import { dispatchedCutsOf } from '../orders/dispatches.ts'
import { loadTaker } from './bars.ts'
import { type LookUps, loadJudgement } from './judging.ts'
import {
  type BarAddress,
  type BarRecord,
  barStream,
  type CutRecord,
  cutOn,
  cutRecord,
  isPlanned,
  onBar,
  onPlannedBar,
} from './plannedBar.ts'

/** Corrections of the floor's record: a step taken back, a bar cancelled, a piece scrapped. */

/** Find out which steps the caller may take back. */
type FindReverter = () => Promise<Pick<Reverting, 'isQuality' | 'isPlanner'>>

/** Take a bar back to an earlier step. */
export function revertBar(
  address: BarAddress,
  request: RevertRequest,
  lookUps: LookUps,
  findReverter: FindReverter,
): Command<BarRecord> {
  return onPlannedBar(address, {
    load: async (load, bar) => {
      const judged = request.to === 'Approved'
      const [reverter, taker, judgement, dispatchedCuts] = await Promise.all([
        findReverter(),
        loadTaker(load, bar),
        judged ? loadJudgement(load, lookUps, bar) : undefined,
        dispatchedCutsOf(load, bar),
      ])
      return { ...reverter, taker, judgement, dispatchedCuts }
    },
    decide: (bar, context, reverting) => decideToRevertBar(bar, request, { ...reverting, context }),
  })
}
revertBar.refuses = refusals(
  'bar-not-found',
  'bar-not-revertible',
  'pieces-held',
  'cut-dispatched',
  'remnant-used',
  'bar-may-not-be-cut',
)

/** Cancel a bar that is not started yet. */
export function cancelBar(address: BarAddress, reason: string): Command<BarRecord> {
  return onPlannedBar(address, {
    load: dispatchedCutsOf,
    decide: (bar, _context, dispatchedCuts) => decideToCancelBar(bar, reason, dispatchedCuts),
  })
}
cancelBar.refuses = refusals('bar-not-found', 'bar-not-cancellable', 'cut-dispatched')

/** Scrap a piece that was cut wrong. The record, and its ETag, are the cut's own. */
export function scrapCut(address: BarAddress, cutId: string, reason: string): Command<CutRecord> {
  return onRecord({
    ...barStream(address),
    record: cutOn(address, cutId),
    dependencies: (load, { bar }) => isPlanned(load, bar),
    decide: ({ bar, cut }, _context, planned) => {
      if (!planned) throw notFound('cut-not-found', cutId, onBar(address))
      return decideToScrapCut(bar, cut, reason)
    },
    answer: ({ bar, cut }) => ({ body: cutRecord(bar, cut), etag: cut.revision }),
  })
}
scrapCut.refuses = refusals('cut-not-found', 'cut-not-scrappable')
