import { ifInTime } from '../lib/inTime.ts'

/** Wakes one loop when another has work for it. A ring while nobody waits is not lost. */
export interface Bell {
  /** Ring for work, with the position of the last event that the work is for. */
  ring(position: number): void
  /**
   * Wait until the bell rings, or return at once if it has rung since the last wait. Resolves with the position of the
   * last ring, or with undefined after this many milliseconds or when it is `over`.
   */
  waitForRing(withinMs: number): Promise<number | undefined>
}

export function createBell(over: AbortSignal): Bell {
  let next = Promise.withResolvers<void>()
  let last: number | undefined
  return {
    ring(position) {
      last = position
      next.resolve()
    },
    async waitForRing(withinMs) {
      await ifInTime(next.promise, withinMs, over)
      next = Promise.withResolvers()
      const position = last
      last = undefined
      return position
    },
  }
}
