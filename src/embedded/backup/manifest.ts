import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { localVersion } from '../../projections/local.ts'
import { checkStore } from '../eventStore/storage/check.ts'
import { readJson } from '../files.ts'

/** What a backup says of itself. It is written last: a folder without it is no backup. */
export interface Manifest {
  readonly format: number
  /** Of Heatmark, that took it. */
  readonly release: string
  /** RFC 3339. */
  readonly takenAt: string
  /** What the event store's file holds; `head` is the position of its last event. */
  readonly events: { readonly events: number; readonly streams: number; readonly head: number }
  /** Version of `heatmark_local` that its rows were taken from; null when there are none. */
  readonly localVersion: number | null
  readonly files: readonly SavedFile[]
}

export interface SavedFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export const manifestFile = 'backup.json'
export const eventsFile = 'events.sqlite'
export const localRowsFile = 'local.json'
/** Who may ask for tokens, and the keys that sign them: with them, tokens and accounts stay the same. */
export const identityFiles = ['identities.json', 'identityProvider.json']

/** Changed when an older release could not restore it any more. */
export const format = 1

export const describeFile = async (folder: string, name: string): Promise<SavedFile> => {
  const file = join(folder, name)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { name, bytes: statSync(file).size, sha256: hash.digest('hex') }
}

/** @throws Error of one line when the folder holds no backup, or one that this release cannot restore */
export const readManifest = (folder: string): Manifest => {
  const manifest = readJson(join(folder, manifestFile)) as Manifest | undefined
  if (!manifest)
    throw new Error(`${folder} is no backup, or one that was broken off: it has no ${manifestFile}`)
  if (manifest.format !== format || (manifest.localVersion ?? 0) > localVersion)
    throw new Error(`${folder} was saved by release ${manifest.release}, which this one cannot restore`)
  return manifest
}

const checkFile = async (folder: string, saved: SavedFile): Promise<void> => {
  const file = join(folder, saved.name)
  const found = await describeFile(folder, saved.name).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`)
  })
  if (found.bytes !== saved.bytes || found.sha256 !== saved.sha256)
    throw new Error(`${file} is not as it was saved: ${found.bytes} of ${saved.bytes} bytes, or others`)
}

/** Looks at every byte, and at what the events hold together. @throws Error of one line that says what is wrong */
export const checkFiles = async (folder: string, { files, events }: Manifest): Promise<void> => {
  for (const saved of files) await checkFile(folder, saved)
  const found = checkStore(join(folder, eventsFile))
  if (found.head !== events.head || found.events !== events.events)
    throw new Error(
      `${join(folder, eventsFile)} has ${found.events} events, and not the ${events.events} saved`,
    )
}
