import type { Readable } from 'node:stream'
import type { ObjectStore } from '../../documents/objects.ts'
import { plainName } from '../../documents/plainName.ts'
import { typedName } from '../../documents/typedName.ts'
import { bytesOfFile } from '../../documents/wholeFile.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
import { type Entry, type ListedFile, zipOf } from '../../lib/zip.ts'
import { exportEntries } from '../signing/export.ts'
import type { SignedExport } from '../signing/exports.ts'
import { createDocumentIndex, type DocumentIndex } from './documentIndex.ts'

/** Everything that a company has, as a ZIP file. docs/leaving.md describes its files. */

interface CompanyArchive {
  readonly companyId: string
  readonly history: SignedExport
  /** The tables of the company, each written when it is asked for. */
  readonly lists: readonly List[]
  readonly objects: Pick<ObjectStore, 'get'>
  /** Called with the part that is done, from 0 to 1. */
  readonly onProgress: (progress: number) => void
}

export interface List {
  /** The name of the file, without its ending. */
  readonly name: string
  csv(): AsyncIterable<Uint8Array>
}

/** The form of the export, for programs that read it. */
const format = 'heatmark-company-export/1'

/** The parts of the work that are done after the events, and after the documents. */
const done = { events: 0.4, documents: 0.9 }

/**
 * Write the archive. Memory holds only the hashes of the events and the names of the documents.
 * @returns its bytes, with an error in place of an end: Failure `objects-unavailable` when a document is lost or has
 * changed; StoreUnavailable, PostgresUnavailable; Error when the events are not those of the checkpoint
 */
export function writeArchive(archive: CompanyArchive): Readable {
  return zipOf(entriesOf(archive), (files) => manifestOf(archive, files))
}

async function* entriesOf(archive: CompanyArchive): AsyncIterable<Entry> {
  const { history, lists, objects, onProgress } = archive
  const index = createDocumentIndex()
  const events = noteEach(archive, index)
  for await (const entry of exportEntries({ ...history, events }))
    yield { ...entry, path: `history/${entry.path}` }

  const documents = index.documents()
  const wholeBytes = documents.reduce((sum, { bytes }) => sum + bytes, 1)
  let written = 0
  for (const document of documents) {
    const { documentId, fileName, mediaType, bytes } = document
    const path = `documents/${documentId}-${typedName(plainName(fileName), mediaType)}`
    yield { path, content: bytesOfFile(objects, document), isCompressed: true }
    written += bytes
    onProgress(done.events + (done.documents - done.events) * (written / wholeBytes))
  }

  for (const [place, { name, csv }] of lists.entries()) {
    yield { path: `lists/${name}.csv`, content: csv() }
    onProgress(done.documents + (1 - done.documents) * ((place + 1) / lists.length))
  }
  yield { path: 'README.txt', content: readme }
}

/** Pass the events on, and note the documents of those that the checkpoint covers. */
async function* noteEach(
  { history: { events, checkpoint }, onProgress }: CompanyArchive,
  index: DocumentIndex,
): AsyncIterable<Recorded> {
  let count = 0
  for await (const event of events) {
    count += 1
    if (count <= checkpoint.size) index.add(event)
    if (count % 1_000 === 0) onProgress(done.events * Math.min(1, count / checkpoint.size))
    yield event
  }
}

function manifestOf({ companyId, history }: CompanyArchive, files: readonly ListedFile[]): Entry {
  const { size, root, position } = history.checkpoint
  const manifest = {
    format,
    companyId,
    position,
    checkpoint: { size, root: root.toString('base64') },
    files,
  }
  return { path: 'manifest.json', content: `${JSON.stringify(manifest, null, 2)}\n` }
}

const readme = `This is everything that one company has in Heatmark.

history/        every event, with a signed checkpoint and the names of the authors
documents/      every document, as it was received; the name begins with the id of the document
lists/          the records as tables (CSV, UTF-8)
manifest.json   the SHA-256 of every file

Check it with "heatmark audit verify", which needs neither the service nor a network. The events are the record; the
tables are a view of them, and are not signed. docs/leaving.md of Heatmark describes every file, and says what a check
cannot show.
`
