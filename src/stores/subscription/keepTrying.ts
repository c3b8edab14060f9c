import { setTimeout as pause } from 'node:timers/promises'
import { isFailure, messageOf } from '../../lib/failure.ts'

const firstPauseMs = 50
const longestPauseMs = 2_000

interface Trying {
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  readonly closed: AbortSignal
  /** Called with the reason why the store cannot be followed, and without one once it can. */
  readonly onCondition: (message?: string) => void
  /** The work fails once the store could not be followed for so many milliseconds. */
  readonly giveUpAfterMs: number
  /** The position that the work has reached. */
  readonly position: () => number
}

/**
 * Repeat the work until it is closed: at once if it made progress, and otherwise after a pause. The work calls `works`
 * when the store has answered.
 * @throws Failure `event-store-went-back`; StoreUnavailable when the store has not answered for long
 */
export async function keepTrying(
  { clock, closed, onCondition, giveUpAfterMs, position }: Trying,
  work: (works: () => void) => Promise<void>,
): Promise<void> {
  let pauseMs = 0
  let failingSince: number | undefined
  const works = () => {
    failingSince = undefined
    onCondition()
  }
  while (!closed.aborted) {
    const start = position()
    try {
      await work(works)
    } catch (error) {
      if (closed.aborted) return
      if (isFailure(error, 'event-store-went-back')) throw error
      onCondition(reasonOf(error))
      failingSince ??= clock()
      if (clock() - failingSince > giveUpAfterMs) throw error
    }
    pauseMs = position() > start ? 0 : Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
    if (pauseMs > 0) await pause(pauseMs, undefined, { signal: closed }).catch(() => {})
  }
}

export function reasonOf(error: unknown): string {
  return messageOf(error)
}
