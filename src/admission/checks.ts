import { createTurns } from './turns.ts'

/**
 * Share the time of the process among the callers whose bodies are checked. A hostile body or line takes milliseconds to
 * refuse, and one caller may send thousands of them: they are checked in slices, and other requests go on in between.
 */
export interface Checks {
  /** Run a check when it is the turn of the caller. @throws the error of `check` */
  run<Value>(caller: string, check: () => Value): Promise<Value>
}

/** Other requests wait for this long, or for one check. */
const sliceMs = 5

/** @param clock milliseconds that never run backwards */
export function createChecks(clock: () => number): Checks {
  let turns = createTurns<() => void>()
  let isWorking = false

  const work = (): void => {
    const began = clock()
    for (let now = began; now - began < sliceMs; ) {
      const next = turns.next()
      if (!next) {
        // Nobody waits, so the time used until now does not matter. Keeping it would take memory for every caller.
        turns = createTurns()
        isWorking = false
        return
      }
      next.work()
      const ended = clock()
      turns.charge(next.holder, ended - now)
      now = ended
    }
    setImmediate(work)
  }

  return {
    run: (caller, check) =>
      new Promise((resolve, reject) => {
        turns.add(caller, () => {
          try {
            resolve(check())
          } catch (error) {
            reject(error)
          }
        })
        if (isWorking) return
        isWorking = true
        setImmediate(work)
      }),
  }
}
