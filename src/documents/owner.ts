import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../lib/failure.ts'
import type { ObjectStore } from './objects.ts'

/** The object that says which event store the documents belong to. */
const markerKey = 'heatmark'

const settledAfterMs = 2_000

/**
 * Make sure that the objects belong to this event store. The first service writes the marker.
 * @param waitUntilSettled resolves when services that start at the same moment have all written their markers
 * @throws Failure `objects-of-another-store`, `objects-unavailable`, `objects-full`
 */
export async function claim(
  objects: ObjectStore,
  storeId: string,
  waitUntilSettled: () => Promise<void> = () => pause(settledAfterMs),
): Promise<void> {
  const owner = (await ownerOf(objects)) ?? (await writeMarker(objects, storeId, waitUntilSettled))
  if (owner !== storeId)
    throw new Failure(
      'objects-of-another-store',
      `the documents belong to the event store ${owner}, but this service uses ${storeId}: give each event store a bucket or a prefix of its own`,
    )
}

/**
 * Write the marker unless another service does so first, and return the owner. Some servers of objects replace an
 * object although they were asked not to. Such a server lets us write the marker twice. Then the marker that was
 * written last counts, once all services have written theirs.
 */
async function writeMarker(
  objects: ObjectStore,
  storeId: string,
  waitUntilSettled: () => Promise<void>,
): Promise<string | undefined> {
  const marker = Buffer.from(`${JSON.stringify({ storeId })}\n`)
  const isFirst = await objects.putNew(markerKey, marker)
  if (isFirst && (await objects.putNew(markerKey, marker))) await waitUntilSettled()
  return ownerOf(objects)
}

/**
 * Return a function that returns the objects once they are known to belong to this event store. It asks again after an
 * error, so that a store of objects that was away at the start is used as soon as it is back.
 */
export function claimedOnce(objects: ObjectStore, storeId: string): () => Promise<ObjectStore> {
  let claimed: Promise<ObjectStore> | undefined
  const ask = async () => {
    try {
      await claim(objects, storeId)
      return objects
    } catch (error) {
      claimed = undefined
      throw error
    }
  }
  return () => {
    claimed ??= ask()
    return claimed
  }
}

/**
 * Return the id of the event store that the objects belong to; undefined before the first service.
 * @throws Failure `objects-unavailable`
 */
export async function ownerOf(objects: ObjectStore): Promise<string | undefined> {
  const found = await objects.get(markerKey)
  if (!found) return undefined
  // A marker that could not be read says nothing about its owner: a service must not stop because of it.
  const written = await text(found.content).catch((error: Error) => {
    throw new Failure('objects-unavailable', `the marker of the documents: ${error.message}`, {
      cause: error,
    })
  })
  try {
    return String((JSON.parse(written) as { storeId?: unknown }).storeId)
  } catch {
    return '(unknown: the object "heatmark" is damaged)'
  }
}

export function isMarker(key: string): boolean {
  return key === markerKey
}
