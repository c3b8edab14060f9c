import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { EventMetadata, Recorded } from '../domain/event.ts'
import type { Timestamped } from './anchors.ts'
import { entryOf, lineOf } from './line.ts'
import type { SignedCheckpoint } from './signer.ts'
import type { PublishedKey } from './signingKey.ts'
import { createTiles, createTree } from './tree.ts'

/** A name that the company keeps of an author, as `persons.ndjson` holds it. */
export interface KeptName {
  readonly userId: string
  readonly nameHash: string
  readonly name: string
  readonly salt: string
}

export interface ExportParts {
  readonly checkpoint: Pick<SignedCheckpoint, 'size' | 'root' | 'note'>
  /** The key that has signed the checkpoint, before the keys that signed older ones. */
  readonly keys: readonly PublishedKey[]
  /** The events of the company from the first on. There may be newer ones than the checkpoint covers. */
  readonly events: AsyncIterable<Recorded>
  readonly names: readonly KeptName[]
  /** The last checkpoint with a timestamp; undefined for none. */
  readonly timestamp?: Timestamped | undefined
}

/** The same export has the same bytes. */
const filed = { mtime: new Date('2000-01-01T00:00:00Z'), mode: 0o100644 } as const

/**
 * Write the export of a company as a ZIP file, which `heatmark audit verify` checks. Of the events, only their hashes
 * are held in memory.
 * @throws when the events are not those of the checkpoint; then the file is not complete
 */
export function zipExport({ checkpoint, keys, events, names, timestamp }: ExportParts): Readable {
  const zip = new ZipFile()
  const tiles = createTiles()
  const authors = new Set<string>()
  async function* lines(): AsyncGenerator<string> {
    const tree = createTree(tiles.keep)
    for await (const event of events) {
      if (tree.size === checkpoint.size) break
      const line = lineOf(event)
      tree.add(entryOf(event, line))
      authors.add(authorOf(event))
      yield `${line}\n`
    }
    if (!tree.root().equals(checkpoint.root)) throw new Error('the events have changed since the checkpoint')
  }
  const add = (path: string, content: string | Buffer) => zip.addBuffer(Buffer.from(content), path, filed)
  const eventLines = streamOf(lines())
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  output.once('close', () => eventLines.destroy())
  eventLines.once('end', () => {
    add('checkpoint', checkpoint.note)
    add('keys.json', `${JSON.stringify({ keys })}\n`)
    add('persons.ndjson', namesOf(authors, names))
    for (const [path, bytes] of tiles.files()) add(path, bytes)
    if (timestamp) {
      add('anchor/checkpoint', timestamp.note)
      add('anchor/timestamp', timestamp.token)
    }
    add('README.txt', readme)
    zip.end()
  })
  zip.addReadStream(eventLines, 'events.ndjson', filed)
  return output
}

/** Gather small texts into larger writes. */
export function streamOf(texts: AsyncIterable<string>): Readable {
  return Readable.from(texts, { objectMode: false, highWaterMark: 65_536 })
}

function namesOf(authors: ReadonlySet<string>, names: readonly KeptName[]): string {
  return names
    .filter(({ userId, nameHash }) => authors.has(JSON.stringify([userId, nameHash])))
    .map(({ userId, nameHash, name, salt }) => `${JSON.stringify({ userId, nameHash, name, salt })}\n`)
    .join('')
}

/** Other programs write metadata as they like. */
function authorOf({ metadata }: Recorded): string {
  const { id, nameHash } = (metadata as Partial<EventMetadata> | null)?.actor ?? {}
  return JSON.stringify([id, nameHash])
}

const readme = `This is the history of one company in Heatmark.

events.ndjson   every event of the company, one line each, in the order in which they were recorded
checkpoint      the number of events and the head of their Merkle tree, signed
keys.json       the public key of the signature, and the keys before it
persons.ndjson  the names of the authors, as far as the company keeps them; events hold a hash in place of a name
tile/           the hashes of the tree, in the form of C2SP tlog-tiles
anchor/         the last checkpoint that a timestamp authority has confirmed, and its timestamp (RFC 3161), if any

Check it with "heatmark audit verify", which needs neither the service nor a network. The check does not cover
this page. docs/audit.md of Heatmark says how to check by hand, and what a check cannot show.
`
