import { type Problem, unavailable } from '../problem.ts'

/**
 * Bounds what requests in flight hold together. While a store says nothing they wait for seconds, each with its
 * body, and as many come as before.
 */
export interface InFlight {
  /** A part of the whole that grows as a request, or a line of one, takes more. */
  begin(): Share
  /** What all shares hold. */
  bytes(): number
}

export interface Share {
  /** @throws Problem 503 `too-busy`, having taken nothing */
  take(bytes: number): void
  /** Once what was taken is held by nobody any more: not when the client has gone, but when the work is over. */
  release(): void
}

/** A request holds about as much without its body: headers, what was made of them, a place in queues. */
export const bytesOfRequest = 16_384

export function createInFlight(maxBytes: number): InFlight {
  let held = 0
  return {
    begin() {
      let share = 0
      return {
        take(bytes) {
          if (held + bytes > maxBytes) throw tooBusy()
          held += bytes
          share += bytes
        },
        release() {
          held -= share
          share = 0
        },
      }
    },
    bytes: () => held,
  }
}

function tooBusy(): Problem {
  return unavailable(
    'too-busy',
    'The service already holds as many request bytes as it may, so nothing was done. Send the request again later.',
  )
}
