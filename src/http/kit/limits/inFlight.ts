import { type Problem, unavailable } from '../problem.ts'

/**
 * Bound the bytes that all requests in flight hold. While a store does not answer, requests wait for seconds with
 * their bodies, and new ones keep coming. One caller may hold a quarter of the bound, so that others are still served
 * while one caller sends many bodies slowly.
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
  /**
   * Count what the share holds, now and later, as held by this caller.
   * @throws Problem 503 `too-busy`, without counting it
   */
  chargeTo(caller: string): void
  /** Release the share when the work is over, not when the client has gone. */
  release(): void
}

/** The approximate bytes of a request without its body: headers, parsed values, queue entries. */
export const bytesOfRequest = 16_384

export function createInFlight(maxBytes: number): InFlight {
  let held = 0
  const heldBy = new Map<string, number>()

  const charge = (caller: string, bytes: number) => {
    const total = (heldBy.get(caller) ?? 0) + bytes
    if (total > maxBytes / 4)
      throw tooBusy('Your other requests already hold as many bytes as one caller may')
    heldBy.set(caller, total)
  }
  const discharge = (caller: string, bytes: number) => {
    const left = (heldBy.get(caller) ?? 0) - bytes
    if (left > 0) heldBy.set(caller, left)
    else heldBy.delete(caller)
  }

  return {
    begin() {
      let share = 0
      let caller: string | undefined
      return {
        take(bytes) {
          if (held + bytes > maxBytes)
            throw tooBusy('The service already holds as many request bytes as it may')
          if (caller !== undefined) charge(caller, bytes)
          held += bytes
          share += bytes
        },
        chargeTo(callerId) {
          charge(callerId, share)
          caller = callerId
        },
        release() {
          held -= share
          if (caller !== undefined) discharge(caller, share)
          share = 0
        },
      }
    },
    bytes: () => held,
  }
}

function tooBusy(reason: string): Problem {
  return unavailable('too-busy', `${reason}, so nothing was done. Send the request again later.`)
}
