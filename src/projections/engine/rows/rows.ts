import { Failure } from '../../../lib/failure.ts'
import { type Key, ownColumns, type Table, type TableRows } from '../projection.ts'
import { forkOf } from './forks.ts'
import { sameValues } from './sameValues.ts'

/** The rows of a table while events are folded into them: looked up below, changed above. */

export type Row = Readonly<Record<string, unknown>>

/** The row under a key, or null for none. */
export type Slot = Row | null

/** A key as the key of a Map. */
export function keyText(key: Key): string {
  let text = String(key[0])
  for (let index = 1; index < key.length; index++) text += `\0${key[index]}`
  return text
}

/** The values of a row's key columns. */
export function keyOf(table: Table, row: Row): Key {
  return table.key.map((column) => row[column] as string | number)
}

/** The changes of a fold in one table. */
export interface TableChanges {
  /** Rows by key, as they are now. */
  readonly changed: Map<string, Slot>
  /** New rows of a table that only grows. */
  readonly added: Row[]
}

/** The rows that an event touches, by table and key. */
export type Declared = ReadonlyMap<string, ReadonlyMap<string, Key>>

/** The changes of a fold, by table. */
export type Changes = ReadonlyMap<string, TableChanges>

/** The rows of one table while events are folded into them. */
export interface WorkingTable {
  readonly rows: TableRows<Row>
  isChanged(key: string): boolean
  take(): TableChanges
  readonly size: number
  begin(declared: ReadonlyMap<string, Key>, position: number): void
  keep(): boolean
  drop(): void
}

interface GrowingTable extends WorkingTable {
  /** Adds a row that no handler has put. */
  add(row: Row): void
}

/** `keyText` of a row's key, without the key in between: every row of a rebuild comes by here. */
function keyTextOf({ key }: Table, row: Row): string {
  let text = String(row[key[0]!])
  for (let index = 1; index < key.length; index++) text += `\0${row[key[index]!]}`
  return text
}

/** Gives a row null for what is missing. @throws Failure `misshapen-row` when something must not be missing */
function createCompleter(name: string, table: Table): (row: Row) => Row {
  const columns = Object.entries(ownColumns(table))
  return (row) => {
    let whole = row
    for (const [column, { nullable }] of columns) {
      const value = whole[column]
      if (value !== undefined && value !== null) continue
      if (!nullable) throw new Failure('misshapen-row', `${name}: ${column} is missing`)
      if (value === undefined) whole = { ...whole, [column]: null }
    }
    return whole
  }
}

/** `opens` is called before the first row that an event adds. */
export function growingTable(name: string, table: Table, opens: () => void): GrowingTable {
  const complete = createCompleter(name, table)
  let added: Row[] = []
  let current: Row[] = []
  const refuse = (): never => {
    throw new Failure('undeclared-row', `${name}: rows are only ever added here, and none is looked up`)
  }
  return {
    rows: {
      get: refuse,
      update: refuse,
      delete: refuse,
      put(row) {
        if (current.length === 0) opens()
        current.push(complete(row))
      },
    },
    add: (row) => {
      opens()
      current.push(row)
    },
    isChanged: () => false,
    begin: () => {},
    keep() {
      if (current.length === 0) return false
      for (const row of current) added.push(row)
      current = []
      return true
    },
    drop: () => {
      current = []
    },
    take() {
      const taken = { changed: new Map(), added }
      added = []
      return taken
    },
    get size() {
      return added.length
    },
  }
}

/** The table `past` gets the former rows of a versioned table. */
export function keyedTable(
  name: string,
  table: Table,
  lookUp: (key: string) => Slot,
  past: GrowingTable | undefined,
): WorkingTable {
  const isSame = sameValues(table)
  let changed = new Map<string, Slot>()
  const current = new Map<string, Slot>()
  let declared: ReadonlyMap<string, Key> | undefined
  let position = 0

  const rowBefore = (key: string): Slot => {
    const before = changed.get(key)
    return before !== undefined ? before : lookUp(key)
  }
  /** One event at a time, so that the former rows do not depend on how many events are folded together. */
  const keepVersioned = (key: string, row: Slot, past: GrowingTable): void => {
    const before = rowBefore(key)
    if (before && row && isSame(before, row)) return
    if (before) past.add(formerRow(before, position))
    changed.set(key, row && { ...row, fromPosition: position })
  }
  return {
    rows: keyedRows(name, table, {
      check(key) {
        if (!declared?.has(key)) throw undeclaredKey(name, key)
      },
      get(key) {
        const now = current.get(key)
        return now !== undefined ? now : rowBefore(key)
      },
      set: (key, row) => void current.set(key, row),
    }),
    isChanged: (key) => changed.has(key),
    begin(keys, at) {
      declared = keys
      position = at
    },
    keep() {
      declared = undefined
      if (current.size === 0) return false
      for (const [key, row] of current) {
        if (past) keepVersioned(key, row, past)
        else changed.set(key, row)
      }
      current.clear()
      return true
    },
    drop() {
      declared = undefined
      current.clear()
    },
    take() {
      const taken = { changed, added: [] }
      changed = new Map()
      return taken
    },
    get size() {
      return changed.size
    },
  }
}

/** The row as it was until this position. */
function formerRow(row: Row, toPosition: number): Row {
  return { ...row, toPosition, fork: forkOf(Number(row.fromPosition), toPosition) }
}

function undeclaredKey(name: string, key: string): Failure {
  return new Failure('undeclared-row', `${name}: row ${key.replaceAll('\0', ', ')} is not declared`)
}

/** The rows of a table by key, as they are while the handler of an event works on them. */
interface Slots {
  /** @throws Failure `undeclared-row` when the present event did not declare the key */
  check(key: string): void
  get(key: string): Slot
  set(key: string, row: Slot): void
}

/** The rows as a handler sees them. */
function keyedRows(name: string, table: Table, slots: Slots): TableRows<Row> {
  const complete = createCompleter(name, table)
  return {
    get(key) {
      const text = keyText(key)
      slots.check(text)
      return slots.get(text) ?? undefined
    },
    put(row) {
      const text = keyTextOf(table, row)
      slots.check(text)
      slots.set(text, complete(row))
    },
    update(key, change) {
      const text = keyText(key)
      slots.check(text)
      const row = slots.get(text)
      if (!row) return
      const after = { ...row, ...(typeof change === 'function' ? change(row) : change) }
      if (table.key.some((column) => after[column] !== row[column]))
        throw new Failure('misshapen-row', `${name}: a row cannot change its key`)
      slots.set(text, complete(after))
    },
    delete(key) {
      const text = keyText(key)
      slots.check(text)
      if (slots.get(text)) slots.set(text, null)
    },
  }
}
