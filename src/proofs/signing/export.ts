import { Readable } from 'node:stream'
import type { EventMetadata, Recorded } from '../../domain/kernel/event.ts'
import { type Entry, zipOf } from '../../lib/zip.ts'
import { entryOf, lineOf } from '../merkleLog/entry.ts'
import { createTiles, createTree } from '../merkleLog/tree.ts'
import type { Timestamped } from './anchors.ts'
import type { SignedCheckpoint } from './signer.ts'
import type { PublishedKey } from './signingKey.ts'

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

/**
 * Write the export of a company as a ZIP file, which `heatmark audit verify` checks. The same parts give the same bytes.
 * It holds only the hashes of the events in memory.
 * @returns its bytes, with an error in place of an end when the events are not those of the checkpoint
 */
export function zipExport(parts: ExportParts): Readable {
  return zipOf(exportEntries(parts))
}

/** The files of an export. The content of each is read before the next file is asked for. */
export async function* exportEntries({
  checkpoint,
  keys,
  events,
  names,
  timestamp,
}: ExportParts): AsyncGenerator<Entry> {
  const tiles = createTiles()
  const authors = new Set<string>()
  async function* readLines(): AsyncGenerator<string> {
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
  yield { path: 'events.ndjson', content: streamOf(readLines()) }
  yield { path: 'checkpoint', content: checkpoint.note }
  yield { path: 'keys.json', content: `${JSON.stringify({ keys })}\n` }
  yield { path: 'persons.ndjson', content: namesOf(authors, names) }
  for (const [path, content] of tiles.files()) yield { path, content }
  if (timestamp) {
    yield { path: 'anchor/checkpoint', content: timestamp.note }
    yield { path: 'anchor/timestamp', content: timestamp.token }
  }
  yield { path: 'README.txt', content: readme }
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
