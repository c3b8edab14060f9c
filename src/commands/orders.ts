import { noAssignments } from '../domain/assignments.ts'
import { normalise, orderIdOf } from '../domain/identifiers.ts'
import {
  correctOrder as decideCorrect,
  registerOrder as decideRegister,
  evaluatedOrder,
  type LineItem,
  type Order,
  type OrderContent,
  type OrderEvent,
  order,
  orderKey,
} from '../domain/order.ts'
import { invalid } from '../domain/refusal.ts'
import type { TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, type ShownTag, shownTags } from './catalogue.ts'
import type { Command } from './command.ts'

/** An order as it was decided. How far its line items are is not decided here: that is rolled up from the bars. */
export interface DecidedOrder extends Omit<OrderContent, 'lineItems'> {
  readonly orderId: string
  readonly companyId: string
  readonly orderNumber: string
  readonly tags: readonly ShownTag[]
  readonly blocked: boolean
  readonly lineItems: readonly LineItem[]
}

type OrderCommand = Command<Order, OrderEvent, DecidedOrder, TagCatalogue>

const answered = (state: Order, catalogue: TagCatalogue) => {
  const { lineItems, ...facts } = state!.facts
  return { body: { ...facts, ...shownTags(catalogue, state!.assignments), lineItems }, etag: state!.revision }
}

/** Its id, and those of its line items, follow from their numbers. */
export const registerOrder = (
  companyId: string,
  orderNumber: string,
  content: OrderContent,
): OrderCommand => {
  const orderId = orderIdOf(companyId, orderNumber)
  return {
    aggregate: order,
    id: orderKey(companyId, orderId),
    opensStream: true,
    consult: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      const decided = decideRegister(state, { companyId, orderId, orderNumber }, content)
      return evaluatedOrder(decided, noAssignments, catalogue, context)
    },
    answer: (state, _recorded, catalogue) => answered(state, catalogue),
  }
}

export const correctOrder = (
  companyId: string,
  orderId: string,
  orderNumber: string | undefined,
  content: OrderContent,
): OrderCommand => ({
  aggregate: order,
  id: orderKey(companyId, orderId),
  target: (state) => state,
  addressed: { what: 'order', id: orderId },
  consult: catalogueOf(companyId),
  decide: (state, context, catalogue) => {
    const known = state!.facts.orderNumber
    if (orderNumber !== undefined && normalise(orderNumber) !== normalise(known))
      throw invalid(
        [{ path: '/orderNumber', message: `It never changes: it is ${known}.` }],
        'An order number never changes.',
      )
    return evaluatedOrder(decideCorrect(state!, content), state!.assignments, catalogue, context)
  },
  answer: (state, _recorded, catalogue) => answered(state, catalogue),
})
