import type { Recorded } from '../../domain/kernel/event.ts'
import type { Checkpoint } from './checkpoint.ts'
import { weightOf } from './weight.ts'

/** The last events that a process has received, without a gap, up to a bound. */
export interface RecentEvents {
  /** The last event that was received; before the first one, the place where receiving began. */
  last(): Checkpoint
  push(event: Recorded): void
  /** Return the events after the checkpoint; undefined unless its own event is the last one or known to be among these. */
  after(checkpoint: Checkpoint): readonly Recorded[] | undefined
  /** Keep none of the present events. */
  forget(): void
}

/** @param capacity the most weight of the events: beyond it, the oldest are forgotten */
export function createRecentEvents(begin: Checkpoint, capacity: number): RecentEvents {
  let events: Recorded[] = []
  let weight = 0
  let before = begin
  let last = begin
  return {
    last: () => last,
    push(event) {
      events.push(event)
      weight += weightOf(event)
      last = checkpointOf(event)
      while (weight > capacity) {
        const oldest = events.shift()!
        weight -= weightOf(oldest)
        before = checkpointOf(oldest)
      }
    },
    after({ position, eventId }) {
      if (position < before.position || position > last.position) return undefined
      if (position === before.position) return eventId === before.eventId ? events : undefined
      const index = events.findLastIndex((event) => event.position === position)
      return events[index]?.id === eventId ? events.slice(index + 1) : undefined
    },
    forget() {
      events = []
      weight = 0
      before = last
    },
  }
}

export function checkpointOf({ position, id }: Recorded): Checkpoint {
  return { position, eventId: id }
}
