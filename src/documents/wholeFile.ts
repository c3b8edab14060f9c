import { createHash } from 'node:crypto'
import { Failure } from '../lib/failure.ts'
import { type ObjectStore, objectKey, type StoredPlace } from './objects.ts'

/** A document whose bytes are read to their end. */
export interface WholeFile extends StoredPlace {
  readonly documentId: string
  readonly fileName: string
}

/**
 * Read a file, and compare it with the hash that its event names. @throws Failure `objects-unavailable` when it is lost
 * or has changed
 */
export async function* bytesOfFile(
  objects: Pick<ObjectStore, 'get'>,
  file: WholeFile,
): AsyncIterable<Buffer> {
  const { sha256, fileName, documentId } = file
  const opened = await objects.get(objectKey(file))
  if (!opened)
    throw new Failure('objects-unavailable', `the file of document ${documentId} ("${fileName}") is lost`)
  const hash = createHash('sha256')
  try {
    for await (const chunk of opened.content as AsyncIterable<Buffer>) {
      hash.update(chunk)
      yield chunk
    }
  } finally {
    opened.content.destroy()
  }
  if (hash.digest('hex') !== sha256)
    throw new Failure('objects-unavailable', `the file of document ${documentId} ("${fileName}") has changed`)
}
