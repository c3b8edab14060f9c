import { type Connection, literalOf, quoteIdentifier } from '../../../stores/postgres/postgres.ts'
import { checkHistories } from '../../../stores/subscription/checkpoint.ts'
import type { Projection, Table } from '../projection.ts'
import { portionRows } from '../reading/reader.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { type ProjectionState, readStates } from '../schema/schema.ts'
import { readSkips, type Skip } from '../schema/skips.ts'
import { snakeCase } from '../schema/sql.ts'
import { notExpired } from '../storage/retention.ts'
import { findMissingTables, tablesMissing } from './missingTables.ts'
import { checkSameHistory, fill, liveTargets } from './rebuild.ts'
import { type Replay, type ReplayOptions, replay, type Targets } from './replay.ts'

/** The live rows compared with a fold from the first event on, at the same position. */

export interface Difference {
  readonly projection: string
  readonly table: string
  /** The key columns of the row. */
  readonly key: Readonly<Record<string, unknown>>
  /** `*` for a row that only one side has: then the row is the value of that side. */
  readonly column: string
  /** As JSON has it; null where there is nothing. */
  readonly live: unknown
  readonly rebuilt: unknown
}

export interface Verified {
  /** Events read. */
  readonly events: number
  readonly differenceCount: number
  /** The first of them. */
  readonly differences: readonly Difference[]
  /** The projections that have any, by name. */
  readonly differing: readonly string[]
  /** The projections that were compared only up to where they have stopped. */
  readonly stopped: readonly Stopped[]
  /** The events that the projections pass over, in their live rows and in those compared with them. */
  readonly skipped: readonly Skip[]
}

export interface Stopped {
  readonly projection: string
  /** The position of the event that it stopped before. */
  readonly position: number
}

export interface VerifyOptions extends ReplayOptions {
  /** Compare with the rows that a rebuild would make. They differ for stopped projections. */
  readonly asRebuilt?: boolean
  /** The most differences to list; by default 1,000. */
  readonly most?: number
}

type Json = Record<string, unknown> | null

const ownTargets: Targets = async (states) => new Map(states.map(({ name, position }) => [name, position]))

/**
 * Fold the projections again beside their live rows, and list every difference. It changes nothing and blocks nobody,
 * because it compares within one snapshot.
 * @throws Failure `tables-missing`, `fold-failed`, `event-store-went-back`, StoreUnavailable, PostgresUnavailable,
 * Refusal `run-under-way`
 */
export function verify(options: VerifyOptions): Promise<Verified> {
  return replay(options, async (run) => {
    const { eventStore, readModels, asRebuilt = false } = options
    const { connection } = run
    const states = await readStates(connection, readModels)
    const missing = await findMissingTables(connection, readModels, states)
    if (missing.size > 0) throw tablesMissing(missing)
    const targets = asRebuilt ? liveTargets(eventStore) : ownTargets
    await fill(run, targets)
    const compared = await inSnapshot(connection, () => compareAll(options, run, targets))
    const skips = await readSkips(connection, readModels)
    const skipped = skips.filter(({ projection }) => readModels.find(projection))
    return { result: { events: run.events, ...compared, skipped }, inUse: false }
  })
}

async function inSnapshot<Result>(connection: Connection, work: () => Promise<Result>): Promise<Result> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  try {
    return await work()
  } finally {
    await connection.query('ROLLBACK')
  }
}

type Compared = Pick<Verified, 'differenceCount' | 'differences' | 'differing' | 'stopped'>

/** Fold up to the live rows as the snapshot has them, and compare. */
async function compareAll(options: VerifyOptions, run: Replay, targets: Targets): Promise<Compared> {
  const { eventStore, readModels, asRebuilt = false, most = 1_000, signal } = options
  const { connection, shadows } = run
  const states = await readStates(connection, readModels)
  const ends = await targets(states)
  // The time is taken once, so that a row whose retention passes meanwhile is compared in both tables or in neither.
  const [now] = await connection.query<{ at: string }>('SELECT clock_timestamp()::text AS at')
  const instant = `${literalOf(now!.at)}::timestamptz`
  await checkHistories(eventStore, states)
  await run.fold(await run.missing(ends), ends)
  for (const shadow of shadows) await shadow.flush()
  checkSameHistory(run, states)
  const differences: Difference[] = []
  let differenceCount = 0
  const differing = new Set<string>()
  for (const { projection, generation: rebuilt } of shadows) {
    signal?.throwIfAborted()
    const { generation: live } = states.find(({ name }) => name === projection.name)!
    await compare(connection, readModels, projection, { live, rebuilt, instant }, (difference) => {
      differing.add(difference.projection)
      if (differenceCount++ < most) differences.push(difference)
    })
  }
  const stopped = asRebuilt ? [] : findStopped(states, readModels)
  return { differenceCount, differences, differing: [...differing], stopped }
}

function findStopped(states: readonly ProjectionState[], readModels: ReadModels): Stopped[] {
  return states.flatMap(({ name, failure }) =>
    failure && readModels.find(name) ? [{ projection: name, position: failure.event.position }] : [],
  )
}

/** Every row that is not the same in both tables, in the order of their keys. */
async function* differingRows(
  connection: Connection,
  names: { live: string; rebuilt: string },
  table: Table,
  instant: string,
) {
  const key = table.key.map(snakeCase)
  // Columns are selected by name, because somebody may have added or moved columns by hand.
  const rowOf = (side: string) =>
    `ROW(${Object.entries(table.columns).map(
      // PostgreSQL cannot compare json, so its text is compared. The service always writes a value in the same way.
      ([name, { type }]) => `${side}.${quoteIdentifier(snakeCase(name))}${type === 'json' ? '::text' : ''}`,
    )})`
  const condition = notExpired(table, instant)
  const rowsOf = (name: string) => (condition ? `(SELECT * FROM ${name} WHERE ${condition})` : name)
  await connection.query(
    `DECLARE differing NO SCROLL CURSOR FOR
     SELECT row_to_json(l) AS live, row_to_json(r) AS rebuilt
     FROM ${rowsOf(names.live)} l FULL JOIN ${rowsOf(names.rebuilt)} r ON ${key.map((name) => `l.${name} = r.${name}`).join(' AND ')}
     WHERE ${rowOf('l')} IS DISTINCT FROM ${rowOf('r')}
     ORDER BY ${key.map((name) => `coalesce(l.${name}, r.${name})`).join(', ')}`,
  )
  for (;;) {
    const rows = await connection.query<{ live: Json; rebuilt: Json }>(`FETCH ${portionRows} FROM differing`)
    yield* rows
    if (rows.length < portionRows) break
  }
  await connection.query('CLOSE differing')
}

function differencesOf(table: Table, live: Json, rebuilt: Json): Omit<Difference, 'projection' | 'table'>[] {
  const row = (live ?? rebuilt)!
  const key = Object.fromEntries(table.key.map((name) => [name, row[snakeCase(name)]]))
  if (!live || !rebuilt) return [{ key, column: '*', live, rebuilt }]
  const columns = Object.keys(table.columns)
    .map((column) => ({ key, column, live: live[snakeCase(column)], rebuilt: rebuilt[snakeCase(column)] }))
    .filter((one) => JSON.stringify(one.live) !== JSON.stringify(one.rebuilt))
  // Somebody may have written equal JSON by hand in another form.
  return columns.length > 0 ? columns : [{ key, column: '*', live, rebuilt }]
}

async function compare(
  connection: Connection,
  readModels: ReadModels,
  projection: Projection,
  { live, rebuilt, instant }: { live: number; rebuilt: number; instant: string },
  report: (difference: Difference) => void,
): Promise<void> {
  for (const { key, table, sqlName } of readModels.tablesOf(projection.name, live)) {
    const names = { live: sqlName, rebuilt: readModels.tableName(key, rebuilt) }
    for await (const row of differingRows(connection, names, table, instant))
      for (const difference of differencesOf(table, row.live, row.rebuilt))
        report({ projection: projection.name, table: key, ...difference })
  }
}
