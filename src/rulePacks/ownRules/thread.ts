import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { awaitLater } from '../../lib/awaitLater.ts'
import type { FromWorker, Sent, ToWorker } from './messages.ts'

/** The thread that runs the expressions of companies, seen from the service: one message at a time, each within limits. */
export interface Thread {
  /** @throws Error when the thread ends or fails, or takes longer than the limits. It is of no use then. */
  ask(message: ToWorker, limits: TimeLimits): Promise<FromWorker>
  end(): Promise<void>
}

export interface TimeLimits {
  /** Milliseconds of CPU time of the thread. On a busy machine, honest rules may wait for a processor for long. */
  readonly cpuMs: number
  /** Milliseconds on the clock: the bound for a thread that hangs without using CPU time. */
  readonly wallMs: number
}

const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 }
/** The shortest time between two looks at the CPU time of a thread. */
const leastPauseMs = 10

/** @param onEnd called when the thread has ended, even while it is idle */
export async function startThread(script: URL, onEnd: (thread: Thread) => void): Promise<Thread> {
  const worker = new Worker(script, { resourceLimits })
  worker.on('exit', () => onEnd(thread))
  // Without a listener, an error of an idle thread would end the process.
  worker.on('error', () => {})
  /** The CPU time of the thread at its last answer. While it is idle, it uses none. */
  let usedMs = 0

  const thread: Thread = {
    async ask(message, limits) {
      const over = new AbortController()
      // Once there is an answer, nobody waits for the limits.
      const late = awaitLater(waitForOvertime(worker, usedMs, limits, over.signal))
      try {
        // This comes first, because it throws for a value that cannot be cloned: then nothing may wait for an answer.
        worker.postMessage(message)
        const { cpuMs, ...said } = await Promise.race([nextMessage(worker), late])
        usedMs = cpuMs
        return said
      } finally {
        over.abort()
      }
    },
    async end() {
      await worker.terminate().catch(() => {})
    },
  }
  usedMs = (await nextMessage(worker)).cpuMs
  // An idle thread does not keep the process alive.
  worker.unref()
  return thread
}

/**
 * Wait until the thread has used up its time. Its CPU time never runs faster than the clock, so it is looked at only
 * when it may have reached the limit.
 */
async function waitForOvertime(
  worker: Worker,
  beforeMs: number,
  { cpuMs, wallMs }: TimeLimits,
  signal: AbortSignal,
): Promise<never> {
  const hangs = pause(wallMs, undefined, { signal }).then(() => {
    throw new Error(`the rules of the company did not end within ${wallMs} ms`)
  })
  const computes = async (): Promise<never> => {
    for (let left = cpuMs; left > 0; ) {
      await pause(Math.max(left, leastPauseMs), undefined, { signal })
      const used = await worker.cpuUsage().catch(() => undefined)
      // The thread has ended. Its error or its exit, which is heard next, says why.
      if (!used) return hangs
      left = cpuMs - ((used.user + used.system) / 1_000 - beforeMs)
    }
    throw new Error(`the rules of the company took more than ${cpuMs} ms of CPU time`)
  }
  return Promise.race([hangs, computes()])
}

function nextMessage(worker: Worker): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', onMessage).off('error', onFailure).off('exit', onEnd)
      act()
    }
    const onMessage = (message: Sent) => settle(() => resolve(message))
    const onFailure = (error: Error) => settle(() => reject(error))
    const onEnd = () => settle(() => reject(new Error('the thread for the rules of companies has ended')))
    worker.on('message', onMessage).on('error', onFailure).on('exit', onEnd)
  })
}
