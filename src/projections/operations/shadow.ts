import type { Recorded } from '../../domain/event.ts'
import type { Connection, Queries } from '../../postgres.ts'
import type { Checkpoint } from '../../subscription/checkpoint.ts'
import type { Projection } from '../projection.ts'
import { fold, plan } from '../rows/fold.ts'
import { type Changes, workingRows } from '../rows/rows.ts'
import { nothingSkipped, passOver, type SkippedEvents } from '../schema/skips.ts'
import { addPrimaryKey, analyze, createIndexes, createTable, tableName } from '../schema/sql.ts'
import { newRows } from '../storage/newRows.ts'

/** A projection's tables filled anew, from the first event on, beside those that are read. */
export interface Shadow {
  readonly projection: Projection
  readonly generation: number
  /** The last event folded. */
  readonly checkpoint: Checkpoint
  /**
   * Folds the next events. Rows are written when memory holds enough of them, while folding goes on: what
   * goes wrong then is thrown by a later call. @throws FoldFailed, PostgresUnavailable
   */
  fold(events: readonly Recorded[]): Promise<void>
  /** Waits until all rows are written. */
  flush(): Promise<void>
  /** Creates keys and indexes, which is faster once the rows are there, and analyses the tables. */
  index(): Promise<void>
  drop(): Promise<void>
}

/** An event that a projection cannot fold, as it could not while live. */
export class FoldFailed extends Error {
  override readonly name = 'FoldFailed'
  readonly event: Recorded
  constructor(projection: Projection, event: Recorded, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(`${projection.name} cannot fold ${event.type} at position ${event.position}: ${why}`, { cause })
    this.event = event
  }
}

/** Rows of a table held back until they are written together. */
const heldBack = 1_000

/** The same for a table whose rows change again and again: most of the writes are spared by waiting. */
const heldLonger = 2_500

export interface ShadowOptions {
  /** Rows are looked up there while others are written, until `index`: from then on there may be a transaction. */
  readonly lookUps?: Queries
  readonly skipped?: SkippedEvents
}

/** Create the tables of that generation, after dropping those that an earlier attempt has left. */
export async function createShadow(
  connection: Connection,
  schema: string,
  projection: Projection,
  generation: number,
  { lookUps = connection, skipped = nothingSkipped }: ShadowOptions = {},
): Promise<Shadow> {
  const tables = Object.entries(projection.tables).map(([name, table]) => ({
    table,
    sqlName: tableName(schema, name, generation),
  }))
  const dropTables = async () => {
    await connection.query(tables.map(({ sqlName }) => `DROP TABLE IF EXISTS ${sqlName}`).join('; '))
  }
  await dropTables()
  await connection.query(tables.map(({ sqlName, table }) => createTable(sqlName, table)).join('; '))
  const [created] = await connection.query<{ at: string }>('SELECT clock_timestamp() AS at', [])

  const stored = newRows(projection, (name) => tableName(schema, name, generation), Date.parse(created!.at))
  const working = workingRows(projection, stored.lookUp)
  let checkpoint: Checkpoint = { position: 0, eventId: null }
  let keyed = false
  let indexed = false
  let writing: Promise<void> = Promise.resolve()

  const addKeys = async () => {
    if (keyed) return
    keyed = true
    // Rows that only grow are looked up by nobody: their key can wait like any index.
    const keys = tables.filter(({ table }) => !table.appendOnly)
    for (const { sqlName, table } of keys) await connection.query(addPrimaryKey(sqlName, table))
  }

  const write = (changes: Changes) => {
    const send = stored.prepare(changes)
    stored.settle(changes)
    writing = writing.then(() => send(connection)).then(addKeys)
    // The next caller that waits for the write gets its failure.
    writing.catch(() => {})
  }

  const flush = async () => {
    await writing
    write(working.take())
    await writing
  }

  return {
    projection,
    generation,
    get checkpoint() {
      return checkpoint
    },
    async fold(events) {
      const planned = plan(projection, passOver(events, skipped))
      await stored.load(indexed ? connection : lookUps, planned)
      const failure = fold(planned, working)
      if (failure) throw new FoldFailed(projection, failure.event, failure.error)
      const last = events.at(-1)
      if (last) checkpoint = { position: last.position, eventId: last.id }
      stored.trim(working.isChanged)
      const changes = working.take(
        (table, size) => size >= (stored.isRewritten(table) ? heldLonger : heldBack),
      )
      if (changes.size === 0) return
      await writing
      write(changes)
    },
    flush,
    async index() {
      await flush()
      indexed = true
      for (const { sqlName, table } of tables) {
        if (table.appendOnly) await connection.query(addPrimaryKey(sqlName, table))
        for (const index of createIndexes(sqlName, table)) await connection.query(index)
        await connection.query(analyze(sqlName))
      }
    },
    async drop() {
      // A pending write must not reach tables that another replay creates under these names, nor use a connection
      // that has been released.
      await writing.catch(() => {})
      await dropTables()
    },
  }
}
