import type { Recorded } from '../../../domain/kernel/event.ts'
import { isFailure } from '../../../lib/failure.ts'
import { type EventStore, noStream } from '../../../stores/eventStore.ts'

/** The id that an event store's first event gave it. The names of schemas carry it. */

/** The stream that the first event a service writes to an empty store is in. */
export const storeStream = 'heatmark'

/** The type of that event. */
export const storeCreated = 'StoreCreated'

interface StoreCreated {
  readonly type: typeof storeCreated
  readonly data: { readonly storeId: string }
}

/** The store's id, unless no service has written to it yet. @throws StoreUnavailable */
export async function storeIdOf(eventStore: EventStore): Promise<string | undefined> {
  return (await firstEvent(eventStore))?.data.storeId
}

/**
 * The store's id; a store that has none yet gets one. Of several services that start at once one is first,
 * and all get the same. @throws StoreUnavailable
 */
export async function ensureStore(
  eventStore: EventStore,
  newId: () => string,
  now: () => Date,
): Promise<string> {
  const present = await storeIdOf(eventStore)
  if (present) return present
  const storeId = newId()
  try {
    await eventStore.append(storeStream, noStream, [
      {
        id: newId(),
        type: storeCreated,
        data: { storeId },
        metadata: {
          actor: { id: 'heatmark', name: 'Heatmark', kind: 'service' },
          occurredAt: now().toISOString(),
          correlationId: newId(),
          schemaVersion: 1,
        },
      },
    ])
    return storeId
  } catch (error) {
    if (!isFailure(error, 'wrong-revision')) throw error
  }
  return (await storeIdOf(eventStore))!
}

async function firstEvent(eventStore: EventStore): Promise<Recorded<StoreCreated> | undefined> {
  for await (const event of eventStore.readStream(storeStream, 0)) return event as Recorded<StoreCreated>
  return undefined
}
