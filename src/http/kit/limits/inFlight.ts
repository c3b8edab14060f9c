import { type Problem, unavailable } from '../problem.ts'

/**
 * Bound the bytes that all requests in flight hold. While a store does not answer, requests wait for seconds with
 * their bodies, and new ones keep coming.
 */
export interface InFlight {
  /** The share of one request. It grows as its body arrives. */
  begin(): Share
  /** The bytes that all shares hold. */
  bytes(): number
}

export interface Share {
  /** @throws Problem 503 `too-busy`, without taking anything */
  take(bytes: number): void
  /** Release the share when the work is over, not when the client has gone. */
  release(): void
}

/** The approximate bytes of a request without its body: headers, parsed values, queue entries. */
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
