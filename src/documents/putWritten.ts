import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ObjectStore } from './objects.ts'
import type { ReceivedFile } from './receive.ts'

/**
 * Store a file that a run writes, hashed and counted on its way.
 * @throws ObjectsUnavailable; ObjectsFull; the error of `content`; the reason of `signal`
 */
export async function putWritten(
  objects: Pick<ObjectStore, 'put'>,
  key: string,
  content: Readable,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  const measured = async function* () {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      bytes += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  const stop = () => content.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await objects.put(key, measured())
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return { sha256: hash.digest('hex'), bytes }
}
