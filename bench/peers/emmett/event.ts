import type { SQL } from '@event-driven-io/dumbo'
import type { DomainEvent, EventMetadata } from '../../../src/domain/event.ts'

/** An event as Emmett hands it to a projection: with its own metadata beside ours. */
export type PeerEvent<Event extends DomainEvent> = Event extends DomainEvent
  ? Event & { readonly metadata: EventMetadata & { readonly streamPosition: bigint } }
  : never

/** Emmett counts the positions of a stream from 1. */
export const revisionOf = ({ metadata }: { metadata: { streamPosition: bigint } }): bigint =>
  metadata.streamPosition - 1n

/** Some SQL as a part of other SQL. */
export const part = (...parts: readonly SQL[]) => ({ type: 'plainString', value: parts.join(', ') })
