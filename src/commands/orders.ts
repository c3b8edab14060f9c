import { noAssignments } from '../domain/assignments.ts'
import { normalise, orderIdOf } from '../domain/identifiers.ts'
import * as order from '../domain/order.ts'
import type { OrderContent } from '../domain/orderContent.ts'
import { invalid } from '../domain/refusal.ts'
import { withRuleAssignments } from '../domain/subject.ts'
import type { ShownTag } from '../domain/tag.ts'
import type { TagCatalogue } from '../domain/tagCatalogue.ts'
import { catalogueOf, shownTags } from './catalogue.ts'
import { type Command, onRecord, onStream } from './command.ts'

/** An order as it was decided. The status of a line item is not decided here: it is rolled up from the bars. */
export interface DecidedOrder extends order.OrderFacts {
  readonly tags: readonly ShownTag[]
  readonly blocked: boolean
}

/** Register an order. Its id, and those of its line items, follow from their numbers. */
export function registerOrder(
  companyId: string,
  orderNumber: string,
  content: OrderContent,
): Command<DecidedOrder> {
  const orderId = orderIdOf(companyId, orderNumber)
  return onStream({
    aggregate: order.order,
    id: order.orderKey(companyId, orderId),
    opensStream: true,
    dependencies: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      const decided = order.registerOrder(state, { companyId, orderId, orderNumber }, content)
      return withRuleAssignments(order.orderSubject, decided, noAssignments, catalogue, context)
    },
    answer: (state, _recorded, catalogue) => answered(state, catalogue),
  })
}

export function correctOrder(
  companyId: string,
  orderId: string,
  orderNumber: string | undefined,
  content: OrderContent,
): Command<DecidedOrder> {
  return onRecord({
    aggregate: order.order,
    id: order.orderKey(companyId, orderId),
    record: { noun: order.orderSubject.noun, id: orderId, find: (state) => state },
    dependencies: catalogueOf(companyId),
    decide: (known, context, catalogue) => {
      refuseOtherNumber(known, orderNumber)
      const decided = order.correctOrder(known, content)
      return withRuleAssignments(order.orderSubject, decided, known.assignments, catalogue, context)
    },
    answer: (known, _recorded, catalogue) => answered(known, catalogue),
  })
}

function answered({ facts, assignments, revision }: order.RegisteredOrder, catalogue: TagCatalogue) {
  const { lineItems, ...others } = facts
  return { body: { ...others, ...shownTags(catalogue, assignments), lineItems }, etag: revision }
}

function refuseOtherNumber({ facts }: order.RegisteredOrder, orderNumber: string | undefined): void {
  if (orderNumber !== undefined && normalise(orderNumber) !== normalise(facts.orderNumber))
    throw invalid(
      [{ path: '/orderNumber', message: `It never changes: it is ${facts.orderNumber}.` }],
      'An order number never changes.',
    )
}
