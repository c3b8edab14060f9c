#!/usr/bin/env node
import {
  createHash,
  createHmac,
  createPublicKey,
  hash,
  type KeyObject,
  verify,
  X509Certificate,
} from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createInflateRaw } from 'node:zlib'

/**
 * Check the export of a company's history offline: `node verifyExport.ts FOLDER|ZIP`, or `heatmark audit verify`.
 * docs/audit.md describes what is checked. The file imports nothing but Node itself, so that it can be read, copied
 * and run alone. It shares no code with the service: an error there cannot excuse itself here.
 */

/** The first thing found that is wrong. */
export class WrongExport extends Error {
  override readonly name = 'WrongExport'
  constructor(message: string) {
    super(printable(message))
  }
}

/** The files of an export by their paths. */
export interface ExportFiles {
  readonly paths: readonly string[]
  /** @throws WrongExport when the file is damaged */
  bytes(path: string): Promise<Buffer>
  stream(path: string): AsyncIterable<Buffer>
}

export interface Trusted {
  /** Contents of `keys.json` files that came by another way than the export. */
  readonly keys?: readonly string[]
  /** Contents of PEM files with the certificates that issue those of timestamp authorities. */
  readonly tsa?: readonly string[]
  /** Older checkpoints of the same log, by a name for messages. */
  readonly checkpoints?: readonly { readonly name: string; readonly note: string }[]
}

/** A time that an authority has confirmed for an older checkpoint. */
export interface Timestamp {
  readonly events: number
  /** RFC 3339. */
  readonly at: string
  /** The name of the authority's certificate. */
  readonly by: string
  /** Whether the certificate was checked by the file of --tsa. */
  readonly isTrusted: boolean
}

export interface Verdict {
  readonly events: number
  readonly company: string
  /** When the last event happened, as it says itself; undefined when it says nothing. */
  readonly until: string | undefined
  /** The thumbprints of the keys that signed the checkpoint. */
  readonly signedBy: readonly string[]
  readonly isKeyTrusted: boolean
  /** The sizes of the older checkpoints that the history was found to continue. */
  readonly continues: readonly number[]
  /** Whether there are any, and each was signed by a key that signed the export, too. */
  readonly isKeyContinued: boolean
  /** undefined for an export without a timestamp. */
  readonly timestamp: Timestamp | undefined
}

const eventsFile = 'events.ndjson'
const keysFile = 'keys.json'
const checkpointFile = 'checkpoint'
const personsFile = 'persons.ndjson'
/** The last checkpoint with a timestamp, and its timestamp. An export may have neither. */
const anchorFile = 'anchor/checkpoint'
const timestampFile = 'anchor/timestamp'
/** It explains the export and is not checked. */
const readmeFile = 'README.txt'

const hashBytes = 32
const tileWidth = 256
/** An event store accepts no event near this size. */
const longestLine = 64 * 1_048_576

/** @throws WrongExport that names the first wrong file, and the line in it */
export async function verifyExport(files: ExportFiles, trusted: Trusted = {}): Promise<Verdict> {
  for (const path of [eventsFile, checkpointFile, keysFile, personsFile])
    if (!files.paths.includes(path)) throw new WrongExport(`${path} is missing`)
  const keys = keysOf(keysFile, text(keysFile, await files.bytes(keysFile)))
  const given = trusted.keys && keysGiven(trusted.keys)
  const note = text(checkpointFile, await files.bytes(checkpointFile))
  const checkpoint = openTrusted(checkpointFile, note, keys, given)
  const older = (trusted.checkpoints ?? []).map(({ name, note }) => {
    // The signature under the name of another log would look like that of an unknown key.
    if (note.startsWith('heatmark/')) requireSameLog(name, note.split('\n', 1)[0]!, checkpoint)
    // The key may have been replaced since.
    return { ...openNote(name, note, given ?? keys), name }
  })
  const anchor = await readAnchor(files, keys, trusted.tsa)
  const compared = [...older, ...(anchor ? [anchor.checkpoint] : [])]
  for (const { name, origin, size } of compared) {
    requireSameLog(name, origin, checkpoint)
    if (size > checkpoint.size)
      throw new WrongExport(
        `${name} covers ${counted(size)}, but the export has only ${checkpoint.size}: the end is cut off, or the export is older`,
      )
  }
  checkPaths(files.paths, checkpoint.size)
  const tiles = await checkTiles(files, checkpoint)
  const read = await checkEvents(files, checkpoint, compared, tiles)
  await checkPersons(files, read.authors)
  return {
    events: checkpoint.size,
    company: read.company,
    until: read.until,
    signedBy: checkpoint.signedBy,
    isKeyTrusted: trusted.keys !== undefined,
    continues: older.map(({ size }) => size),
    isKeyContinued:
      older.length > 0 &&
      older.every(({ signedBy }) => signedBy.some((kid) => checkpoint.signedBy.includes(kid))),
    timestamp: anchor?.timestamp,
  }
}

function requireSameLog(name: string, origin: string, checkpoint: Checkpoint): void {
  if (origin !== checkpoint.origin) throw new WrongExport(`${name} belongs to another log: ${origin}`)
}

/** The key may have been replaced since. What the checkpoint says is compared with the events. */
async function readAnchor(files: ExportFiles, keys: readonly Key[], tsa: readonly string[] | undefined) {
  if (![anchorFile, timestampFile].some((path) => files.paths.includes(path))) return undefined
  for (const path of [anchorFile, timestampFile])
    if (!files.paths.includes(path)) throw new WrongExport(`${path} is missing`)
  const note = await files.bytes(anchorFile)
  const checkpoint = { ...openNote(anchorFile, text(anchorFile, note), keys), name: anchorFile }
  const timestamp = openTimestamp(await files.bytes(timestampFile), note, tsa)
  return { checkpoint, timestamp: { events: checkpoint.size, ...timestamp } }
}

/** A forged size may ask for any number of tiles, so this ends with the first that is missing. */
function checkPaths(paths: readonly string[], size: number): void {
  const unexplained = new Set(paths)
  for (const path of [
    eventsFile,
    checkpointFile,
    keysFile,
    personsFile,
    readmeFile,
    anchorFile,
    timestampFile,
  ])
    unexplained.delete(path)
  for (const path of tilePaths(size))
    if (!unexplained.delete(path)) throw new WrongExport(`${path} is missing`)
  for (const path of unexplained) throw new WrongExport(`${path} does not belong to an export`)
}

// Keys and signed notes

export interface Key {
  readonly kid: string
  readonly name: string
  readonly id: Buffer
  readonly publicKey: KeyObject
}

/** Read a key set. Everything in it follows from `x` and the name of the key, and must be written just so. */
export function keysOf(file: string, content: string): Key[] {
  const wrong = () => new WrongExport(`${file} is not a set of Ed25519 keys in the form that exports have`)
  const { keys } = jsonIn(content, wrong) as { keys?: { x?: unknown; vkey?: unknown }[] }
  if (!Array.isArray(keys) || keys.length === 0) throw wrong()
  const found = keys.map((key) => {
    if (typeof key?.x !== 'string' || typeof key.vkey !== 'string') throw wrong()
    const name = key.vkey.slice(0, Math.max(0, key.vkey.indexOf('+')))
    const bytes = Buffer.from(key.x, 'base64url')
    if (bytes.length !== hashBytes) throw wrong()
    const typed = Buffer.concat([Buffer.of(1), bytes])
    const id = sha256(`${name}\n`, typed).subarray(0, 4)
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') } as const
    const kid = sha256(JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x })).toString('base64url')
    const vkey = `${name}+${id.toString('hex')}+${typed.toString('base64')}`
    const written = { ...jwk, use: 'sig', alg: 'EdDSA', kid, vkey }
    return { kid, name, id, written, publicKey: createPublicKey({ key: { ...jwk }, format: 'jwk' }) }
  })
  if (`${JSON.stringify({ keys: found.map(({ written }) => written) })}\n` !== content) throw wrong()
  return found
}

/** Return the keys in the files of --keys, which came through another channel than the export. */
export function keysGiven(sets: readonly string[]): Key[] {
  return sets.flatMap((set) => keysOf('the file of --keys', set))
}

/** A service signs the logs of all companies with one key, so a key is trusted under its name alone. */
function onlyTrusted(keys: readonly Key[], given: readonly Key[]): Key[] {
  const trusted = keys.filter(({ kid }) => given.some((one) => one.kid === kid))
  const both = trusted.filter(({ kid, name }) => given.some((one) => one.kid === kid && one.name === name))
  if (both.length > 0) return both
  if (trusted.length > 0)
    throw new WrongExport(
      `${keysFile} belongs to another log than the trusted keys: ${trusted.map(({ name }) => name).join(', ')}`,
    )
  throw new WrongExport(
    `${keysFile} has none of the trusted keys: the export is signed by ${keys.map(({ kid }) => kid).join(', ')}. ${onReplacedKeys}`,
  )
}

const onReplacedKeys =
  'If the operator has replaced the key, ask the operator for the new one through another channel than this file, and give it with a second --keys.'

/** Read a checkpoint. If keys are given, one of them must have signed it. */
export function openTrusted(
  file: string,
  note: string,
  keys: readonly Key[],
  given: readonly Key[] | undefined,
): Checkpoint {
  const trusted = given ? onlyTrusted(keys, given) : keys
  const checkpoint = openNote(file, note, keys)
  const signedBy = checkpoint.signedBy.filter((kid) => trusted.some((key) => key.kid === kid))
  if (signedBy.length === 0)
    throw new WrongExport(
      `${file} is signed by the key ${checkpoint.signedBy.join(', ')}, and by none of --keys. ${onReplacedKeys}`,
    )
  return { ...checkpoint, signedBy }
}

export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
  readonly signedBy: readonly string[]
}

/** Read a checkpoint, and check its signatures by the known keys. Signatures by other keys are ignored. */
function openNote(file: string, note: string, keys: readonly Key[]): Checkpoint {
  const end = note.lastIndexOf('\n\n')
  const signed = note.slice(0, end + 1)
  const [origin = '', size = '', root = '', ...rest] = signed.split('\n')
  if (end < 0 || rest.join() !== '')
    throw new WrongExport(`${file} is not a checkpoint of three lines with a signature`)
  if (!/^heatmark\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(origin))
    throw new WrongExport(`${file}, line 1: this is not the origin of a company's log`)
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size)))
    throw new WrongExport(`${file}, line 2: this is not the size of a log`)
  const head = Buffer.from(root, 'base64')
  if (head.length !== hashBytes || head.toString('base64') !== root)
    throw new WrongExport(`${file}, line 3: this is not a SHA-256 hash in base64`)
  const signedBy = signersOf(file, { signed, lines: note.slice(end + 2), origin }, keys)
  return { origin, size: Number(size), root: head, signedBy }
}

function signersOf(
  file: string,
  { signed, lines, origin }: { signed: string; lines: string; origin: string },
  keys: readonly Key[],
): string[] {
  const signers: string[] = []
  if (!lines.endsWith('\n')) throw new WrongExport(`${file} is cut off: it does not end with a line feed`)
  for (const [index, line] of lines.slice(0, -1).split('\n').entries()) {
    const where = `${file}, line ${index + 5}`
    const [, name, encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length < 5 || bytes.toString('base64') !== encoded)
      throw new WrongExport(`${where}: this is not a signature`)
    const key = keys.find((one) => one.name === name && one.id.equals(bytes.subarray(0, 4)))
    if (!key || name !== origin) continue
    if (signers.includes(key.kid)) throw new WrongExport(`${where}: the key ${key.kid} has signed already`)
    if (!verify(null, Buffer.from(signed), key.publicKey, bytes.subarray(4)))
      throw new WrongExport(`${where}: the signature is not that of the key ${key.kid}`)
    signers.push(key.kid)
  }
  if (signers.length === 0) throw new WrongExport(`${file} has no signature by a known key`)
  return signers
}

// Timestamps of an authority (RFC 3161, RFC 5652)

/** One element of ASN.1, as DER writes it. */
interface Der {
  readonly tag: number
  readonly content: Buffer
  readonly whole: Buffer
}

const setTag = 0x31
/** The first member of its kind, which may be missing. */
const certificatesTag = 0xa0
const timestampInfoId = Buffer.from('2a864886f70d0109100104', 'hex')
const contentTypeId = Buffer.from('2a864886f70d010903', 'hex')
const messageDigestId = Buffer.from('2a864886f70d010904', 'hex')
const digestNames: Readonly<Record<string, string>> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
}
const forTimestamps = '1.3.6.1.5.5.7.3.8'

/** @param tsa contents of PEM files; undefined when nobody gave any */
function openTimestamp(
  token: Buffer,
  stamped: Buffer,
  tsa: readonly string[] | undefined,
): Omit<Timestamp, 'events'> {
  const { info, attributes, digestName, signature, certificates } = partsOf(token)
  const { digest, at } = infoIn(info)
  if (!digest.equals(sha256(stamped)))
    throw new WrongExport(`${timestampFile}: the authority has confirmed something else than ${anchorFile}`)
  const signer = certificates.find(({ publicKey }) =>
    isSignedBy(publicKey, attributes, digestName, signature),
  )
  if (!signer) throw new WrongExport(`${timestampFile}: the signature is not that of a certificate in it`)
  if (!signer.keyUsage?.includes(forTimestamps))
    throw new WrongExport(`${timestampFile}: the certificate is not one for timestamps`)
  if (at < signer.validFromDate || at > signer.validToDate)
    throw new WrongExport(`${timestampFile}: the certificate was not valid at the time of the timestamp`)
  const trusted = tsa?.flatMap(certificatesIn)
  if (trusted && !isIssuedBy(signer, trusted, certificates))
    throw new WrongExport(`${timestampFile}: the certificate was not issued by one of --tsa`)
  return { at: at.toISOString(), by: signer.subject.replaceAll('\n', ', '), isTrusted: trusted !== undefined }
}

/** The signed part of a token, with what its signature is checked by. */
function partsOf(token: Buffer) {
  const [, signedData] = membersOf(need(derIn(token)[0]))
  const [, , content, ...others] = membersOf(membersOf(signedData)[0])
  const info = need(membersOf(membersOf(content)[1])[0]).content
  const certificates = membersOf(others.find(({ tag }) => tag === certificatesTag)).map(certificateIn)
  const signers = membersOf(others.find(({ tag }) => tag === setTag))
  const [, , digest, attributes, , signature] = membersOf(signers[0])
  const digestName = need(digestNames[need(membersOf(digest)[0]).content.toString('hex')])
  const attribute = (type: Buffer) =>
    membersOf(attributes)
      .map(membersOf)
      .find(([name]) => name?.content.equals(type))?.[1]
  if (!need(membersOf(attribute(contentTypeId))[0]).content.equals(timestampInfoId))
    throw new WrongExport(`${timestampFile}: it was signed as something else than a timestamp`)
  if (
    !need(membersOf(attribute(messageDigestId))[0]).content.equals(
      createHash(digestName).update(info).digest(),
    )
  )
    throw new WrongExport(`${timestampFile}: the signature is that of another timestamp`)
  return { info, attributes: need(attributes), digestName, signature: need(signature).content, certificates }
}

/** Return the hash that the authority confirms, and the time at which it saw the text. */
function infoIn(info: Buffer): { digest: Buffer; at: Date } {
  const [, , imprint, , time] = membersOf(derIn(info)[0])
  const [, digest] = membersOf(imprint)
  const [, day, clock] = need(
    /^(\d{8})(\d{6})(?:\.\d+)?Z$/.exec(need(time).content.toString('latin1')) ?? undefined,
  )
  const at = `${day!.replace(/(....)(..)(..)/, '$1-$2-$3')}T${clock!.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`
  return { digest: need(digest).content, at: new Date(at) }
}

/** The attributes are signed as a set, which is not how the token tags them. */
function isSignedBy(key: KeyObject, attributes: Der, digestName: string, signature: Buffer): boolean {
  const signed = Buffer.concat([Buffer.of(setTag), attributes.whole.subarray(1)])
  try {
    return verify(key.asymmetricKeyType?.startsWith('ed') ? null : digestName, signed, key, signature)
  } catch {
    return false
  }
}

function isIssuedBy(
  one: X509Certificate,
  trusted: readonly X509Certificate[],
  others: readonly X509Certificate[],
  steps = 5,
): boolean {
  const signs = (issuer: X509Certificate) => one.checkIssued(issuer) && one.verify(issuer.publicKey)
  if (trusted.some((root) => root.raw.equals(one.raw) || signs(root))) return true
  return (
    steps > 0 &&
    others.some((other) => other.ca && signs(other) && isIssuedBy(other, trusted, others, steps - 1))
  )
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? []
  if (blocks.length === 0) throw new WrongExport('the file of --tsa has no certificate')
  return blocks.map((block) => new X509Certificate(block))
}

function certificateIn({ whole }: Der): X509Certificate {
  try {
    return new X509Certificate(whole)
  } catch {
    throw notTimestamp()
  }
}

function membersOf(element: Der | undefined): Der[] {
  return derIn(need(element).content)
}

/** Read elements that follow each other. */
function derIn(bytes: Buffer): Der[] {
  const elements: Der[] = []
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, short = 0] = bytes.subarray(at)
    const start = at + 2 + (short < 0x80 ? 0 : short - 0x80)
    const length = short < 0x80 ? short : Number(`0x${bytes.toString('hex', at + 2, start)}`)
    const end = start + length
    // The length may be missing, too, and then it is no number.
    if (!(end <= bytes.length)) throw notTimestamp()
    elements.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return elements
}

function need<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notTimestamp()
  return value
}

function notTimestamp(): WrongExport {
  return new WrongExport(`${timestampFile} is not a timestamp of RFC 3161`)
}

// The Merkle tree of RFC 6962, and its tiles

export function leafHash(entry: string): Buffer {
  return sha256(Buffer.of(0), entry)
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.of(1), left, right)
}

/** Add leaf after leaf, and give the head of the tree at any size. */
class Head {
  size = 0
  /** Complete subtrees from left to right, each with the number of its leaves. */
  #subtrees: { readonly leaves: number; readonly hash: Buffer }[] = []

  add(hash: Buffer): void {
    this.size += 1
    let right = { leaves: 1, hash }
    for (let left = this.#subtrees.at(-1); left?.leaves === right.leaves; left = this.#subtrees.at(-1)) {
      this.#subtrees.pop()
      right = { leaves: 2 * right.leaves, hash: nodeHash(left.hash, right.hash) }
    }
    this.#subtrees.push(right)
  }

  root(): Buffer {
    const last = this.#subtrees.at(-1)
    if (!last) return sha256()
    return this.#subtrees.slice(0, -1).reduceRight((right, { hash }) => nodeHash(hash, right), last.hash)
  }
}

/** The number of hashes in the tiles of each level. */
function* tileLevels(size: number): Generator<{ level: number; hashes: number }> {
  for (let [level, hashes] = [0, size]; hashes > 0; level += 1, hashes = Math.floor(hashes / tileWidth))
    yield { level, hashes }
}

function tilePath(level: number, index: number, hashes: number): string {
  const digits = String(index)
  const groups = digits.padStart(3 * Math.ceil(digits.length / 3), '0').match(/.../g)!
  const width = Math.min(tileWidth, hashes - index * tileWidth)
  const path = [...groups.slice(0, -1).map((group) => `x${group}`), groups.at(-1)].join('/')
  return `tile/${level}/${path}${width < tileWidth ? `.p/${width}` : ''}`
}

function* tilePaths(size: number): Generator<string> {
  for (const { level, hashes } of tileLevels(size))
    for (let index = 0; index * tileWidth < hashes; index += 1) yield tilePath(level, index, hashes)
}

interface CheckedTiles {
  /** Whether the hashes of the lowest tiles are those that the checkpoint has signed. */
  readonly areSigned: boolean
  leaf(index: number): Promise<Buffer>
}

/** The tiles tell which line is wrong, once they are known to be right themselves. */
async function checkTiles(files: ExportFiles, { size, root }: Checkpoint): Promise<CheckedTiles> {
  let held: { readonly path: string; readonly bytes: Buffer } | undefined
  const hashAt = async (level: number, hashes: number, index: number) => {
    const path = tilePath(level, Math.floor(index / tileWidth), hashes)
    if (held?.path !== path) held = { path, bytes: await files.bytes(path) }
    const width = Math.min(tileWidth, hashes - Math.floor(index / tileWidth) * tileWidth)
    if (held.bytes.length !== width * hashBytes)
      throw new WrongExport(`${path} has ${held.bytes.length} bytes instead of ${width * hashBytes}`)
    const from = (index % tileWidth) * hashBytes
    return held.bytes.subarray(from, from + hashBytes)
  }
  const leaf = (index: number) => hashAt(0, size, index)
  const head = new Head()
  for (let index = 0; index < size; index += 1) head.add(await leaf(index))
  const areSigned = head.root().equals(root)
  for (const { level, hashes } of tileLevels(size)) {
    if (level === 0 || !areSigned) continue
    const below = [...tileLevels(size)][level - 1]!.hashes
    for (let index = 0; index < hashes; index += 1) {
      const expected = await hashAt(level, hashes, index)
      const tile = new Head()
      for (let child = 0; child < tileWidth; child += 1)
        tile.add(await hashAt(level - 1, below, index * tileWidth + child))
      if (!tile.root().equals(expected))
        throw new WrongExport(
          `${tilePath(level, Math.floor(index / tileWidth), hashes)}: hash ${(index % tileWidth) + 1} is not that of the tile below`,
        )
    }
  }
  return { areSigned, leaf }
}

// Events

interface ReadEvents {
  readonly company: string
  readonly until: string | undefined
  /** User id and name hash of each author, as JSON. */
  readonly authors: ReadonlySet<string>
}

interface Line {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly metadata: {
    readonly actor?: { id?: unknown; nameHash?: unknown }
    readonly occurredAt?: unknown
  } | null
  readonly data: { readonly name?: unknown } | null
}

async function checkEvents(
  files: ExportFiles,
  checkpoint: Checkpoint,
  older: readonly (Checkpoint & { readonly name: string })[],
  tiles: CheckedTiles,
): Promise<ReadEvents> {
  const companyId = checkpoint.origin.split('/')[2]!
  const head = new Head()
  const revisions = new Map<string, number>()
  const authors = new Set<string>()
  let company = companyId
  let until: string | undefined
  let firstOff: string | undefined
  const compare = () => {
    for (const { name, size, root } of older)
      if (size === head.size && !root.equals(head.root()))
        throw new WrongExport(
          `${name} was signed for other events: something in the first ${counted(size)} of ${eventsFile} was changed later`,
        )
  }
  compare()
  for await (const bytes of linesOf(files, eventsFile)) {
    const where = `${eventsFile}, line ${head.size + 1}`
    if (head.size === checkpoint.size)
      throw new WrongExport(`${where}: the checkpoint covers only ${counted(checkpoint.size)}`)
    const { line, entry } = lineIn(bytes, where)
    const leaf = leafHash(entry)
    if (tiles.areSigned && !leaf.equals(await tiles.leaf(head.size)))
      throw new WrongExport(`${where}: this is not the event that was recorded here`)
    checkPlace(line, companyId, revisions, where)
    if (!tiles.areSigned && firstOff === undefined && !leaf.equals(await tiles.leaf(head.size)))
      firstOff = where
    const { actor, occurredAt } = line.metadata ?? {}
    if (actor?.nameHash !== undefined) authors.add(JSON.stringify([actor.id, actor.nameHash]))
    if (typeof occurredAt === 'string' && /^\d{4}(-\d\d){2}T\d\d:\d\d/.test(occurredAt)) until = occurredAt
    if (line.type === 'CompanyRegistered' && typeof line.data?.name === 'string') company = line.data.name
    head.add(leaf)
    compare()
  }
  if (head.size < checkpoint.size)
    throw new WrongExport(
      `${eventsFile} ends after line ${head.size}, but the checkpoint covers ${counted(checkpoint.size)}`,
    )
  if (!head.root().equals(checkpoint.root))
    throw new WrongExport(
      firstOff
        ? `${firstOff}: this event and the tiles differ, and the checkpoint was signed for neither`
        : `${checkpointFile}, line 3: the checkpoint was signed for other events than those of ${eventsFile}`,
    )
  if (!tiles.areSigned)
    throw new WrongExport(
      `the tiles under tile/0 differ from the events, and the checkpoint was signed for the events`,
    )
  return { company, until, authors }
}

function lineIn(bytes: Buffer, where: string): { line: Line; entry: string } {
  const wrong = () => new WrongExport(`${where}: this is not an event in the form that exports have`)
  const content = text(where, bytes)
  const line = jsonIn(content, wrong) as Line
  const { stream, revision, id, type, metadata, data } = line
  if (JSON.stringify({ stream, revision, id, type, metadata, data }) !== content) throw wrong()
  if (![stream, id, type].every((value) => typeof value === 'string')) throw wrong()
  if (!Number.isSafeInteger(revision) || revision < 0) throw wrong()
  const entry = JSON.stringify({ id, revision, sha256: sha256(bytes).toString('hex'), stream, type, v: 1 })
  return { line, entry }
}

/** A stream has every revision from 0 on, and belongs to the company of the log. */
function checkPlace(
  { stream, revision }: Line,
  companyId: string,
  revisions: Map<string, number>,
  where: string,
): void {
  const owner = /^(?!account-)[^-]+-([0-9a-f-]{36})(?:_|$)/i.exec(stream)?.[1]
  if (owner?.toLowerCase() !== companyId)
    throw new WrongExport(`${where}: the stream ${stream} does not belong to company ${companyId}`)
  const next = (revisions.get(stream) ?? -1) + 1
  if (revision !== next)
    throw new WrongExport(
      `${where}: the stream ${stream} goes on with event ${revision} where event ${next} must follow`,
    )
  revisions.set(stream, revision)
}

// Persons

async function checkPersons(files: ExportFiles, authors: ReadonlySet<string>): Promise<void> {
  const seen = new Set<string>()
  let number = 0
  for await (const bytes of linesOf(files, personsFile)) {
    number += 1
    const where = `${personsFile}, line ${number}`
    const wrong = () => new WrongExport(`${where}: this is not a person in the form that exports have`)
    const content = text(where, bytes)
    const person = jsonIn(content, wrong) as Record<'userId' | 'nameHash' | 'name' | 'salt', string>
    const { userId, nameHash, name, salt } = person
    if (JSON.stringify({ userId, nameHash, name, salt }) !== content) throw wrong()
    if (![name, salt].every((value) => typeof value === 'string') || !/^[0-9a-f]{64}$/.test(salt))
      throw wrong()
    if (createHmac('sha256', Buffer.from(salt, 'hex')).update(name).digest('hex') !== nameHash)
      throw new WrongExport(`${where}: the name is not the one whose hash the events hold`)
    const author = JSON.stringify([userId, nameHash])
    if (!authors.has(author)) throw new WrongExport(`${where}: no event has this author`)
    if (seen.has(author)) throw new WrongExport(`${where}: the person is named twice`)
    seen.add(author)
  }
}

// Files

/** Return the lines without their line feeds. @throws WrongExport when the last one lacks it */
export async function* linesOf(files: ExportFiles, path: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let held = 0
  let number = 1
  for await (const chunk of files.stream(path)) {
    let from = 0
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, feed)])
      ;[begun, held, from] = [[], 0, feed + 1]
      number += 1
    }
    begun.push(chunk.subarray(from))
    held += chunk.length - from
    if (held > longestLine) throw new WrongExport(`${path}, line ${number}: this is longer than any event`)
  }
  if (held > 0) throw new WrongExport(`${path}, line ${number} is cut off: it does not end with a line feed`)
}

/** Open an export that is a folder or a ZIP file. @throws Error when there is none */
export function openExport(path: string): ExportFiles {
  return statSync(path).isDirectory() ? openFolder(path) : openZip(path)
}

function openFolder(folder: string): ExportFiles {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return {
    paths: entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => {
        const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
        // A ZIP file may hold a link to a device that never ends.
        if (!entry.isFile()) throw new WrongExport(`${path} is a link or a device, and no file`)
        return path
      }),
    bytes: async (path) => readFileSync(join(folder, path)),
    stream: (path) => createReadStream(join(folder, path)) as AsyncIterable<Buffer>,
  }
}

interface ZipEntry {
  readonly path: string
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

function openZip(file: string): ExportFiles {
  const entries = new Map<string, ZipEntry>()
  for (const entry of zipEntries(file)) {
    // Programs that pack a folder list it, too.
    if (entry.path.endsWith('/') && entry.size === 0) continue
    if (entries.has(entry.path)) throw new WrongExport(`the ZIP file holds ${entry.path} twice`)
    entries.set(entry.path, entry)
  }
  const stream = (path: string) => unpacked(file, entries.get(path)!)
  return {
    paths: [...entries.keys()],
    bytes: async (path) => {
      if (entries.get(path)!.size > longestLine) throw new WrongExport(`${path} is far too large`)
      return Buffer.concat(await Array.fromAsync(stream(path)))
    },
    stream,
  }
}

async function* unpacked(
  file: string,
  { path, method, packed, size, offset }: ZipEntry,
): AsyncGenerator<Buffer> {
  const damaged = () => new WrongExport(`${path} cannot be unpacked: the ZIP file is damaged or cut off`)
  const header = readAt(file, offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50 || ![0, 8].includes(method)) throw damaged()
  const nameBytes = header.readUInt16LE(26)
  const start = offset + 30 + nameBytes + header.readUInt16LE(28)
  // Other programs may go by this name, and would unpack something else.
  if (readAt(file, offset + 30, nameBytes).toString() !== path) throw damaged()
  if (start + packed > statSync(file).size) throw damaged()
  const raw: Readable = createReadStream(file, { start, end: start + packed - 1 })
  let left = size
  let isWhole = false
  try {
    const chunks = packed === 0 ? [] : method === 0 ? raw : inflated(raw)
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
    isWhole = left === 0
  } catch {
    // It cannot be unpacked, or not be read.
  } finally {
    raw.destroy()
  }
  if (!isWhole) throw damaged()
}

function inflated(raw: Readable): Readable {
  const inflate = createInflateRaw()
  raw.once('error', (error) => inflate.destroy(error))
  return raw.pipe(inflate)
}

/** Read the directory at the end of a ZIP file, also of one with more than 4 GiB. */
function* zipEntries(file: string): Generator<ZipEntry> {
  const damaged = () => new WrongExport('this is not a whole ZIP file: its directory is missing or damaged')
  const fileSize = statSync(file).size
  const end = readAt(file, fileSize - 22, 22)
  // Nothing follows the directory, so that every program finds the same one.
  if (end.length < 22 || end.readUInt32LE(0) !== 0x06054b50 || end.readUInt16LE(20) !== 0) throw damaged()
  let [count, bytes, from] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)]
  let directoryEnd = fileSize - 22
  const locator = readAt(file, fileSize - 42, 20)
  if (locator.length === 20 && locator.readUInt32LE(0) === 0x07064b50) {
    directoryEnd = Number(locator.readBigUInt64LE(8))
    const large = readAt(file, directoryEnd, 56)
    if (large.length < 56 || large.readUInt32LE(0) !== 0x06064b50) throw damaged()
    ;[count, bytes, from] = [32, 40, 48].map((at) => Number(large.readBigUInt64LE(at))) as [
      number,
      number,
      number,
    ]
  }
  if (from + bytes !== directoryEnd) throw damaged()
  const directory = readAt(file, from, bytes)
  let at = 0
  for (; count > 0; count -= 1) {
    if (directory.length < at + 46 || directory.readUInt32LE(at) !== 0x02014b50) throw damaged()
    const [nameBytes, extraBytes, noteBytes] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    ) as [number, number, number]
    const name = directory.subarray(at + 46, at + 46 + nameBytes)
    const extra = directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes)
    const sizes = [24, 20, 42].map((field) => directory.readUInt32LE(at + field))
    const [size, packed, offset] = withLargeSizes(sizes, extra) as [number, number, number]
    yield { path: name.toString(), method: directory.readUInt16LE(at + 10), packed, size, offset }
    at += 46 + nameBytes + extraBytes + noteBytes
  }
  if (at !== bytes) throw damaged()
}

/** A value of 2^32 - 1 stands for one that follows in the extra field 1. */
function withLargeSizes(values: readonly number[], extra: Buffer): number[] {
  let large: Buffer = Buffer.alloc(0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) large = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  let next = 0
  return values.map((value) => {
    if (value !== 0xff_ff_ff_ff || large.length < next + 8) return value
    next += 8
    return Number(large.readBigUInt64LE(next - 8))
  })
}

function readAt(file: string, position: number, length: number): Buffer {
  const handle = openSync(file, 'r')
  try {
    const isInside = position >= 0 && position <= fstatSync(handle).size
    const bytes = Buffer.alloc(isInside ? Math.min(length, fstatSync(handle).size - position) : 0)
    return bytes.subarray(0, bytes.length > 0 ? readSync(handle, bytes, 0, bytes.length, position) : 0)
  } finally {
    closeSync(handle)
  }
}

// Words

export function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  return hash('sha256', bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes), 'buffer')
}

export function text(where: string, bytes: Buffer): string {
  const decoded = bytes.toString()
  if (!Buffer.from(decoded).equals(bytes)) throw new WrongExport(`${where}: this is not UTF-8`)
  return decoded
}

export function jsonIn(content: string, wrong: () => WrongExport): object {
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // It is not JSON.
  }
  throw wrong()
}

function counted(events: number): string {
  return `${events.toLocaleString('en')} ${events === 1 ? 'event' : 'events'}`
}

/** Texts of an export must not command the terminal that shows them. */
export function printable(words: string): string {
  return words.replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')
}

/** Return the result of a check in sentences. */
export function tellVerdict(verdict: Verdict): string {
  const { events, company, until, signedBy, isKeyTrusted, continues, isKeyContinued, timestamp } = verdict
  const time = until === undefined ? '' : ` up to ${minute(until)}`
  const anchored =
    continues.length > 0
      ? `, anchored by ${continues.length === 1 ? 'a checkpoint' : 'checkpoints'} of ${counted(Math.max(...continues))}`
      : ''
  const stamped =
    timestamp &&
    `the first ${counted(timestamp.events)} existed on ${minute(timestamp.at)}, says ${printable(timestamp.by)}`
  const untrusted =
    continues.length > 0
      ? 'Another key signed an older --checkpoint, and --keys was not given: anybody could have signed the events that follow.'
      : 'Neither --keys nor an older --checkpoint was given: a history that was rewritten and signed again with another key would look the same.'
  const unanchored =
    'No older --checkpoint was given: a history that was changed before this export, and that the service has signed since, would look the same.'
  return [
    `${counted(events)} of ${printable(company)}, complete and unchanged${time}${anchored}`,
    `signed by the key ${signedBy.join(', ')}`,
    ...(stamped ? [`${stamped}${timestamp.isTrusted ? '' : ' (not checked: --tsa was not given)'}`] : []),
    ...(isKeyTrusted || isKeyContinued ? [] : [`${untrusted} Compare the key with the one that you know.`]),
    ...(isKeyTrusted && continues.length === 0 && !timestamp ? [unanchored] : []),
    'A check cannot show that a recorded fact is true, that every fact was recorded, or that nothing was cut off after the newest checkpoint that you hold.',
  ].join('\n')
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}

/** The paths of files to trust. */
export interface TrustedFiles {
  readonly checkpoints?: readonly string[] | undefined
  readonly keys?: readonly string[] | undefined
  readonly tsa?: readonly string[] | undefined
}

/** @throws Error when a file cannot be read */
export function trustedIn({ checkpoints = [], keys, tsa }: TrustedFiles): Trusted {
  const contents = (paths: readonly string[]) => paths.map((file) => readFileSync(file, 'utf8'))
  return {
    ...(keys && { keys: contents(keys) }),
    ...(tsa && { tsa: contents(tsa) }),
    checkpoints: checkpoints.map((name) => ({ name, note: readFileSync(name, 'utf8') })),
  }
}

/** @throws WrongExport; Error when a file cannot be read */
export async function verifyAt(path: string, trusted: TrustedFiles): Promise<Verdict> {
  return verifyExport(openExport(path), trustedIn(trusted))
}

/** The options of a check, each of which names files to trust. */
type TrustOption = 'checkpoint' | 'keys' | 'tsa'

/** Check the file or folder that the command line names. The process exits with 1 if it is wrong, and with 3 if it cannot be read. */
export async function runCheck(
  script: string,
  options: readonly TrustOption[],
  check: (files: ExportFiles, trusted: Trusted) => Promise<string>,
): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(options.map((name) => [name, { type: 'string', multiple: true }] as const)),
  })
  const [path] = positionals
  if (path === undefined || positionals.length > 1) {
    console.error(`usage: node ${script} FOLDER|ZIP ${options.map((name) => `[--${name} FILE]…`).join(' ')}`)
    process.exitCode = 2
    return
  }
  try {
    const { checkpoint, keys, tsa } = values as Partial<Record<TrustOption, string[]>>
    console.log(await check(openExport(path), trustedIn({ checkpoints: checkpoint, keys, tsa })))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = error instanceof WrongExport ? 1 : 3
  }
}

if (import.meta.main)
  await runCheck('verifyExport.ts', ['checkpoint', 'keys', 'tsa'], async (files, trusted) =>
    files.paths.includes('manifest.json')
      ? Promise.reject(
          new Error(
            'this is not the export of a history: verifyCompanyExport.ts checks the export of a company, and verifyPack.ts the pack of an order',
          ),
        )
      : tellVerdict(await verifyExport(files, trusted)),
  )
