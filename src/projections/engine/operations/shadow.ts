import type { Recorded } from '../../../domain/kernel/event.ts'
import { awaitLater } from '../../../lib/awaitLater.ts'
import { Failure, messageOf } from '../../../lib/failure.ts'
import type { Connection, Queries } from '../../../stores/postgres/postgres.ts'
import type { Checkpoint } from '../../../stores/subscription/checkpoint.ts'
import type { Projection } from '../projection.ts'
import { type FoldFailure, fold, plan } from '../rows/fold.ts'
import type { Changes, Row } from '../rows/rows.ts'
import { workingRows } from '../rows/workingRows.ts'
import type { GenerationTable, ReadModels } from '../schema/readModels.ts'
import { nothingSkipped, passOver, type SkippedEvents } from '../schema/skips.ts'
import { addPrimaryKey, analyze, createIndexes, createTable } from '../schema/sql.ts'
import { type NewRows, newRows } from '../storage/newRows.ts'

/** New tables of a projection, filled from the first event on beside the tables that are read. */
export interface Shadow {
  readonly projection: Projection
  readonly generation: number
  /** The last event folded. */
  readonly checkpoint: Checkpoint
  /**
   * Folds the next events, whose metadata were read with `withMetadata`. Rows are written when memory holds enough of
   * them, while folding goes on: what goes wrong then is thrown by a later call. @throws Failure `fold-failed`,
   * PostgresUnavailable
   */
  fold(events: readonly Recorded[]): Promise<void>
  /** Waits until all rows are written. */
  flush(): Promise<void>
  /** Creates keys and indexes, which is faster once the rows are there, and analyses the tables. */
  index(): Promise<void>
  drop(): Promise<void>
}

/** Rows of a table held back until they are written together. */
const heldBack = 1_000

/** The same for a table whose rows change often. Waiting longer spares most of the writes. */
const heldLonger = 2_500

interface ShadowOptions {
  /** Rows are looked up there while others are written, until `index`: from then on there may be a transaction. */
  readonly lookUps?: Queries
  readonly skipped?: SkippedEvents
}

/** Create the tables of that generation, after dropping those that an earlier attempt has left. */
export async function createShadow(
  connection: Connection,
  readModels: ReadModels,
  projection: Projection,
  generation: number,
  { lookUps = connection, skipped = nothingSkipped }: ShadowOptions = {},
): Promise<Shadow> {
  const tables = readModels.tablesOf(projection.name, generation)
  await dropTables(connection, tables)
  const createdAt = await createTables(connection, tables)
  const stored = newRows(projection, (table) => readModels.tableName(table, generation), createdAt)
  const working = workingRows(projection, stored.lookUp)
  const writer = createWriter(connection, tables, stored)
  let checkpoint: Checkpoint = { position: 0, eventId: null }
  let indexed = false

  const flush = async () => {
    await writer.untilWritten()
    writer.write(working.take())
    await writer.untilWritten()
  }

  return {
    projection,
    generation,
    get checkpoint() {
      return checkpoint
    },
    async fold(events) {
      const planned = plan(projection, passOver(events, skipped))
      for (const { statement, addFound } of stored.missing(planned))
        addFound(await (indexed ? connection : lookUps).query<Row>(statement.text, statement.values))
      const failure = fold(planned, working)
      if (failure) throw foldFailed(projection, failure)
      const last = events.at(-1)
      if (last) checkpoint = { position: last.position, eventId: last.id }
      stored.trim(working.isChanged)
      const changes = working.take(
        (table, size) => size >= (stored.isRewritten(table) ? heldLonger : heldBack),
      )
      if (changes.size === 0) return
      await writer.untilWritten()
      writer.write(changes)
    },
    flush,
    async index() {
      await flush()
      indexed = true
      await indexTables(connection, tables)
    },
    async drop() {
      // A pending write must not reach tables that another replay creates under these names, nor use a connection
      // that has been released.
      await writer.untilWritten().catch(() => {})
      await dropTables(connection, tables)
    },
  }
}

async function dropTables(connection: Connection, tables: readonly GenerationTable[]): Promise<void> {
  await connection.query(tables.map(({ sqlName }) => `DROP TABLE IF EXISTS ${sqlName}`).join('; '))
}

/** Return when they were created, in milliseconds since the epoch. */
async function createTables(connection: Connection, tables: readonly GenerationTable[]): Promise<number> {
  await connection.query(tables.map(({ sqlName, table }) => createTable(sqlName, table)).join('; '))
  const [created] = await connection.query<{ at: string }>('SELECT clock_timestamp() AS at', [])
  return Date.parse(created!.at)
}

/** Writes rows in the background, one portion after the other. */
interface Writer {
  /** Waits for the last write, and throws its failure. */
  untilWritten(): Promise<void>
  write(changes: Changes): void
}

function createWriter(connection: Connection, tables: readonly GenerationTable[], stored: NewRows): Writer {
  let keyed = false
  let writing: Promise<void> = Promise.resolve()

  const addKeys = async () => {
    if (keyed) return
    keyed = true
    // Rows that only grow are looked up by nobody: their key can wait like any index.
    const keys = tables.filter(({ table }) => !table.appendOnly)
    for (const { sqlName, table } of keys) await connection.query(addPrimaryKey(sqlName, table))
  }

  return {
    untilWritten: () => writing,
    write(changes) {
      const send = stored.prepare(changes)
      stored.settle(changes)
      // The next caller that waits for the write gets its failure.
      writing = awaitLater(writing.then(() => send(connection)).then(addKeys))
    },
  }
}

/** Add the keys and indexes that the tables still lack, and analyse them. */
async function indexTables(connection: Connection, tables: readonly GenerationTable[]): Promise<void> {
  for (const { sqlName, table } of tables) {
    if (table.appendOnly) await connection.query(addPrimaryKey(sqlName, table))
    for (const index of createIndexes(sqlName, table)) await connection.query(index)
    await connection.query(analyze(sqlName))
  }
}

/** An event that a projection cannot fold, as it could not while live. */
function foldFailed({ name }: Projection, { event, error }: FoldFailure): Failure {
  const message = `${name} cannot fold ${event.type} at position ${event.position}: ${messageOf(error)}`
  return new Failure('fold-failed', message, { cause: error })
}
