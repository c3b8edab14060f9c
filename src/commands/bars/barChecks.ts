import { type OpenedBar, productionPlanBar, productionPlanBarKey } from '../../domain/bars/bar.ts'
import { type BarRequest, isContentOf, remnantMm } from '../../domain/bars/barContent.ts'
import { barsAlreadyPlanned } from '../../domain/bars/barWork.ts'
import { faultsOfRemnant } from '../../domain/bars/remnants.ts'
import { millCertificate, millCertificateKey } from '../../domain/certificates/certificate.ts'
import { type Fault, invalid } from '../../domain/kernel/refusal.ts'
import { order, orderKey } from '../../domain/orders/order.ts'
import { concurrently } from '../../lib/concurrently.ts'
import type { Load } from '../executor/command.ts'

/** Checks of a request to plan bars, made before anything is recorded. */

/** Streams that are read or opened at the same time. */
export const streamsAtOnce = 16

export interface BarToPlan extends BarRequest {
  readonly barId: string
  /** True if the caller gave the id. Only such a bar may belong to another plan. */
  readonly isNamed: boolean
}

/** The records of the company that bars may name. */
export interface References {
  /** Ids of line items, by order. */
  readonly lineItems: ReadonlyMap<string, ReadonlySet<string>>
  readonly certificates: ReadonlySet<string>
  /** The bars whose remnants are asked for. */
  readonly remnants: ReadonlyMap<string, OpenedBar>
}

export async function loadReferences(
  load: Load,
  companyId: string,
  bars: readonly BarRequest[],
): Promise<References> {
  const orderIds = [...new Set(bars.flatMap(({ cuts }) => cuts.map(({ orderId }) => orderId)))]
  const orders = await concurrently(streamsAtOnce, orderIds, (orderId) =>
    load(order, orderKey(companyId, orderId)),
  )
  const lineItems = orders.flatMap(({ state }) =>
    state
      ? [[state.facts.orderId, new Set(state.facts.lineItems.map((item) => item.lineItemId))] as const]
      : [],
  )
  const certificateIds = [...new Set(bars.flatMap(({ millCertificationId }) => millCertificationId ?? []))]
  const certificates = await concurrently(streamsAtOnce, certificateIds, (id) =>
    load(millCertificate, millCertificateKey(companyId, id)),
  )
  const fromBarIds = bars.flatMap(({ fromBarId }) => fromBarId ?? [])
  return {
    lineItems: new Map(lineItems),
    remnants: await loadBars(load, companyId, fromBarIds),
    certificates: new Set(certificates.flatMap(({ state }) => state?.facts.millCertificationId ?? [])),
  }
}

/** Load the bars that exist among these, planned or only opened. */
export async function loadBars(
  load: Load,
  companyId: string,
  barIds: Iterable<string>,
): Promise<ReadonlyMap<string, OpenedBar>> {
  const loaded = await concurrently(streamsAtOnce, [...new Set(barIds)], (barId) =>
    load(productionPlanBar, productionPlanBarKey(companyId, barId)),
  )
  return new Map(loaded.flatMap(({ state }) => (state ? [[state.barId, state] as const] : [])))
}

/** @throws Refusal `validation-failed` with every fault of every bar */
export function refuseFaults(bars: readonly BarToPlan[], references: References): void {
  const again = findRepeats(bars.map(({ barId }) => barId))
  const takenAgain = findRepeats(bars.map(({ fromBarId }) => fromBarId ?? undefined))
  const faults = bars.flatMap((bar, index): Fault[] => {
    const path = `/bars/${index}`
    const { barId, millCertificationId } = bar
    const faults = faultsOfCuts(bar, references, `${path}/cuts`)
    if (millCertificationId !== null && !references.certificates.has(millCertificationId))
      faults.unshift({
        path: `${path}/millCertificationId`,
        code: 'unknown-record',
        message: `There is no mill certificate ${millCertificationId}.`,
        record: { millCertificationId },
      })
    if (bar.fromBarId)
      faults.unshift(
        ...faultsOfRemnant(
          { ...bar, fromBarId: bar.fromBarId },
          references.remnants.get(bar.fromBarId),
          path,
        ),
      )
    if (takenAgain.has(index))
      faults.unshift({
        path: `${path}/fromBarId`,
        code: 'not-unique',
        message: `The remnant of bar ${bar.fromBarId} is in this request already.`,
        record: { barId: bar.fromBarId! },
      })
    if (again.has(index))
      faults.unshift({
        path: `${path}/barId`,
        code: 'not-unique',
        message: `Bar ${barId} is in this request already.`,
        record: { barId },
      })
    return faults
  })
  if (faults.length > 0) throw invalid(faults, 'The bars cannot be planned like this; nothing was recorded.')
}

/** @throws Refusal `bar-already-planned` with every bar that another plan or another content holds */
export function refuseTaken(
  planId: string,
  bars: readonly BarToPlan[],
  existing: ReadonlyMap<string, OpenedBar>,
): void {
  const taken = bars.filter((request) => {
    const bar = existing.get(request.barId)
    return bar && (bar.planId !== planId || !isContentOf(bar.opened, request))
  })
  if (taken.length > 0) throw barsAlreadyPlanned(taken.map(({ barId }) => barId))
}

/** Find every id that repeats an earlier one, by its index. */
function findRepeats(ids: readonly (string | undefined)[]): Map<number, string> {
  const earlier = new Set<string>()
  return new Map(
    [...ids.entries()].filter((entry): entry is [number, string] => {
      const id = entry[1]
      if (id === undefined) return false
      const again = earlier.has(id)
      earlier.add(id)
      return again
    }),
  )
}

function faultsOfCuts({ stockLengthMm, cuts }: BarRequest, { lineItems }: References, path: string): Fault[] {
  const faults: Fault[] = [...findRepeats(cuts.map(({ cutId }) => cutId))].map(([index, cutId]) => ({
    path: `${path}/${index}/cutId`,
    code: 'not-unique',
    message: `Cut ${cutId} is in this bar already.`,
    record: { cutId },
  }))
  for (const [index, { orderId, lineItemId }] of cuts.entries()) {
    const lines = lineItems.get(orderId)
    if (!lines)
      faults.push({
        path: `${path}/${index}/orderId`,
        code: 'unknown-record',
        message: `There is no order ${orderId}.`,
        record: { orderId },
      })
    else if (!lines.has(lineItemId))
      faults.push({
        path: `${path}/${index}/lineItemId`,
        code: 'unknown-record',
        message: `Order ${orderId} has no line item ${lineItemId}.`,
        record: { lineItemId },
      })
  }
  const left = remnantMm({ stockLengthMm, cuts })
  if (left < 0)
    faults.push({ path, code: 'out-of-bounds', message: `They need ${-left} mm more than the stock has.` })
  return faults
}
