import { type Projection, pastName, type Rows, type Tables } from '../projection.ts'
import {
  type Changes,
  type Declared,
  growingTable,
  keyedTable,
  type Slot,
  type TableChanges,
  type WorkingTable,
} from './rows.ts'

/** The rows of a projection while events are folded into them. Only the tables that an event declares are visited. */

export interface WorkingRows {
  /** The rows as handlers see them. */
  readonly rows: Rows<Tables>
  /** Lets the next event, which is at that position, see the rows that it declared, and no others. */
  begin(declared: Declared, position: number): void
  /** Merges the changes of the event, and returns whether there were any. */
  keep(): boolean
  /** Forgets the changes of the event. */
  drop(): void
  /**
   * Returns the changes since the last `take`, by table; from now on `lookUp` must know them. A table without changes
   * has no entry. A table that is not due with this many changed rows keeps its changes for a later `take`.
   */
  take(isDue?: (table: string, size: number) => boolean): Changes
  /** Whether a `take` would have the row. */
  isChanged(table: string, key: string): boolean
}

/** `lookUp` returns the stored row under a key, with the changes that `take` returned. */
export function workingRows(
  projection: Projection,
  lookUp: (table: string, key: string) => Slot,
): WorkingRows {
  const all = Object.entries(projection.tables)
  const label = (name: string) => `${projection.name}.${name}`
  /**
   * The tables that the present event may change: those that it declared, and those to which it has added rows. A
   * versioned table adds the table of its former rows while it is kept.
   */
  const open = new Set<string>()
  /** The tables with changes that nobody has taken yet. */
  const changed = new Set<string>()
  const growing = new Map(
    all.flatMap(([name, table]) =>
      table.appendOnly ? [[name, growingTable(label(name), table, () => void open.add(name))]] : [],
    ),
  )
  const tables = new Map(
    all.map(([name, table]): [string, WorkingTable] => {
      const past = table.versioned ? growing.get(pastName(name)) : undefined
      return [name, growing.get(name) ?? keyedTable(label(name), table, (key) => lookUp(name, key), past)]
    }),
  )
  return {
    rows: Object.fromEntries([...tables].map(([name, { rows }]) => [name, rows])) as Rows<Tables>,
    begin(declared, position) {
      for (const [name, keys] of declared) {
        const working = tables.get(name)
        if (!working) continue
        working.begin(keys, position)
        open.add(name)
      }
    },
    keep() {
      let isChanged = false
      for (const name of open) {
        if (!tables.get(name)!.keep()) continue
        isChanged = true
        changed.add(name)
      }
      open.clear()
      return isChanged
    },
    drop() {
      for (const name of open) tables.get(name)!.drop()
      open.clear()
    },
    isChanged: (table, key) => tables.get(table)!.isChanged(key),
    take(isDue) {
      const taken = new Map<string, TableChanges>()
      for (const name of changed) {
        const working = tables.get(name)!
        if (isDue && !isDue(name, working.size)) continue
        taken.set(name, working.take())
        changed.delete(name)
      }
      return taken
    },
  }
}
