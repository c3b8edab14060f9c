import type * as verifier from '../../../examples/verify/verifyPack.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { entryOf, lineOf } from '../../../src/proofs/merkleLog/entry.ts'
import { createTree, leafHash, nodeHash } from '../../../src/proofs/merkleLog/tree.ts'
import type { LocalSigningKey } from '../../../src/proofs/signing/signingKey.ts'
import { companyId, id, timeOf } from '../../support/given.ts'
import { allIsWell, messageOf, onReplacedKeys } from './attacks.ts'
import { checkpointNote, type Files, inMemory, keySetOf, origin } from './histories.ts'
import { relisted, sha256Of } from './resealing.ts'

/**
 * Packs of an order that are wrong in one way each, with the message that the verifier must give; and honest ones. Each
 * is resealed as far as that attacker could: the manifest is written anew, unless the attack is on the manifest, and
 * one who has a key of his own also signs.
 */

export type PackVerifier = Pick<typeof verifier, 'verifyPack'>

export interface PackAttack {
  readonly name: string
  readonly files: Files
  /** The keys that the reader has kept. */
  readonly trusted?: readonly string[]
  /** The message of the verifier; `allIsWell` for an honest pack. */
  readonly message: string
}

/** Return the message of the verifier, or `allIsWell`. @throws errors that are not about the pack */
export function outcomeOf({ verifyPack }: PackVerifier, attack: PackAttack): Promise<string> {
  return messageOf(verifyPack(inMemory(attack.files), attack.trusted))
}

const certificateId = id(500)
const streams = {
  company: `company-${companyId}`,
  certificate: `millCertificate-${companyId}_${certificateId}`,
  order: `order-${companyId}_${id(600)}`,
  bar: `productionPlanBar-${companyId}_${id(700)}`,
}
const original = Buffer.from('%PDF-1.4 the original')
const attached = { documentId: id(800), sha256: sha256Of(original), fileName: 'C-1.pdf' }

/** A history with events of the pack and others, one after the other. */
function historyOf(): Recorded[] {
  const registered = { millCertificationId: certificateId, certificateNumber: 'C-1', heatNumber: 'H 1' }
  const facts: readonly [stream: string, type: string, data: object][] = [
    [streams.company, 'CompanyRegistered', { companyId, name: 'Example Steel' }],
    [streams.order, 'OrderRegistered', { orderId: id(600), orderNumber: 'SO-1' }],
    [streams.certificate, 'MillCertificateRegistered', registered],
    [streams.certificate, 'DocumentAttached', { millCertificationId: certificateId, ...attached }],
    [streams.bar, 'BarOpened', { cuts: [{ orderId: id(600) }, { orderId: id(601) }] }],
    [streams.certificate, 'CertificateReleased', { millCertificationId: certificateId }],
    [streams.bar, 'BarApproved', { barId: id(700) }],
  ]
  const revisions = new Map<string, number>()
  return facts.map(([streamName, type, data], index) => {
    const revision = (revisions.get(streamName) ?? -1) + 1
    revisions.set(streamName, revision)
    const metadata = {
      actor: { id: 'user', name: '', kind: 'user' as const },
      occurredAt: timeOf(index),
      correlationId: `request ${index}`,
      schemaVersion: 1,
    }
    return { id: id(10_000 + index), streamName, revision, position: 100 + index, type, data, metadata }
  })
}

/** Only the bar names another order. */
const isLeftOut = ({ type }: Recorded) => type === 'BarOpened'
const isPacked = ({ streamName }: Recorded) => streamName !== streams.company

/** RFC 6962, 2.1.1. */
function proofOf(index: number, leaves: readonly Buffer[]): string[] {
  if (leaves.length <= 1) return []
  const left = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  const [near, far] =
    index < left
      ? [proofOf(index, leaves.slice(0, left)), headOf(leaves.slice(left))]
      : [proofOf(index - left, leaves.slice(left)), headOf(leaves.slice(0, left))]
  return [...near, far.toString('base64')]
}

function headOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!
  const left = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return nodeHash(headOf(leaves.slice(0, left)), headOf(leaves.slice(left)))
}

interface Proof {
  readonly entry: string
  readonly index: number
  readonly proof: readonly string[]
}

function packOf(history: readonly Recorded[], key: LocalSigningKey): Map<string, Buffer> {
  const tree = createTree()
  for (const event of history) tree.add(entryOf(event))
  const leaves = history.map((event) => leafHash(entryOf(event)))
  const packed = history.filter(isPacked)
  const proofs = packed.map((event): Proof => {
    const index = history.indexOf(event)
    return { entry: entryOf(event), index, proof: proofOf(index, leaves) }
  })
  const last = Object.fromEntries(packed.map(({ streamName, revision }) => [streamName, revision]))
  const head = { size: tree.size, root: tree.root() }
  return relisted(
    filesFrom({
      'cover.pdf': '%PDF-1.4 the cover sheet',
      'certificates/001-C-1.pdf': original,
      'data/history.ndjson': ndjson(
        packed.filter((event) => !isLeftOut(event)).map((event) => lineOf(event)),
      ),
      'proof/checkpoint': checkpointNote(origin, head, key),
      'proof/keys.json': keySetOf(key),
      'proof/inclusion.ndjson': ndjson(proofs.map((proof) => JSON.stringify(proof))),
      'proof/streams.json': JSON.stringify(last),
    }),
    { format: 'heatmark-order-pack/1', companyName: 'Example Steel', orderNumber: 'SO-1', cleared: true },
  )
}

function filesFrom(files: Readonly<Record<string, string | Buffer>>): Map<string, Buffer> {
  return new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))
}

function ndjson(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

type Row = readonly [name: string, files: Files, message: string, trusted?: readonly string[]]

export function packAttacks(key: LocalSigningKey, otherKey: LocalSigningKey): readonly PackAttack[] {
  const ground = groundOf(key)
  const rows = [
    ...honestOnes(ground, key, otherKey),
    ...wrongFiles(ground),
    ...wrongManifests(ground),
    ...wrongProofs(ground, key),
    ...wrongStreams(ground),
    ...wrongHistories(ground),
    ...wrongOriginals(ground),
    ...otherKeys(ground, key, otherKey),
  ]
  return rows.map(([name, files, message, trusted]) => ({
    name,
    files,
    message,
    ...(trusted && { trusted }),
  }))
}

type Ground = ReturnType<typeof groundOf>

/** An honest pack, and ways to change it with a manifest that fits. */
function groundOf(key: LocalSigningKey) {
  const history = historyOf()
  const honest = packOf(history, key)
  const textOf = (path: string) => honest.get(path)!.toString()
  const replaced = (path: string, content: string | Buffer) =>
    relisted(new Map(honest).set(path, Buffer.from(content)))
  const without = (path: string) => {
    const files = new Map(honest)
    files.delete(path)
    return files
  }
  const editedLines = (path: string, edit: (lines: string[]) => readonly string[]) =>
    replaced(path, ndjson(edit(textOf(path).slice(0, -1).split('\n'))))
  return { history, honest, textOf, replaced, without, editedLines }
}

function honestOnes({ honest }: Ground, key: LocalSigningKey, otherKey: LocalSigningKey): Row[] {
  const one = historyOf().filter(({ streamName }) => streamName === streams.order)
  const single = packOf(one, key)
  single.delete('certificates/001-C-1.pdf')
  return [
    ['an honest pack', honest, allIsWell],
    ['an honest pack, with the key that the reader has kept', honest, allIsWell, [keySetOf(key)]],
    ['an honest pack of one event', relisted(single), allIsWell],
    ['a pack that was signed again, without a kept key', packOf(historyOf(), otherKey), allIsWell],
  ]
}

function wrongFiles({ honest, without }: Ground): Row[] {
  const needed = ['data/history.ndjson', 'proof/checkpoint', 'proof/keys.json', 'proof/inclusion.ndjson']
  return [
    ...[...needed, 'proof/streams.json'].map(
      (path): Row => [`no ${path}`, relisted(without(path)), `${path} is missing`],
    ),
    ['a file that is listed and missing', without('cover.pdf'), 'cover.pdf is missing'],
    [
      'a changed file of the same length',
      new Map(honest).set('cover.pdf', Buffer.from('%PDF-1.4 the cover sheeT')),
      'cover.pdf is not the file that manifest.json lists',
    ],
    [
      'a file that is not listed',
      new Map(honest).set('cover2.pdf', Buffer.from('%PDF-')),
      'cover2.pdf is not listed in manifest.json',
    ],
  ]
}

function wrongManifests({ honest, textOf, without }: Ground): Row[] {
  const edited = (edit: (manifest: { format: string; files: unknown }) => object) =>
    new Map(honest).set(
      'manifest.json',
      Buffer.from(JSON.stringify(edit(JSON.parse(textOf('manifest.json'))))),
    )
  const notOne = 'manifest.json is not the manifest of an order pack'
  const noPath = 'manifest.json lists a file without a path'
  const unnamed = 'manifest.json does not name the company and the order'
  return [
    ['no manifest', without('manifest.json'), 'manifest.json is missing'],
    ['a manifest of another form', edited((one) => ({ ...one, format: 'heatmark-order-pack/2' })), notOne],
    ['a manifest without files', edited((one) => ({ ...one, files: {} })), notOne],
    ['a manifest that is no JSON', new Map(honest).set('manifest.json', Buffer.from('{')), notOne],
    ['a manifest that lists nothing', edited((one) => ({ ...one, files: [null] })), noPath],
    ['a manifest that lists a file by a list', edited((one) => ({ ...one, files: [{ path: [] }] })), noPath],
    ['a manifest that names no company', edited((one) => ({ ...one, companyName: null })), unnamed],
    ['a manifest that names no order', edited((one) => ({ ...one, orderNumber: ['SO-1'] })), unnamed],
    [
      'a manifest that names another order',
      edited((one) => ({ ...one, orderNumber: 'SO-2' })),
      'manifest.json names the order SO-2, but data/history.ndjson registers SO-1',
    ],
    [
      'a manifest with a wrong length',
      edited(({ files, ...one }) => ({
        ...one,
        files: (files as { bytes: number }[]).map((file) => ({ ...file, bytes: file.bytes + 1 })),
      })),
      'cover.pdf is not the file that manifest.json lists',
    ],
  ]
}

function wrongProofs({ history, editedLines }: Ground, key: LocalSigningKey): Row[] {
  const path = 'proof/inclusion.ndjson'
  const edited = (line: number, edit: (proof: Proof) => object) =>
    editedLines(path, (lines) => lines.with(line - 1, JSON.stringify(edit(JSON.parse(lines[line - 1]!)))))
  const notProof = (line: number) => `${path}, line ${line}: this is not the proof of an event`
  const notCovered = (line: number) => `${path}, line ${line}: the checkpoint does not cover this event`
  const leaves = history.map((event) => leafHash(entryOf(event)))
  const last = history.length - 1
  const single = packOf(
    history.filter(({ streamName }) => streamName === streams.order),
    key,
  )
  single.delete('certificates/001-C-1.pdf')
  const ofSingle = (index: number) => {
    const [line] = single.get(path)!.toString().split('\n')
    const proof = JSON.stringify({ ...JSON.parse(line!), index })
    return relisted(new Map(single).set(path, Buffer.from(`${proof}\n`)))
  }
  return [
    ['a proof that is no JSON', editedLines(path, (lines) => lines.with(0, '{')), notProof(1)],
    ['a proof without an entry', edited(1, ({ entry: _, ...proof }) => proof), notProof(1)],
    ['a proof with a hash that is no text', edited(1, (one) => ({ ...one, proof: [1] })), notProof(1)],
    ['a proof without hashes', edited(1, ({ proof: _, ...proof }) => proof), notProof(1)],
    [
      'a changed entry',
      edited(2, (one) => ({ ...one, entry: one.entry.replace('"v":1', '"v":2') })),
      notCovered(2),
    ],
    ['an empty proof', edited(1, (one) => ({ ...one, proof: [] })), notCovered(1)],
    [
      'a proof that is too long',
      edited(1, (one) => ({ ...one, proof: [...one.proof, one.proof[0]] })),
      notCovered(1),
    ],
    ['a proof that is too short', edited(1, (one) => ({ ...one, proof: one.proof.slice(1) })), notCovered(1)],
    [
      'a proof with its hashes swapped',
      edited(1, (one) => ({ ...one, proof: one.proof.toReversed() })),
      notCovered(1),
    ],
    ['a proof of another index', edited(1, (one) => ({ ...one, index: 0 })), notCovered(1)],
    [
      // The last event of 7 has fewer hashes above it. Index 5 leads to the same head, and not to its end.
      'the proof of the last event under an index that leads to the same hashes',
      edited(last, (one) => ({ ...one, index: 5, proof: proofOf(last, leaves) })),
      notCovered(last),
    ],
    ['an index beyond the size', ofSingle(1), notCovered(1)],
    ['an index below zero', ofSingle(-1), notCovered(1)],
    ['an index that is no whole number', ofSingle(0.5), notCovered(1)],
    [
      'an event that is there twice',
      editedLines(path, (lines) => [...lines, lines[0]!]),
      `${path}, line ${history.length}: the event is there twice`,
    ],
  ]
}

function wrongStreams({ replaced, textOf, editedLines }: Ground): Row[] {
  const path = 'proof/streams.json'
  const last: Record<string, number> = JSON.parse(textOf(path))
  const entry = (line: string) => JSON.parse(JSON.parse(line).entry) as { type: string }
  const leftOut = (type: string) =>
    editedLines('proof/inclusion.ndjson', (lines) => lines.filter((line) => entry(line).type !== type))
  return [
    ['a list of streams that is no JSON', replaced(path, '['), `${path} is not a list of streams`],
    [
      'a stream without its first event',
      leftOut('MillCertificateRegistered'),
      `proof/inclusion.ndjson: event 0 of the stream ${streams.certificate} is missing`,
    ],
    [
      'a stream without its last event',
      leftOut('CertificateReleased'),
      `${path}: the stream ${streams.certificate} ends with event 1`,
    ],
    [
      'a stream that has no event',
      replaced(path, JSON.stringify({ ...last, [streams.company]: 0 })),
      `${path}: ${streams.company} has no event in proof/inclusion.ndjson`,
    ],
  ]
}

function wrongHistories({ editedLines, textOf, replaced }: Ground): Row[] {
  const path = 'data/history.ndjson'
  const notProven = (line: number) =>
    `${path}, line ${line}: proof/inclusion.ndjson does not prove this event, or it is there twice`
  return [
    [
      'a changed event',
      editedLines(path, (lines) => lines.with(1, lines[1]!.replace('H 1', 'H 2'))),
      notProven(2),
    ],
    ['a doubled event', editedLines(path, (lines) => [...lines, lines[1]!]), notProven(6)],
    [
      'a line that is cut off',
      replaced(path, textOf(path).slice(0, -1)),
      `${path}, line 5 is cut off: it does not end with a line feed`,
    ],
    [
      'a history without the event that attached the original',
      editedLines(path, (lines) => lines.filter((line) => !line.includes('DocumentAttached'))),
      `${path}: event 1 of the stream ${streams.certificate} is missing`,
    ],
    [
      'a history without an event of a bar',
      editedLines(path, (lines) => lines.filter((line) => !line.includes('BarApproved'))),
      allIsWell,
    ],
  ]
}

function wrongOriginals({ honest, without, replaced }: Ground): Row[] {
  const path = 'certificates/001-C-1.pdf'
  const missing = `certificates/: the original "C-1.pdf" (SHA-256 ${attached.sha256}) is missing`
  return [
    ['a lost original', relisted(without(path)), missing],
    ['another file in the place of an original', replaced(path, '%PDF-1.4 forged'), missing],
    [
      'an original that no event names',
      relisted(new Map(honest).set('certificates/002-x.pdf', Buffer.from('%PDF-'))),
      'certificates/002-x.pdf: no event names this file',
    ],
  ]
}

function otherKeys({ honest, replaced }: Ground, key: LocalSigningKey, otherKey: LocalSigningKey): Row[] {
  const released = (edit: object) =>
    packOf(
      historyOf().map((event) => (event.type === 'CertificateReleased' ? { ...event, ...edit } : event)),
      otherKey,
    )
  const signature = honest.get('proof/checkpoint')!.toString().split('\n').at(-2)!
  return [
    [
      'an event without data, signed with another key',
      released({ data: null }),
      'data/history.ndjson, line 4: this is not an event',
    ],
    [
      'an event whose stream is no text, signed with another key',
      released({ streamName: 7 }),
      'proof/inclusion.ndjson, line 5: this is not the proof of an event',
    ],
    [
      'a pack that was signed again with another key',
      packOf(historyOf(), otherKey),
      `keys.json has none of the trusted keys: the export is signed by ${JSON.parse(keySetOf(otherKey)).keys[0].kid}. ${onReplacedKeys}`,
      [keySetOf(key)],
    ],
    [
      'a checkpoint that no known key has signed',
      replaced('proof/keys.json', keySetOf(otherKey)),
      'proof/checkpoint has no signature by a known key',
    ],
    [
      'a checkpoint with a doubled signature',
      replaced('proof/checkpoint', `${honest.get('proof/checkpoint')}${signature}\n`),
      `proof/checkpoint, line 6: the key ${JSON.parse(keySetOf(key)).keys[0].kid} has signed already`,
    ],
  ]
}
