import { randomUUID } from 'node:crypto'
import { now } from '../../../lib/clocks.ts'
import { storeIdOf } from '../../../projections/engine/schema/store.ts'
import { replaceKey } from '../../../proofs/signing/announcedKeys.ts'
import { type KeyPlace, readSigningKey, thumbprintOf } from '../../../proofs/signing/signingKey.ts'
import type { Output } from '../output.ts'
import { NoReadModels, unusedStore } from '../readModels.ts'
import type { Stores } from '../stores.ts'

/**
 * Announce a new key that signs the histories. The key in SIGNING_KEY signs the announcement, unless it was lost.
 * @throws Error of one line when a file is no good, or SIGNING_KEY is not the present key
 */
export async function announceNewKey(
  { eventStore }: Stores,
  { place, isLost, env }: { place: KeyPlace; isLost: boolean; env: NodeJS.ProcessEnv },
  output: Output,
): Promise<void> {
  const storeId = await storeIdOf(eventStore)
  if (!storeId) throw new NoReadModels(unusedStore)
  if (!isLost && !env.SIGNING_KEY)
    throw new Error('SIGNING_KEY must name the present key; add --lost if nobody has it any more')
  const key = readSigningKey(place)
  const old =
    isLost || !env.SIGNING_KEY
      ? undefined
      : readSigningKey({ file: env.SIGNING_KEY, command: env.SIGNING_COMMAND || undefined })
  await replaceKey(eventStore, { storeId, key, old, stamp: { newId: randomUUID, now } })
  const kid = thumbprintOf(key.publicKey)
  output.record(
    { kid },
    `the histories are signed by ${kid} from now on; give every node this file as SIGNING_KEY${place.command === undefined ? '' : ', and the program as SIGNING_COMMAND'}`,
  )
}
