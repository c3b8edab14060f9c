import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { countText } from '../../lib/countText.ts'
import { localVersion } from '../../stores/localSchema/migrate.ts'
import { checkpointKeyFile } from '../checkpointKey.ts'
import { checkStore } from '../eventStore/storage/check.ts'
import { diskFault, readJson } from '../files.ts'
import { checkDocuments } from './documents.ts'

export const manifestFile = 'backup.json'
export const eventsFile = 'events.sqlite'
export const localRowsFile = 'local.json'
/**
 * Clients and signing keys of the identity provider: with them, tokens and accounts stay valid. With the key of
 * checkpoints, later exports are signed as earlier ones were.
 */
export const identityFiles = ['identities.json', 'identityProvider.json', checkpointKeyFile] as const

/** The version of a backup's layout. Raise it when older releases can no longer restore new backups. */
export const format = 1
/** The folder of documents in a backup and in a data directory. */
export const documentsFolder = 'documents'

const count = z.int().min(0)

/** The names are fixed, because any other name could lead out of the folder. */
const savedFile = z.object({
  name: z.enum([eventsFile, ...identityFiles, localRowsFile]),
  bytes: count,
  sha256: z.hex().length(64),
})

const manifestSchema = z
  .object({
    format: z.literal(format),
    /** The release of Heatmark that took the backup. */
    release: z.string(),
    /** In RFC 3339. */
    takenAt: z.iso.datetime(),
    /** The size of the event store; `head` is the position of its last event. */
    events: z.object({ events: count, streams: count, head: count }),
    /** The version of `heatmark_local` at the time of the backup; null when it has no rows. */
    localVersion: z.int().nullable(),
    files: z.array(savedFile),
    /** The files of documents, apart from `files`; null when the service keeps them elsewhere or has none. */
    documents: z.object({ files: count, bytes: count }).nullable(),
  })
  .refine(
    ({ files }) => new Set(files.map(({ name }) => name)).size === files.length,
    'a file is named twice',
  )
  .refine(({ files }) => files.some(({ name }) => name === eventsFile), `${eventsFile} is missing`)
  .refine(
    ({ files, localVersion }) => files.some(({ name }) => name === localRowsFile) === (localVersion !== null),
    `${localRowsFile} and localVersion do not agree`,
  )
  .readonly()

/** The description of a backup. It is written last: a folder without it is not a backup. */
export type Manifest = z.infer<typeof manifestSchema>
type SavedFile = z.infer<typeof savedFile>

/** @throws Error of one line when the folder holds no backup, or one that this release cannot restore */
export function readManifest(folder: string): Manifest {
  const file = join(folder, manifestFile)
  const read = readJson(file)
  if (read === undefined)
    throw new Error(`${folder} is not a backup, or an interrupted one: it has no ${manifestFile}`)
  const { data: manifest, error } = manifestSchema.safeParse(read)
  refuseOther(folder, read as Partial<Record<string, unknown>> | null)
  if (error) {
    const [{ path, message }] = error.issues as [z.core.$ZodIssue]
    throw new Error(
      `${file} is not as backup writes it: ${[path.join('.'), message].filter(Boolean).join(': ')}`,
    )
  }
  return manifest
}

/** Check every byte, and the events against each other. @throws Error of one line that names the damage */
export async function checkFiles(folder: string, { files, events, documents }: Manifest): Promise<void> {
  for (const saved of files) await checkFile(folder, saved)
  if (documents) await checkDocuments(join(folder, documentsFolder), documents)
  const store = checkStore(join(folder, eventsFile))
  if (store.head !== events.head || store.events !== events.events)
    throw new Error(
      `${join(folder, eventsFile)} has ${countText(store.events, 'event')}, and not the ${events.events} saved`,
    )
}

export async function describeFile(folder: string, name: SavedFile['name']): Promise<SavedFile> {
  const file = join(folder, name)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { name, bytes: statSync(file).size, sha256: hash.digest('hex') }
}

/** Refuse a backup of another format or of a newer `heatmark_local`. One release can have several of them. */
function refuseOther(folder: string, manifest: Partial<Record<string, unknown>> | null): void {
  const refuse = (what: string) => {
    const by = typeof manifest?.release === 'string' ? ` (saved by release ${manifest.release})` : ''
    throw new Error(`${folder} ${what}: restore it with a release that knows that${by}`)
  }
  if (typeof manifest?.format === 'number' && manifest.format !== format)
    refuse(`is a backup of format ${manifest.format}, and this release restores format ${format}`)
  if (Number(manifest?.localVersion) > localVersion)
    refuse(`has heatmark_local at version ${manifest?.localVersion}, and this release knows ${localVersion}`)
}

async function checkFile(folder: string, saved: SavedFile): Promise<void> {
  const file = join(folder, saved.name)
  if (!existsSync(file)) throw new Error(`${folder} is not whole: ${saved.name}, which was saved, is missing`)
  const described = await describeFile(folder, saved.name).catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${diskFault(error)}`)
  })
  if (described.bytes !== saved.bytes)
    throw new Error(`${file} is not as it was saved: it has ${described.bytes} bytes, and had ${saved.bytes}`)
  if (described.sha256 !== saved.sha256)
    throw new Error(`${file} is not as it was saved: its content has changed (the checksum is another)`)
}
