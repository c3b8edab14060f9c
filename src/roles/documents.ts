import { ObjectsUnavailable } from '../documents/objects.ts'
import { claimedOnce, ForeignObjects } from '../documents/owner.ts'
import { type Documents, openObjects } from '../documents/place.ts'
import { clamd } from '../documents/scanner.ts'
import { createSlots } from '../slots.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

/**
 * Open the store of objects. A service starts without it, because nothing else depends on it.
 * @throws ForeignObjects when the objects belong to another event store
 */
export async function openDocuments(
  { config, log, shutdown }: Runtime,
  { storeId }: Stores,
): Promise<Documents> {
  const bounds = {
    scan: config.clamd && clamd(config.clamd),
    bytesOfCompany: config.documentBytesOfCompany,
    arriving: createSlots(slotsOfArriving),
  }
  if (!config.documents) return { objects: nowhere, ...bounds }
  const objects = await openObjects(config.documents)
  shutdown.add('documents', async () => objects.close())
  const claimed = claimedOnce(objects, storeId)
  await claimed().catch((error: Error) => {
    if (error instanceof ForeignObjects) throw error
    log.warn(`documents cannot be used yet: ${error.message}`)
  })
  return { objects: claimed, ...bounds }
}

/**
 * A file that arrives may take 25 MiB on the disk, and up to 10 MiB of memory on its way to a bucket, before it is known
 * whether the company has room for it. A client may take minutes to send it, so a few companies with slow clients must
 * not hold all slots.
 */
export const slotsOfArriving = {
  ...{ atOnce: 48, ofACompany: 8, forNewcomers: 12 },
  ...{ waitingOfACompany: 500, waitingInAll: 2_000, waitMs: 20_000 },
  code: 'too-busy',
  detail: 'Other files are still arriving, so this one was not received. Send it again later.',
} as const

async function nowhere(): Promise<never> {
  throw new ObjectsUnavailable('the operator has not set DOCUMENTS_URL')
}
