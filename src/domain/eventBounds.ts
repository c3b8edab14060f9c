import { type AuditedEvent, auditedEvents } from './aggregates.ts'
import type { Bound } from './kernel/bound.ts'
import type { DomainEvent } from './kernel/event.ts'

/**
 * Events that come with a stop are recorded with it. But a subscription restores the tags of its pack: it stops nothing
 * by itself, and what it lets rule packs record is bounded.
 */
const inPrecedence: readonly Bound[] = ['rules', 'none', 'reserve', 'day']

/** Return the bound of a decision. */
export function boundOf(events: readonly DomainEvent[]): Bound {
  const bounds = new Set(events.map(boundOfEvent))
  return inPrecedence.find((bound) => bounds.has(bound))!
}

export function boundOfEvent({ type, data }: DomainEvent): Bound {
  const { bound } = auditedEvents[type as AuditedEvent['type']]
  return typeof bound === 'function' ? bound(data as never) : bound
}
