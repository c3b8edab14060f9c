import type { OpenedBar } from '../../domain/bars/bar.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { order, orderKey } from '../../domain/orders/order.ts'
import {
  type Dispatch,
  type DispatchedCut,
  type DispatchRequest,
  dispatchPieces as decideToDispatchPieces,
  isDispatched,
  orderDispatches,
  orderDispatchesKey,
} from '../../domain/orders/orderDispatches.ts'
import type { Clearance } from '../../domain/orders/orderTrace.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { refusals } from '../../problems/catalogue.ts'
import { loadBars, streamsAtOnce } from '../bars/barChecks.ts'
import { type Command, type Load, onStream } from '../executor/command.ts'

/** A dispatch as it is answered. */
interface DispatchRecord extends Dispatch {
  readonly override: DispatchRequest['override'] | null
  readonly createdAt: string
  readonly createdBy: string
}

interface OrderAddress {
  readonly companyId: string
  readonly orderId: string
}

/** Look-ups in the read models, which may be behind by moments. No stream lists the cuts of an order. */
export interface DispatchLookUps {
  findCutsOfOrder(order: OrderAddress, cutIds: readonly string[]): Promise<readonly DispatchedCut[]>
  /** Judge these pieces. Return undefined when there is no such order. */
  findClearance(order: OrderAddress, cutIds: readonly string[]): Promise<Clearance | undefined>
}

/** Record that pieces of an order have left the workshop. */
export function dispatchPieces(
  address: OrderAddress,
  request: DispatchRequest,
  { findCutsOfOrder, findClearance }: DispatchLookUps,
): Command<DispatchRecord> {
  const { companyId, orderId } = address
  return onStream({
    aggregate: orderDispatches,
    id: orderDispatchesKey(companyId, orderId),
    async dependencies(load) {
      const [{ state: orderState }, cuts, clearance] = await Promise.all([
        load(order, orderKey(companyId, orderId)),
        findCutsOfOrder(address, request.cutIds),
        findClearance(address, request.cutIds),
      ])
      if (!orderState || !clearance) return undefined
      const bars = await loadBars(load, companyId, new Set(cuts.map(({ barId }) => barId)))
      return { revision: orderState.revision, bars: [...bars.values()], clearance }
    },
    versionOf(_state, facts) {
      if (!facts) throw notFound('order-not-found', orderId)
      return facts
    },
    decide: (state, context, facts) =>
      decideToDispatchPieces(state, request, { ...address, ...facts! }, context),
    answer(_state, recorded) {
      const { data, metadata, revision } = recorded[0]!
      const { dispatchId, date, reference, cuts, override = null } = data
      return {
        body: {
          companyId,
          orderId,
          dispatchId,
          date,
          reference,
          cuts,
          override,
          createdAt: metadata.occurredAt,
          createdBy: metadata.actor.id,
        },
        etag: revision,
      }
    },
  })
}
dispatchPieces.refuses = refusals('order-not-found', 'pieces-not-cleared', 'too-large-to-record')

/**
 * The ids of the bar's cuts that have left. Pieces leave only from a Completed bar, but the bar may have been taken back
 * at the same moment.
 */
export async function dispatchedCutsOf(
  load: Load,
  { companyId, barId, cuts }: OpenedBar,
): Promise<readonly string[]> {
  const orderIds = [...new Set(cuts.map(({ orderId }) => orderId))]
  const loaded = await concurrently(streamsAtOnce, orderIds, (orderId) =>
    load(orderDispatches, orderDispatchesKey(companyId, orderId)),
  )
  const isGone = (cutId: string) => loaded.some(({ state }) => isDispatched(state, { barId, cutId }))
  return cuts.map(({ cutId }) => cutId).filter(isGone)
}
