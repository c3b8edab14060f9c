import { setTimeout as pause } from 'node:timers/promises'

/**
 * Ceiling, in milliseconds, for what specs wait for, unless one says that it takes longer. It is generous, because it only
 * ends a failing test.
 */
export const ceilingMs = 120_000

/**
 * Ceiling, in milliseconds, for what must not take long, where the fault would be to wait for something else. It is far
 * longer than a loaded machine needs.
 */
export const soonMs = 30_000

/** Pauses between two looks, in milliseconds. Specs share few cores: a look that takes long is taken less often. */
const shortestPauseMs = 10
const longestPauseMs = 100

/**
 * Poll a condition every few milliseconds until it is true, at most half of the time.
 * @param withinMs in milliseconds
 * @throws Error after that time; its cause is the condition's last error
 */
export async function until(
  condition: () => unknown | Promise<unknown>,
  withinMs = ceilingMs,
): Promise<void> {
  const start = performance.now()
  let cause: unknown
  for (;;) {
    const lookedAt = performance.now()
    try {
      if (await condition()) return
      cause = undefined
    } catch (error) {
      cause = error
    }
    const now = performance.now()
    if (now - start > withinMs) {
      throw new Error(`not so after ${withinMs} ms: ${condition}`, { cause })
    }
    await pause(Math.min(longestPauseMs, Math.max(shortestPauseMs, now - lookedAt)))
  }
}
