import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import { fieldsOf, setFrom } from '../audit/words.ts'
import { optionFields, type SteelOptions } from '../certificates/steelOptions.ts'
import { type Change, changesOf, sameValue } from '../kernel/changes.ts'
import { type Edit, editedContent, type Sent, type Upsert, withMembers } from '../kernel/edit.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { pick } from '../kernel/fields.ts'
import { lineItemIdOf } from '../kernel/identifiers.ts'
import { conflict, type Fault, looksLikeAnother } from '../kernel/refusal.ts'
import { isSpelledAlike } from '../kernel/spellings.ts'
import { assignmentEvents } from '../tags/assignmentEvents.ts'
import {
  type AssignmentEvent,
  assignedSubject,
  type Corrected,
  correctedSubject,
  registeredSubject,
  type Subject,
  type SubjectKind,
} from '../tags/subject.ts'
import { familyNames } from '../tags/tag.ts'
import { sentence } from '../verdict/sentence.ts'
import { type LineItemContent, lineItemFields, type OrderContent, orderFields } from './orderContent.ts'

/**
 * One customer order with its line items. Its number is its identity and never changes. It has no status: it is
 * registered once, then corrected and tagged at any time. The other parts are:
 * - `orderContent.ts`: what it states
 * - `lineItemStatus.ts`: how far the production of a line is, by the bars that are cut for it
 * - `orderDispatches.ts` and `orderPacks.ts`: streams of their own, for what has left and for its papers
 * - `tags/subject.ts` and `tags/assignments.ts`: its tags
 */
export function orderStream(id: string): string {
  return `order-${id}`
}
/** The aggregate's id. */
export function orderKey(companyId: string, orderId: string): string {
  return `${companyId}_${orderId}`
}

export interface LineItem extends LineItemContent {
  readonly lineItemId: string
}

export interface OrderIdentity {
  readonly companyId: string
  readonly orderId: string
  /** As sent first. */
  readonly orderNumber: string
}

export type OrderFacts = OrderIdentity &
  Omit<OrderContent, 'lineItems'> & { readonly lineItems: readonly LineItem[] }

export type OrderRegistered = DomainEvent<'OrderRegistered', OrderFacts>
export type OrderCorrected = DomainEvent<'OrderCorrected', Corrected<OrderFacts>>
export type OrderEvent = OrderRegistered | OrderCorrected | AssignmentEvent

export type RegisteredOrder = Subject<OrderFacts>
export type Order = RegisteredOrder | undefined

export const order: AuditedAggregate<Order, OrderEvent> = {
  name: 'order',
  streamName: orderStream,
  initial: undefined,
  evolve,
  events: {
    ...eventsAbout<OrderRegistered | OrderCorrected>('order', 'orderId', {
      OrderRegistered: {
        bound: 'rules',
        tell: ({ orderNumber, lineItems }) =>
          sentence('OrderRegistered', { number: orderNumber, lines: lineItems.length }),
        listChanges: (data) => setFrom(pick(orderFields, data)),
      },
      OrderCorrected: {
        bound: 'rules',
        tell: ({ orderNumber, changes }) =>
          sentence('OrderCorrected', { number: orderNumber, fields: fieldsOf(changes) }),
        listChanges: ({ changes }) => changes,
      },
    }),
    ...assignmentEvents,
  },
}

export const orderSubject: SubjectKind<OrderFacts, OrderEvent> = {
  ...familyNames.order,
  aggregate: order,
  key: orderKey,
  carriesFacts: (event) => event.type === 'OrderRegistered' || event.type === 'OrderCorrected',
  refOf: ({ companyId, orderId, orderNumber }) => ({
    companyId,
    family: 'order',
    subjectId: orderId,
    subjectLabel: orderNumber,
  }),
  forRules: (content) => ({ family: 'order', content }),
}

function factsOf(data: OrderFacts): OrderFacts {
  const { companyId, orderId, orderNumber, lineItems } = data
  return {
    companyId,
    orderId,
    orderNumber,
    ...pick(orderFields, data),
    lineItems: lineItems.map((item) => ({
      lineItemId: item.lineItemId,
      ...pick(lineItemFields, item),
    })),
  }
}

function evolve(state: Order, event: Stored<OrderEvent>): Order {
  if (event.type === 'OrderRegistered') return registeredSubject(factsOf(event.data), event)
  if (!state) return state
  switch (event.type) {
    case 'OrderCorrected':
      return correctedSubject(state, factsOf(event.data), event)
    case 'ManualAssignmentsReplaced':
    case 'RuleAssignmentsReplaced':
      return assignedSubject(state, event)
    default:
      return state
  }
}

/** Sort the line items by number and give each the id that follows from its number. */
function sortLines(identity: OrderIdentity, { lineItems, ...content }: OrderContent): OrderFacts {
  return {
    ...identity,
    ...content,
    lineItems: lineItems
      .map((item) => ({
        ...item,
        lineItemId: lineItemIdOf(identity.companyId, identity.orderId, item.lineNumber),
      }))
      .sort((a, b) => a.lineNumber - b.lineNumber),
  }
}

/** A line of an order as a correction gives it. Members that are left out stay, if the order has the line. */
type SentLineItem = Sent<Omit<LineItemContent, 'lineNumber' | 'options'>> &
  SentOptions &
  Pick<LineItemContent, 'lineNumber'>

export interface SentOrder extends Sent<Omit<OrderContent, 'lineItems' | 'options'>>, SentOptions {
  readonly lineItems?: readonly SentLineItem[] | undefined
}

/** Options that are left out stay, and null removes one, or all of them. */
interface SentOptions {
  readonly options?: Sent<SteelOptions> | null | undefined
}

/**
 * Replace the members that were sent, and within each line and its options those of the line. Only the lines of the
 * request remain.
 */
export function replaceOrderMembers({ lineItems, ...sent }: SentOrder): Edit<OrderContent> {
  return (present) => {
    const presentLines = new Map(present.lineItems.map((item) => [item.lineNumber, item]))
    const lines = lineItems?.map((item) => {
      const line = presentLines.get(item.lineNumber) ?? {}
      return withMembers<Partial<LineItemContent>>(line, withOptions(line, item))
    })
    return {
      content: {
        ...withMembers<Omit<OrderContent, 'lineItems'>>(present, withOptions(present, sent)),
        lineItems: lines?.map((line) => pick(lineItemFields, line as LineItemContent)) ?? present.lineItems,
      },
      faults: lines?.flatMap(faultsOfLine) ?? [],
    }
  }
}

function withOptions<Members extends SentOptions>(
  { options: present }: Partial<Pick<OrderContent, 'options'>>,
  { options, ...sent }: Members,
) {
  return options
    ? { ...sent, options: pick(optionFields, withMembers({ ...present }, options)) }
    : { ...sent, options }
}

/** Only a line that the order does not have yet may lack a required member. */
function faultsOfLine(line: Partial<LineItemContent>, index: number): Fault[] {
  return (['lengthMm', 'quantity'] as const)
    .filter((field) => line[field] === undefined)
    .map((field) => ({
      path: `/lineItems/${index}/${field}`,
      code: 'required',
      message: 'is required in a new line',
    }))
}

function differ(before: OrderFacts, after: OrderFacts): boolean {
  return !sameValue({ ...before, orderNumber: null }, { ...after, orderNumber: null })
}

/** Content that is recorded already, as it stands or as it was registered, records nothing. */
export function registerOrder(
  state: Order,
  identity: OrderIdentity,
  content: OrderContent,
): readonly OrderEvent[] {
  const facts = sortLines(identity, content)
  if (!state) return [{ type: 'OrderRegistered', data: facts }]
  refuseLookAlike(state, identity)
  if (!differ(state.facts, facts) || !differ(state.registered, facts)) return []
  throw conflict(
    'order-already-registered',
    `Order ${state.facts.orderNumber} is registered with another content, so nothing was recorded. Correct it instead.`,
    { orderId: state.facts.orderId },
  )
}

/**
 * Register the order, or correct it. A caller who repeats its own last words changes nothing, so that a file that is
 * sent every night does not undo what others have corrected since.
 */
export function upsertOrder(
  state: Order,
  identity: OrderIdentity,
  { whole, edit }: Upsert<OrderContent>,
  callerId: string,
): readonly OrderEvent[] {
  if (!state) return registerOrder(state, identity, whole())
  refuseLookAlike(state, identity)
  const lastRecorded = state.recordedBy.get(callerId)
  if (lastRecorded && repeats(edit, lastRecorded)) return []
  return correctOrder(state, editedContent(edit, contentOf(state.facts)))
}

/** Numbers that look alike lead to one stream. @throws Refusal `looks-like-another` */
function refuseLookAlike({ facts }: RegisteredOrder, { orderNumber }: OrderIdentity): void {
  if (!isSpelledAlike(orderNumber, facts.orderNumber))
    throw looksLikeAnother(orderNumber, facts.orderNumber, { orderId: facts.orderId })
}

function repeats(edit: Edit<OrderContent>, facts: OrderFacts): boolean {
  const { content, faults } = edit(contentOf(facts))
  return faults.length === 0 && !differ(facts, sortLines(facts, content))
}

/** The values of an order, without its number. */
export function contentOf(facts: OrderFacts): OrderContent {
  return pick(orderFields, facts)
}

/** List the changes of each line item by itself, so that a change of one does not repeat the others. */
function changesOfOrder(before: OrderFacts, after: OrderFacts): Change[] {
  const { lineItems: linesBefore, ...factsBefore } = before
  const { lineItems, ...factsAfter } = after
  const lineBeforeOf = new Map(linesBefore.map((item) => [item.lineItemId, item]))
  const changesOfLineItem = (item: LineItem): Change[] => {
    const field = `lineItems/${item.lineNumber}`
    const was = lineBeforeOf.get(item.lineItemId)
    if (!was) return [{ field, from: null, to: item }]
    return changesOf(was, item).map((change) => ({ ...change, field: `${field}/${change.field}` }))
  }
  return [...changesOf(factsBefore, factsAfter), ...lineItems.flatMap(changesOfLineItem)]
}

/** A correction may add line items and change the others' fields; it may not drop any. */
export function correctOrder(state: RegisteredOrder, content: OrderContent): readonly OrderEvent[] {
  const { companyId, orderId, orderNumber } = state.facts
  const facts = sortLines({ companyId, orderId, orderNumber }, content)
  const idsKept = new Set(facts.lineItems.map(({ lineItemId }) => lineItemId))
  const dropped = state.facts.lineItems.filter(({ lineItemId }) => !idsKept.has(lineItemId))
  if (dropped.length > 0)
    throw conflict(
      'line-item-in-use',
      `A correction may not drop line items: ${dropped.map(({ lineNumber }) => lineNumber).join(', ')}.`,
      { lineNumbers: dropped.map(({ lineNumber }) => lineNumber) },
    )
  const changes = changesOfOrder(state.facts, facts)
  return changes.length === 0 ? [] : [{ type: 'OrderCorrected', data: { ...facts, changes } }]
}
