import type { Aggregate } from '../../src/domain/kernel/aggregate.ts'
import type { DomainEvent, Recorded } from '../../src/domain/kernel/event.ts'
import { companyOfStream } from '../../src/domain/kernel/streams.ts'
import { newestVersion } from '../../src/domain/kernel/versions.ts'
import { alice, type Given, id, timeOf } from '../support/given.ts'

/** An event before it has a place in the store. */
type Told = Omit<Recorded, 'id' | 'position'>

/** A stream of these events. */
export function happened<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  aggregateId: string,
  events: readonly Given<Event>[],
): Told[] {
  const streamName = aggregate.streamName(aggregateId)
  const nameHash = companyOfStream(streamName) && 'fe'.repeat(32)
  const actor = { id: alice.id, name: '', kind: alice.kind, ...(nameHash && { nameHash }) }
  return events.map(({ type, data, metadata }, revision) => {
    const schemaVersion = newestVersion(aggregate.events, type)!
    const told = { actor, occurredAt: '', correlationId: '', schemaVersion, ...metadata }
    return { streamName, revision, type, data, metadata: told }
  })
}

/** The event at a position of the store. */
export function at(event: Told, position: number): Recorded {
  const idempotency = {
    key: `key ${position}`,
    caller: alice.id,
    request: `POST /${event.type}`,
    requestHash: 'aa',
  }
  const occurredAt = timeOf(position)
  const metadata = { ...event.metadata, occurredAt, correlationId: id(9_000 + position), idempotency }
  return { ...event, id: id(position), position, metadata }
}
