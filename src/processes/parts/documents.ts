import { slotsFor } from '../../admission/kinds.ts'
import { createSlots } from '../../admission/slots.ts'
import { claimedOnce } from '../../documents/owner.ts'
import { type Documents, openObjects } from '../../documents/place.ts'
import { createClamd } from '../../documents/scanner.ts'
import { Failure, isFailure } from '../../lib/failure.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

/**
 * Open the store of objects. A service starts without it, because nothing else depends on it.
 * @throws Failure `objects-of-another-store` when the objects belong to another event store
 */
export async function openDocuments(
  { config, log, shutdown }: Runtime,
  { storeId }: Stores,
): Promise<Documents> {
  const bounds = {
    scan: config.clamd && createClamd(config.clamd),
    bytesOfCompany: config.documentBytesOfCompany,
    arriving: createSlots(slotsFor.uploads),
  }
  if (!config.documents) return { objects: refuseWithoutPlace, ...bounds }
  const objects = await openObjects(config.documents)
  shutdown.add('documents', async () => objects.close())
  const claimed = claimedOnce(objects, storeId)
  await claimed().catch((error: Error) => {
    if (isFailure(error, 'objects-of-another-store')) throw error
    log.warn(`documents cannot be used yet: ${error.message}`)
  })
  return { objects: claimed, ...bounds }
}

async function refuseWithoutPlace(): Promise<never> {
  throw new Failure('objects-not-set', 'the operator has to set DOCUMENTS_URL')
}
