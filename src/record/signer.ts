import { Refusal } from '../domain/refusal.ts'
import { companyOfStream } from '../domain/streams.ts'
import type { EventStore } from '../eventStore.ts'
import type { Postgres } from '../postgres.ts'
import { checkpointNote, originOf } from './checkpoint.ts'
import { entryOf } from './line.ts'
import { createRevisions } from './revisions.ts'
import type { SigningKey } from './signingKey.ts'
import { createTree, emptyFrontier, type Frontier, rootOf, type Tree } from './tree.ts'

export interface SignerOptions {
  readonly eventStore: Pick<EventStore, 'readAllInPortions' | 'eventAt'>
  readonly postgres: Pick<Postgres, 'query'>
  readonly storeId: string
  readonly key: SigningKey
}

export interface SignedCheckpoint {
  readonly size: number
  readonly root: Buffer
  readonly note: string
  /** It covers the events of the company up to this position of the store. */
  readonly position: number
}

/** The last checkpoint of a company, as it is kept. Checkpoints of the first releases lack the place to go on from. */
export interface KeptCheckpoint {
  readonly size: number
  readonly root: string
  readonly note: string
  /** Whether it is at most 60 s old, by the database's clock. */
  readonly isFresh: boolean
  readonly subtrees: readonly string[] | null
  readonly position: number | null
  readonly eventId: string | null
}

/**
 * - `continue`: read the events since the last checkpoint. Its tree is the beginning of the new one, so the new
 *   checkpoint continues the last one. An edit of an older event goes unnoticed.
 * - `reread`: read the whole history again, and compare it with the last checkpoint.
 */
export type Reading = 'continue' | 'reread'

/**
 * Sign a checkpoint of a company's whole history. The last checkpoint stays in PostgreSQL, and nothing is signed that
 * contradicts it. Two processes never sign different checkpoints of one size, because each must replace the checkpoint
 * that it went on from before anybody sees its own.
 * @throws Refusal 409 `history-diverged`; StoreUnavailable, PostgresUnavailable
 */
export async function signCheckpoint(
  options: SignerOptions,
  companyId: string,
  how: Reading,
): Promise<SignedCheckpoint> {
  for (;;) {
    const last = await keptCheckpoint(options, companyId)
    const head = await readHead(options, companyId, last, how)
    const signed = await keepCheckpoint(options, companyId, last, head)
    // Otherwise another process has signed meanwhile. The next turn compares with that checkpoint.
    if (signed) return signed
  }
}

/** Return the last checkpoint of a company, if there is one. @throws PostgresUnavailable */
export async function keptCheckpoint(
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

/** A tree with the place in the store up to which it has the events of a company. */
interface Head {
  readonly tree: Tree
  readonly position: number
  readonly eventId: string | null
}

async function readHead(
  options: SignerOptions,
  companyId: string,
  last: KeptCheckpoint | undefined,
  how: Reading,
): Promise<Head> {
  const begun = how === 'continue' && last ? await placeOf(options, companyId, last) : undefined
  return begun ? continued(options, companyId, begun) : reread(options, companyId, last)
}

/**
 * Return the place to go on from. Undefined for a checkpoint that this key has not signed, whose tree is another one, or
 * whose last event is no longer where it was: then only the whole history can tell.
 */
async function placeOf(
  { eventStore, storeId, key }: SignerOptions,
  companyId: string,
  { size, root, note, subtrees, position, eventId }: KeptCheckpoint,
): Promise<Head | undefined> {
  if (subtrees === null || position === null) return undefined
  const head = { size, root: Buffer.from(root, 'base64') }
  if (checkpointNote(originOf(storeId, companyId), head, key) !== note) return undefined
  if (!isFrontier({ size, subtrees }) || !rootOf({ subtrees }).equals(head.root)) return undefined
  if (position > 0 && (await eventStore.eventAt(position))?.id !== eventId) return undefined
  return { tree: createTree(undefined, { size, subtrees }), position, eventId }
}

/** One subtree for each 1 in the binary form of the size. */
function isFrontier({ size, subtrees }: Frontier): boolean {
  return size.toString(2).replaceAll('0', '').length === subtrees.length
}

async function continued(
  { eventStore }: SignerOptions,
  companyId: string,
  { tree, ...begun }: Head,
): Promise<Head> {
  let place: Omit<Head, 'tree'> = begun
  for await (const portion of eventStore.readAllInPortions(begun.position))
    for (const event of portion) {
      if (companyOfStream(event.streamName) === companyId) tree.add(entryOf(event))
      place = { position: event.position, eventId: event.id }
    }
  return { tree, ...place }
}

async function reread(
  { eventStore }: SignerOptions,
  companyId: string,
  last: KeptCheckpoint | undefined,
): Promise<Head> {
  const tree = createTree(undefined, emptyFrontier)
  const revisions = createRevisions()
  let place: Omit<Head, 'tree'> = { position: 0, eventId: null }
  const compare = () => {
    if (tree.size === last?.size && tree.root().toString('base64') !== last.root) throw diverged(last)
  }
  compare()
  for await (const portion of eventStore.readAllInPortions(0))
    for (const event of portion) {
      place = { position: event.position, eventId: event.id }
      if (companyOfStream(event.streamName) !== companyId) continue
      const hole = revisions.holeBefore(event)
      if (hole !== undefined) throw lacking(event.streamName, hole)
      tree.add(entryOf(event))
      compare()
    }
  if (last && tree.size < last.size) throw diverged(last)
  return { tree, ...place }
}

/** Undefined when another process has signed meanwhile. */
async function keepCheckpoint(
  { postgres, storeId, key }: SignerOptions,
  companyId: string,
  last: KeptCheckpoint | undefined,
  { tree, position, eventId }: Head,
): Promise<SignedCheckpoint | undefined> {
  const { size, subtrees } = tree.frontier()
  const root = tree.root()
  const note = checkpointNote(originOf(storeId, companyId), { size, root }, key)
  const kept = await postgres.query(keepSql, [
    ...[storeId, companyId, size, root.toString('base64'), note],
    ...[JSON.stringify(subtrees), position, eventId, last?.size ?? null],
  ])
  return kept.length > 0 ? { size, root, note, position } : undefined
}

function diverged({ size }: KeptCheckpoint): Refusal {
  return new Refusal(
    'history-diverged',
    `The events of the company are no longer the ${size} that the last checkpoint covers, so no checkpoint is signed. Ask the operator to find out who has changed the event store.`,
  )
}

function lacking(stream: string, revision: number): Refusal {
  return new Refusal(
    'history-diverged',
    `The event with revision ${revision} is missing in the stream ${stream}, so no checkpoint is signed. Ask the operator to find out who has changed the event store.`,
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
