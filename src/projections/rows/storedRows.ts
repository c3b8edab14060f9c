import { LRUCache } from 'lru-cache'
import type { Connection, Queries } from '../../postgres.ts'
import type { Column, Key, Projection, Table } from '../projection.ts'
import { statementsFor } from '../schema/sql.ts'
import { copyLines } from './copyLines.ts'
import type { Plan } from './fold.ts'
import { createKeyFilter } from './keyFilter.ts'
import { wasOutlived } from './outlived.ts'
import { type Changes, keyOf, keyText, type Row, type Slot, type TableChanges } from './rows.ts'

/**
 * The rows of one generation of a projection as PostgreSQL has them, as far as they are known here. There is
 * one writer, so a row that was read or written once stays known for as long as memory holds it.
 */
export interface StoredRows {
  /** Looks up what the plan's events touch and nobody knows yet: one SELECT a table. */
  load(queries: Queries, plan: Plan): Promise<void>
  /** What stands under a key, after `load`. */
  lookUp(table: string, key: string): Slot
  /**
   * Works out how to write what a fold changed, and answers what does it: at most one statement a table for
   * rows that go, and two for rows that come.
   */
  prepare(changes: Changes): (connection: Connection) => Promise<void>
  /** What was written, or surely will be, is what is known from now on. */
  settle(changes: Changes): void
  /** After a rollback: what was only read is still true. */
  forget(): void
  /** Whether most of the rows that were written last had been there before. */
  isRewritten(table: string): boolean
  /** Lets rows go that were looked up and that nobody has changed since, when there are many. */
  trim(isChanged: (table: string, key: string) => boolean): void
}

export interface StoredRowsOptions {
  /** The qualified, quoted name of a table. */
  readonly tableName: (table: string) => string
  /** Rows to remember at most, over all tables. */
  readonly remember: number
  /**
   * The tables were made at that time, in milliseconds since the epoch: only what was written since need ever be
   * looked up, and what was outlived by then need not be written.
   */
  readonly newAt?: number
}

/** From so many rows on, COPY is cheaper than arrays. */
const copyFrom = 500

/** Rows of a table that were looked up: up to so many may wait until the table is written. */
const lookedUp = 5_000

/** A row that is known not to be there: the cache holds no null. */
const none: Row = Object.freeze({})

/** A value as a parameter or COPY wants it. @throws when PostgreSQL could not hold it */
const encode = (value: unknown, { type }: Column): unknown => {
  if (value === null) return null
  if (type === 'json') return JSON.stringify(value)
  // Encoded as UTF-8 it would silently become another text.
  if (type === 'text' && !String(value).isWellFormed()) throw new UnstorableText()
  return value
}

/** A text with half a surrogate pair: neither UTF-8 nor PostgreSQL has it. */
class UnstorableText extends Error {
  override readonly name = 'UnstorableText'
  readonly code = 'unstorable-text'
  constructor() {
    super('a text holds an unpaired surrogate')
  }
}

const storedTable = (sqlName: string, table: Table, remember: number, newAt: number | undefined) => {
  const isNewTable = newAt !== undefined
  const statements = statementsFor(sqlName, table)
  const columns = statements.columns.map((name) => table.columns[name]!)
  const cache = new LRUCache<string, Row>({ max: Math.max(1, remember) })
  /** What was looked up since the last settle: the cache might drop it too early. */
  const known = new Map<string, Slot>()
  /** What a new table may hold by now: most keys of a history are seen once, and need no look. */
  const written = isNewTable ? createKeyFilter() : undefined
  /** What was settled last may still be on its way there. */
  let onItsWay: ReadonlyMap<string, Slot> = new Map()
  let missing: Key[] = []
  let nothingStored = isNewTable
  let rewritten = false

  const byColumn = (rows: readonly Row[]) =>
    statements.columns.map((name, index) => rows.map((row) => encode(row[name], columns[index]!)))
  const byKeyColumn = (keys: readonly Key[]) => table.key.map((_, index) => keys.map((key) => key[index]))
  const send = async (connection: Connection, statement: string, rows: readonly Row[]) => {
    if (rows.length > 0) await connection.query(statement, byColumn(rows))
  }
  const copy = (connection: Connection, rows: readonly Row[]) =>
    connection.copy(statements.copy, copyLines(rows, statements.columns, columns, encode))

  return {
    want(keys: ReadonlyMap<string, Key>) {
      if (nothingStored) return
      for (const [text, key] of keys) {
        if (known.has(text)) continue
        const last = onItsWay.get(text)
        if (last !== undefined) {
          known.set(text, last)
          continue
        }
        const cached = cache.get(text)
        if (!cached && written && !written.has(text)) continue
        known.set(text, cached && cached !== none ? cached : null)
        if (!cached) missing.push(key)
      }
    },

    async load(queries: Queries) {
      if (missing.length > 0)
        for (const row of await queries.query<Row>(statements.select, byKeyColumn(missing)))
          known.set(keyText(keyOf(table, row)), row)
      missing = []
    },

    /** What was to be loaded and was not: nothing is known of it. */
    abandon() {
      for (const key of missing) known.delete(keyText(key))
      missing = []
    },

    lookUp(key: string): Slot {
      const slot = known.get(key)
      if (slot !== undefined) return slot
      if (written) return null
      throw new Error(`${sqlName}: a row was not loaded`)
    },

    prepare({ changed, added }: TableChanges) {
      const fresh: Row[] = []
      const others: Row[] = []
      const gone: Key[] = []
      for (const [text, row] of changed) {
        const isNew = !known.get(text)
        if (row && isNew && isNewTable && wasOutlived(table, row, newAt)) continue
        if (row) (isNew ? fresh : others).push(row)
        else if (!isNew) gone.push(keyOf(table, known.get(text)!))
      }
      rewritten = others.length > fresh.length
      // New tables have no key yet that a conflict could be found by.
      const put = nothingStored ? statements.insert : statements.upsert
      return async (connection: Connection) => {
        if (gone.length > 0) await connection.query(statements.remove, byKeyColumn(gone))
        if (fresh.length < copyFrom) await send(connection, put, others.concat(fresh))
        else {
          await send(connection, statements.upsert, others)
          await copy(connection, fresh)
        }
        if (added.length < copyFrom) await send(connection, statements.insert, added)
        else await copy(connection, added)
      }
    },

    settle({ changed, added }: TableChanges) {
      if (changed.size > 0 || added.length > 0) nothingStored = false
      if (isNewTable) onItsWay = changed
      for (const [text, row] of known) cache.set(text, row ?? none)
      for (const [text, row] of changed) {
        cache.set(text, row ?? none)
        if (row) written?.add(text)
      }
      known.clear()
    },

    isRewritten: () => rewritten,

    forget() {
      for (const [text, row] of known) cache.set(text, row ?? none)
      known.clear()
    },

    trim(isChanged: (key: string) => boolean) {
      if (known.size < lookedUp) return
      for (const key of known.keys()) if (!isChanged(key)) known.delete(key)
    },
  }
}

export const storedRows = (projection: Projection, options: StoredRowsOptions): StoredRows => {
  const { tableName, remember, newAt } = options
  const entries = Object.entries(projection.tables)
  const share = Math.ceil(remember / entries.length)
  const tables = new Map(
    entries.map(([name, table]) => [name, storedTable(tableName(name), table, share, newAt)]),
  )
  return {
    async load(queries, { steps }) {
      for (const { declared } of steps) for (const [name, keys] of declared) tables.get(name)?.want(keys)
      try {
        for (const table of tables.values()) await table.load(queries)
      } finally {
        for (const table of tables.values()) table.abandon()
      }
    },
    lookUp: (name, key) => tables.get(name)!.lookUp(key),
    prepare(changes) {
      const writes = [...changes].map(([name, change]) => tables.get(name)!.prepare(change))
      return async (connection) => {
        for (const write of writes) await write(connection)
      }
    },
    settle(changes) {
      for (const [name, change] of changes) tables.get(name)!.settle(change)
    },
    isRewritten: (name) => tables.get(name)!.isRewritten(),
    forget() {
      for (const table of tables.values()) table.forget()
    },
    trim(isChanged) {
      for (const [name, table] of tables) table.trim((key) => isChanged(name, key))
    },
  }
}
