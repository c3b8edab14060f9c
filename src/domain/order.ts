import type { Aggregate, DecisionContext } from './aggregate.ts'
import {
  type Assignments,
  type ManualAssignmentsReplaced,
  noAssignments,
  replaced,
  replaceManualAssignments,
} from './assignments.ts'
import { type Change, changesOf, sameValue } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import { lineItemIdOf } from './identifiers.ts'
import type { InspectionDocument } from './millCertificate.ts'
import { conflict } from './refusal.ts'
import {
  type RuleAssignmentsReplaced,
  replaceRuleAssignments,
  rulesAsOf,
  rulesReplaced,
} from './ruleAssignments.ts'
import type { TagCatalogue } from './tagCatalogue.ts'

/** One customer order with its line items. Its number is its identity and never changes. */
export const orderStream = (id: string): string => `order-${id}`
/** The aggregate's id. */
export const orderKey = (companyId: string, orderId: string): string => `${companyId}_${orderId}`

/** EN 1090-2. */
export type ExecutionClass = 'EXC1' | 'EXC2' | 'EXC3' | 'EXC4'

export interface LineItemContent {
  readonly lineNumber: number
  readonly description: string | null
  readonly grade: string | null
  readonly lengthMm: number
  /** Pieces. */
  readonly quantity: number
}

export interface LineItem extends LineItemContent {
  readonly lineItemId: string
}

/** What a correction may change. */
export interface OrderContent {
  readonly customer: string | null
  readonly requiredInspectionDocument: InspectionDocument | null
  readonly executionClass: ExecutionClass | null
  readonly lineItems: readonly LineItemContent[]
}

export interface OrderIdentity {
  readonly companyId: string
  readonly orderId: string
  /** As sent first. */
  readonly orderNumber: string
}

type OrderFacts = OrderIdentity &
  Omit<OrderContent, 'lineItems'> & { readonly lineItems: readonly LineItem[] }

export type OrderRegistered = DomainEvent<'OrderRegistered', OrderFacts>
export type OrderCorrected = DomainEvent<
  'OrderCorrected',
  OrderFacts & { readonly changes: readonly Change[] }
>
export type OrderEvent =
  | OrderRegistered
  | OrderCorrected
  | ManualAssignmentsReplaced
  | RuleAssignmentsReplaced

export interface RegisteredOrder {
  readonly facts: OrderFacts
  /** What was registered, before any correction. */
  readonly registered: OrderFacts
  readonly registeredAt: string
  /** Of its last registration or correction. */
  readonly revision: number
  readonly assignments: Assignments
}

export type Order = RegisteredOrder | undefined

const factsOf = (data: OrderFacts): OrderFacts => ({
  companyId: data.companyId,
  orderId: data.orderId,
  orderNumber: data.orderNumber,
  customer: data.customer,
  requiredInspectionDocument: data.requiredInspectionDocument,
  executionClass: data.executionClass,
  lineItems: data.lineItems.map(({ lineItemId, lineNumber, description, grade, lengthMm, quantity }) => ({
    lineItemId,
    lineNumber,
    description,
    grade,
    lengthMm,
    quantity,
  })),
})

const evolve = (state: Order, event: Stored<OrderEvent>): Order => {
  if (event.type === 'OrderRegistered') {
    const facts = factsOf(event.data)
    return {
      facts,
      registered: facts,
      registeredAt: event.metadata.occurredAt,
      revision: event.revision,
      assignments: noAssignments,
    }
  }
  if (!state) return state
  switch (event.type) {
    case 'OrderCorrected':
      return { ...state, facts: factsOf(event.data), revision: event.revision }
    case 'ManualAssignmentsReplaced':
      return { ...state, assignments: replaced(state.assignments, event) }
    case 'RuleAssignmentsReplaced':
      return { ...state, assignments: rulesReplaced(state.assignments, event) }
    default:
      return state
  }
}

export const order: Aggregate<Order, OrderEvent> = {
  name: 'order',
  streamName: orderStream,
  initial: undefined,
  evolve,
  eventVersions: {
    OrderRegistered: 1,
    OrderCorrected: 1,
    ManualAssignmentsReplaced: 1,
    RuleAssignmentsReplaced: 1,
  },
}

/** Line items in the order of their numbers, each with the id that follows from its number. */
const ordered = (identity: OrderIdentity, { lineItems, ...content }: OrderContent): OrderFacts => ({
  ...identity,
  ...content,
  lineItems: lineItems
    .map((item) => ({
      ...item,
      lineItemId: lineItemIdOf(identity.companyId, identity.orderId, item.lineNumber),
    }))
    .sort((a, b) => a.lineNumber - b.lineNumber),
})

const differ = (before: OrderFacts, after: OrderFacts): boolean =>
  !sameValue({ ...before, orderNumber: null }, { ...after, orderNumber: null })

/** The same registration again records nothing, whatever was corrected since. */
export const registerOrder = (
  state: Order,
  identity: OrderIdentity,
  content: OrderContent,
): readonly OrderEvent[] => {
  const facts = ordered(identity, content)
  if (!state) return [{ type: 'OrderRegistered', data: facts }]
  if (!differ(state.registered, facts)) return []
  throw conflict(
    'order-already-registered',
    `Order ${state.facts.orderNumber} is registered with another content: correct it instead.`,
    { orderId: state.facts.orderId },
  )
}

/** Each line item by its number, so that a change of one among hundreds does not repeat the others. */
const changesOfOrder = (before: OrderFacts, after: OrderFacts): Change[] => {
  const { lineItems: known, ...factsBefore } = before
  const { lineItems, ...factsAfter } = after
  const knownById = new Map(known.map((item) => [item.lineItemId, item]))
  const changesOfLineItem = (item: LineItem): Change[] => {
    const field = `lineItems/${item.lineNumber}`
    const was = knownById.get(item.lineItemId)
    if (!was) return [{ field, from: null, to: item }]
    return changesOf(was, item).map((change) => ({ ...change, field: `${field}/${change.field}` }))
  }
  return [...changesOf(factsBefore, factsAfter), ...lineItems.flatMap(changesOfLineItem)]
}

/** A correction may add line items and change the others' fields; it may not drop any. */
export const correctOrder = (state: RegisteredOrder, content: OrderContent): readonly OrderEvent[] => {
  const { companyId, orderId, orderNumber } = state.facts
  const facts = ordered({ companyId, orderId, orderNumber }, content)
  const kept = new Set(facts.lineItems.map(({ lineItemId }) => lineItemId))
  const dropped = state.facts.lineItems.filter(({ lineItemId }) => !kept.has(lineItemId))
  if (dropped.length > 0)
    throw conflict(
      'line-item-in-use',
      `A correction may not drop line items: ${dropped.map(({ lineNumber }) => lineNumber).join(', ')}.`,
      { lineNumbers: dropped.map(({ lineNumber }) => lineNumber) },
    )
  const changes = changesOfOrder(state.facts, facts)
  return changes.length === 0 ? [] : [{ type: 'OrderCorrected', data: { ...facts, changes } }]
}

export const assignToOrder = (
  state: RegisteredOrder,
  tagIds: readonly string[],
  context: DecisionContext,
): readonly OrderEvent[] =>
  replaceManualAssignments(state.assignments, subjectOf(state.facts), tagIds, context)

/** A registration or correction, with what the rule packs in force say of it. */
export const evaluatedOrder = (
  decided: readonly OrderEvent[],
  before: Assignments,
  catalogue: TagCatalogue,
  context: DecisionContext,
): readonly OrderEvent[] =>
  decided.flatMap((event): readonly OrderEvent[] => {
    if (event.type !== 'OrderRegistered' && event.type !== 'OrderCorrected') return [event]
    const content = { family: 'order', content: event.data } as const
    return [
      { ...event, metadata: { rulesAsOf: rulesAsOf(catalogue, context) } },
      ...replaceRuleAssignments(before, subjectOf(event.data), content, catalogue, context),
    ]
  })

/** What the rule packs in force say of it now, where that is something else than before. */
export const evaluateOrder = (
  { facts, assignments }: RegisteredOrder,
  catalogue: TagCatalogue,
  context: DecisionContext,
): readonly OrderEvent[] => {
  const content = { family: 'order', content: facts } as const
  return replaceRuleAssignments(assignments, subjectOf(facts), content, catalogue, context)
}

const subjectOf = ({ companyId, orderId, orderNumber }: OrderIdentity) =>
  ({ companyId, family: 'order', subjectId: orderId, subjectLabel: orderNumber }) as const
