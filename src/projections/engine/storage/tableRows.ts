import { Failure } from '../../../lib/failure.ts'
import type { Connection, Statement } from '../../../stores/postgres/postgres.ts'
import type { Column, Key, Table } from '../projection.ts'
import { keyOf, type Row, type Slot, type TableChanges } from '../rows/rows.ts'
import { type RowStatements, statementsFor } from '../schema/sql.ts'
import { copyLines } from './copyLines.ts'

/** Rows of one table, read from PostgreSQL by key, and written to it. */
export interface TableRows {
  /** The statement that returns the rows under these keys, of which there must be one at least. */
  reading(keys: Iterable<Key>): Statement
  /**
   * Return the statements that write: one for the deleted rows, and one or two for the rows to store.
   * @throws Failure `unstorable-text`
   */
  writing(writes: RowWrites): Statement[]
  /**
   * Write by the fastest statement, one after the other. `isKeyed` is false for a new table, which has no key yet
   * that a conflict could be found by. @throws Failure `unstorable-text`, PostgresUnavailable
   */
  write(connection: Connection, writes: RowWrites, isKeyed: boolean): Promise<void>
}

/** The changes of a fold in one table, by how they are written. */
interface RowWrites {
  readonly removed: Key[]
  /** Rows that were there before. */
  readonly replaced: Row[]
  /** Rows that were not. */
  readonly fresh: Row[]
  /** New rows of a table that only grows. */
  readonly added: readonly Row[]
}

/** From this many rows on, COPY is cheaper than arrays. */
const copyFrom = 500

export function tableRows(sqlName: string, table: Table): TableRows {
  const statements = statementsFor(sqlName, table)
  const columns = statements.columns.map((name) => ({ name, type: table.columns[name]!.type }))

  const encoded = createEncoder(columns)
  const statementFor = (use: keyof RowStatements, rows: readonly (readonly unknown[])[]): Statement =>
    rows.length === 1
      ? { text: statements.one[use], values: rows[0]! }
      : { text: statements.many[use], values: rows[0]!.map((_, index) => rows.map((row) => row[index])) }
  const writing = (
    { removed, replaced, fresh, added }: RowWrites,
    put: 'upsert' | 'insert' = 'upsert',
  ): Statement[] => {
    const statements: Statement[] = []
    if (removed.length > 0) statements.push(statementFor('remove', removed))
    const puts = replaced.concat(fresh)
    if (puts.length > 0) statements.push(statementFor(put, puts.map(encoded)))
    if (added.length > 0) statements.push(statementFor('insert', added.map(encoded)))
    return statements
  }
  const copy = (connection: Connection, rows: readonly Row[]) =>
    connection.copy(statements.copy, copyLines(rows, encoded))

  return {
    reading: (keys) => statementFor('select', [...keys]),
    writing,
    async write(connection, { fresh, added, ...others }, isKeyed) {
      const many = [fresh, added].filter((rows) => rows.length >= copyFrom)
      const unlessMany = <Rows>(rows: Rows[]) => (rows.length < copyFrom ? rows : [])
      const writes = { ...others, fresh: unlessMany(fresh), added: unlessMany([...added]) }
      for (const { text, values } of writing(writes, isKeyed ? 'upsert' : 'insert'))
        await connection.query(text, values)
      for (const rows of many) await copy(connection, rows)
    },
  }
}

/** `before` says which row is stored under a key. */
export function rowWrites(
  table: Table,
  { changed, added }: TableChanges,
  before: { get(key: string): Slot | undefined },
): RowWrites {
  const writes: RowWrites = { removed: [], replaced: [], fresh: [], added }
  for (const [key, row] of changed) {
    const stored = before.get(key)
    if (row) (stored ? writes.replaced : writes.fresh).push(row)
    else if (stored) writes.removed.push(keyOf(table, stored))
  }
  return writes
}

interface NamedColumn extends Pick<Column, 'type'> {
  readonly name: string
}

/** Return the function that gives the values of a row as parameters or COPY want them. @throws Failure `unstorable-text` */
function createEncoder(columns: readonly NamedColumn[]): (row: Row) => unknown[] {
  return (row) => {
    const values: unknown[] = []
    for (const { name, type } of columns) {
      const value = row[name]
      // Encoded as UTF-8 it would silently become another text.
      if (type === 'text' && value !== null && !String(value).isWellFormed())
        throw new Failure('unstorable-text', 'a text holds an unpaired surrogate')
      values.push(type === 'json' && value !== null ? JSON.stringify(value) : value)
    }
    return values
  }
}
