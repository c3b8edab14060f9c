import { setTimeout as pause } from 'node:timers/promises'
import { createTurns } from '../../admission/turns.ts'
import { Failure } from '../../lib/failure.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { startThread, type Thread, type TimeLimits } from './thread.ts'

/** The thread that runs the expressions of all companies. They take turns. */
interface SharedThread {
  /** @throws Failure `rules-not-evaluated`, and the reason of `turn` */
  ask(companyId: string, message: ToWorker, turn?: AbortSignal): Promise<FromWorker>
  close(): Promise<void>
}

/**
 * The thread rests for as long as it has worked, so that the requests of other companies have the processor meanwhile.
 * Rests that are too short for a timer add up.
 */
const restsMs = { least: 10, most: 500 }
/** The most messages of one company that wait. The policy and the requests of a company need far fewer. */
const maxWaiting = 200

interface WaitingMessage {
  readonly message: ToWorker
  readonly turn: AbortSignal | undefined
  readonly resolve: (answer: FromWorker) => void
  readonly reject: (error: unknown) => void
}

/** One thread, started when it is needed. It answers one message at a time; one that fails is replaced. */
export function createSharedThread(clock: () => number, limits: TimeLimits): SharedThread {
  const turns = createTurns<WaitingMessage>(maxWaiting)
  const closing = new AbortController()
  let isWorking = false
  const thread = createReplacedThread(limits)
  /** The time that the thread has worked since it rested, in milliseconds. */
  let worked = 0

  const ask = (companyId: string, message: ToWorker, turn?: AbortSignal): Promise<FromWorker> =>
    new Promise((resolve, reject) => {
      if (!turns.add(companyId, { message, turn, resolve, reject }))
        reject(notEvaluated(`${maxWaiting} requests of the company are waiting already`))
      else if (!isWorking) void work()
    })

  /** Settle every message that waits. This never throws. */
  async function work(): Promise<void> {
    isWorking = true
    for (let next = turns.next(); next; next = turns.next()) {
      const { holder: companyId, work: waiting } = next
      if (waiting.turn?.aborted) waiting.reject(waiting.turn.reason)
      else await settle(companyId, waiting)
      if (worked < restsMs.least) continue
      const ms = Math.min(worked, restsMs.most)
      worked = 0
      // The pause ends at once when the service is stopping.
      await pause(ms, undefined, { signal: closing.signal }).catch(() => {})
    }
    isWorking = false
  }

  async function settle(companyId: string, waiting: WaitingMessage): Promise<void> {
    try {
      const began = clock()
      const answer = await thread.ask(waiting.message).finally(() => charge(companyId, clock() - began))
      if ('failed' in answer) waiting.reject(notEvaluated(answer.failed))
      else waiting.resolve(answer)
    } catch (error) {
      await thread.drop()
      const failed = notEvaluated((error as Error).message, error)
      waiting.reject(failed)
      // Each of them might take as long.
      for (const other of turns.takeAll(companyId)) other.reject(failed)
    }
  }

  function charge(companyId: string, ms: number): void {
    worked += ms
    turns.charge(companyId, ms)
  }

  return {
    ask,
    async close() {
      closing.abort()
      for (const { reject } of turns.takeAll()) reject(notEvaluated('the service is stopping'))
      await thread.drop()
    },
  }
}

function notEvaluated(reason: string, cause?: unknown): Failure {
  return new Failure('rules-not-evaluated', reason, { cause })
}

/** A thread that is started when it is asked and there is none. */
function createReplacedThread(limits: TimeLimits) {
  let thread: Thread | undefined

  function start(): Promise<Thread> {
    return startThread(new URL('./worker.ts', import.meta.url), forget)
  }

  function forget(ended: Thread): void {
    if (thread === ended) thread = undefined
  }

  return {
    async ask(message: ToWorker): Promise<FromWorker> {
      const isNew = !thread
      thread ??= await start()
      try {
        return await thread.ask(message, limits)
      } catch (error) {
        if (isNew || (error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
        // The packs of other companies may have filled the memory. A new thread has none of them.
        thread = await start()
        return thread.ask(message, limits)
      }
    },
    /** End the thread, if there is one. */
    async drop(): Promise<void> {
      const dropped = thread
      thread = undefined
      await dropped?.end()
    },
  }
}
