import type { Recorded } from '../../domain/event.ts'
import { TermOver } from '../../leading/leading.ts'
import { heldSql, type Lease } from '../../leading/lease.ts'
import { type Connection, PostgresUnavailable } from '../../postgres.ts'
import type { Projection } from '../projection.ts'
import { type FoldFailure, fold, plan } from '../rows/fold.ts'
import { type Changes, workingRows } from '../rows/rows.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { Failure } from '../schema/schema.ts'
import { passOver, type SkippedEvents } from '../schema/skips.ts'
import type { LiveRows } from '../storage/liveRows.ts'
import { failureOf } from './failure.ts'
import { type Changed, encodeNotice, type Notice } from './notice.ts'

/** A batch of events as one transaction: the rows of every projection, its position, and a notice. */

/** A projection as the one live projector keeps it up. */
export interface LiveProjection {
  readonly projection: Projection
  readonly generation: number
  readonly stored: LiveRows
  readonly skipped: SkippedEvents
  position: number
}

/** PostgreSQL refuses the rows that a projection made from these events. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly live: LiveProjection
  constructor(live: LiveProjection, cause: unknown) {
    super(`${live.projection.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.live = live
  }
}

export interface BatchContext {
  readonly connection: Connection
  readonly readModels: ReadModels
  readonly lease: Lease
  readonly now: () => Date
  /** Where the batch begins: every running projection has reached it. */
  readonly from: number
  /** Tells this process of the batch once it is committed, sooner than the notification does. */
  readonly onNotice?: (notice: Notice) => void
}

/** The result of a batch for one projection. */
interface Progress {
  readonly live: LiveProjection
  readonly changes: Changes
  readonly position: number
  /** Null leaves the checkpoint's event as it is. */
  readonly eventId: string | null
  readonly failure: Failure | null
}

/**
 * Fold and commit a batch, and return the projections that stopped in it. `refused` has the projections whose rows
 * PostgreSQL refused for the one event of this batch.
 * @throws Refused, TermOver, PostgresUnavailable; then nothing has happened
 */
export async function writeBatch(
  context: BatchContext,
  running: readonly LiveProjection[],
  events: readonly Recorded[],
  refused: ReadonlyMap<LiveProjection, FoldFailure>,
): Promise<readonly { readonly live: LiveProjection; readonly failure: Failure }[]> {
  const { connection, from, onNotice } = context
  const progress: Progress[] = []
  const changed = new Map<string, Changed>()
  let notice: Notice
  try {
    for (const live of running) {
      const one = await foldInto(context, live, events, refused.get(live), changed)
      if (one) progress.push(one)
    }
    if (progress.length === 0) return []
    const moved = Object.fromEntries(progress.map(({ live }) => [live.projection.name, live.generation]))
    const stopped = progress.filter(({ failure }) => failure).map(({ live }) => live.projection.name)
    const to = events.at(-1)!.position
    await connection.query('BEGIN')
    for (const { live, changes } of progress) {
      try {
        await live.stored.prepare(changes)(connection)
      } catch (error) {
        throw error instanceof PostgresUnavailable ? error : new Refused(live, error)
      }
    }
    notice = { from, to, moved, stopped, changed: [...changed.values()] }
    await moveCheckpoints(context, progress, encodeNotice(notice))
    await connection.query('COMMIT')
  } catch (error) {
    for (const live of running) live.stored.forget()
    if (!(error instanceof PostgresUnavailable && error.lost)) await connection.query('ROLLBACK')
    throw error
  }
  for (const { live, changes, position } of progress) {
    live.stored.settle(changes)
    live.position = position
  }
  onNotice?.(notice)
  return progress.flatMap(({ live, failure }) => (failure ? [{ live, failure }] : []))
}

function companyOf({ data }: Recorded): string {
  const { companyId } = data as { companyId?: unknown }
  return typeof companyId === 'string' ? companyId : ''
}

async function foldInto(
  { connection, now }: BatchContext,
  live: LiveProjection,
  events: readonly Recorded[],
  refused: FoldFailure | undefined,
  changed: Map<string, Changed>,
): Promise<Progress | undefined> {
  const { projection, stored, skipped } = live
  const news = events[0]!.position > live.position ? events : events.filter((e) => e.position > live.position)
  if (news.length === 0) return undefined
  const working = workingRows(projection, stored.lookUp)
  const planned = refused ? { steps: [], failure: refused } : plan(projection, passOver(news, skipped))
  try {
    await stored.load(connection, planned)
  } catch (error) {
    throw error instanceof PostgresUnavailable ? error : new Refused(live, error)
  }
  const failure = fold(planned, working, (event) => {
    const companyId = companyOf(event)
    changed.set(`${companyId}:${projection.name}`, { companyId, projection: projection.name })
  })
  const changes = working.take()
  if (!failure)
    return { live, changes, position: news.at(-1)!.position, eventId: news.at(-1)!.id, failure: null }
  const before = news[news.indexOf(failure.event) - 1]
  return {
    live,
    changes,
    // Its rows show every event before the one that stopped it, and so does its checkpoint.
    position: before?.position ?? live.position,
    eventId: before?.id ?? null,
    failure: failureOf(failure, now),
  }
}

/**
 * Move the checkpoints and notify every node, if the lease is still held and no rebuild has switched a projection
 * meanwhile. @throws TermOver
 */
async function moveCheckpoints(
  { connection, readModels, lease }: BatchContext,
  progress: readonly Progress[],
  payload: string,
): Promise<void> {
  const checkpoints = progress.map(({ live, position, eventId, failure }) => ({
    ...{ name: live.projection.name, generation: live.generation },
    ...{ position, event_id: eventId, failure },
  }))
  const [result] = await connection.query<{ held: number; moved: number }>(
    `WITH held AS (${heldSql('$1', '$2')}),
     news AS (${newsSql('$3')}),
     locked AS (${lockedSql(readModels)}),
     moved AS (${movedSql(readModels)})
     SELECT (SELECT count(*) FROM held) AS held, (SELECT count(*) FROM moved) AS moved, pg_notify($4, $5)`,
    [lease.name, lease.fencing, JSON.stringify(checkpoints), readModels.schema, payload],
  )
  if (!result?.held) throw new TermOver('the lease is held by another projector')
  if (result.moved !== progress.length) throw new TermOver('a projection was switched meanwhile')
}

/** The checkpoints of a batch as rows, from JSON. */
function newsSql(checkpoints: string): string {
  return `SELECT * FROM jsonb_to_recordset(${checkpoints}::jsonb)
          AS n (name text, generation integer, position bigint, event_id text, failure jsonb)`
}

/** The rows of the projections in `news`, locked in the order in which a rebuild locks them. */
function lockedSql({ checkpointTable }: ReadModels): string {
  return `SELECT p.name FROM ${checkpointTable} p JOIN news USING (name)
          ORDER BY p.name FOR UPDATE OF p`
}

/** Updates the locked rows, but none of a projection that a rebuild has switched or somebody has stopped. */
function movedSql({ checkpointTable }: ReadModels): string {
  return `UPDATE ${checkpointTable} p
          SET position = n.position, event_id = coalesce(n.event_id, p.event_id), failure = n.failure,
              status = CASE WHEN n.failure IS NULL THEN 'running' ELSE 'failed' END
          FROM locked JOIN news n USING (name)
          WHERE p.name = n.name AND p.generation = n.generation AND p.status = 'running'
          RETURNING 1`
}
