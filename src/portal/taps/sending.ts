import { ApiProblem } from '../api/problem.ts'
import { conditionOf, findOutdated, nextTap, refuse, type Tap } from './taps.ts'

/** Sends taps one after the other, each until the service has answered it. */

export interface TapStore {
  read(): readonly Tap[]
  /** Keep the tap, in place of an older one with the same key. */
  write(tap: Tap): void
  remove(key: string): void
}

/** Statuses of answers that decide nothing about the tap. The same request may succeed later. */
const passing = [401, 408, 425, 429]

/** Whether the service has decided that the tap is not recorded. */
function isRefusal(error: unknown): error is ApiProblem {
  if (!(error instanceof ApiProblem)) return false
  const { status } = error.problem
  return status < 500 && !passing.includes(status)
}

interface Sending {
  readonly store: TapStore
  readonly userId: string
  /**
   * Send one tap with its key, on this condition (If-Match).
   * @throws ApiProblem, or any other error if nothing has answered
   */
  readonly send: (tap: Tap, ifMatch: string) => Promise<{ readonly etag: string | undefined }>
  /** The tap is recorded. */
  readonly onSent: (tap: Tap) => void
  /** Milliseconds of this device. */
  readonly now: () => number
}

/**
 * Send the waiting taps of a person in their order.
 * @throws any error of `send` that is no refusal. The tap and all later ones wait; the same key makes a repeat harmless.
 */
export async function sendTaps({ store, userId, send, onSent, now }: Sending): Promise<void> {
  for (const { key } of findOutdated(store.read(), now())) store.remove(key)
  for (;;) {
    const tap = nextTap(store.read(), userId)
    if (!tap) return
    let etag: string | undefined
    try {
      etag = (await send(tap, conditionOf(store.read(), tap))).etag
    } catch (error) {
      if (!isRefusal(error)) throw error
      for (const changed of refuse(store.read(), tap, error.problem)) store.write(changed)
      continue
    }
    store.write({ ...tap, sentAt: now(), etag })
    onSent(tap)
  }
}
