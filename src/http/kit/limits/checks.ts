/**
 * Share the time of the process among the callers whose bodies are checked. A hostile body or line takes milliseconds to
 * refuse, and one caller may send thousands of them: they are checked in slices, and other requests go on in between.
 */
export interface Checks {
  /** Run a check when it is the turn of the caller. Callers take turns. @throws the error of `check` */
  run<Value>(caller: string, check: () => Value): Promise<Value>
}

/** Other requests wait for this long, or for one check. */
const sliceMs = 5

/** @param clock milliseconds that never run backwards */
export function createChecks(clock: () => number): Checks {
  const waiting = new Map<string, (() => void)[]>()
  let isWorking = false

  /** The caller goes to the end of the line. */
  const next = (): (() => void) => {
    const [caller, checks] = waiting.entries().next().value!
    const check = checks.shift()!
    waiting.delete(caller)
    if (checks.length > 0) waiting.set(caller, checks)
    return check
  }

  const work = (): void => {
    const began = clock()
    do next()()
    while (waiting.size > 0 && clock() - began < sliceMs)
    isWorking = waiting.size > 0
    if (isWorking) setImmediate(work)
  }

  return {
    run: (caller, check) =>
      new Promise((resolve, reject) => {
        const checks = waiting.get(caller) ?? []
        checks.push(() => {
          try {
            resolve(check())
          } catch (error) {
            reject(error)
          }
        })
        waiting.set(caller, checks)
        if (isWorking) return
        isWorking = true
        setImmediate(work)
      }),
  }
}
