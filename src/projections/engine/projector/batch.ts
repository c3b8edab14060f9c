import type { Recorded } from '../../../domain/kernel/event.ts'
import { withMetadata } from '../../../domain/kernel/metadata.ts'
import { companyOfStream } from '../../../domain/kernel/streams.ts'
import { TermOver } from '../../../stores/leading/leading.ts'
import { heldSql, type Lease } from '../../../stores/leading/lease.ts'
import { type Connection, type Statement, StatementRefused } from '../../../stores/postgres/postgres.ts'
import type { Projection } from '../projection.ts'
import { type FoldFailure, fold, type Plan, plan } from '../rows/fold.ts'
import type { Changes, Row } from '../rows/rows.ts'
import type { WorkingRows } from '../rows/workingRows.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { Failure } from '../schema/schema.ts'
import { passOver, type SkippedEvents } from '../schema/skips.ts'
import type { LiveRows } from '../storage/liveRows.ts'
import { failureOf } from './failure.ts'
import { type Changed, encodeNotice, type Notice } from './notice.ts'

/**
 * A batch of events as one transaction: the rows of every projection, its position, and a notice. All of it goes to
 * PostgreSQL in one round trip, after another one for rows that are not in memory.
 */

/** A projection as the one live projector keeps it up. */
export interface LiveProjection {
  readonly projection: Projection
  readonly generation: number
  readonly stored: LiveRows
  /** Without changes between two batches. To set it up takes longer than to fold an event. */
  readonly working: WorkingRows
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

/** The events of a batch that are news for one projection. */
interface Planned {
  readonly live: LiveProjection
  readonly news: readonly Recorded[]
  readonly plan: Plan
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
  const { from, now, onNotice } = context
  const readable = events.map((event) => withMetadata(event))
  const planned = running.flatMap((live) => plannedFor(live, readable, refused.get(live)))
  if (planned.length === 0) return []
  let notice: Notice
  let progress: Progress[]
  try {
    await loadRows(context, planned)
    const changed = new Map<string, Changed>()
    progress = planned.map((one) => foldInto(one, now, changed))
    const moved = Object.fromEntries(progress.map(({ live }) => [live.projection.name, live.generation]))
    const stopped = progress.filter(({ failure }) => failure).map(({ live }) => live.projection.name)
    notice = { from, to: events.at(-1)!.position, moved, stopped, changed: [...changed.values()] }
    await writeRows(context, progress, moving(context, progress, encodeNotice(notice)))
  } catch (error) {
    for (const live of running) live.stored.forget()
    throw error
  }
  for (const { live, changes, position } of progress) {
    live.stored.settle(changes)
    live.position = position
  }
  onNotice?.(notice)
  return progress.flatMap(({ live, failure }) => (failure ? [{ live, failure }] : []))
}

function plannedFor(
  live: LiveProjection,
  events: readonly Recorded[],
  refused: FoldFailure | undefined,
): Planned[] {
  const { projection, skipped, position } = live
  const news = events[0]!.position > position ? events : events.filter((e) => e.position > position)
  if (news.length === 0) return []
  return [
    {
      live,
      news,
      plan: refused ? { steps: [], failure: refused } : plan(projection, passOver(news, skipped)),
    },
  ]
}

/** Look up the rows that the events touch and that are not in memory. @throws Refused, PostgresUnavailable */
async function loadRows({ connection }: BatchContext, planned: readonly Planned[]): Promise<void> {
  const lookUps = planned.flatMap(({ live, plan }) =>
    live.stored.missing(plan).map(({ statement, found }) => ({ live, statement, found })),
  )
  const owners = new Map(lookUps.map(({ statement, live }) => [statement, live]))
  const answers = await inBatch(connection, owners)
  for (const [index, { found }] of lookUps.entries()) found(answers[index] as Row[])
}

/** Run the statements, each on behalf of a projection. @throws Refused, StatementRefused, PostgresUnavailable */
async function inBatch(
  connection: Connection,
  owners: ReadonlyMap<Statement, LiveProjection>,
  last: readonly Statement[] = [],
): Promise<unknown[][]> {
  try {
    return await connection.batch([...owners.keys(), ...last])
  } catch (error) {
    const owner = error instanceof StatementRefused ? owners.get(error.statement) : undefined
    throw owner ? new Refused(owner, (error as StatementRefused).cause) : error
  }
}

/** Another program's event belongs to the company of its stream, whatever its data say. */
function companyOf({ streamName, data }: Recorded): string {
  const owner = companyOfStream(streamName)
  if (owner !== undefined) return owner
  const { companyId } = data as { companyId?: unknown }
  return typeof companyId === 'string' ? companyId : ''
}

function foldInto({ live, news, plan }: Planned, now: () => Date, changed: Map<string, Changed>): Progress {
  const { projection, working } = live
  const note = (event: Recorded) => {
    const companyId = companyOf(event)
    changed.set(`${companyId}:${projection.name}`, { companyId, projection: projection.name })
  }
  const failure = fold(plan, working, projection.isBackground ? undefined : note)
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

/** Write the rows of all projections, and move the checkpoints. @throws Refused, TermOver, PostgresUnavailable */
async function writeRows(
  { connection }: BatchContext,
  progress: readonly Progress[],
  moving: Statement,
): Promise<void> {
  const owners = new Map<Statement, LiveProjection>()
  for (const { live, changes } of progress)
    for (const statement of writing(live, changes)) owners.set(statement, live)
  try {
    await inBatch(connection, owners, [moving])
  } catch (error) {
    throw isNotMoved(error, moving)
      ? new TermOver('another projector holds the lease, or a projection was switched meanwhile')
      : error
  }
}

/** @throws Refused for a row that no statement can carry */
function writing(live: LiveProjection, changes: Changes): Statement[] {
  try {
    return live.stored.writing(changes)
  } catch (error) {
    throw new Refused(live, error)
  }
}

/** SQLSTATE `division_by_zero`. */
const divisionByZero = '22012'

function isNotMoved(error: unknown, moving: Statement): boolean {
  if (!(error instanceof StatementRefused) || error.statement !== moving) return false
  return (error.cause as { code?: unknown }).code === divisionByZero
}

/**
 * The statement that moves the checkpoints and notifies every node. It divides by zero, which undoes the whole batch,
 * unless the lease is still held and no rebuild has switched a projection meanwhile.
 */
function moving(
  { readModels, lease }: BatchContext,
  progress: readonly Progress[],
  payload: string,
): Statement {
  // Without waiting for the disk: a crash of PostgreSQL takes rows and checkpoints back together.
  const commit = progress.some(mustLast) ? '' : `, set_config('synchronous_commit', 'off', true)`
  const checkpoints = progress.map(({ live, position, eventId, failure }) => ({
    name: live.projection.name,
    generation: live.generation,
    position,
    event_id: eventId,
    failure,
  }))
  return {
    text: `WITH held AS (${heldSql('$1', '$2')}),
     news AS (${newsSql('$3')}),
     moved AS (${movedSql(readModels)})
     SELECT 1 / (SELECT count(*) FROM held), 1 / ((SELECT count(*) FROM moved) = $6)::integer, pg_notify($4, $5)${commit}`,
    values: [
      lease.name,
      lease.fencing,
      JSON.stringify(checkpoints),
      readModels.schema,
      payload,
      progress.length,
    ],
  }
}

/** Whether a crash of PostgreSQL must not take this back: somebody lost access, or the projection has stopped. */
function mustLast({ live, changes, failure }: Progress): boolean {
  if (failure) return true
  if (!live.projection.isDurable) return false
  return [...changes.values()].some(({ changed, added }) => changed.size + added.length > 0)
}

/** The checkpoints of a batch as rows, from JSON. */
function newsSql(checkpoints: string): string {
  return `SELECT * FROM jsonb_to_recordset(${checkpoints}::jsonb)
          AS n (name text, generation integer, position bigint, event_id text, failure jsonb)`
}

/**
 * Updates the checkpoints, but none of a projection that a rebuild has switched or somebody has stopped. A rebuild
 * locks the whole table before it switches, so the order of the rows does not matter.
 */
function movedSql({ checkpointTable }: ReadModels): string {
  return `UPDATE ${checkpointTable} p
          SET position = n.position, event_id = coalesce(n.event_id, p.event_id), failure = n.failure,
              status = CASE WHEN n.failure IS NULL THEN 'running' ELSE 'failed' END
          FROM news n
          WHERE p.name = n.name AND p.generation = n.generation AND p.status = 'running'
          RETURNING 1`
}
