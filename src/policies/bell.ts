import { ifInTime } from '../inTime.ts'

/** Wakes one loop when another has work for it. A ring while nobody waits is not lost. */
export interface Bell {
  ring(): void
  /** Resolves when it was rung since the last wait, after so many milliseconds, or when it is `over`. */
  rung(withinMs: number): Promise<void>
}

export function createBell(over: AbortSignal): Bell {
  let next = Promise.withResolvers<void>()
  return {
    ring: () => next.resolve(),
    async rung(withinMs) {
      await ifInTime(next.promise, withinMs, over)
      next = Promise.withResolvers()
    },
  }
}
