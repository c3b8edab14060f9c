import { generateKeyPairSync } from 'node:crypto'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ExportFiles, openExport } from '../../../examples/verify/verifyExport.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { nameHashOf } from '../../../src/identity/nameHash.ts'
import { entryOf } from '../../../src/proofs/merkleLog/entry.ts'
import { createTree } from '../../../src/proofs/merkleLog/tree.ts'
import type { Timestamped } from '../../../src/proofs/signing/anchors.ts'
import { checkpointText, type LogHead, originOf, signedNote } from '../../../src/proofs/signing/checkpoint.ts'
import { type KeptName, zipExport } from '../../../src/proofs/signing/export.ts'
import {
  type LocalSigningKey,
  publishedKey,
  type SigningKey,
  signingKey,
} from '../../../src/proofs/signing/signingKey.ts'
import { companyId, id, timeOf } from '../../support/given.ts'

/** Histories of a company, and their exports, for specs. */

export const storeId = id(1)
export const origin = originOf(storeId, companyId)
const salt = '5a'.repeat(32)
export const persons = ['Anna Müller', 'Łukasz Nowak'].map((name, index) => ({
  userId: `user-${index}`,
  nameHash: nameHashOf(salt, name),
  name,
  salt,
}))

export function newKey(): LocalSigningKey {
  return signingKey(generateKeyPairSync('ed25519').privateKey)
}

/** A company with so many certificates that its log has more than one tile. */
export function historyOf(length: number): Recorded[] {
  const revisions = new Map<string, number>()
  return Array.from({ length }, (_, index) => {
    const streamName =
      index === 0 || index % 50 === 7
        ? `company-${companyId}`
        : `millCertificate-${companyId}_${id(500 + (index % 20))}`
    const revision = (revisions.get(streamName) ?? -1) + 1
    revisions.set(streamName, revision)
    const { userId, nameHash } = persons[index % 2]!
    return {
      ...(index === 0
        ? { type: 'CompanyRegistered', data: { companyId, name: 'Example Steel' } }
        : { type: `Fact${index % 5}`, data: { heatNumber: `H ${index}`, values: [index, null, 'ü'] } }),
      metadata: {
        actor: { id: userId, name: '', kind: 'user', nameHash },
        occurredAt: timeOf(index),
        correlationId: `request ${index}`,
        schemaVersion: 1,
      },
      id: id(10_000 + index),
      streamName,
      revision,
      position: 100 + index,
    }
  })
}

export function headOf(events: readonly Recorded[]): { size: number; root: Buffer } {
  const tree = createTree()
  for (const event of events) tree.add(entryOf(event))
  return { size: tree.size, root: tree.root() }
}

/** Sign a checkpoint at once. */
export function checkpointNote(origin: string, head: LogHead, key: LocalSigningKey): string {
  return signedNote(origin, head, key.publicKey, key.sign(checkpointText(origin, head)))
}

export function noteOf(events: readonly Recorded[], key: LocalSigningKey): string {
  return checkpointNote(origin, headOf(events), key)
}

export function keySetOf(key: LocalSigningKey): string {
  return `${JSON.stringify({ keys: [publishedKey(key, origin)] })}\n`
}

/** The parts of an export beside its events and the key that signs it. */
export interface Beside {
  /** The keys that signed before, the newest first. */
  readonly olderKeys?: readonly SigningKey[]
  readonly names?: readonly KeptName[]
  readonly timestamp?: Timestamped
}

/** Write the export as the service does, into a file, for as long as `use` takes. */
export async function withZip<Value>(
  events: readonly Recorded[],
  key: LocalSigningKey,
  use: (file: string) => Promise<Value>,
  { olderKeys = [], names = persons, timestamp }: Beside = {},
): Promise<Value> {
  const checkpoint = { ...headOf(events), note: noteOf(events, key) }
  const keys = [key, ...olderKeys].map((one) => publishedKey(one, origin))
  const content = zipExport({ checkpoint, keys, events: streamed(events), names, timestamp })
  return inFile(content, use)
}

/** Write a ZIP file, for as long as `use` takes. */
export async function inFile<Value>(
  content: Readable,
  use: (file: string) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-export-'))
  try {
    const file = join(folder, 'export.zip')
    await pipeline(content, createWriteStream(file))
    return await use(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Return the export as a ZIP file. */
export function readZip(events: readonly Recorded[], key: LocalSigningKey): Promise<Buffer> {
  return withZip(events, key, async (file) => readFileSync(file))
}

export type Files = ReadonlyMap<string, Buffer>

/** Return the files of an export by their paths. */
export function filesOf(
  events: readonly Recorded[],
  key: LocalSigningKey,
  beside?: Beside,
): Promise<Map<string, Buffer>> {
  return withZip(events, key, unpacked, beside)
}

/** Return the files of a ZIP file by their paths. */
export async function unpacked(file: string): Promise<Map<string, Buffer>> {
  const files = openExport(file)
  return new Map(await Promise.all(files.paths.map(async (path) => [path, await files.bytes(path)] as const)))
}

/** The files of a folder, in memory. */
export function inMemory(files: Files): ExportFiles {
  return {
    paths: [...files.keys()],
    bytes: async (path) => files.get(path)!,
    stream: (path) => streamed([files.get(path)!]),
  }
}

export async function* streamed<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
