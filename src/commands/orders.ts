import { noAssignments } from '../domain/assignments.ts'
import { normalise, orderIdOf } from '../domain/identifiers.ts'
import * as order from '../domain/order.ts'
import type { OrderContent } from '../domain/orderContent.ts'
import { invalid } from '../domain/refusal.ts'
import { withRuleAssignments } from '../domain/subject.ts'
import type { TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, type ShownTag, shownTags } from './catalogue.ts'
import type { Command } from './command.ts'

/** An order as it was decided. The status of a line item is not decided here: it is rolled up from the bars. */
export interface DecidedOrder extends order.OrderFacts {
  readonly tags: readonly ShownTag[]
  readonly blocked: boolean
}

type OrderCommand = Command<order.Order, order.OrderEvent, DecidedOrder, TagCatalogue>

/** Register an order. Its id, and those of its line items, follow from their numbers. */
export function registerOrder(companyId: string, orderNumber: string, content: OrderContent): OrderCommand {
  const orderId = orderIdOf(companyId, orderNumber)
  return {
    aggregate: order.order,
    id: order.orderKey(companyId, orderId),
    opensStream: true,
    consult: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      const decided = order.registerOrder(state, { companyId, orderId, orderNumber }, content)
      return withRuleAssignments(order.orderSubject, decided, noAssignments, catalogue, context)
    },
    answer: (state, _recorded, catalogue) => answered(state, catalogue),
  }
}

export function correctOrder(
  companyId: string,
  orderId: string,
  orderNumber: string | undefined,
  content: OrderContent,
): OrderCommand {
  return {
    aggregate: order.order,
    id: order.orderKey(companyId, orderId),
    target: (state) => state,
    addressed: { what: 'order', id: orderId },
    consult: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      refuseOtherNumber(state!, orderNumber)
      const decided = order.correctOrder(state!, content)
      return withRuleAssignments(order.orderSubject, decided, state!.assignments, catalogue, context)
    },
    answer: (state, _recorded, catalogue) => answered(state, catalogue),
  }
}

function answered(state: order.Order, catalogue: TagCatalogue) {
  const { lineItems, ...facts } = state!.facts
  return { body: { ...facts, ...shownTags(catalogue, state!.assignments), lineItems }, etag: state!.revision }
}

function refuseOtherNumber({ facts }: order.RegisteredOrder, orderNumber: string | undefined): void {
  if (orderNumber !== undefined && normalise(orderNumber) !== normalise(facts.orderNumber))
    throw invalid(
      [{ path: '/orderNumber', message: `It never changes: it is ${facts.orderNumber}.` }],
      'An order number never changes.',
    )
}
