import { Refusal } from '../domain/kernel/refusal.ts'
import { createShares } from './shares.ts'

/**
 * Bound the bytes that all requests in flight hold. While a store does not answer, requests wait for seconds with
 * their bodies, and new ones keep coming. One caller may hold a quarter of the bound, so that others are still served
 * while one caller sends many bodies slowly.
 */
export interface InFlight {
  /** Begin to count one request, which grows as its body arrives. */
  begin(): RequestBytes
  /** The bytes that all requests hold. */
  bytes(): number
}

export interface RequestBytes {
  /** @throws Refusal 503 `too-busy`, without taking anything */
  take(bytes: number): void
  /**
   * Count what the request holds, now and later, in the share of this caller.
   * @throws Refusal 503 `too-busy`, without counting it
   */
  chargeTo(caller: string): void
  /** Release the bytes when the work is over, not when the client has gone. */
  release(): void
}

/** The approximate bytes of a request without its body: headers, parsed values, queue entries. */
export const bytesOfRequest = 16_384

/** The holder of requests whose caller is not known yet. Its share has no bound of its own. */
const unknownCaller = ''

export function createInFlight(maxBytes: number): InFlight {
  const held = createShares()
  const refuseBeyondShare = (caller: string, bytes: number): void => {
    if (caller !== unknownCaller && held.of(caller) + bytes > maxBytes / 4)
      throw tooBusy('Your other requests already hold as many bytes as one caller may')
  }
  return {
    begin() {
      let caller = unknownCaller
      let own = 0
      return {
        take(bytes) {
          if (held.total() + bytes > maxBytes)
            throw tooBusy('The service already holds as many request bytes as it may')
          refuseBeyondShare(caller, bytes)
          held.add(caller, bytes)
          own += bytes
        },
        chargeTo(callerId) {
          refuseBeyondShare(callerId, own)
          held.add(caller, -own)
          held.add(callerId, own)
          caller = callerId
        },
        release() {
          held.add(caller, -own)
          own = 0
        },
      }
    },
    bytes: held.total,
  }
}

function tooBusy(reason: string): Refusal {
  return new Refusal('too-busy', `${reason}, so nothing was done. Send the request again later.`)
}
