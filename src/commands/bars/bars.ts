import {
  type OpenedBar,
  type ProductionPlanBar,
  productionPlanBar,
  productionPlanBarKey,
} from '../../domain/bars/bar.ts'
import {
  approvalWithdrawn,
  approveBar as decideToApproveBar,
  approveOneOfMany as decideToApproveOneOfMany,
  overrideFindings as decideToOverrideFindings,
  type Judgement,
  withdrawApproval,
} from '../../domain/bars/barApproval.ts'
import type { BarRequest, PlannedCutStatus } from '../../domain/bars/barContent.ts'
import { changeCutStatus as decideToChangeCutStatus } from '../../domain/bars/barCuts.ts'
import type { BarRef, ProductionPlanBarEvent } from '../../domain/bars/barEvents.ts'
import {
  type CompletionRequest,
  completeBar as decideToCompleteBar,
  openBar as decideToOpenBar,
  startBar as decideToStartBar,
} from '../../domain/bars/barWork.ts'
import type { OverrideRequest } from '../../domain/bars/keptJudgement.ts'
import { takeRemnant as decideToTakeRemnant, type Taker } from '../../domain/bars/remnants.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, type Load, onRecord, onStream, type Workflow } from '../executor/command.ts'
import { type LoadJudgement, type LookUps, loadJudgement } from './judging.ts'
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

/** A bar on its way through the workshop: opened, approved, started, completed, and its cuts. */

/** Reserve the bar's id for this content, so that its plan can name it. The same again records nothing. */
export function openBar(ref: BarRef, request: BarRequest): Command<OpenedBar> {
  return onStream({
    aggregate: productionPlanBar,
    id: productionPlanBarKey(ref.companyId, ref.barId),
    opensStream: true,
    dependencies: async (load) => {
      const { companyId } = ref
      return request.fromBarId ? await loadBar(load, { companyId, barId: request.fromBarId }) : undefined
    },
    decide: (state, context, source) => decideToOpenBar(state, ref, request, context, source),
    answer: (bar) => ({ body: bar, etag: bar.revision }),
  })
}

/** Take the remnant that a bar is to be cut from. Of two bars, one gets it. */
export function takeRemnant(bar: OpenedBar): Command<undefined> {
  const source = { companyId: bar.companyId, barId: bar.fromBarId! }
  return onRecord({
    ...barStream(source),
    record: { missing: 'bar-not-found', id: source.barId, find: (state) => state },
    dependencies: loadTaker,
    decide: (state, context, taker) => decideToTakeRemnant(state, bar, taker, context),
  })
}

/** Load the bar that has taken the remnant of another. */
export async function loadTaker(
  load: Load,
  { companyId, remnantTaken }: OpenedBar,
): Promise<Taker | undefined> {
  const taker = remnantTaken && (await loadBar(load, { companyId, barId: remnantTaken.barId }))
  if (!taker) return undefined
  return { isPlanned: await isPlanned(load, taker), isCancelled: taker.status === 'Cancelled' }
}

async function loadBar(load: Load, { companyId, barId }: BarAddress): Promise<ProductionPlanBar> {
  return (await load(productionPlanBar, productionPlanBarKey(companyId, barId))).state
}

/** Approve a bar, unless a Block stands against it that the caller does not override. */
export function approveBar(
  address: BarAddress,
  lookUps: LookUps,
  request?: OverrideRequest,
): Command<BarRecord> {
  return judgeBar(address, createLoadJudgement(lookUps), (bar, judgement, context) =>
    decideToApproveBar(bar, judgement, request, context),
  )
}
approveBar.refuses = refusals('bar-not-found', 'bar-not-draft', 'bar-may-not-be-cut', 'four-eyes')

/** Approve one of many bars. An Approved one stays as it is, and an override covers those of its keys that the bar has. */
export function approveOneOfMany(
  address: BarAddress,
  judgementOf: LoadJudgement,
  request?: OverrideRequest,
): Command<BarRecord> {
  return judgeBar(address, judgementOf, (bar, judgement, context) =>
    decideToApproveOneOfMany(bar, judgement, request, context),
  )
}

/** Override Block findings of a bar, whatever its status. */
export function overrideFindings(
  address: BarAddress,
  lookUps: LookUps,
  request: OverrideRequest,
): Command<BarRecord> {
  return onPlannedBar(address, {
    load: (load, bar) => loadJudgement(load, lookUps, bar),
    decide: (bar, context, judgement) => decideToOverrideFindings(bar, judgement, request, context),
  })
}

overrideFindings.refuses = refusals('bar-not-found', 'bar-may-not-be-cut', 'four-eyes')

/** Start an Approved bar. One that may not be cut is refused, and loses its approval unless only a certificate is missing. */
export function startBar(address: BarAddress, lookUps: LookUps): Workflow<BarRecord> {
  return {
    aggregate: productionPlanBar,
    async run({ execute, waitUntilShown }, context) {
      const outcome = await execute(
        judgeBar(address, createLoadJudgement(lookUps), decideToStartBar),
        context,
      )
      if (!outcome.recorded.includes('BarApprovalWithdrawn')) return outcome
      await waitUntilShown?.(outcome)
      throw approvalWithdrawn(outcome.body)
    },
  }
}
startBar.refuses = refusals('bar-not-found', 'bar-not-approved', 'bar-may-not-be-cut')

/**
 * Judge an Approved bar once more, and withdraw its approval if a Block stands against it that nobody has overridden.
 * It records nothing on a bar in another status.
 */
export function reviewApproval(address: BarAddress, loadJudgement: LoadJudgement): Command<undefined> {
  return onStream({
    ...barStream(address),
    dependencies: async (load, bar) => (bar?.status === 'Approved' ? loadJudgement(load, bar) : undefined),
    decide: (bar, _context, judgement) => (bar && judgement ? withdrawApproval(bar, judgement) : []),
  })
}

/** Complete a Started bar, also one that may not be cut: its pieces are held then. */
export function completeBar(
  address: BarAddress,
  lookUps: LookUps,
  request?: CompletionRequest,
): Command<BarRecord> {
  return judgeBar(address, createLoadJudgement(lookUps), (bar, judgement) =>
    decideToCompleteBar(bar, judgement, request),
  )
}
completeBar.refuses = refusals('bar-not-found', 'bar-not-started')

/** Change the status of one cut. The record, and its ETag, are the cut's own. */
export function changeCutStatus(
  address: BarAddress,
  cutId: string,
  status: PlannedCutStatus,
  lookUps: LookUps,
  request?: OverrideRequest,
): Command<CutRecord> {
  return onRecord({
    ...barStream(address),
    record: cutOn(address, cutId),
    dependencies: async (load, { bar }) =>
      (await isPlanned(load, bar)) ? loadJudgement(load, lookUps, bar, cutId) : undefined,
    decide: ({ bar, cut }, context, judgement) => {
      if (!judgement) throw notFound('cut-not-found', cutId, onBar(address))
      return decideToChangeCutStatus(bar, cut, status, { judgement, request, context })
    },
    answer: ({ bar, cut }) => ({ body: cutRecord(bar, cut), etag: cut.revision }),
  })
}
changeCutStatus.refuses = refusals(
  'cut-not-found',
  'bar-completed',
  'pieces-held',
  'bar-cancelled',
  'cut-scrapped',
  'bar-overfull',
  'bar-may-not-be-cut',
  'four-eyes',
)

/** Build a command that judges the bar before it decides. */
function judgeBar(
  address: BarAddress,
  judgementOf: LoadJudgement,
  decide: (
    bar: OpenedBar,
    judgement: Judgement,
    context: DecisionContext,
  ) => readonly ProductionPlanBarEvent[],
): Command<BarRecord> {
  return onPlannedBar(address, {
    load: judgementOf,
    decide: (bar, context, judgement) => decide(bar, judgement, context),
  })
}

/** Load the facts of each judgement anew. */
function createLoadJudgement(lookUps: LookUps): LoadJudgement {
  return (load, bar) => loadJudgement(load, lookUps, bar)
}
