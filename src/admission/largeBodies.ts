import { slotsFor } from './kinds.ts'
import { createSlots } from './slots.ts'

/**
 * Receive and check the large bodies of a caller one after the other. The bytes of a body that waits stay with its client.
 * Otherwise eight connections of one caller fill each turn of the process with the bytes of eight bodies, and with the
 * garbage that they leave.
 * @throws Refusal 503 `too-busy` when too many wait, or for too long; the errors of `work`
 */
export type LargeBodies = <Value>(caller: string, work: () => Promise<Value>) => Promise<Value>

/** A body that arrives slowly costs little, so the next one of its caller does not wait for its end. */
const slowMs = 1_000

/** Other requests run for this long between two large bodies of a caller. */
const restMs = 5

export function createLargeBodies(): LargeBodies {
  const slots = createSlots(slotsFor.largeBodies)
  return async (caller, work) => {
    const giveBack = await slots.take(caller)
    const slow = setTimeout(giveBack, slowMs)
    try {
      return await work()
    } finally {
      clearTimeout(slow)
      setTimeout(giveBack, restMs)
    }
  }
}
