import { createTurns } from './turns.ts'

/**
 * Share the time of the process among the callers whose bodies are checked, or whose labels are written. A hostile body or
 * line takes milliseconds to refuse, and one caller may send thousands of them. All together have half of the time at most,
 * so that other requests go on.
 */
export interface Checks {
  /**
   * Carry out a check when it is the turn of the caller, and again after each step of it. The next check of the caller
   * begins when this one has ended, so that the values of one body at a time are in memory.
   * @throws the error of `check`
   */
  run<Value>(caller: string, check: Iterator<void, Value>): Promise<Value>
}

/** Other requests wait for this long, or for one step. */
const sliceMs = 5

/** @param clock milliseconds that never run backwards */
export function createChecks(clock: () => number): Checks {
  const turns = createTurns<() => void>()
  let isWorking = false

  const work = (): void => {
    const began = clock()
    let now = began
    while (now - began < sliceMs) {
      const next = turns.next()
      if (!next) {
        isWorking = false
        return
      }
      next.work()
      const ended = clock()
      turns.charge(next.holder, ended - now)
      now = ended
    }
    setTimeout(work, now - began)
  }

  const begin = (): void => {
    if (isWorking) return
    isWorking = true
    setImmediate(work)
  }

  return {
    run: (caller, check) =>
      new Promise((resolve, reject) => {
        const step = (): void => {
          try {
            const { done, value } = check.next()
            if (done) resolve(value)
            else turns.resume(caller, step)
          } catch (error) {
            reject(error)
          }
        }
        turns.add(caller, step)
        begin()
      }),
  }
}
