import { setTimeout as pause } from 'node:timers/promises'

/** What `work` answers; undefined when it fails, or takes longer than so many milliseconds. */
export const inTime = async <Value>(work: Promise<Value>, withinMs: number): Promise<Value | undefined> => {
  const timer = new AbortController()
  const late = pause(withinMs, undefined, { signal: timer.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } catch {
    return undefined
  } finally {
    timer.abort()
  }
}
