import type { Recorded } from '../../domain/kernel/event.ts'
import { weightOf } from './weight.ts'

/** Bounded queue between a subscription, which never waits, and the consumer of its events. */
export interface EventQueue {
  push(event: Recorded): void
  isFull(): boolean
  /** Wait until half of the queue is taken, or the queue is closed. */
  hasRoom(): Promise<void>
  /**
   * Wait until there are events, and take as many as weigh `most` or little more. Return none once the queue is
   * closed, or if there are none within so many milliseconds. @throws the error that the queue failed with
   */
  take(most: number, withinMs?: number): Promise<readonly Recorded[]>
  /** Let every later `take` throw, because queued events may belong to a history that the store has lost. */
  fail(error: unknown): void
}

/** `capacity` is the weight at which the queue is full. */
export function createEventQueue(capacity: number, closed: AbortSignal): EventQueue {
  const queue: Recorded[] = []
  let queued = 0
  let failure: unknown
  let changed = Promise.withResolvers<void>()

  function wake(): void {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  closed.addEventListener('abort', wake, { once: true })

  return {
    push(event) {
      queue.push(event)
      queued += weightOf(event)
      wake()
    },
    isFull: () => queued >= capacity,
    async hasRoom() {
      while (!closed.aborted && queued > capacity / 2) await changed.promise
    },
    async take(most, withinMs) {
      let isLate = false
      const giveUp = () => {
        isLate = true
        wake()
      }
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs)
      while (queue.length === 0 && !closed.aborted && !failure && !isLate) await changed.promise
      clearTimeout(timer)
      if (closed.aborted) return []
      if (failure) throw failure
      let weight = 0
      let count = 0
      while (count < queue.length && weight < most) weight += weightOf(queue[count++]!)
      const events = queue.splice(0, count)
      queued -= weight
      wake()
      return events
    },
    fail(error) {
      failure = error
      wake()
    },
  }
}
