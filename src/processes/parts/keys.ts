import { createKeys, type Keys } from '../../proofs/signing/announcedKeys.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

/** The keys that sign the histories. @throws Error of one line when SIGNING_KEY and SIGNING_COMMAND name no key */
export function openKeys({ config, newId, now }: Runtime, { eventStore, storeId }: Stores): Keys {
  return createKeys({ eventStore, storeId, place: config.signingKey, stamp: { newId, now } })
}
