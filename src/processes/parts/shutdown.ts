import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { messageOf } from '../../lib/failure.ts'

/** The steps that end this process in order. */
export interface Shutdown {
  /** Add the step that ends a part which has just been started. Log messages name it. */
  add(name: string, end: () => Promise<unknown>): void
  /**
   * Run all steps, the last added first, and stop waiting after some seconds. Return the names of the steps that failed
   * or did not end in time.
   */
  run(): Promise<readonly string[]>
}

interface Step {
  readonly name: string
  readonly end: () => Promise<unknown>
}

/** Limit for all steps together: containers are killed after 10 s, and a silent store would never let go. */
const stopWithinMs = 6_000

/** Create the list of steps. A step that fails or hangs is logged and does not stop the others. */
export function createShutdown(log: Logger, withinMs = stopWithinMs): Shutdown {
  const steps: Step[] = []

  const run = async ({ name, end }: Step): Promise<boolean> => {
    try {
      await end()
      return true
    } catch (error) {
      log.warn(`shutdown step "${name}" failed: ${messageOf(error)}`)
      return false
    }
  }

  return {
    add: (name, end) => void steps.push({ name, end }),
    async run() {
      // One timer for all steps together: `inTime` would limit each of them.
      const ended = new AbortController()
      const timeUp = pause(withinMs, true, { signal: ended.signal }).catch(() => false)
      let late: Step | undefined
      const faulty: string[] = []
      for (const step of steps.splice(0).reverse()) {
        const outcome = await Promise.race([
          run(step).then((ended) => (ended ? 'ended' : 'failed')),
          timeUp.then(() => 'late'),
        ])
        if (outcome === 'late') late ??= step
        if (outcome === 'failed' || late === step) faulty.push(step.name)
      }
      ended.abort()
      if (late)
        log.warn(
          `shutdown step "${late.name}" did not end in time: all steps together have ${withinMs / 1_000} s`,
        )
      return faulty
    },
  }
}
