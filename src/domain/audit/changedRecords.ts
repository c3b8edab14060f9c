import type { AuditedEvent } from '../aggregates.ts'
import type { AuditedRecord, EntrySubject } from './audited.ts'

/** An event may change further records than the one that it is about. The change feed names each change by a type. */

/**
 * Return the further records that look different after the event: the bars that a plan now names, the orders whose line
 * items move with a bar, and the bars whose pieces a dispatch takes away.
 */
export function furtherRecordsOf({ type, data }: AuditedEvent): readonly AuditedRecord[] {
  switch (type) {
    case 'BarsPlanned':
      return [...recordsOf('bar', data.barIds), ...ordersOf(data.lineItems)]
    case 'BarStarted':
    case 'BarCompleted':
    case 'BarReverted':
    case 'BarCancelled':
      return ordersOf(data.lineItems)
    case 'CutScrapped':
    case 'CutStatusChanged':
      return ordersOf([data])
    case 'OrderDispatched':
      return recordsOf(
        'bar',
        data.cuts.map(({ barId }) => barId),
      )
    default:
      return []
  }
}

function ordersOf(parts: readonly { readonly orderId: string }[]): AuditedRecord[] {
  return recordsOf(
    'order',
    parts.map(({ orderId }) => orderId),
  )
}

function recordsOf(subjectType: EntrySubject, ids: readonly string[]): AuditedRecord[] {
  return [...new Set(ids)].map((subjectId) => ({ subjectType, subjectId }))
}

/** The word with which the types of events about a record begin, if it is not the record's own name. */
const prefixes: Partial<Record<EntrySubject, RegExp>> = {
  certificate: /^(Mill)?Certificate/,
  plan: /^ProductionPlan/,
}

/** Return the type of a change, such as `heatmark.bar.approval-withdrawn.v1` for the event `BarApprovalWithdrawn`. */
export function changeTypeOf(subjectType: EntrySubject, eventType: string): string {
  const prefix = prefixes[subjectType] ?? new RegExp(`^${capitalise(subjectType)}`)
  return `heatmark.${inWords(subjectType)}.${inWords(eventType.replace(prefix, ''))}.v1`
}

/** Return the type of a change that the record shares with another one, which the event is about. */
export function furtherTypeOf(subjectType: EntrySubject): string {
  return `heatmark.${inWords(subjectType)}.changed.v1`
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Return a name such as `RuleAssignmentsReplaced` as `rule-assignments-replaced`. */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase()
}
