import { createHash } from 'node:crypto'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { entryOf } from '../../../src/proofs/merkleLog/entry.ts'
import { createTiles, createTree } from '../../../src/proofs/merkleLog/tree.ts'
import type { LocalSigningKey } from '../../../src/proofs/signing/signingKey.ts'
import { checkpointNote, type Files, keySetOf, origin } from './histories.ts'

/**
 * An attacker changes an export and then makes the rest of it fit, as far as he can:
 * - `lines`: the lines alone.
 * - `tree`: also the tiles, and the size and head in the checkpoint. He has no key, so the old signature stays.
 * - `ownKey`: also signs with a key of his own. The auditor has kept the real key.
 * - `realKey`: also signs with the real key. The auditor has kept an older checkpoint.
 */
export type Resealing = 'lines' | 'tree' | 'ownKey' | 'realKey'

export const resealings: readonly Resealing[] = ['lines', 'tree', 'ownKey', 'realKey']

export function resealed(
  honest: Files,
  lines: readonly string[],
  how: Resealing,
  keys: { readonly real: LocalSigningKey; readonly own: LocalSigningKey },
): Map<string, Buffer> {
  const files = new Map(honest).set('events.ndjson', Buffer.from(lines.map((line) => `${line}\n`).join('')))
  if (how === 'lines') return files
  const tiles = createTiles()
  const tree = createTree(tiles.keep)
  for (const line of lines) tree.add(entryOf(eventIn(line), line))
  for (const path of honest.keys()) if (path.startsWith('tile/')) files.delete(path)
  for (const [path, bytes] of tiles.files()) files.set(path, bytes)
  const head = { size: tree.size, root: tree.root() }
  const key = how === 'ownKey' ? keys.own : keys.real
  const note = checkpointNote(origin, head, key)
  const oldSignature = honest.get('checkpoint')!.toString().split('\n\n')[1]
  files.set('checkpoint', Buffer.from(how === 'tree' ? `${note.split('\n\n')[0]}\n\n${oldSignature}` : note))
  if (how === 'ownKey') files.set('keys.json', Buffer.from(keySetOf(key)))
  return files
}

/** The members that an entry needs; what a mutation has spoiled stays spoiled. */
function eventIn(line: string): Recorded {
  const { stream: streamName, ...rest } = JSON.parse(line)
  return { streamName, ...rest }
}

/** Write the manifest's list of files anew, as anybody can. */
export function relisted(files: Files, manifest = manifestIn(files)): Map<string, Buffer> {
  const others = [...files].filter(([path]) => path !== 'manifest.json')
  const listed = others.map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256Of(bytes) }))
  const written = { ...manifest, files: listed }
  return new Map(others).set('manifest.json', Buffer.from(JSON.stringify(written)))
}

function manifestIn(files: Files): object {
  return JSON.parse(files.get('manifest.json')!.toString())
}

export function sha256Of(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
