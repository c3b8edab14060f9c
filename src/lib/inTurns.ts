import { setImmediate as nextTurn } from 'node:timers/promises'

/** Carry out long work. Other requests have their turn wherever it yields. */
export async function inTurns<Result>(work: Iterator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

/** Carry out the same work at once, where it is short. */
export function atOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
