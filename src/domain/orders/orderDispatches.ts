import { Map as ImmutableMap } from 'immutable'
import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import { sayWords, setFrom } from '../audit/words.ts'
import type { OpenedBar } from '../bars/bar.ts'
import { blockKeys, refuseUnknownKeys } from '../bars/barApproval.ts'
import { isHeld } from '../bars/barStop.ts'
import { type KeptFinding, type OverrideRequest, withoutOverride } from '../bars/keptJudgement.ts'
import type { DecisionContext } from '../kernel/aggregate.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { conflict, type Fault, invalid } from '../kernel/refusal.ts'
import { day, knownOr, type Sentence, sentence } from '../verdict/sentence.ts'
import { type Finding, isNeverOverridden } from '../verdict/verdict.ts'
import type { Clearance } from './orderTrace.ts'

/**
 * The pieces of one order that have left the workshop. One stream holds all dispatches of an order, so that a piece
 * leaves once even if two people dispatch it at the same moment: a cut is for one order only.
 */
export function orderDispatchesStream(id: string): string {
  return `orderDispatches-${id}`
}
/** The aggregate's id. */
export function orderDispatchesKey(companyId: string, orderId: string): string {
  return `${companyId}_${orderId}`
}

export interface DispatchedCut {
  readonly barId: string
  readonly cutId: string
}

export interface Dispatch {
  readonly companyId: string
  readonly orderId: string
  readonly dispatchId: string
  /** RFC 3339 full-date: the day on which the pieces left. */
  readonly date: string
  readonly reference: string
  readonly cuts: readonly DispatchedCut[]
}

export type OrderDispatched = DomainEvent<
  'OrderDispatched',
  Dispatch & {
    readonly override?: OverrideRequest
    /** The findings that the override covers, because the facts behind them may change. */
    readonly overridden?: readonly KeptFinding[]
    /** The number of gaps that the traceability of the pieces had. */
    readonly gaps?: number
  }
>

/** The dispatch of each piece, by `pieceKey`. */
export type OrderDispatches = ImmutableMap<string, string>

/** A cut's id is unique on its bar. */
function pieceKey({ barId, cutId }: DispatchedCut): string {
  return `${barId}/${cutId}`
}

function evolve(state: OrderDispatches, event: Stored<OrderDispatched>): OrderDispatches {
  if (event.type !== 'OrderDispatched') return state
  const { cuts, dispatchId } = event.data
  return state.withMutations((pieces) => {
    for (const cut of cuts) pieces.set(pieceKey(cut), dispatchId)
  })
}

export const orderDispatches: AuditedAggregate<OrderDispatches, OrderDispatched> = {
  name: 'orderDispatches',
  streamName: orderDispatchesStream,
  initial: ImmutableMap(),
  evolve,
  events: eventsAbout('order', 'orderId', {
    OrderDispatched: {
      bound: 'reserve',
      tell: tellOfDispatch,
      listChanges: ({ dispatchId, date, reference, cuts, override }) =>
        setFrom({
          dispatch: { dispatchId, date, reference, cutIds: cuts.map(({ cutId }) => cutId) },
          override,
        }),
    },
  }),
}

function tellOfDispatch({
  reference,
  date,
  cuts,
  override,
  overridden = [],
  gaps = 0,
}: OrderDispatched['data']): Sentence {
  const stood = [...(gaps > 0 ? [sentence('gaps', { count: gaps })] : []), ...overridden.map(knownOr)]
  const spite = override
    ? sentence('pieces-not-cleared', {
        findings: { parts: stood, between: ' ' },
        reason: sayWords('reason', override.reason),
        reference: sayWords('reference', override.reference),
      })
    : '.'
  return sentence('OrderDispatched', { reference, date: day(date), pieces: cuts.length, spite })
}

export function isDispatched(dispatches: OrderDispatches, cut: DispatchedCut): boolean {
  return dispatches.has(pieceKey(cut))
}

/** A dispatch as a request asks for it. */
export interface DispatchRequest {
  readonly date: string
  readonly reference: string
  readonly cutIds: readonly string[]
  readonly override?: OverrideRequest | undefined
}

/** The facts that a dispatch is decided on. */
interface Dispatching {
  readonly companyId: string
  readonly orderId: string
  /** The bars that may have these cuts. */
  readonly bars: readonly OpenedBar[]
  readonly clearance: Clearance
}

/** Dispatch pieces of an order. @throws Refusal 400 with every piece that cannot leave; `pieces-not-cleared` */
export function dispatchPieces(
  dispatches: OrderDispatches,
  { date, reference, cutIds, override }: DispatchRequest,
  { companyId, orderId, bars, clearance }: Dispatching,
  { newId }: Pick<DecisionContext, 'newId'>,
): readonly OrderDispatched[] {
  const pieces = cutIds.map((cutId) => ({ cutId, places: placesOf(bars, orderId, cutId) }))
  const faults = pieces.flatMap(({ cutId, places }, index): Fault[] => {
    const fault = faultOf(places, dispatches) ?? (cutIds.indexOf(cutId) < index ? again : undefined)
    if (!fault) return []
    return [{ path: `/cutIds/${index}`, code: fault.code, message: fault.says(cutId), record: { cutId } }]
  })
  if (faults.length > 0)
    throw invalid(
      faults,
      'Not all of these pieces can leave, so nothing was recorded. Leave out the ones named.',
    )
  const covered = clearedBy(clearance, override)
  return [
    {
      type: 'OrderDispatched',
      data: {
        companyId,
        orderId,
        dispatchId: newId(),
        date,
        reference,
        cuts: pieces.map(({ places: [place], cutId }) => ({ barId: place!.bar.barId, cutId })),
        ...covered,
      },
    },
  ]
}

interface Place {
  readonly bar: OpenedBar
  readonly cut: OpenedBar['cuts'][number]
}

/** A piece that was cancelled, rejected or scrapped may be planned once more, under the same id on another bar. */
function placesOf(bars: readonly OpenedBar[], orderId: string, cutId: string): readonly Place[] {
  const places = bars.flatMap((bar) =>
    bar.cuts.filter((cut) => cut.cutId === cutId && cut.orderId === orderId).map((cut) => ({ bar, cut })),
  )
  const planned = places.filter(({ bar, cut }) => bar.status !== 'Cancelled' && cut.status === 'Accepted')
  return planned.length > 0 ? planned : places.slice(0, 1)
}

interface PieceFault {
  readonly code: Fault['code']
  says(cutId: string): string
}

const again: PieceFault = { code: 'not-unique', says: (cutId) => `Cut ${cutId} is in this request already.` }

/** Say why a piece cannot leave. */
function faultOf(places: readonly Place[], dispatches: OrderDispatches): PieceFault | undefined {
  const [place, other] = places
  if (!place) return { code: 'unknown-record', says: (cutId) => `The order has no cut ${cutId}.` }
  const { bar, cut } = place
  const wrongStatus = (says: PieceFault['says']): PieceFault => ({ code: 'wrong-status', says })
  if (other)
    return wrongStatus(
      (cutId) =>
        `Cut ${cutId} is on the bars ${bar.barId} and ${other.bar.barId}, so it does not name one piece.`,
    )
  if (isDispatched(dispatches, { barId: bar.barId, cutId: cut.cutId }))
    return wrongStatus((cutId) => `Cut ${cutId} is dispatched already.`)
  if (cut.status !== 'Accepted') return wrongStatus((cutId) => `Cut ${cutId} is ${cut.status}, not Accepted.`)
  if (bar.status !== 'Completed')
    return wrongStatus(
      (cutId) => `Cut ${cutId} is on bar ${bar.barId}, which is ${bar.status}, not Completed.`,
    )
  if (isHeld(bar, cut))
    return wrongStatus(
      (cutId) =>
        `Cut ${cutId} is held, because bar ${bar.barId} was completed in spite of a Block. Quality has to override it first.`,
    )
  return undefined
}

/** The most gaps that a refusal lists. */
const mostGaps = 100

/**
 * Return what has to be kept when pieces leave that are not cleared: the override, and what it covers.
 * @throws Refusal `pieces-not-cleared`
 */
function clearedBy(
  { findings, missing }: Clearance,
  override: OverrideRequest | undefined,
): Pick<OrderDispatched['data'], 'override' | 'overridden' | 'gaps'> {
  const openBlocks = findings.filter((finding) => finding.severity === 'Block' && !finding.override)
  refuseUnknownKeys(override?.findings ?? [], blockKeys({ findings: openBlocks }), {
    path: '/override/findings',
    says: (key) => `No Block finding that still stands has the key ${key}.`,
    detail: 'The override names findings that do not hold these pieces back.',
  })
  if (openBlocks.length === 0 && missing.length === 0) return {}
  const isCovered = ({ key, code }: Finding) =>
    override?.findings.includes(key) === true && !isNeverOverridden(code)
  const uncovered = openBlocks.filter((finding) => !isCovered(finding))
  if (!override || uncovered.length > 0) {
    const [first] = [...uncovered, ...missing].map(({ message }) => message)
    throw conflict('pieces-not-cleared', `The pieces are not cleared, so nothing may leave: ${first}`, {
      findings,
      missing: missing.slice(0, mostGaps),
    })
  }
  return { override, overridden: openBlocks.map(withoutOverride), gaps: missing.length }
}
