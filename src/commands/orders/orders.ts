import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { type Edit, editedContent, type Upsert } from '../../domain/kernel/edit.ts'
import { orderIdOf } from '../../domain/kernel/identifiers.ts'
import type { Fault } from '../../domain/kernel/refusal.ts'
import { isSpelledAlike } from '../../domain/kernel/spellings.ts'
import {
  contentOf,
  correctOrder as decideToCorrectOrder,
  registerOrder as decideToRegisterOrder,
  upsertOrder as decideToUpsertOrder,
  type Order,
  type OrderEvent,
  type OrderFacts,
  type OrderIdentity,
  order,
  orderKey,
  orderSubject,
  type RegisteredOrder,
} from '../../domain/orders/order.ts'
import type { OrderContent } from '../../domain/orders/orderContent.ts'
import { withRuleAssignments } from '../../domain/tags/subject.ts'
import type { ShownTag } from '../../domain/tags/tag.ts'
import type { TagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, onRecord, onStream } from '../executor/command.ts'
import { activeTags, catalogueOf, latestUpdate } from '../tags/catalogue.ts'

/**
 * An order as it was decided. The status of a line item is not decided here: it is rolled up from the bars, and it may
 * have changed after `updatedAt`.
 */
export interface DecidedOrder extends OrderFacts {
  readonly registeredAt: string
  readonly updatedAt: string
  readonly updatedBy: string
  readonly tags: readonly ShownTag[]
  readonly blocked: boolean
}

/** Register an order. Its id, and those of its line items, follow from their numbers. */
export function registerOrder(
  companyId: string,
  orderNumber: string,
  content: OrderContent,
): Command<DecidedOrder> {
  const decide: DecideByNumber = (state, identity) => decideToRegisterOrder(state, identity, content)
  return { ...byNumber(companyId, orderNumber, decide), opensStream: true }
}

/** Register an order, or correct the one that has this number. */
export function upsertOrder(
  companyId: string,
  orderNumber: string,
  upsert: Upsert<OrderContent>,
): Command<DecidedOrder> {
  return byNumber(companyId, orderNumber, (state, identity, { actor }) =>
    decideToUpsertOrder(state, identity, upsert, actor.id),
  )
}
registerOrder.refuses = refusals('order-already-registered', 'looks-like-another', 'too-large-to-record')

export function correctOrder(
  companyId: string,
  orderId: string,
  orderNumber: string | undefined,
  edit: Edit<OrderContent>,
): Command<DecidedOrder> {
  return onRecord({
    aggregate: order,
    id: orderKey(companyId, orderId),
    record: { missing: 'order-not-found', id: orderId, find: (state) => state },
    dependencies: catalogueOf(companyId),
    decide: (order, context, catalogue) => {
      const present = contentOf(order.facts)
      const content = editedContent(edit, present, faultsOfNumber(order, orderNumber))
      const decided = decideToCorrectOrder(order, content)
      return withRuleAssignments(orderSubject, decided, order, catalogue, context)
    },
    answer: (order, _recorded, catalogue) => presentOrder(order, catalogue),
  })
}
correctOrder.refuses = refusals('order-not-found', 'line-item-in-use', 'too-large-to-record')

type DecideByNumber = (
  state: Order,
  identity: OrderIdentity,
  context: DecisionContext,
) => readonly OrderEvent[]

/** Build a command on the order that has this number, or will have it. */
function byNumber(companyId: string, orderNumber: string, decide: DecideByNumber): Command<DecidedOrder> {
  const orderId = orderIdOf(companyId, orderNumber)
  return onStream({
    aggregate: order,
    id: orderKey(companyId, orderId),
    dependencies: catalogueOf(companyId),
    decide: (state, context, catalogue) => {
      const decided = decide(state, { companyId, orderId, orderNumber }, context)
      return withRuleAssignments(orderSubject, decided, state, catalogue, context)
    },
    answer: (state, _recorded, catalogue) => presentOrder(state, catalogue),
  })
}

function presentOrder(order: RegisteredOrder, catalogue: TagCatalogue) {
  const { facts, registeredAt, updatedBy, assignments, revision } = order
  const { lineItems, ...others } = facts
  const dated = { registeredAt, updatedAt: latestUpdate(catalogue, order), updatedBy }
  return { body: { ...others, ...dated, ...activeTags(catalogue, assignments), lineItems }, etag: revision }
}

/** The number never changes. */
function faultsOfNumber({ facts }: RegisteredOrder, orderNumber: string | undefined): Fault[] {
  if (orderNumber === undefined || isSpelledAlike(orderNumber, facts.orderNumber)) return []
  const message = `It never changes: it is ${facts.orderNumber}.`
  return [{ path: '/orderNumber', code: 'unchangeable', message }]
}
