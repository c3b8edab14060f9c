import { defaultReleasePolicy, type ReleasePolicy } from './releasePolicy.ts'
import {
  type JudgedCertificate,
  type JudgedCut,
  type JudgedOrder,
  judge,
  type Override,
  type Verdict,
  type VerdictFacts,
} from './verdict.ts'

/** Many bars are judged at once: each fact is loaded once, however many bars share it. */

export interface JudgedBar {
  readonly barId: string
  readonly grade: string
  readonly millCertificationId: string | null
  readonly overrides: readonly Override[]
}

export interface CutOnBar extends JudgedCut {
  readonly barId: string
}

export interface CertificateOfBar extends JudgedCertificate {
  readonly certificateNumber: string
  readonly heatNumber: string
  readonly blockedOfSameHeat: VerdictFacts['blockedOfSameHeat']
}

export interface BarsFacts {
  readonly bars: readonly JudgedBar[]
  /** Every Accepted cut on these bars. */
  readonly cuts: readonly CutOnBar[]
  readonly certificates: readonly CertificateOfBar[]
  /** The orders of these cuts, with the lines that have one. */
  readonly orders: readonly JudgedOrder[]
  /** null when the company has set none. */
  readonly policy: ReleasePolicy | null
}

/** Return the verdict on every bar by its id, as `GET …/verdict` judges one. */
export function judgeBars(found: BarsFacts): ReadonlyMap<string, Verdict> {
  const policy = found.policy ?? defaultReleasePolicy
  const certificateOf = new Map(
    found.certificates.map((one) => [
      one.millCertificationId,
      { certificate: one, blockedOfSameHeat: one.blockedOfSameHeat },
    ]),
  )
  const ordersOf = ordersById(found.orders)
  const cutsOn = Map.groupBy(found.cuts, ({ barId }) => barId)
  return new Map(
    found.bars.map(({ barId, grade, millCertificationId, overrides }) => {
      const acceptedCuts = cutsOn.get(barId) ?? []
      const verdict = judge({
        bar: { grade, profile: null },
        ...(certificateOf.get(millCertificationId ?? '') ?? { certificate: null, blockedOfSameHeat: [] }),
        ...{ acceptedCuts, policy, overrides },
        orders: ordersOf(acceptedCuts),
      })
      return [barId, verdict]
    }),
  )
}

/** Return a function that returns the orders of some cuts, each with only the lines of these cuts. */
function ordersById(found: readonly JudgedOrder[]): (cuts: readonly JudgedCut[]) => readonly JudgedOrder[] {
  const known = new Map(
    found.map((order) => {
      const lines = new Map(order.lineItems.map((line) => [line.lineItemId, line]))
      return [order.orderId, { order, lines }]
    }),
  )
  return (cuts) =>
    [...Map.groupBy(cuts, ({ orderId }) => orderId)].flatMap(([orderId, its]) => {
      const { order, lines } = known.get(orderId) ?? {}
      if (!order || !lines) return []
      const wanted = new Set(its.map(({ lineItemId }) => lineItemId))
      return [{ ...order, lineItems: [...wanted].flatMap((id) => lines.get(id) ?? []) }]
    })
}
