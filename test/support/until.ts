import { setTimeout as pause } from 'node:timers/promises'

/** Ceiling, in milliseconds, for read models that are built from the first event: a given store may hold many. */
export const catchUpMs = 100_000

/**
 * Poll a condition every few milliseconds until it is true.
 * @param ceilingMs in milliseconds; generous, because it only ends a failing test
 * @throws Error after the ceiling; its cause is the condition's last error
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
