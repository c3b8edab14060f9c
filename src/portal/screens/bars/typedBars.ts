import type { ListedProductionPlanBar, NewBar, Order } from '../../api/generated.ts'
import { numberIn } from '../../kit/numberIn.ts'

/** The bars of a plan as a person types them: like bars and like pieces once, with their number. */

export interface TypedCut {
  readonly orderId: string
  readonly lineItemId: string
  /** The line by its order, number and piece. */
  readonly name: string
  readonly pieceMark: string | null
  readonly pieces: string
  readonly lengthMm: string
}

export interface TypedBar {
  readonly stockLengthMm: string
  readonly profile: string
  readonly grade: string
  readonly count: string
  readonly millCertificationId: string | null
  readonly cuts: readonly TypedCut[]
}

export const noBar: TypedBar = {
  stockLengthMm: '',
  profile: '',
  grade: '',
  count: '1',
  millCertificationId: null,
  cuts: [],
}

/** Lengths in mm. No stock and no piece is as short as `12.000` would be with a decimal point. */
const stockLengths = { least: 1_000, most: 100_000 }
const pieceLengths = { least: 10, most: 100_000 }

function countIn(typed: string): number {
  return /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0
}

export function isCounted({ count, cuts }: TypedBar): boolean {
  return [count, ...cuts.map(({ pieces }) => pieces)].every((typed) => countIn(typed) > 0)
}

/** Return each bar and each piece by itself, as a request has them. */
export function newBars(typed: readonly TypedBar[]): NewBar[] {
  return typed.flatMap(({ count, stockLengthMm, grade, profile, millCertificationId, cuts }) => {
    const bar = {
      stockLengthMm: numberIn(stockLengthMm, stockLengths),
      grade: grade.trim(),
      profile: profile.trim() || null,
      millCertificationId,
      cuts: cuts.flatMap(({ orderId, lineItemId, pieceMark, pieces, lengthMm }) =>
        Array.from({ length: countIn(pieces) }, () => ({
          orderId,
          lineItemId,
          pieceMark,
          lengthMm: numberIn(lengthMm, pieceLengths),
          status: 'Accepted' as const,
        })),
      ),
    }
    return Array.from({ length: countIn(count) }, () => bar)
  })
}

/** Return the place in the request of the first bar, or of the first piece of a cut, that was typed at this place. */
export function placeOf(typed: readonly TypedBar[], bar: number, cut?: number): string {
  const before = (counts: readonly string[]) => counts.reduce((sum, count) => sum + countIn(count), 0)
  const barPlace = `/bars/${before(typed.slice(0, bar).map(({ count }) => count))}`
  if (cut === undefined) return barPlace
  return `${barPlace}/cuts/${before(typed[bar]!.cuts.slice(0, cut).map(({ pieces }) => pieces))}`
}

/** Add a piece of a line. A bar without a steel takes the one that the line demands. */
export function withCut(
  bar: TypedBar,
  { orderId, orderNumber }: Pick<Order, 'orderId' | 'orderNumber'>,
  line: Pick<Order['lineItems'][number], 'lineItemId' | 'lineNumber' | 'pieceMark'> &
    Pick<Order['lineItems'][number], 'grade' | 'profile' | 'lengthMm'>,
): TypedBar {
  const { lineItemId, lineNumber, pieceMark, lengthMm } = line
  const name = [orderNumber, lineNumber, pieceMark].filter((part) => part !== null).join(' · ')
  return {
    ...bar,
    profile: bar.profile || (line.profile ?? ''),
    grade: bar.grade || (line.grade ?? ''),
    cuts: [...bar.cuts, { orderId, lineItemId, name, pieceMark, pieces: '1', lengthMm: String(lengthMm) }],
  }
}

/** Return a planned bar as its planner would have typed it. */
export function typedBar({
  cuts,
  orders = [],
  ...bar
}: Pick<
  ListedProductionPlanBar,
  'stockLengthMm' | 'profile' | 'grade' | 'millCertificationId' | 'cuts' | 'orders'
>): TypedBar {
  const planned = cuts.filter(({ status }) => status !== 'Rejected')
  const alike = Map.groupBy(planned, ({ lineItemId, lengthMm, pieceMark }) =>
    JSON.stringify([lineItemId, lengthMm, pieceMark]),
  )
  return {
    stockLengthMm: String(bar.stockLengthMm),
    profile: bar.profile ?? '',
    grade: bar.grade,
    count: '1',
    millCertificationId: bar.millCertificationId,
    cuts: [...alike.values()].map((same) => {
      const { orderId, lineItemId, lengthMm, pieceMark } = same[0]!
      const order = orders.find((one) => one.orderId === orderId)
      return {
        orderId,
        lineItemId,
        pieceMark,
        name: [order?.orderNumber, pieceMark].filter(Boolean).join(' · '),
        pieces: String(same.length),
        lengthMm: String(lengthMm),
      }
    }),
  }
}
