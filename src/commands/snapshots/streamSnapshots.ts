import { createHash } from 'node:crypto'
import type { Aggregate } from '../../domain/aggregate.ts'
import type { DomainEvent } from '../../domain/event.ts'

/**
 * A snapshot of a stream: its state and Idempotency-Keys, folded up to one of its events, so that a process without
 * them in memory need not fold a long stream from its first event.
 */
export interface StreamSnapshot {
  /** Names the fold that made the content (`stateVersionOf`). */
  readonly stateVersion: string
  /** The revision, the id and the position of the last event that was folded. */
  readonly revision: number
  readonly eventId: string
  readonly position: number
  /** The time of that event. */
  readonly occurredAt: string
  /** The state and the keys, as `toContent` writes them. */
  readonly content: string
  /** The hash of the content, so that damaged content is not used. */
  readonly sha256: string
}

export interface SnapshotBounds {
  /** The last position that may have been folded. */
  readonly untilPosition: number
  /** The first revision that must not have been folded. */
  readonly beforeRevision: number
}

/** Keeps snapshots of streams. Nothing depends on it but the time that a load takes, so every method may fail. */
export interface StreamSnapshots {
  /** Return the newest snapshot that this fold has made, within the bounds. */
  find(stream: string, stateVersion: string, bounds: SnapshotBounds): Promise<StreamSnapshot | undefined>
  /** Keep a snapshot, in place of another one at this revision. Drop those that no request can need any more. */
  keep(stream: string, snapshot: StreamSnapshot): Promise<void>
  /** Drop all snapshots of a stream, because one of them does not fit its events. */
  drop(stream: string): Promise<void>
}

/**
 * Name the fold of an aggregate. The event types are part of it, because a release that knows more of them has folded
 * events on which this one must decide nothing.
 */
export function stateVersionOf<State, Event extends DomainEvent>({
  stateVersion,
  eventVersions,
}: Pick<Aggregate<State, Event>, 'stateVersion' | 'eventVersions'>): string {
  const types = Object.entries(eventVersions).sort(([one], [other]) => (one < other ? -1 : 1))
  const fingerprint = createHash('sha256').update(JSON.stringify(types)).digest('hex').slice(0, 16)
  return `${stateVersion}-${fingerprint}`
}
