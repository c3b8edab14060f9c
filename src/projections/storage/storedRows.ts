import type { Connection, Queries } from '../../postgres.ts'
import type { Key } from '../projection.ts'
import type { Plan } from '../rows/fold.ts'
import type { Changes, Slot, TableChanges } from '../rows/rows.ts'

/** The rows of one generation of a projection in PostgreSQL, as a fold looks them up and writes them. */
export interface StoredRows {
  /** Looks up the rows that the plan's events touch and that are not known yet: one SELECT a table. */
  load(queries: Queries, plan: Plan): Promise<void>
  /** The row under a key, after `load`. */
  lookUp(table: string, key: string): Slot
  /**
   * Works out how to write the changes of a fold, and returns the function that writes them: at most one statement
   * a table for rows that go, and two for rows that come.
   */
  prepare(changes: Changes): Write
  /** From now on `lookUp` knows these changes: they are written, or surely will be. */
  settle(changes: Changes): void
}

export type Write = (connection: Connection) => Promise<void>

/** One table of them. */
export interface StoredTable {
  /** Adds to `missing` the keys that must be looked up. */
  want(keys: ReadonlyMap<string, Key>, missing: Map<string, Key>): void
  load(queries: Queries, missing: ReadonlyMap<string, Key>): Promise<void>
  lookUp(key: string): Slot
  prepare(changes: TableChanges): Write
  settle(changes: TableChanges): void
}

export function storedRows(tables: ReadonlyMap<string, StoredTable>): StoredRows {
  return {
    async load(queries, { steps }) {
      const missing = new Map([...tables.keys()].map((name) => [name, new Map<string, Key>()]))
      for (const { declared } of steps)
        for (const [name, keys] of declared) tables.get(name)?.want(keys, missing.get(name)!)
      for (const [name, keys] of missing) if (keys.size > 0) await tables.get(name)!.load(queries, keys)
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
  }
}
