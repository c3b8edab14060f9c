#!/usr/bin/env node
import { createHash } from 'node:crypto'
import {
  type Checkpoint,
  type ExportFiles,
  jsonIn,
  keysGiven,
  keysOf,
  leafHash,
  linesOf,
  nodeHash,
  openTrusted,
  printable,
  runCheck,
  sha256,
  text,
  WrongExport,
} from './verifyExport.ts'

/**
 * Check the pack of an order offline: `node verifyPack.ts FOLDER|ZIP`, or `heatmark audit verify`. docs/order-packs.md
 * describes what is checked. The file imports nothing but Node itself and `verifyExport.ts` beside it.
 */

export interface PackVerdict {
  /** From the signed history. */
  readonly orderNumber: string
  /** From the manifest, which is not signed. */
  readonly company: string
  readonly events: number
  readonly originals: number
  /** From the manifest, which is not signed. */
  readonly cleared: boolean
  /** The certificates of the pack that no original is attached to. */
  readonly withoutOriginal: readonly string[]
  /** The thumbprints of the keys that signed the checkpoint. */
  readonly signedBy: readonly string[]
  readonly isKeyTrusted: boolean
}

const manifestFile = 'manifest.json'
const historyFile = 'data/history.ndjson'
const checkpointFile = 'proof/checkpoint'
const keysFile = 'proof/keys.json'
const inclusionFile = 'proof/inclusion.ndjson'
const streamsFile = 'proof/streams.json'
const originalsFolder = 'certificates/'
const barStreams = 'productionPlanBar-'

/** Whether these are the files of a pack, and not of an export. */
export function isPack({ paths }: Pick<ExportFiles, 'paths'>): boolean {
  return paths.includes(manifestFile)
}

/**
 * @param trusted contents of `keys.json` files that came by another way than the pack
 * @throws WrongExport that names the first wrong file, and the line in it
 */
export async function verifyPack(files: ExportFiles, trusted?: readonly string[]): Promise<PackVerdict> {
  const manifest = (await manifestOf(files, packFormat, 'an order pack')) as Manifest
  const { companyName, orderNumber } = manifest
  if (typeof companyName !== 'string' || typeof orderNumber !== 'string')
    throw new WrongExport(`${manifestFile} does not name the company and the order`)
  const hashes = await checkFiles(files, manifest)
  for (const path of [historyFile, checkpointFile, keysFile, inclusionFile, streamsFile])
    if (!hashes.has(path)) throw new WrongExport(`${path} is missing`)
  const keys = keysOf(keysFile, text(keysFile, await files.bytes(keysFile)))
  const note = text(checkpointFile, await files.bytes(checkpointFile))
  const checkpoint = openTrusted(checkpointFile, note, keys, trusted && keysGiven(trusted))
  const entries = await checkInclusion(files, checkpoint)
  await checkStreams(files, entries)
  const { attached, certificates, orderNumbers } = await checkHistory(files, entries)
  if (orderNumbers.join() !== orderNumber)
    throw new WrongExport(
      `${manifestFile} names the order ${orderNumber}, but ${historyFile} registers ${orderNumbers.join(', ') || 'none'}`,
    )
  const named = [...attached.values()].flatMap((files) => [...files.values()])
  const originals = checkNamed(hashes, originalsFolder, named, 'original')
  return {
    orderNumber,
    company: companyName,
    cleared: manifest.cleared,
    events: entries.size,
    originals,
    signedBy: checkpoint.signedBy,
    isKeyTrusted: trusted !== undefined,
    withoutOriginal: [...certificates]
      .filter(([id]) => !attached.get(id)?.size)
      .map(([, name]) => name)
      .sort(),
  }
}

const packFormat = 'heatmark-order-pack/1'

interface Manifest extends FileList {
  readonly companyName: string
  readonly orderNumber: string
  readonly cleared: boolean
}

/** The part of a manifest that lists the other files. */
export interface FileList {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[]
}

/** @param what names the kind of the ZIP file in the message */
export async function manifestOf(files: ExportFiles, format: string, what: string): Promise<FileList> {
  const wrong = () => new WrongExport(`${manifestFile} is not the manifest of ${what}`)
  if (!files.paths.includes(manifestFile)) throw new WrongExport(`${manifestFile} is missing`)
  const manifest = jsonIn(text(manifestFile, await files.bytes(manifestFile)), wrong) as FileList & {
    readonly format: unknown
  }
  if (manifest.format !== format || !Array.isArray(manifest.files)) throw wrong()
  return manifest
}

/** Return the hash of each file by its path: the files are those that the manifest lists, and no others. */
export async function checkFiles(
  files: ExportFiles,
  { files: listed }: FileList,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>()
  for (const one of listed) {
    if (typeof one?.path !== 'string') throw new WrongExport(`${manifestFile} lists a file without a path`)
    if (!files.paths.includes(one.path)) throw new WrongExport(`${one.path} is missing`)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of files.stream(one.path)) {
      hash.update(part)
      bytes += part.length
    }
    const found = hash.digest('hex')
    if (found !== one.sha256 || bytes !== one.bytes)
      throw new WrongExport(`${one.path} is not the file that ${manifestFile} lists`)
    hashes.set(one.path, found)
  }
  for (const path of files.paths)
    if (path !== manifestFile && !hashes.has(path))
      throw new WrongExport(`${path} is not listed in ${manifestFile}`)
  return hashes
}

/** An entry of the log. */
interface Entry {
  readonly id: string
  readonly revision: number
  readonly sha256: string
  readonly stream: string
  readonly type: string
}

/** Return the entries that the checkpoint covers, by their hashes of the events. */
async function checkInclusion(
  files: ExportFiles,
  { size, root }: Checkpoint,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  let number = 0
  for await (const bytes of linesOf(files, inclusionFile)) {
    number += 1
    const where = `${inclusionFile}, line ${number}`
    const wrong = () => new WrongExport(`${where}: this is not the proof of an event`)
    const line = jsonIn(text(where, bytes), wrong) as { entry: string; index: number; proof: string[] }
    if (typeof line.entry !== 'string' || !Array.isArray(line.proof)) throw wrong()
    if (!line.proof.every((sibling) => typeof sibling === 'string')) throw wrong()
    const head = headOf(leafHash(line.entry), line.index, size, line.proof)
    if (!head?.equals(root)) throw new WrongExport(`${where}: the checkpoint does not cover this event`)
    const entry = jsonIn(line.entry, wrong) as Entry
    if (typeof entry.stream !== 'string') throw wrong()
    if (entries.has(entry.sha256)) throw new WrongExport(`${where}: the event is there twice`)
    entries.set(entry.sha256, entry)
  }
  return entries
}

/** Return the head that a proof leads to (RFC 9162, 2.1.3.2); undefined for a proof of another index or size. */
function headOf(leaf: Buffer, index: number, size: number, proof: readonly string[]): Buffer | undefined {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return undefined
  let [at, last] = [index, size - 1]
  let head = leaf
  // A proof that is too long leads to another head.
  for (const sibling of proof) {
    const hash = Buffer.from(sibling, 'base64')
    if (at % 2 === 1 || at === last) {
      head = nodeHash(hash, head)
      while (at % 2 === 0 && at !== 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
    } else head = nodeHash(head, hash)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 ? head : undefined
}

/** Each stream has every revision from 0 to the last one. */
async function checkStreams(files: ExportFiles, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const wrong = () => new WrongExport(`${streamsFile} is not a list of streams`)
  const last = jsonIn(text(streamsFile, await files.bytes(streamsFile)), wrong) as Record<string, number>
  const ofStream = Map.groupBy(entries.values(), ({ stream }) => stream)
  for (const [stream, found] of ofStream) {
    const revisions = found.map(({ revision }) => revision).sort((one, other) => one - other)
    const gap = revisions.findIndex((revision, place) => revision !== place)
    if (gap >= 0) throw new WrongExport(`${inclusionFile}: event ${gap} of the stream ${stream} is missing`)
    if (last[stream] !== revisions.length - 1)
      throw new WrongExport(`${streamsFile}: the stream ${stream} ends with event ${revisions.length - 1}`)
  }
  for (const stream of Object.keys(last))
    if (!ofStream.has(stream))
      throw new WrongExport(`${streamsFile}: ${stream} has no event in ${inclusionFile}`)
}

interface Line extends Omit<Entry, 'sha256'> {
  readonly data: {
    readonly orderNumber?: string
    readonly millCertificationId?: string
    readonly certificateNumber?: string
    readonly heatNumber?: string
    readonly documentId?: string
    readonly sha256?: string
    readonly fileName?: string
  }
}

/** A file that events name. */
export interface NamedFile {
  readonly sha256: string
  readonly fileName: string
}

async function checkHistory(files: ExportFiles, entries: ReadonlyMap<string, Entry>) {
  const certificates = new Map<string, string>()
  const attached = new Map<string, Map<string, NamedFile>>()
  const orderNumbers: (string | undefined)[] = []
  const unread = new Map(entries)
  let number = 0
  for await (const bytes of linesOf(files, historyFile)) {
    number += 1
    const where = `${historyFile}, line ${number}`
    if (!unread.delete(sha256(bytes).toString('hex')))
      throw new WrongExport(`${where}: ${inclusionFile} does not prove this event, or it is there twice`)
    const wrong = () => new WrongExport(`${where}: this is not an event`)
    const { type, data } = jsonIn(text(where, bytes), wrong) as Line
    if (!data) throw wrong()
    const { millCertificationId: id = '', documentId = '', sha256: hash = '', fileName = '' } = data
    if (type === 'OrderRegistered') orderNumbers.push(data.orderNumber)
    if (type === 'MillCertificateRegistered')
      certificates.set(id, `${data.certificateNumber} of heat ${data.heatNumber}`)
    if (type !== 'DocumentAttached' && type !== 'DocumentDetached') continue
    const ofCertificate = attached.get(id) ?? new Map<string, NamedFile>()
    attached.set(id, ofCertificate)
    if (type === 'DocumentAttached') ofCertificate.set(documentId, { sha256: hash, fileName })
    else ofCertificate.delete(documentId)
  }
  // An event may be left out only if it names another order, and only events of bars can.
  for (const { stream, revision } of unread.values())
    if (!stream.startsWith(barStreams))
      throw new WrongExport(`${historyFile}: event ${revision} of the stream ${stream} is missing`)
  return { certificates, attached, orderNumbers }
}

/**
 * Return the number of files in a folder: every one that the events name, and no other.
 * @param what names the kind of the files in the message
 */
export function checkNamed(
  hashes: ReadonlyMap<string, string>,
  folder: string,
  named: readonly NamedFile[],
  what: string,
): number {
  const enclosed = [...hashes].filter(([path]) => path.startsWith(folder))
  const found = new Set(enclosed.map(([, hash]) => hash))
  for (const { sha256: hash, fileName } of named)
    if (!found.has(hash))
      throw new WrongExport(`${folder}: the ${what} "${fileName}" (SHA-256 ${hash}) is missing`)
  const known = new Set(named.map(({ sha256: hash }) => hash))
  for (const [path, hash] of enclosed)
    if (!known.has(hash)) throw new WrongExport(`${path}: no event names this file`)
  return enclosed.length
}

/** Return the result of a check in sentences. */
export function tellPack(verdict: PackVerdict): string {
  const { orderNumber, company, events, originals, cleared, withoutOriginal, signedBy, isKeyTrusted } =
    verdict
  return [
    `the pack of order ${printable(orderNumber)} of ${printable(company)} is unchanged: ${originals} originals, and ${events} events that the signed history has`,
    `signed by the key ${signedBy.join(', ')}`,
    ...(cleared ? [] : ['The order was not cleared when the pack was issued.']),
    ...withoutOriginal.map((name) => `The original of certificate ${printable(name)} is missing.`),
    ...(isKeyTrusted
      ? []
      : ['--keys was not given: anybody could have signed. Compare the key with the one that you know.']),
    'A check cannot show that a recorded fact is true, or what happened after the pack was issued. The cover sheet, the tables and the manifest are not signed: the name of the company, and whether the order was cleared, are only claims.',
  ].join('\n')
}

if (import.meta.main)
  await runCheck('verifyPack.ts', ['keys'], async (files, { keys }) =>
    tellPack(await verifyPack(files, keys)),
  )
