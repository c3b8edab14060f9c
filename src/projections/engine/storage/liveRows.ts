import { LRUCache } from 'lru-cache'
import { atMost } from '../../../lib/atMost.ts'
import type { Statement } from '../../../stores/postgres/postgres.ts'
import type { Projection, Table } from '../projection.ts'
import { type Changes, keyOf, keyText, type Row, type Slot, type TableChanges } from '../rows/rows.ts'
import { type StoredRows, type StoredTable, storedRows } from './storedRows.ts'
import { rowWrites, tableRows } from './tableRows.ts'

/**
 * The rows that the live projector keeps up, with a cache of those it has read or written: as it is the only
 * writer, they stay true.
 */
export interface LiveRows extends StoredRows {
  /** The statements that write the changes of a fold. @throws Failure `unstorable-text` */
  writing(changes: Changes): Statement[]
  /** Forgets the look-ups of a batch that was rolled back; the cache keeps them, for they are still true. */
  forget(): void
}

/** Means in the cache, which holds no null, that no row is stored under the key. */
const none: Row = Object.freeze({})

/** `remember` bounds the cached rows of all tables together; `tableName` returns a qualified, quoted name. */
export function liveRows(
  projection: Projection,
  tableName: (table: string) => string,
  remember: number,
): LiveRows {
  const entries = Object.entries(projection.tables)
  const lookedUp = entries.filter(([, table]) => !table.appendOnly)
  const share = Math.max(1, Math.ceil(remember / Math.max(1, lookedUp.length)))
  /** The tables that were looked into for the present batch. */
  const open = new Set<LiveTable>()
  const tables = new Map(
    entries.map(([name, table]) => [name, liveTable(tableName(name), table, share, (one) => open.add(one))]),
  )
  const stored = storedRows(tables)
  const forget = () => {
    for (const table of open) table.forget()
    open.clear()
  }
  return {
    ...stored,
    writing(changes) {
      const statements: Statement[] = []
      for (const [name, change] of changes) statements.push(...tables.get(name)!.writing(change))
      return statements
    },
    settle(changes) {
      forget()
      stored.settle(changes)
    },
    forget,
  }
}

interface LiveTable extends StoredTable {
  writing(changes: TableChanges): Statement[]
  forget(): void
}

/** `opens` is called when the table is looked into. */
function liveTable(
  sqlName: string,
  table: Table,
  remember: number,
  opens: (table: LiveTable) => void,
): LiveTable {
  const stored = tableRows(sqlName, table)
  const cache = new LRUCache<string, Row>(atMost(remember))
  /** Looked up for the present batch: the cache might drop such rows too early. */
  const slots = new Map<string, Slot>()

  const live: LiveTable = {
    want(keys, missing) {
      opens(live)
      for (const [text, key] of keys) {
        if (slots.has(text)) continue
        const cached = cache.get(text)
        if (!cached) missing.set(text, key)
        else slots.set(text, cached === none ? null : cached)
      }
    },
    load: (missing) => ({
      statement: stored.reading(missing.values()),
      addFound(rows) {
        for (const key of missing.keys()) slots.set(key, null)
        for (const row of rows) slots.set(keyText(keyOf(table, row)), row)
      },
    }),
    lookUp(key) {
      const slot = slots.get(key)
      if (slot === undefined) throw new Error(`${sqlName}: a row was not loaded`)
      return slot
    },
    writing: (changes) => stored.writing(rowWrites(table, changes, slots)),
    settle({ changed }) {
      for (const [key, row] of changed) cache.set(key, row ?? none)
    },
    forget() {
      for (const [key, row] of slots) cache.set(key, row ?? none)
      slots.clear()
    },
  }
  return live
}
