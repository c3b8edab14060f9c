import type { BarStatus } from '../bars/barEvents.ts'
import type { Stop } from '../bars/barStop.ts'
import { normalise } from '../kernel/spellings.ts'
import { type BarsFacts, type CutOnBar, type JudgedBar, judgeBars } from '../verdict/judgedBars.ts'
import { judgedBy } from '../verdict/judgedBy.ts'
import { isTooShort } from '../verdict/piecesOfLine.ts'
import { type Sentence, sentence, type Told, tell } from '../verdict/sentence.ts'
import { type Finding, findingsOfCut } from '../verdict/verdict.ts'
import type { LineItemStatus } from './lineItemStatus.ts'

/** An order as it is audited: the heats that it is cut from, the findings on each cut, and what is missing. */

/** A bar with an Accepted cut for the order. */
export interface TracedBar extends JudgedBar {
  readonly planId: string
  readonly planName: string
  /** Its place in the plan, from 1. */
  readonly ordinal: number
  readonly status: BarStatus
  readonly markTransferred: boolean
  readonly stop: Stop | null
}

/** An Accepted cut. */
export interface TracedCut extends CutOnBar {
  /** Its place on the bar, from 1. */
  readonly ordinal: number
  readonly lengthMm: number
  readonly pieceMark: string | null
}

/** How many pieces are planned, are cut and still here, were cut wrong, have left, and are too short for their line. */
export type PieceCounts = Readonly<Record<'planned' | 'cut' | 'scrapped' | 'dispatched' | 'tooShort', number>>

export interface TracedLineItem {
  readonly lineItemId: string
  readonly lineNumber: number
  readonly lengthMm: number
  readonly quantity: number
  /** Null without a piece. */
  readonly pieces: PieceCounts | null
  readonly cancelled: boolean
  readonly status: LineItemStatus
}

/** The facts that an order is audited by. */
export interface TraceFacts extends BarsFacts {
  readonly orderId: string
  readonly orderNumber: string
  /** Whether one of the order's own tags has severity Block. */
  readonly blocked: boolean
  /** Show only the cuts with this mark; null: all. */
  readonly pieceMark: string | null
  readonly lineItems: readonly TracedLineItem[]
  /** In the order of their plans. */
  readonly bars: readonly TracedBar[]
  /** Every Accepted cut on these bars, for this order or another. */
  readonly cuts: readonly TracedCut[]
}

/** An Accepted cut, with the certificate of its bar and its findings. */
export interface AuditedCut {
  readonly cutId: string
  /** The place of the cut on its bar, from 1. */
  readonly cutOrdinal: number
  readonly pieceMark: string | null
  readonly barId: string
  readonly planId: string
  readonly planName: string
  /** The place of the bar in its plan, from 1. */
  readonly barOrdinal: number
  readonly barStatus: BarStatus
  /** Whether it was cut in spite of a Block that nobody has overridden since. */
  readonly held: boolean
  /** Whether the piece has got the mark of the heat. */
  readonly markTransferred: boolean
  readonly lengthMm: number
  readonly millCertificationId: string | null
  readonly certificateNumber: string | null
  readonly heatNumber: string | null
  readonly tags: readonly object[]
  readonly findings: readonly Finding[]
}

/**
 * Return the order as it is audited. It is complete when nothing is missing from any of its line items. It is cleared
 * when it is complete and every Block against it is overridden.
 */
export function traceOrder(facts: TraceFacts) {
  const { orderId, orderNumber, pieceMark, bars } = facts
  const cutsOfLine = Map.groupBy(tracedCuts(facts), ({ lineItemId }) => lineItemId)
  const lines = facts.lineItems.map(({ quantity, lengthMm, pieces, ...line }) => {
    const cuts = (cutsOfLine.get(line.lineItemId) ?? []).map(({ lineItemId: _, ...cut }) => cut)
    return {
      ...line,
      pieces: { required: quantity, ...(pieces ?? noPieces) },
      cuts,
      missing: missingOf({ ...line, quantity, lengthMm, cuts }),
    }
  })
  const complete = lines.every(({ missing }) => missing.length === 0)
  const blocks = lines
    .flatMap(({ cuts }) => cuts.flatMap(({ findings }) => findings))
    .filter(({ severity }) => severity === 'Block')
  const isHeld = lines.some(({ cuts }) => cuts.some(({ held }) => held))
  // A tag of the order is a finding on each of its cuts. Without a cut, nobody can have overridden it.
  const stands = cutsOfLine.size === 0 ? facts.blocked : blocks.some(({ override }) => !override)
  return {
    orderId,
    orderNumber,
    blocked: facts.blocked || blocks.length > 0 || isHeld,
    complete,
    cleared: complete && !stands,
    judgedBy,
    overrides: bars.flatMap(({ barId, overrides }) =>
      overrides.map(({ findings, by, at, reason, reference }) => ({
        barId,
        findings,
        by,
        at,
        reason,
        reference,
      })),
    ),
    lineItems: pieceMark === null ? lines : withPiece(lines, pieceMark),
  }
}

const noPieces: PieceCounts = { planned: 0, cut: 0, scrapped: 0, dispatched: 0, tooShort: 0 }

/** The findings and gaps that keep pieces from their hand-over. */
export interface Clearance {
  /** The findings on these pieces, each once. */
  readonly findings: readonly Finding[]
  /** The gaps in their traceability. */
  readonly missing: readonly Told[]
}

/** Judge the pieces that are to leave together. Gaps and findings of other pieces do not hold them back. */
export function clearanceOf(facts: TraceFacts, cutIds: readonly string[]): Clearance {
  const leaving = new Set(cutIds)
  const cuts = tracedCuts(facts).filter(({ cutId }) => leaving.has(cutId))
  // Rows may be behind the streams. Nobody has judged a piece that they do not show.
  const unseen = leaving.size - new Set(cuts.map(({ cutId }) => cutId)).size
  const same = Map.groupBy(
    cuts.flatMap(({ findings }) => findings),
    ({ key }) => key,
  )
  return {
    // A finding that is overridden on one bar may still stand on another.
    findings: [...same.values()].map((ofKey) => ofKey.find(({ override }) => !override) ?? ofKey[0]!),
    missing: [
      ...findUndocumented(onePerBar(cuts)),
      ...(unseen > 0 ? [tell('gap-unseen', { count: unseen })] : []),
    ],
  }
}

type PlacedCut = Pick<
  AuditedCut,
  'barId' | 'planName' | 'barOrdinal' | 'barStatus' | 'held' | 'lengthMm' | 'millCertificationId'
>

function onePerBar<Placed extends PlacedCut>(cuts: readonly Placed[]): (Placed & { pieces: number })[] {
  return [...Map.groupBy(cuts, ({ barId }) => barId).values()].map((onBar) => ({
    ...onBar[0]!,
    pieces: onBar.length,
  }))
}

function findUndocumented(bars: readonly PlacedCut[]): Told[] {
  return bars
    .filter(({ millCertificationId }) => millCertificationId === null)
    .map((bar) => tell('gap-certificate', placeOf(bar)))
}

/** Return the lines with cuts of this mark, each with only these cuts. */
function withPiece<Line extends { readonly cuts: readonly AuditedCut[] }>(
  lines: readonly Line[],
  pieceMark: string,
): Line[] {
  const wanted = normalise(pieceMark)
  const isWanted = (cut: AuditedCut) => cut.pieceMark !== null && normalise(cut.pieceMark) === wanted
  return lines
    .map((line) => ({ ...line, cuts: line.cuts.filter(isWanted) }))
    .filter(({ cuts }) => cuts.length > 0)
}

/** Return the cuts for this order, each with those findings on its bar that concern it. */
function tracedCuts(facts: TraceFacts): (AuditedCut & { readonly lineItemId: string })[] {
  const verdictOn = judgeBars(facts)
  const certificateOf = new Map(facts.certificates.map((one) => [one.millCertificationId, one]))
  const barOf = new Map(facts.bars.map((bar) => [bar.barId, bar]))
  return facts.cuts
    .filter(({ orderId }) => orderId === facts.orderId)
    .map((cut) => {
      const { cutId, ordinal: cutOrdinal, pieceMark, barId, lengthMm, lineItemId } = cut
      const bar = barOf.get(barId)!
      const { planId, planName, ordinal, status: barStatus, stop, millCertificationId } = bar
      const {
        certificateNumber = null,
        heatNumber = null,
        tags = [],
      } = certificateOf.get(millCertificationId ?? '') ?? {}
      return {
        cutId,
        cutOrdinal,
        pieceMark,
        barId,
        planId,
        planName,
        barOrdinal: ordinal,
        barStatus,
        held: stop !== null,
        markTransferred: bar.markTransferred,
        lengthMm,
        millCertificationId,
        certificateNumber,
        heatNumber,
        tags,
        findings: findingsOfCut(verdictOn.get(barId)!.findings, cut),
        lineItemId,
      }
    })
}

/**
 * The reasons why a line item cannot be handed over with all its papers yet. A cancelled one is never handed
 * over, so nothing is missing.
 */
export function missingOf({
  cuts,
  ...line
}: Omit<TracedLineItem, 'lineItemId' | 'lineNumber' | 'pieces'> & {
  readonly cuts: readonly PlacedCut[]
}): Told[] {
  if (line.cancelled) return []
  const bars = onePerBar(cuts)
  const unfinished = bars.filter(({ barStatus }) => barStatus !== 'Completed')
  return [
    ...missingPieces(line, cuts),
    ...unfinished.map((bar) =>
      tell('gap-unfinished', {
        ...placeOf(bar),
        pieces: piecesAre(bar.pieces),
        status: sentence(bar.barStatus),
      }),
    ),
    ...bars
      .filter(({ held }) => held)
      .map((bar) => tell('gap-held', { ...placeOf(bar), pieces: piecesAre(bar.pieces) })),
    ...findUndocumented(bars),
  ]
}

/** The roll-up counts cuts, whatever their length and number. So a Completed line may still lack a piece. */
function missingPieces(
  { quantity, lengthMm, status }: Pick<TracedLineItem, 'quantity' | 'lengthMm' | 'status'>,
  cuts: readonly PlacedCut[],
): Told[] {
  const short = cuts.filter((cut) => isTooShort(cut, { lengthMm }))
  const whole = cuts.length - short.length
  const lacking = quantity > whole
  return [
    ...onePerBar(short).map((bar) =>
      tell('gap-short', { ...placeOf(bar), pieces: piecesAre(bar.pieces), length: lengthMm }),
    ),
    ...(lacking ? [tell('gap-pieces', { whole, quantity })] : []),
    ...(lacking && status === 'Completed' ? [tell('gap-completed')] : []),
  ]
}

function placeOf({ planName, barOrdinal }: PlacedCut) {
  return { plan: planName, bar: barOrdinal }
}

function piecesAre(count: number): Sentence {
  return sentence('pieces-are', { count })
}
