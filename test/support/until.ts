import { setTimeout as pause } from 'node:timers/promises'

/** The ceiling for read models that begin from nothing: a store that is given may hold much. */
export const catchUpMs = 100_000

/**
 * Waits for a condition, asking again every few milliseconds.
 * @param ceilingMs a generous ceiling, in milliseconds: it is there to end a test that has gone wrong
 * @throws Error when the ceiling is passed; what the condition threw last is its cause
 */
export async function until(condition: () => unknown | Promise<unknown>, ceilingMs = 30_000): Promise<void> {
  const start = performance.now()
  let cause: unknown
  for (;;) {
    try {
      if (await condition()) return
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (performance.now() - start > ceilingMs) {
      throw new Error(`not so after ${ceilingMs} ms: ${condition}`, { cause })
    }
    await pause(10)
  }
}
