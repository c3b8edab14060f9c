/**
 * Return what `work` returns. The work itself goes on: use a signal where it can be cancelled.
 * @param over ends the wait early, as if the time were up
 * @throws what `late` returns, when the work takes longer than this many milliseconds
 */
export async function inTime<Value>(
  work: Promise<Value>,
  withinMs: number,
  lateError: () => Error,
  over?: AbortSignal,
): Promise<Value> {
  const tooLate = Promise.withResolvers<never>()
  const giveUp = () => tooLate.reject(lateError())
  // If the process stood still, the answer may have arrived meanwhile: Node reads it before the immediate.
  const timer = setTimeout(() => setImmediate(giveUp), withinMs)
  over?.addEventListener('abort', giveUp)
  if (over?.aborted) giveUp()
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    clearTimeout(timer)
    over?.removeEventListener('abort', giveUp)
  }
}

/** Return what `work` returns; undefined if it fails, takes longer than this many milliseconds, or is `over` before. */
export function ifInTime<Value>(
  work: Promise<Value>,
  withinMs: number,
  over?: AbortSignal,
): Promise<Value | undefined> {
  return inTime(work, withinMs, () => new Error('late'), over).catch(() => undefined)
}
