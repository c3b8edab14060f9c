import { ifInTime } from '../../../lib/inTime.ts'
import { type KnownStates, reaches } from './knownStates.ts'

/** Callers that wait until read models show a position. */
export interface Waiters {
  /** True once all of these projections show the position; false when one has stopped before it, or it is too late. */
  wait(names: readonly string[], position: number, withinMs: number): Promise<boolean>
  /** Lets those go on whose projections have reached their position, or never will. */
  release(knownStates: KnownStates): void
  /** Lets all go on, with false. */
  end(): void
}

interface Waiter {
  readonly names: readonly string[]
  readonly position: number
  readonly resolve: (reached: boolean) => void
}

export function createWaiters(): Waiters {
  const waiters = new Set<Waiter>()
  return {
    async wait(names, position, withinMs) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const waiter = { names, position, resolve }
      waiters.add(waiter)
      const reached = await ifInTime(promise, withinMs)
      waiters.delete(waiter)
      return reached ?? false
    },
    release(knownStates) {
      for (const { names, position, resolve } of waiters) {
        const reached = reaches(knownStates, names, position)
        if (reached !== undefined) resolve(reached)
      }
    },
    end() {
      for (const { resolve } of waiters) resolve(false)
    },
  }
}
