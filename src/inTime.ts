/** Return what `work` returns. @throws what `late` returns, when that takes longer than so many milliseconds */
export async function inTime<Value>(
  work: Promise<Value>,
  withinMs: number,
  late: () => Error,
): Promise<Value> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(late()), withinMs)
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Return what `work` returns; undefined when it fails, or takes longer than so many milliseconds. */
export function ifInTime<Value>(work: Promise<Value>, withinMs: number): Promise<Value | undefined> {
  return inTime(work, withinMs, () => new Error('late')).catch(() => undefined)
}
