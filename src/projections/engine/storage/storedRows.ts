import type { Statement } from '../../../stores/postgres/postgres.ts'
import type { Key } from '../projection.ts'
import type { Plan } from '../rows/fold.ts'
import type { Changes, Row, Slot, TableChanges } from '../rows/rows.ts'

/** The rows of one generation of a projection in PostgreSQL, for the look-ups of a fold. */
export interface StoredRows {
  /** Return the look-ups of the rows that the plan's events touch and that are not known yet: one for each table. */
  missing(plan: Plan): RowLookUp[]
  /** Return the row under a key that was looked up before. */
  lookUp(table: string, key: string): Slot
  /** Promote written rows to the cache. */
  settle(changes: Changes): void
}

export interface RowLookUp {
  readonly statement: Statement
  /** Add the rows that the statement has returned. */
  addFound(rows: readonly Row[]): void
}

/** The rows of one table. */
export interface StoredTable {
  /** Add to `missing` the keys that must be looked up. */
  want(keys: ReadonlyMap<string, Key>, missing: Map<string, Key>): void
  load(missing: ReadonlyMap<string, Key>): RowLookUp
  lookUp(key: string): Slot
  settle(changes: TableChanges): void
}

export function storedRows(tables: ReadonlyMap<string, StoredTable>): StoredRows {
  return {
    missing({ steps }) {
      const missing = new Map<string, Map<string, Key>>()
      for (const { declared } of steps)
        for (const [name, keys] of declared) {
          const wanted = missing.get(name) ?? new Map<string, Key>()
          missing.set(name, wanted)
          tables.get(name)?.want(keys, wanted)
        }
      return [...missing].flatMap(([name, keys]) => (keys.size > 0 ? [tables.get(name)!.load(keys)] : []))
    },
    lookUp: (name, key) => tables.get(name)!.lookUp(key),
    settle(changes) {
      for (const [name, change] of changes) tables.get(name)!.settle(change)
    },
  }
}
