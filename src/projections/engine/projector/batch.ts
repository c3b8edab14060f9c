import type { Recorded } from '../../../domain/kernel/event.ts'
import { withMetadata } from '../../../domain/kernel/metadata.ts'
import { companyOfStream } from '../../../domain/kernel/streams.ts'
import { Failure, messageOf } from '../../../lib/failure.ts'
import { type Connection, type Statement, StatementRefused } from '../../../stores/postgres/postgres.ts'
import { type FoldFailure, fold, type Plan, plan } from '../rows/fold.ts'
import type { Changes, Row } from '../rows/rows.ts'
import { isOutpaced, moveCheckpoints } from '../schema/checkpoints.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { RowLookUp } from '../storage/storedRows.ts'
import type { LiveProjection, LiveProjections } from './liveProjections.ts'
import { type Changed, encodeNotice, type Notice } from './notice.ts'
import { type Step, type Stopped, statesAfter, stepOf, take } from './step.ts'

/**
 * A batch of events as one transaction: the rows of every projection, the checkpoints, and a notice. All of it goes to
 * PostgreSQL in one round trip, after another one for rows that are not in memory.
 */

/** PostgreSQL refuses the rows that a projection made from these events. */
export class RowsRefused extends Failure<'rows-refused'> {
  override readonly name = 'RowsRefused'
  readonly live: LiveProjection
  constructor(live: LiveProjection, cause: unknown) {
    super('rows-refused', `${live.projection.name}: ${messageOf(cause)}`, { cause })
    this.live = live
  }
}

export interface BatchContext {
  readonly connection: Connection
  readonly readModels: ReadModels
  /** The fencing token of the leader. */
  readonly fencing: number
  readonly now: () => Date
  /** The position at which the batch begins. Every running projection has reached it. */
  readonly from: number
  /** Called when the batch is committed, before the notification arrives. */
  readonly onNotice?: (notice: Notice) => void
}

/** The events of a batch that one projection handles. */
interface Planned {
  readonly live: LiveProjection
  readonly plan: Plan
}

/** The result of a batch for one projection that handles some of its events. */
interface Folded {
  readonly live: LiveProjection
  readonly changes: Changes
  readonly failure: FoldFailure | undefined
}

/**
 * Fold and commit a batch, and return the projections that stopped in it. `refused` has the projections whose rows
 * PostgreSQL refused for the one event of this batch.
 * @throws RowsRefused, Failure `term-over`, PostgresUnavailable; then nothing has happened
 */
export async function writeBatch(
  context: BatchContext,
  running: LiveProjections,
  events: readonly Recorded[],
  refused: ReadonlyMap<LiveProjection, FoldFailure>,
): Promise<readonly Stopped[]> {
  const { readModels, fencing, now, from, onNotice } = context
  const planned = plansFor(running, events, refused)
  let folded: readonly Folded[]
  let step: Step
  let notice: Notice
  try {
    await loadRows(context, planned)
    const changed = new Map<string, Changed>()
    const companies = new Map(events.map((event) => [event.position, companyOf(event)]))
    folded = planned.map((one) => foldInto(one, companies, changed))
    step = stepOf(running, events, folded, now)
    const stopped = step.stopped.map(({ live }) => live.projection.name)
    notice = { from, to: events.at(-1)!.position, moved: step.moved, stopped, changed: [...changed.values()] }
    const { schema: channel } = readModels
    const move = { fencing, from: running.shared.position, to: step.shared, states: statesAfter(step) }
    const message = { channel, payload: encodeNotice(notice) }
    await writeRows(context, folded, moveCheckpoints(readModels, move, message, folded.some(mustLast)))
  } catch (error) {
    for (const { live } of planned) live.stored.forget()
    throw error
  }
  for (const { live, changes } of folded) live.stored.settle(changes)
  take(running, step)
  onNotice?.(notice)
  return step.stopped
}

/** The projections without an event of their own in the batch are left out. */
function plansFor(
  running: LiveProjections,
  events: readonly Recorded[],
  refused: ReadonlyMap<LiveProjection, FoldFailure>,
): Planned[] {
  const news = new Map<LiveProjection, Recorded[]>()
  for (const event of events) {
    const readable = withMetadata(event)
    for (const live of running.handling(event)) {
      const { position } = live.own ?? running.shared
      if (live.skipped.has(event.id) || event.position <= position) continue
      const own = news.get(live)
      if (own) own.push(readable)
      else news.set(live, [readable])
    }
  }
  return Array.from(news, ([live, own]) => {
    const failure = refused.get(live)
    return { live, plan: failure ? { steps: [], failure } : plan(live.projection, own) }
  })
}

/** Look up the rows that the events touch and that are not in memory. @throws RowsRefused, PostgresUnavailable */
async function loadRows({ connection }: BatchContext, planned: readonly Planned[]): Promise<void> {
  const lookUps: RowLookUp[] = []
  const owners = new Map<Statement, LiveProjection>()
  for (const { live, plan } of planned)
    for (const lookUp of live.stored.missing(plan)) {
      lookUps.push(lookUp)
      owners.set(lookUp.statement, live)
    }
  const answers = await inBatch(connection, owners)
  for (const [index, { addFound }] of lookUps.entries()) addFound(answers[index] as Row[])
}

/** Run the statements, each on behalf of a projection. @throws RowsRefused, StatementRefused, PostgresUnavailable */
async function inBatch(
  connection: Connection,
  owners: ReadonlyMap<Statement, LiveProjection>,
  last: readonly Statement[] = [],
): Promise<unknown[][]> {
  try {
    return await connection.batch([...owners.keys(), ...last])
  } catch (error) {
    const owner = error instanceof StatementRefused ? owners.get(error.statement) : undefined
    throw owner ? new RowsRefused(owner, (error as StatementRefused).cause) : error
  }
}

/** An event of another program belongs to the company of its stream, even if its data name another one. */
function companyOf({ streamName, data }: Recorded): string {
  const owner = companyOfStream(streamName)
  if (owner !== undefined) return owner
  const { companyId } = data as { companyId?: unknown }
  return typeof companyId === 'string' ? companyId : ''
}

function foldInto(
  { live, plan }: Planned,
  companies: ReadonlyMap<number, string>,
  changed: Map<string, Changed>,
): Folded {
  const { projection, working } = live
  const note = ({ position }: Recorded) => {
    const companyId = companies.get(position)!
    changed.set(`${companyId}:${projection.name}`, { companyId, projection: projection.name })
  }
  const failure = fold(plan, working, projection.isBackground ? undefined : note)
  return { live, changes: working.take(), failure }
}

/**
 * Write the rows of all projections, and move the checkpoints. @throws RowsRefused, Failure `term-over`,
 * PostgresUnavailable
 */
async function writeRows(
  { connection }: BatchContext,
  folded: readonly Folded[],
  last: Statement,
): Promise<void> {
  const owners = new Map<Statement, LiveProjection>()
  for (const { live, changes } of folded)
    for (const statement of writesOf(live, changes)) owners.set(statement, live)
  try {
    await inBatch(connection, owners, [last])
  } catch (error) {
    throw error instanceof StatementRefused && error.statement === last && isOutpaced(error.cause)
      ? new Failure('term-over', 'another projector leads, or a projection was switched meanwhile')
      : error
  }
}

/** @throws RowsRefused for a row that no statement can carry */
function writesOf(live: LiveProjection, changes: Changes): Statement[] {
  try {
    return live.stored.writing(changes)
  } catch (error) {
    throw new RowsRefused(live, error)
  }
}

/** Whether a crash of PostgreSQL must not take this back: somebody lost access, or the projection has stopped. */
function mustLast({ live, changes, failure }: Folded): boolean {
  if (failure) return true
  if (!live.projection.isDurable) return false
  return [...changes.values()].some(({ changed, added }) => changed.size + added.length > 0)
}
