import { Readable } from 'node:stream'
import type * as verifier from '../../../examples/verify/verifyCompanyExport.ts'
import { objectKey } from '../../../src/documents/objects.ts'
import { documentIdOf } from '../../../src/domain/documents/document.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { writeArchive } from '../../../src/proofs/companyExports/archive.ts'
import { type LocalSigningKey, publishedKey } from '../../../src/proofs/signing/signingKey.ts'
import { companyId, id } from '../../support/given.ts'
import { allIsWell, messageOf, onReplacedKeys } from './attacks.ts'
import {
  type Files,
  headOf,
  historyOf,
  inFile,
  inMemory,
  keySetOf,
  noteOf,
  origin,
  persons,
  streamed,
  unpacked,
} from './histories.ts'
import { relisted, sha256Of } from './resealing.ts'

/**
 * Exports of a company that are wrong in one way each, with the message that the verifier must give; and honest ones.
 * The list of files is written anew in each, unless the attack is on the list.
 */

export type CompanyVerifier = Pick<typeof verifier, 'verifyCompanyExport'>

export interface CompanyAttack {
  readonly name: string
  readonly files: Files
  /** The keys that the reader has kept. */
  readonly keys?: readonly string[]
  /** The message of the verifier; `allIsWell` for an honest export. */
  readonly message: string
}

/** Return the message of the verifier, or `allIsWell`. @throws errors that are not about the export */
export function outcomeOf(
  { verifyCompanyExport }: CompanyVerifier,
  { files, keys }: CompanyAttack,
): Promise<string> {
  return messageOf(verifyCompanyExport(inMemory(files), keys && { keys }))
}

const contents = {
  kept: '%PDF-1.4 kept',
  deleted: '%PDF-1.4 deleted',
  deletedWhileAttached: '%PDF-1.4 deleted while it was attached',
  detachedAndDeleted: '%PDF-1.4 detached and deleted',
  storedAgain: '%PDF-1.4 deleted and stored again',
}
const enclosed = [contents.kept, contents.deletedWhileAttached, contents.storedAgain]

/** The facts of a document, as its events hold them. */
function factsOf(content: string) {
  const sha256 = sha256Of(content)
  const documentId = documentIdOf(companyId, sha256)
  return { companyId, documentId, sha256, uploadId: id(900), fileName: 'C-1.pdf', bytes: content.length }
}

/** A history of certificates and documents. */
function historyWithDocuments(): Recorded[] {
  const stored = Object.values(contents).map((content) => ['DocumentStored', content] as const)
  const happened = [
    ...stored,
    ['DocumentDeleted', contents.deleted],
    ['DocumentAttached', contents.deletedWhileAttached],
    ['DocumentDeleted', contents.deletedWhileAttached],
    ['DocumentAttached', contents.detachedAndDeleted],
    ['DocumentDetached', contents.detachedAndDeleted],
    ['DocumentDeleted', contents.detachedAndDeleted],
    ['DocumentDeleted', contents.storedAgain],
    ['DocumentStored', contents.storedAgain],
  ] as const
  const before = historyOf(20)
  const streamName = `documents-${companyId}`
  const documents = happened.map(([type, content], revision): Recorded => {
    const place = { id: id(20_000 + revision), streamName, revision, position: 1_000 + revision }
    return { ...place, type, data: factsOf(content), metadata: before[1]!.metadata }
  })
  const foreign: Recorded = {
    ...documents[0]!,
    id: id(20_999),
    revision: documents.length,
    position: 1_999,
    isJson: false,
    data: { base64: 'AAEC' },
  }
  return [...before, ...documents, foreign]
}

/** Write an export as the service does, and return its files. */
function exportOf(events: readonly Recorded[], key: LocalSigningKey): Promise<Map<string, Buffer>> {
  const objects = new Map(Object.values(contents).map((content) => [objectKey(factsOf(content)), content]))
  const zip = writeArchive({
    companyId,
    history: {
      checkpoint: { ...headOf(events), note: noteOf(events, key), position: events.at(-1)!.position },
      keys: [publishedKey(key, origin)],
      events: streamed(events),
      names: persons,
    },
    lists: [{ name: 'orders', csv: () => streamed([Buffer.from('orderId\r\n')]) }],
    objects: {
      get: async (name) => {
        const content = Buffer.from(objects.get(name)!)
        return { bytes: content.length, content: Readable.from([content]) }
      },
    },
    onProgress() {},
  })
  return inFile(zip, unpacked)
}

type Row = readonly [name: string, files: Files, message: string, keys?: readonly string[]]

/** @param otherKey another key than `key` */
export async function companyAttacks(
  key: LocalSigningKey,
  otherKey: LocalSigningKey,
): Promise<readonly CompanyAttack[]> {
  const ground = await groundOf(key)
  const rows = [
    ...(await honestOnes(ground, key)),
    ...wrongLists(ground),
    ...wrongManifests(ground),
    ...wrongDocuments(ground),
    ...(await wrongHistories(ground, key, otherKey)),
  ]
  return rows.map(([name, files, message, keys]) => ({ name, files, message, ...(keys && { keys }) }))
}

type Ground = Awaited<ReturnType<typeof groundOf>>

/** An honest export, and ways to change it with a list of files that fits. */
async function groundOf(key: LocalSigningKey) {
  const events = historyWithDocuments()
  const honest = await exportOf(events, key)
  const replaced = (path: string, content: string | Buffer) =>
    relisted(new Map(honest).set(path, Buffer.from(content)))
  const without = (path: string) => {
    const files = new Map(honest)
    files.delete(path)
    return files
  }
  const pathOf = (content: string) => [...honest].find(([, bytes]) => bytes.equals(Buffer.from(content)))![0]
  return { events, honest, replaced, without, pathOf }
}

async function honestOnes({ honest }: Ground, key: LocalSigningKey): Promise<Row[]> {
  const documents = [...honest.keys()].filter((path) => path.startsWith('documents/'))
  if (documents.length !== enclosed.length) throw new Error(`the export has ${documents.length} documents`)
  return [
    ['an honest export', honest, allIsWell],
    ['an honest export, with the key that the reader has kept', honest, allIsWell, [keySetOf(key)]],
    ['an honest export without documents', await exportOf(historyOf(20), key), allIsWell],
    [
      'a list that somebody has changed',
      relisted(new Map(honest).set('lists/orders.csv', Buffer.from('x'))),
      allIsWell,
    ],
  ]
}

function wrongLists({ honest, without }: Ground): Row[] {
  return [
    [
      'a table that is not as the manifest lists it',
      new Map(honest).set('lists/orders.csv', Buffer.from('changed')),
      'lists/orders.csv is not the file that manifest.json lists',
    ],
    ['a missing table', without('lists/orders.csv'), 'lists/orders.csv is missing'],
    [
      'a file that is not listed',
      new Map(honest).set('documents/x.pdf', Buffer.from('%PDF-')),
      'documents/x.pdf is not listed in manifest.json',
    ],
  ]
}

function wrongManifests({ honest, without, events }: Ground): Row[] {
  const manifest = JSON.parse(honest.get('manifest.json')!.toString())
  const edited = (members: object) =>
    new Map(honest).set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, ...members })))
  const notOne = 'manifest.json is not the manifest of the export of a company'
  return [
    ['a missing manifest', without('manifest.json'), 'manifest.json is missing'],
    ['the manifest of a pack', edited({ format: 'heatmark-order-pack/1' }), notOne],
    ['a manifest without files', edited({ files: {} }), notOne],
    [
      'a manifest of fewer events',
      edited({ checkpoint: { ...manifest.checkpoint, size: 7 } }),
      `manifest.json names 7 events, but history/ has ${events.length}`,
    ],
    [
      'a manifest without a checkpoint',
      edited({ checkpoint: null }),
      'manifest.json lacks the size of the checkpoint',
    ],
  ]
}

function wrongDocuments({ honest, replaced, without, pathOf }: Ground): Row[] {
  const missing = (content: string) =>
    `documents/: the document "C-1.pdf" (SHA-256 ${sha256Of(content)}) is missing`
  return [
    ...enclosed.map((content): Row => {
      return [`a lost document: ${content}`, relisted(without(pathOf(content))), missing(content)]
    }),
    [
      'another file in the place of a document',
      replaced(pathOf(contents.kept), '%PDF-1.4 forged'),
      missing(contents.kept),
    ],
    ...[contents.deleted, contents.detachedAndDeleted, '%PDF-1.4 unknown'].map((content): Row => {
      const files = relisted(new Map(honest).set('documents/x.pdf', Buffer.from(content)))
      return [
        `a document that no event names: ${content}`,
        files,
        'documents/x.pdf: no event names this file',
      ]
    }),
  ]
}

async function wrongHistories(
  { events, honest, replaced, without }: Ground,
  key: LocalSigningKey,
  otherKey: LocalSigningKey,
): Promise<Row[]> {
  const lines = honest.get('history/events.ndjson')!.toString()
  return [
    ['a missing history', relisted(without('history/checkpoint')), 'checkpoint is missing'],
    [
      'a changed event',
      replaced('history/events.ndjson', lines.replace('"H 4"', '"H 5"')),
      'events.ndjson, line 5: this is not the event that was recorded here',
    ],
    [
      'an export that was signed again with another key',
      await exportOf(events, otherKey),
      `keys.json has none of the trusted keys: the export is signed by ${JSON.parse(keySetOf(otherKey)).keys[0].kid}. ${onReplacedKeys}`,
      [keySetOf(key)],
    ],
  ]
}
