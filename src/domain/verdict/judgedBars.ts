import type { PairRule } from '../rulePacks/pairRules.ts'
import type { ReleasePolicy } from './releasePolicy.ts'
import { judge, type Verdict } from './verdict.ts'
import {
  aloneInHeat,
  completeFacts,
  type JudgedCut,
  type JudgedOrder,
  type NamedCertificate,
  type Override,
  type ReadHeat,
  type VerdictFacts,
} from './verdictFacts.ts'

/** Many bars are judged at once: each fact is loaded once, however many bars share it. */

export interface JudgedBar {
  readonly barId: string
  readonly grade: string
  readonly profile: string | null
  readonly millCertificationId: string | null
  readonly heatRead: ReadHeat | null
  readonly overrides: readonly Override[]
}

export interface CutOnBar extends JudgedCut {
  readonly barId: string
}

export interface BarsFacts {
  readonly bars: readonly JudgedBar[]
  /** Every Accepted cut on these bars. */
  readonly cuts: readonly CutOnBar[]
  readonly certificates: readonly NamedCertificate[]
  /** The orders of these cuts, with the lines that have one. */
  readonly orders: readonly JudgedOrder[]
  /** null when the company has set none. */
  readonly policy: ReleasePolicy | null
  readonly pairRules: readonly PairRule[]
}

/** Return the verdict on every bar by its id, as `GET …/verdict` judges one. */
export function judgeBars({ bars, policy, pairRules, ...linked }: BarsFacts): ReadonlyMap<string, Verdict> {
  const certificateOf = certificatesById(linked.certificates)
  const ordersOf = ordersById(linked.orders)
  const cutsOn = Map.groupBy(linked.cuts, ({ barId }) => barId)
  return new Map(
    bars.map(({ barId, grade, profile, millCertificationId, heatRead, overrides }) => {
      const acceptedCuts = cutsOn.get(barId) ?? []
      const facts = {
        grade,
        profile,
        heatRead,
        ...certificateOf(millCertificationId),
        acceptedCuts,
        overrides,
      }
      return [barId, judge(completeFacts({ ...facts, policy, pairRules, orders: ordersOf(acceptedCuts) }))]
    }),
  )
}

/** Return a function that returns a bar's certificate, with the other certificates of its heat. */
function certificatesById(
  certificates: readonly NamedCertificate[],
): (millCertificationId: string | null) => Pick<VerdictFacts, 'certificate' | 'sameHeat'> {
  const byId = new Map(certificates.map((one) => [one.millCertificationId, one]))
  return (millCertificationId) => {
    const certificate = byId.get(millCertificationId ?? '') ?? null
    return { certificate, sameHeat: certificate?.sameHeat ?? aloneInHeat }
  }
}

/** Return a function that returns the orders of some cuts, each with only the lines of these cuts. */
function ordersById(orders: readonly JudgedOrder[]): (cuts: readonly JudgedCut[]) => readonly JudgedOrder[] {
  const linesById = new Map(
    orders.map((order) => {
      const lines = new Map(order.lineItems.map((line) => [line.lineItemId, line]))
      return [order.orderId, { order, lines }]
    }),
  )
  return (cuts) =>
    [...Map.groupBy(cuts, ({ orderId }) => orderId)].flatMap(([orderId, its]) => {
      const { order, lines } = linesById.get(orderId) ?? {}
      if (!order || !lines) return []
      const wanted = new Set(its.map(({ lineItemId }) => lineItemId))
      return [{ ...order, lineItems: [...wanted].flatMap((id) => lines.get(id) ?? []) }]
    })
}
