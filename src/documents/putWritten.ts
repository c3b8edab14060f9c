import type { Readable } from 'node:stream'
import { type Measures, measure } from '../lib/measured.ts'
import type { ObjectStore } from './objects.ts'

/**
 * Store a file that a run writes, hashed and counted on its way.
 * @throws Failure `objects-unavailable`, `objects-full`; the error of `content`; the reason of `signal`
 */
export async function putWritten(
  objects: Pick<ObjectStore, 'put'>,
  key: string,
  content: Readable,
  signal: AbortSignal,
): Promise<Measures> {
  const written = measure(content as AsyncIterable<Buffer>)
  const stop = () => content.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await objects.put(key, written.content)
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return written.measures()
}
