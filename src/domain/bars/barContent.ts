import { sameValue } from '../kernel/changes.ts'

/** The content of a production plan bar: its stock and its cuts. */

/** The statuses that a request gives a cut. */
export const plannedCutStatuses = ['Proposed', 'Accepted', 'Rejected'] as const
export type PlannedCutStatus = (typeof plannedCutStatuses)[number]
/** A Scrapped cut was cut wrong. It keeps its length on the bar, and counts for nothing else. */
export const cutStatuses = [...plannedCutStatuses, 'Scrapped'] as const
export type CutStatus = (typeof cutStatuses)[number]

/** One piece. */
export interface Cut {
  readonly cutId: string
  readonly orderId: string
  readonly lineItemId: string
  readonly lengthMm: number
  /** The piece's name in the drawing. */
  readonly pieceMark: string | null
  readonly status: CutStatus
}

export interface BarContent {
  readonly stockLengthMm: number
  readonly grade: string
  /** The section of the stock, such as HEA 200. */
  readonly profile: string | null
  readonly millCertificationId: string | null
  /** The Completed bar whose remnant this bar is; null for new stock. */
  readonly fromBarId: string | null
  readonly cuts: readonly Cut[]
}

/** A cut as a request gives it. One without an id gets one when the bar is opened. */
interface CutRequest extends Omit<Cut, 'cutId' | 'pieceMark'> {
  readonly cutId?: string | undefined
  readonly pieceMark?: string | null | undefined
}

/** A bar as a request gives it. */
export interface BarRequest extends Omit<BarContent, 'profile' | 'fromBarId' | 'cuts'> {
  readonly profile?: string | null | undefined
  readonly fromBarId?: string | null | undefined
  readonly cuts: readonly CutRequest[]
}

/** Take these fields and no others. `cutIdOf` gives the id of a cut that has none. */
export function contentOf(
  { stockLengthMm, grade, profile = null, millCertificationId, fromBarId = null, cuts }: BarRequest,
  cutIdOf: (index: number) => string,
): BarContent {
  return {
    stockLengthMm,
    grade,
    profile,
    millCertificationId,
    fromBarId,
    cuts: cuts.map((cut, index) => cutContent({ ...cut, cutId: cut.cutId ?? cutIdOf(index) })),
  }
}

/** Take the fields of a cut and no others. A request may leave out the piece mark. */
export function cutContent({
  cutId,
  orderId,
  lineItemId,
  lengthMm,
  pieceMark = null,
  status,
}: CutRequest & Pick<Cut, 'cutId'>): Cut {
  return { cutId, orderId, lineItemId, lengthMm, pieceMark, status }
}

/**
 * Whether the bar was opened with this content. A cut without an id matches any id, and a remnant any certificate and
 * profile.
 */
export function isContentOf(opened: BarContent, request: BarRequest): boolean {
  const { millCertificationId, profile } = request.fromBarId ? opened : request
  return sameValue(
    opened,
    contentOf({ ...request, profile, millCertificationId }, (index) => opened.cuts[index]?.cutId ?? ''),
  )
}

/** The number of Accepted cuts of one line item. */
export interface AcceptedCuts {
  readonly orderId: string
  readonly lineItemId: string
  readonly accepted: number
}

type Lengths = Pick<BarContent, 'stockLengthMm'> & {
  readonly cuts: readonly Pick<Cut, 'lengthMm' | 'status'>[]
}

/**
 * Return the length left after all Accepted, Proposed and Scrapped cuts, in mm; negative when they do not fit. It is
 * rounded to the nanometre, so that tenths of a millimetre add up as they do on paper.
 */
export function remnantMm({ stockLengthMm, cuts }: Lengths): number {
  const used = cuts.reduce((sum, { lengthMm, status }) => (status === 'Rejected' ? sum : sum + lengthMm), 0)
  // `+ 0` turns −0 into 0.
  return Math.round((stockLengthMm - used) * 1e6) / 1e6 + 0
}

/** Count the Accepted cuts by line item. */
export function countAcceptedCuts(
  cuts: Iterable<Pick<Cut, 'orderId' | 'lineItemId' | 'status'>>,
): AcceptedCuts[] {
  const counted = new Map<string, AcceptedCuts>()
  for (const { orderId, lineItemId, status } of cuts) {
    if (status !== 'Accepted') continue
    const accepted = (counted.get(lineItemId)?.accepted ?? 0) + 1
    counted.set(lineItemId, { orderId, lineItemId, accepted })
  }
  return [...counted.values()]
}
