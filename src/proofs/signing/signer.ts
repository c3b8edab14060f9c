import { Refusal } from '../../domain/kernel/refusal.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { awaitLater } from '../../lib/awaitLater.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import type { Postgres } from '../../stores/postgres/postgres.ts'
import { entryOf } from '../merkleLog/entry.ts'
import { createTree, type Frontier, rootOf, type Tree } from '../merkleLog/tree.ts'
import type { Keys } from './announcedKeys.ts'
import { checkpointNote, isCheckpointOf, originOf } from './checkpoint.ts'
import { type Compared, type Place, rereadAll, rereadByPlaces, rereadStore } from './reread.ts'
import type { SigningKey } from './signingKey.ts'

export interface SignerOptions {
  readonly eventStore: Pick<EventStore, 'readAllInPortions' | 'readAllFrom' | 'eventAt'>
  /** Where the places of events are; undefined: the whole store is read again. */
  readonly reader?: Pick<Reader, 'read'>
  readonly postgres: Pick<Postgres, 'query'>
  readonly storeId: string
  readonly keys: Pick<Keys, 'own'>
}

/** With the key of this process, which is the announced one. */
interface Signer extends SignerOptions {
  readonly key: SigningKey
}

export interface SignedCheckpoint {
  readonly size: number
  readonly root: Buffer
  readonly note: string
  /** It covers the events of the company up to this position of the store. */
  readonly position: number
}

/** The last checkpoint of a company, with the tree and the place in the store to continue from. */
interface KeptCheckpoint {
  readonly size: number
  readonly root: string
  readonly note: string
  /** Whether it is at most 60 s old, by the database's clock. */
  readonly isFresh: boolean
  readonly subtrees: readonly string[]
  readonly position: number
  readonly eventId: string | null
}

/**
 * - `continue`: read the events since the last checkpoint. Its tree is the beginning of the new one, so the new
 *   checkpoint continues the last one. An edit of an older event goes unnoticed.
 * - `reread`: read the whole history of the company again, and compare it with the last checkpoint.
 */
export type Reading = 'continue' | 'reread'

/**
 * Sign a checkpoint of a company's whole history. The last checkpoint stays in PostgreSQL, and nothing is signed that
 * contradicts it. Two processes never sign different checkpoints of one size, because each must replace the checkpoint
 * that it continues before anybody sees its own.
 * @throws Refusal 409 `history-diverged`, 503 `signing-key-missing`, `signing-key-differs`, `signing-failed`;
 * StoreUnavailable, PostgresUnavailable
 */
export async function signCheckpoint(
  options: SignerOptions,
  companyId: string,
  how: Reading,
): Promise<SignedCheckpoint> {
  for (;;) {
    // The events are read meanwhile. Whether the key may sign is seen below.
    const key = awaitLater(options.keys.own())
    const last = await readCheckpoint(options, companyId)
    const begun = how === 'continue' && last ? beginFrom(last) : undefined
    const heads = begun && (await continueLast(options, new Map([[companyId, begun]])))
    const signer = { ...options, key: await key }
    const continues = last !== undefined && isSignedBy(signer, companyId, last)
    const head = (continues && heads?.get(companyId)) || (await reread(signer, companyId, last, continues))
    const signed = ifUnchanged(last, head) ?? (await keepCheckpoint(signer, companyId, last, head))
    // Otherwise another process has signed meanwhile. The next turn compares with that checkpoint.
    if (signed) return signed
  }
}

/**
 * Sign a checkpoint of each of these companies, in one pass over the events since the oldest of their last checkpoints.
 * A company without a checkpoint to continue from is read from its first event.
 * @returns the companies whose histories have changed, which are not signed, with what is wrong
 * @throws Refusal 503 `signing-key-missing`, `signing-key-differs`, `signing-failed`; StoreUnavailable, PostgresUnavailable
 */
export async function signMany(
  options: SignerOptions,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const signer = { ...options, key: await options.keys.own() }
  const checkpoints = new Map<string, KeptCheckpoint | undefined>()
  const begun = new Map<string, Begun>()
  for (const companyId of companyIds) {
    const last = await readCheckpoint(signer, companyId)
    const begin = last && isSignedBy(signer, companyId, last) ? beginFrom(last) : undefined
    checkpoints.set(companyId, last)
    if (begin) begun.set(companyId, begin)
  }
  for (const [companyId, head] of await continueLast(signer, begun)) {
    // Where another process has signed meanwhile, its checkpoint is as good.
    await keepCheckpoint(signer, companyId, checkpoints.get(companyId), head)
    checkpoints.delete(companyId)
  }
  return checkpoints.size > 0 ? signReread(signer, checkpoints) : new Map()
}

async function signReread(
  signer: Signer,
  checkpoints: ReadonlyMap<string, KeptCheckpoint | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>()
  const { histories, place } = await rereadAll(signer.eventStore, checkpoints)
  for (const { companyId, rereading } of histories) {
    const fault = rereading.fault()
    if (!checkpoints.has(companyId)) continue
    if (fault !== undefined) faults.set(companyId, fault)
    else await keepCheckpoint(signer, companyId, checkpoints.get(companyId), { tree: rereading, ...place })
  }
  return faults
}

/** Return the last checkpoint of a company, if there is one. @throws PostgresUnavailable */
export async function readCheckpoint(
  { postgres, storeId }: Pick<SignerOptions, 'postgres' | 'storeId'>,
  companyId: string,
): Promise<KeptCheckpoint | undefined> {
  const [last] = await postgres.query<KeptCheckpoint>(
    `SELECT size, root, note, subtrees, position, event_id AS "eventId",
            signed_at > clock_timestamp() - interval '60 seconds' AS "isFresh"
     FROM heatmark_local.log_checkpoint WHERE store_id = $1 AND company_id = $2`,
    [storeId, companyId],
  )
  return last
}

/** Return the last checkpoints of all companies. @throws PostgresUnavailable */
export async function readCheckpoints({
  postgres,
  storeId,
}: Pick<SignerOptions, 'postgres' | 'storeId'>): Promise<ReadonlyMap<string, Compared>> {
  const rows = await postgres.query<Compared & { readonly companyId: string }>(
    'SELECT company_id AS "companyId", size, root FROM heatmark_local.log_checkpoint WHERE store_id = $1',
    [storeId],
  )
  return new Map(rows.map(({ companyId, ...checkpoint }) => [companyId, checkpoint]))
}

/** A tree with the place in the store up to which it has the events of a company. */
interface Head extends Place {
  readonly tree: Pick<Tree, 'root' | 'frontier' | 'size'>
  /** The number of events that were read after the last checkpoint; undefined when the whole store was read. */
  readonly read?: number | undefined
}

/** A tree that more events can be added to, with the place of its last event. */
interface Begun extends Place {
  readonly tree: Tree
}

/**
 * Return the tree of a checkpoint, to continue from. Return undefined if somebody has changed the row, so that its tree has
 * another root: then the whole history has to be read again.
 */
function beginFrom({ size, root, subtrees, position, eventId }: KeptCheckpoint): Begun | undefined {
  if (!isFrontier({ size, subtrees })) return undefined
  if (rootOf({ subtrees }).toString('base64') !== root) return undefined
  return { tree: createTree(undefined, { size, subtrees }), position, eventId }
}

/** Whether this key has signed the checkpoint. */
export function isSignedBy(
  { storeId, key }: Pick<Signer, 'storeId' | 'key'>,
  companyId: string,
  { size, root, note }: Pick<KeptCheckpoint, 'size' | 'root' | 'note'>,
): boolean {
  const head = { size, root: Buffer.from(root, 'base64') }
  return isCheckpointOf(note, originOf(storeId, companyId), head, key.publicKey)
}

/** One subtree for each 1 in the binary form of the size. */
function isFrontier({ size, subtrees }: Frontier): boolean {
  return size.toString(2).replaceAll('0', '').length === subtrees.length
}

/**
 * Add the events of the companies, in one pass over the events since the oldest of the trees. A company is left out if its
 * last event is no longer at its position: then its whole history has to be read again.
 */
async function continueLast(
  { eventStore }: SignerOptions,
  begun: ReadonlyMap<string, Begun>,
): Promise<ReadonlyMap<string, Head>> {
  if (begun.size === 0) return new Map()
  const from = Math.min(...[...begun.values()].map(({ position }) => position))
  const idAt = new Map<number, string | null>([[0, null]])
  const wanted = new Set([...begun.values()].map(({ position }) => position))
  let place: Place | undefined
  let read = 0
  for await (const portion of eventStore.readAllFrom(from))
    for (const event of portion) {
      const { position, id: eventId } = event
      if (wanted.has(position)) idAt.set(position, eventId)
      if (position > from) read += 1
      const head = begun.get(companyOfStream(event.streamName) ?? '')
      if (head && position > head.position) head.tree.add(entryOf(event))
      place = { position, eventId }
    }
  const whole = [...begun].filter(([, { position, eventId }]) => idAt.get(position) === eventId)
  return new Map(whole.map(([companyId, head]) => [companyId, { ...head, read, ...place }]))
}

async function reread(
  { eventStore, reader }: SignerOptions,
  companyId: string,
  last: KeptCheckpoint | undefined,
  continues: boolean,
): Promise<Head> {
  const placed =
    continues && reader ? await rereadByPlaces({ eventStore, reader }, companyId, last!) : undefined
  const { rereading, place, read } = placed ?? (await rereadStore(eventStore, companyId, last))
  const fault = rereading.fault()
  if (fault !== undefined) throw historyDiverged(fault)
  return { tree: rereading, read, ...place }
}

/** Reading so many events of other companies again costs less than keeping the place behind them. */
const readAgain = 100

/** Return the last checkpoint, if the company has no event after it. Signing the same head gives the same note. */
function ifUnchanged(
  last: KeptCheckpoint | undefined,
  { tree, read = readAgain, position }: Head,
): SignedCheckpoint | undefined {
  if (!last?.isFresh || read >= readAgain || tree.size !== last.size) return undefined
  return { size: last.size, root: Buffer.from(last.root, 'base64'), note: last.note, position }
}

/** Undefined when another process has signed meanwhile. */
async function keepCheckpoint(
  { postgres, storeId, key }: Signer,
  companyId: string,
  last: KeptCheckpoint | undefined,
  { tree, position, eventId }: Head,
): Promise<SignedCheckpoint | undefined> {
  const { size, subtrees } = tree.frontier()
  const root = tree.root()
  const note = await checkpointNote(originOf(storeId, companyId), { size, root }, key)
  const rows = await postgres.query(keepSql, [
    storeId,
    companyId,
    size,
    root.toString('base64'),
    note,
    JSON.stringify(subtrees),
    position,
    eventId,
    last?.size ?? null,
  ])
  return rows.length > 0 ? { size, root, note, position } : undefined
}

/** @param fault what is wrong with the history of a company */
function historyDiverged(fault: string): Refusal {
  return new Refusal(
    'history-diverged',
    `The history of the company was changed: ${fault}. So no checkpoint is signed. Ask the operator to find out who has changed the event store.`,
  )
}

/** The row changes only if it still is the one that the new head was compared with. */
const keepSql = `
  INSERT INTO heatmark_local.log_checkpoint AS last
    (store_id, company_id, size, root, note, subtrees, position, event_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (store_id, company_id) DO UPDATE
  SET size = EXCLUDED.size, root = EXCLUDED.root, note = EXCLUDED.note, subtrees = EXCLUDED.subtrees,
      position = EXCLUDED.position, event_id = EXCLUDED.event_id, signed_at = now()
  WHERE last.size = $9
  RETURNING size`
