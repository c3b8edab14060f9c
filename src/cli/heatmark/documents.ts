import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { defaultDataDir, documentsPlaceIn } from '../../config/config.ts'
import {
  draftEnding,
  exportPrefix,
  importPrefix,
  incomingPrefix,
  type ListedObject,
  type ObjectStore,
  objectKey,
  placeIn,
} from '../../documents/objects.ts'
import { isMarker, ownerOf } from '../../documents/owner.ts'
import { type DocumentsPlace, openObjects } from '../../documents/place.ts'
import { documentIdOf } from '../../domain/documents/document.ts'
import { importDays } from '../../imports/importRows.ts'
import { clock, now } from '../../lib/clocks.ts'
import { countText } from '../../lib/countText.ts'
import { Failure } from '../../lib/failure.ts'
import {
  type FoundFile,
  findNamedUploads,
  listFiles,
  type PlaceInFiles,
  sweptAfterHours,
} from '../../projections/documents/documentQueries.ts'
import { documents } from '../../projections/documents/documents.ts'
import { createLookUp } from '../../projections/engine/reading/lookUp.ts'
import { followPositions } from '../../projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../projections/engine/schema/readModels.ts'
import { storeIdOf } from '../../projections/engine/schema/store.ts'
import { exportDays } from '../../proofs/companyExports/rows.ts'
import { clearLine } from '../progress.ts'
import type { Output } from './output.ts'
import { areEmbedded, findReadModels, type Stores } from './stores.ts'

/** Look after the files of documents: remove those that no event names, and check those that events name. */

/** The name of the folder in the data directory of the embedded stack. */
const embeddedFolder = 'documents'

/** Return where the service keeps its files; undefined when the environment does not tell. */
export function findDocumentsPlace(env: NodeJS.ProcessEnv): DocumentsPlace | undefined {
  const named = documentsPlaceIn(env)
  if (named) return named
  const folder = join(env.HEATMARK_DATA_DIR || defaultDataDir, embeddedFolder)
  return areEmbedded(env).eventStore || existsSync(folder) ? { folder } : undefined
}

/** @throws Error when the environment does not tell the place */
export function documentsPlace(env: NodeJS.ProcessEnv): DocumentsPlace {
  const place = findDocumentsPlace(env)
  if (place) return place
  throw new Error('DOCUMENTS_URL is missing: name the bucket of documents as the service does')
}

/** The read models usually catch up within milliseconds. */
const caughtUpWithinMs = 30_000
/** Objects or documents that are looked up together. */
const portion = 500

interface Means {
  readonly objects: ObjectStore
  readonly readModels: ReadModels
  readonly lookUp: ReturnType<typeof createLookUp>
}

/**
 * Remove the objects that no event names, if they are older than a day. Objects that this release did not make are left
 * alone.
 * @throws Error when the read models are behind, because an event that they do not show may name an object
 */
export async function sweepDocuments(
  stores: Stores,
  place: DocumentsPlace,
  { dryRun }: { readonly dryRun: boolean },
  output: Output,
): Promise<void> {
  await withObjects(stores, place, async (means) => {
    await untilCaughtUp(stores, means.readModels)
    const before = new Date(now().getTime() - sweptAfterHours * 3_600_000)
    const swept = { objects: 0, kept: 0, young: 0, unknown: 0, removed: 0, removedBytes: 0 }
    const counted = showCount(output.progress, 'objects looked at')
    for await (const listed of inPortions(means.objects.list(''))) {
      const old = listed.filter(({ storedAt }) => storedAt < before)
      const { orphans, unknown } = await orphansAmong(means, old, before)
      for (const { key, bytes } of orphans) {
        if (!dryRun && !(await removeOld(means.objects, key, before))) continue
        swept.removed += 1
        swept.removedBytes += bytes
      }
      swept.objects += listed.length
      swept.young += listed.length - old.length
      swept.unknown += unknown
      swept.kept += old.length - orphans.length - unknown
      counted.show(swept.objects)
    }
    counted.end()
    output.record({ dryRun, ...swept }, sweptText(swept, dryRun))
  })
}

/** Return false when the object was stored again since it was listed: then an event is about to name it. */
async function removeOld(objects: ObjectStore, key: string, before: Date): Promise<boolean> {
  const object = await objects.head(key)
  if (object && object.storedAt >= before) return false
  await objects.delete(key)
  return true
}

const dayMs = 86_400_000

interface Sorted {
  readonly orphans: readonly ListedObject[]
  /** Objects that this release has not made. */
  readonly unknown: number
}

async function orphansAmong(
  { lookUp }: Means,
  listed: readonly ListedObject[],
  before: Date,
): Promise<Sorted> {
  const isInterrupted = ({ key }: ListedObject) => key.startsWith(incomingPrefix) || key.endsWith(draftEnding)
  const interrupted = listed.filter(isInterrupted)
  const whole = listed.filter((object) => !isInterrupted(object))
  const imports = whole.filter(({ key }) => key.startsWith(importPrefix))
  const forgotten = imports.filter(
    ({ storedAt }) => storedAt.getTime() < before.getTime() - importDays * dayMs,
  )
  const exports = whole.filter(({ key }) => key.startsWith(exportPrefix))
  const expired = exports.filter(({ storedAt }) => storedAt.getTime() < before.getTime() - exportDays * dayMs)
  const stored = whole.flatMap((object) => {
    const place = placeIn(object.key)
    return place ? [{ object, ...place, documentId: documentIdOf(place.companyId, place.sha256) }] : []
  })
  const named = new Set(
    (await lookUp<{ uploadId: string }>((reading) => findNamedUploads(reading, stored, before))).map(
      ({ uploadId }) => uploadId,
    ),
  )
  const orphans = stored.filter(({ uploadId }) => !named.has(uploadId)).map(({ object }) => object)
  const markers = whole.filter(({ key }) => isMarker(key)).length
  return {
    orphans: [...interrupted, ...forgotten, ...expired, ...orphans],
    unknown: whole.length - imports.length - exports.length - stored.length - markers,
  }
}

function sweptText(
  swept: {
    objects: number
    kept: number
    young: number
    unknown: number
    removed: number
    removedBytes: number
  },
  dryRun: boolean,
): string {
  const { objects, young, unknown, removed, removedBytes } = swept
  return [
    `${removed} of ${objects} objects ${dryRun ? 'would be removed' : 'were removed'}: no event names them (${removedBytes} bytes)`,
    ...(young > 0 ? [`${young} are younger than a day, and were left alone`] : []),
    ...(unknown > 0 ? [`${unknown} have keys that Heatmark does not make, and were left alone`] : []),
  ].join('\n')
}

/** A document whose file is not as its event says. */
interface Fault extends Pick<FoundFile, 'companyId' | 'documentId' | 'fileName' | 'sha256'> {
  readonly fault: 'missing' | 'changed'
}

/** Read and hash every file that events name. Return false when one is missing or has changed. */
export async function verifyDocuments(
  stores: Stores,
  place: DocumentsPlace,
  signal: AbortSignal,
  output: Output,
): Promise<boolean> {
  return withObjects(stores, place, async (means) => {
    const verified = { documents: 0, bytes: 0, faults: [] as Fault[] }
    const counted = showCount(output.progress, 'documents read')
    for await (const files of filesOf(means))
      for (const file of files) {
        signal.throwIfAborted()
        const fault = await faultOf(means.objects, file)
        verified.documents += 1
        verified.bytes += file.bytes
        if (fault) {
          const { companyId, documentId, fileName, sha256 } = file
          verified.faults.push({ companyId, documentId, fileName, sha256, fault })
        }
        counted.show(verified.documents)
      }
    counted.end()
    output.record(verified, verifiedText(verified))
    return verified.faults.length === 0
  })
}

async function faultOf(objects: ObjectStore, file: FoundFile): Promise<Fault['fault'] | undefined> {
  const opened = await objects.get(objectKey(file))
  if (!opened) return 'missing'
  const hash = createHash('sha256')
  await pipeline(opened.content, hash)
  return hash.digest('hex') === file.sha256 && opened.bytes === file.bytes ? undefined : 'changed'
}

async function* filesOf({ lookUp }: Means): AsyncIterable<readonly FoundFile[]> {
  let after: PlaceInFiles | undefined
  for (;;) {
    const files: readonly FoundFile[] = await lookUp<FoundFile>((reading) =>
      listFiles(reading, portion, after),
    )
    if (files.length > 0) yield files
    if (files.length < portion) return
    after = files.at(-1)
  }
}

function verifiedText(verified: { documents: number; bytes: number; faults: readonly Fault[] }): string {
  const { documents, bytes, faults } = verified
  return [
    `${countText(documents, 'document')} read (${countText(bytes, 'byte')}); ${faults.length === 0 ? 'every file is as its event says' : `not as their events say (${faults.length}):`}`,
    ...faults.map(
      ({ companyId, documentId, fileName, sha256, fault }) =>
        `  ${fault}: ${JSON.stringify(fileName)}, document ${documentId} of company ${companyId}, SHA-256 ${sha256}`,
    ),
    ...(faults.length > 0
      ? [
          '→ restore these files from a backup, or delete and upload them again; "Documents" in docs/operations.md says how',
        ]
      : []),
  ].join('\n')
}

/** @throws Failure `objects-of-another-store`, `no-read-models`; Error when no service has used the place yet */
async function withObjects<Result>(
  stores: Stores,
  place: DocumentsPlace,
  work: (means: Means) => Promise<Result>,
): Promise<Result> {
  const readModels = await findReadModels(stores)
  const objects = await openObjects(place)
  try {
    const [storeId, owner] = [await storeIdOf(stores.eventStore), await ownerOf(objects)]
    if (owner === undefined)
      throw new Error('no service has used this place for documents yet: start the service once')
    if (owner !== storeId)
      throw new Failure(
        'objects-of-another-store',
        `the documents belong to the event store ${owner}, and not to this one: check EVENTSTORE_URL and DOCUMENTS_URL`,
      )
    return await work({ objects, readModels, lookUp: createLookUp(stores.postgres, readModels, documents) })
  } finally {
    objects.close()
  }
}

/** Without a terminal, a line is written after so many. */
const lineEvery = 1_000

/** Show a count that grows: on one line of a terminal, as some plain lines elsewhere. */
function showCount(progress: Output['progress'], what: string) {
  return {
    show(count: number) {
      if (progress.isTTY) progress.write(`${clearLine}${count} ${what}`)
      else if (count % lineEvery === 0) progress.write(`${count} ${what}\n`)
    },
    end() {
      if (progress.isTTY) progress.write(clearLine)
    },
  }
}

async function untilCaughtUp({ eventStore, databaseUrl }: Stores, readModels: ReadModels): Promise<void> {
  const head = (await eventStore.last())?.position ?? 0
  const positions = followPositions({ url: databaseUrl, readModels, clock, now })
  try {
    if (await positions.waitFor([documents], head, caughtUpWithinMs)) return
  } finally {
    await positions.close()
  }
  throw new Error(
    `the read model of documents has not applied the last event (position ${head}), so nothing was removed: start the service, or see "heatmark status"`,
  )
}

async function* inPortions(listed: AsyncIterable<ListedObject>): AsyncIterable<readonly ListedObject[]> {
  let held: ListedObject[] = []
  for await (const object of listed) {
    held.push(object)
    if (held.length < portion) continue
    yield held
    held = []
  }
  if (held.length > 0) yield held
}
