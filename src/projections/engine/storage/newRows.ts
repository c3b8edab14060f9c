import type { Connection } from '../../../stores/postgres/postgres.ts'
import type { Projection, Table } from '../projection.ts'
import { createKeyFilter } from '../rows/keyFilter.ts'
import { type Changes, keyOf, keyText, type Slot, type TableChanges } from '../rows/rows.ts'
import { isExpired } from './retention.ts'
import { type StoredRows, type StoredTable, storedRows } from './storedRows.ts'
import { rowWrites, tableRows } from './tableRows.ts'

/**
 * The rows of new tables, which a rebuild fills while it goes on folding. Most keys of a history are seen once, so
 * a key that was never written is not looked up.
 */
export interface NewRows extends StoredRows {
  /** Works out how to write the changes of a fold, and returns the function that writes them. */
  prepare(changes: Changes): Write
  /** Whether most of the rows of the table's last write had been there before. */
  isRewritten(table: string): boolean
  /** Drops rows that were looked up and that nobody has changed since, when there are many. */
  trim(isChanged: (table: string, key: string) => boolean): void
}

export type Write = (connection: Connection) => Promise<void>

/** Rows of a table that were looked up: up to this many may wait until the table is written. */
const lookedUp = 5_000

/**
 * `tableName` returns a qualified, quoted name. `createdAt` is when the tables were created, in milliseconds since the
 * epoch: rows whose retention had passed by then are not written.
 */
export function newRows(
  projection: Projection,
  tableName: (table: string) => string,
  createdAt: number,
): NewRows {
  const tables = new Map(
    Object.entries(projection.tables).map(([name, table]) => [
      name,
      newTable(tableName(name), table, createdAt),
    ]),
  )
  return {
    ...storedRows(tables),
    prepare(changes) {
      const writes = [...changes].map(([name, change]) => tables.get(name)!.prepare(change))
      return async (connection) => {
        for (const write of writes) await write(connection)
      }
    },
    isRewritten: (name) => tables.get(name)!.isRewritten(),
    trim(isChanged) {
      for (const [name, table] of tables) table.trim((key) => isChanged(name, key))
    },
  }
}

interface NewTable extends StoredTable {
  prepare(changes: TableChanges): Write
  isRewritten(): boolean
  trim(isChanged: (key: string) => boolean): void
}

function newTable(sqlName: string, table: Table, createdAt: number): NewTable {
  const stored = tableRows(sqlName, table)
  /** Looked up since the last write. */
  const slots = new Map<string, Slot>()
  const written = createKeyFilter()
  /** The last write may not have reached the table yet. */
  let lastWrite: ReadonlyMap<string, Slot> = new Map()
  let isEmpty = true
  let isRewritten = false

  return {
    want(keys, missing) {
      if (isEmpty) return
      for (const [text, key] of keys) {
        if (slots.has(text) || missing.has(text)) continue
        const last = lastWrite.get(text)
        if (last !== undefined) slots.set(text, last)
        else if (written.has(text)) missing.set(text, key)
      }
    },
    load: (missing) => ({
      statement: stored.reading(missing.values()),
      addFound(rows) {
        for (const key of missing.keys()) slots.set(key, null)
        for (const row of rows) slots.set(keyText(keyOf(table, row)), row)
      },
    }),
    lookUp: (key) => slots.get(key) ?? null,
    prepare(changes) {
      const { fresh, ...others } = rowWrites(table, changes, slots)
      const writes = { ...others, fresh: fresh.filter((row) => !isExpired(table, row, createdAt)) }
      isRewritten = writes.replaced.length > writes.fresh.length
      const isKeyed = !isEmpty
      return (connection) => stored.write(connection, writes, isKeyed)
    },
    settle({ changed, added }) {
      if (changed.size > 0 || added.length > 0) isEmpty = false
      lastWrite = changed
      for (const [key, row] of changed) if (row) written.add(key)
      slots.clear()
    },
    isRewritten: () => isRewritten,
    trim(isChanged) {
      if (slots.size < lookedUp) return
      for (const key of slots.keys()) if (!isChanged(key)) slots.delete(key)
    },
  }
}
