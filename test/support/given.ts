import { expect } from 'vitest'
import { domainEvents } from '../../src/domain/aggregates.ts'
import { type Aggregate, type DecisionContext, fold } from '../../src/domain/kernel/aggregate.ts'
import type { Actor, DomainEvent, EventMetadata, Recorded, Stored } from '../../src/domain/kernel/event.ts'
import type { Refusal } from '../../src/domain/kernel/refusal.ts'
import { newestVersion } from '../../src/domain/kernel/versions.ts'
import { noRuleBook, type RuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import { type Projection, pastName } from '../../src/projections/engine/projection.ts'
import type { Row } from '../../src/projections/engine/rows/rows.ts'
import { foldInMemory } from '../projections/foldInMemory.ts'

/** Given events, when a decision is made, then events or a refusal. Given events, then rows. */

export const companyId = '3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d'
export const alice: Actor = { id: 'alice', name: 'Alice Ashby', kind: 'user' }
export const bob: Actor = { id: 'bob', name: 'Bob Birk', kind: 'user' }
/** The clock of every decision, and what `newId` answers: `id(1)`, `id(2)` … */
export const now = '2026-03-01T12:00:00.000Z'
export function id(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

/** Default time of the event at a revision, or of the n-th event of several streams. */
export function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString()
}

export function contextOf(actor: Actor = alice, rules: RuleBook = noRuleBook): DecisionContext {
  let ids = 0
  return { actor, now, occurredAt: now, newId: () => id(++ids), rules }
}

/** An event in a spec, with only the metadata that matters to it. */
export type Given<Event extends DomainEvent> = Event & { readonly metadata?: Partial<EventMetadata> }

/** Freeze every plain object, so that code that changes an event or a state fails. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
    if (plain) for (const member of Object.values(Object.freeze(value))) frozen(member)
  }
  return value
}

function metadata(n: number, { type, metadata: given }: Given<DomainEvent>): EventMetadata {
  const schemaVersion = newestVersion(domainEvents, type) ?? 1
  return { actor: alice, occurredAt: timeOf(n), correlationId: 'c', schemaVersion, ...given }
}

/** Give the events revisions from 0 and positions 10, 20 …, as in one stream. */
export function stored<Event extends DomainEvent>(events: readonly Given<Event>[]): Stored<Event>[] {
  return events.map(
    (event, n) =>
      frozen({
        ...event,
        revision: n,
        position: 10 * (n + 1),
        metadata: metadata(n, event),
      }) as never,
  )
}

/** Give the events revisions that count by subject, or else by company, as the projector sees them. */
export function recorded(events: readonly Given<DomainEvent>[]): Recorded[] {
  const revisions = new Map<string, number>()
  return stored(events).map((event, n) => {
    const { subjectId, millCertificationId, orderId, companyId } = event.data as Record<string, string>
    const streamName = subjectId ?? millCertificationId ?? orderId ?? companyId!
    const revision = (revisions.get(streamName) ?? -1) + 1
    revisions.set(streamName, revision)
    return frozen({ ...event, id: id(1_000 + n), streamName, revision })
  })
}

/** The rows as handlers write them: without the positions that they are from, and without former rows. */
export function rowsOf(projection: Projection, ...events: Given<DomainEvent>[]) {
  const tables = foldInMemory(projection, recorded(events))
  const versioned = Object.keys(tables).filter((name) => projection.tables[name]!.versioned)
  const own = { ...tables }
  for (const name of versioned) {
    own[name] = own[name]!.map(({ fromPosition: _, ...row }): Row => row)
    delete own[pastName(name)]
  }
  return own
}

export function given<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  ...events: Given<Event>[]
) {
  const state = frozen(fold(aggregate, aggregate.initial, stored(events)))
  const when = (decide: (state: NonNullable<State>, context: DecisionContext) => readonly Event[]) => {
    const decided = () => decide(state as NonNullable<State>, contextOf())
    const records = (...expected: Event[]) => expect(decided()).toStrictEqual(expected)
    const refuses = (code: string, details: object = {}) =>
      expect(decided).toThrow(expect.objectContaining({ code, details }) as Refusal)
    return { records, recordsNothing: () => records(), refuses }
  }
  return { state, when }
}
