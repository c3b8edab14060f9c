import { ApiProblem } from '../api/problem.ts'
import { nextTap, outdated, refuse, type Tap } from './taps.ts'

/** Sends taps one after the other, each until the service has answered it. */

export interface TapStore {
  read(): readonly Tap[]
  /** Keep the tap, in place of an older one with the same key. */
  write(tap: Tap): void
  remove(key: string): void
}

/** The service has decided that the tap is not recorded. */
export class TapRefused extends ApiProblem {
  override readonly name = 'TapRefused'
}

export interface Sending {
  readonly store: TapStore
  readonly userId: string
  /** Send one tap with its key. @throws TapRefused, or any other error if it is not known what became of the tap */
  readonly send: (tap: Tap) => Promise<void>
  /** The tap is recorded. */
  readonly onSent: (tap: Tap) => void
  /** Milliseconds of this device. */
  readonly now: () => number
}

/**
 * Send the waiting taps of a person in their order.
 * @throws any error of `send` but TapRefused. The tap and all later ones wait; the same key makes a repeat harmless.
 */
export async function sendTaps({ store, userId, send, onSent, now }: Sending): Promise<void> {
  for (const { key } of outdated(store.read(), now())) store.remove(key)
  for (;;) {
    const tap = nextTap(store.read(), userId)
    if (!tap) return
    try {
      await send(tap)
    } catch (error) {
      if (!(error instanceof TapRefused)) throw error
      for (const changed of refuse(store.read(), tap, error.problem)) store.write(changed)
      continue
    }
    store.write({ ...tap, sentAt: now() })
    onSent(tap)
  }
}
