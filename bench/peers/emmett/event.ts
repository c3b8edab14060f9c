import type { SQL } from '@event-driven-io/dumbo'
import type { DomainEvent, EventMetadata } from '../../../src/domain/kernel/event.ts'

/** An event that Emmett passes to a projection: Emmett adds its own metadata to ours. */
export type PeerEvent<Event extends DomainEvent> = Event extends DomainEvent
  ? Event & { readonly metadata: EventMetadata & { readonly streamPosition: bigint } }
  : never

/** Emmett counts the positions of a stream from 1. */
export function revisionOf({ metadata }: { metadata: { streamPosition: bigint } }): bigint {
  return metadata.streamPosition - 1n
}

/** Embed SQL in other SQL. */
export function part(...parts: readonly SQL[]) {
  return { type: 'plainString', value: parts.join(', ') }
}
