import { type ObjectStore, ObjectsUnavailable } from '../documents/objects.ts'
import { claimedOnce, ForeignObjects } from '../documents/owner.ts'
import { openObjects } from '../documents/place.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

/**
 * Open the store of objects. A service starts without it, because nothing else depends on it.
 * @returns a function that returns the objects, or throws ObjectsUnavailable
 * @throws ForeignObjects when the objects belong to another event store
 */
export async function openDocuments(
  { config, log, shutdown }: Runtime,
  { storeId }: Stores,
): Promise<() => Promise<ObjectStore>> {
  if (!config.documents)
    return async () => {
      throw new ObjectsUnavailable('the operator has not set DOCUMENTS_URL')
    }
  const objects = await openObjects(config.documents)
  shutdown.add('documents', async () => objects.close())
  const claimed = claimedOnce(objects, storeId)
  await claimed().catch((error: Error) => {
    if (error instanceof ForeignObjects) throw error
    log.warn(`documents cannot be used yet: ${error.message}`)
  })
  return claimed
}
