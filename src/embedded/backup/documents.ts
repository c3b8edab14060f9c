import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openLocalObjects } from '../../documents/localObjects.ts'
import { placeIn } from '../../documents/objects.ts'
import { isMarker } from '../../documents/owner.ts'
import { countText } from '../../lib/countText.ts'
import { copyPrivate, makePrivateFolder, sync } from '../files.ts'

/** The files of documents in a backup. Copy them after the events, so that no saved event lacks its file. */

interface SavedDocuments {
  readonly files: number
  readonly bytes: number
}

/** Copy every stored file. Files of unfinished uploads are left out. @throws Error of one line that names the file */
export async function copyDocuments(
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<SavedDocuments> {
  const saved = { files: 0, bytes: 0 }
  const folders = new Set<string>([to])
  makePrivateFolder(to)
  for await (const { key, bytes } of openLocalObjects(from).list('')) {
    signal?.throwIfAborted()
    if (!placeIn(key) && !isMarker(key)) continue
    const folder = dirname(join(to, key))
    makePrivateFolder(folder)
    copyPrivate(join(from, key), join(to, key))
    for (let around = folder; around !== to; around = dirname(around)) folders.add(around)
    if (!placeIn(key)) continue
    saved.files += 1
    saved.bytes += bytes
  }
  for (const folder of folders) sync(folder)
  return saved
}

/** Check every byte: the key of a file holds its hash. @throws Error of one line that names the damage */
export async function checkDocuments(folder: string, saved: SavedDocuments): Promise<void> {
  const copied = { files: 0, bytes: 0 }
  for await (const { key, bytes } of openLocalObjects(folder).list('')) {
    const place = placeIn(key)
    if (!place) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, key)), hash)
    if (hash.digest('hex') !== place.sha256)
      throw new Error(
        `${join(folder, key)} is not as it was saved: its content has changed (the checksum is another)`,
      )
    copied.files += 1
    copied.bytes += bytes
  }
  if (copied.files !== saved.files || copied.bytes !== saved.bytes)
    throw new Error(
      `${folder} is not whole: it has ${countText(copied.files, 'file')} with ${countText(copied.bytes, 'byte')}, and ${saved.files} with ${saved.bytes} were saved`,
    )
}
