import type { Projection } from '../../src/projections/engine/projection.ts'
import { keyOf, keyText, type Row } from '../../src/projections/engine/rows/rows.ts'
import type { ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { snakeCase } from '../../src/projections/engine/schema/sql.ts'
import { tableRows } from '../../src/projections/engine/storage/tableRows.ts'
import { type Postgres, type Queries, quoteIdentifier } from '../../src/stores/postgres/postgres.ts'

/** Every row of a projection as PostgreSQL has it, by table and key. */
export async function rowsOf(
  queries: Queries,
  readModels: ReadModels,
  projection: Projection,
  generation = 1,
): Promise<Record<string, Map<string, Row>>> {
  const all: Record<string, Map<string, Row>> = {}
  for (const [name, table] of Object.entries(projection.tables)) {
    const columns = Object.keys(table.columns).map(
      (column) => `${snakeCase(column)} AS ${quoteIdentifier(column)}`,
    )
    const rows = await queries.query<Row>(
      `SELECT ${columns.join(', ')} FROM ${readModels.tableName(name, generation)}`,
    )
    all[name] = byKey(projection, name, rows)
  }
  return all
}

/** Rows of a table by key, as `rowsOf` has them. */
export const byKey = (projection: Projection, name: string, rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [keyText(keyOf(projection.tables[name]!, row)), row]))

/** All tables of a fold by key, as `rowsOf` has them. */
export const allByKey = (projection: Projection, tables: Readonly<Record<string, readonly Row[]>>) =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, byKey(projection, name, rows)]))

/** Write folded rows into the tables of the first generation. */
export async function writeRows(
  postgres: Postgres,
  readModels: ReadModels,
  projection: Projection,
  rows: Readonly<Record<string, readonly Row[]>>,
): Promise<void> {
  await postgres.transaction(async (connection) => {
    for (const [name, table] of Object.entries(projection.tables))
      await tableRows(readModels.tableName(name, 1), table).write(
        connection,
        { removed: [], replaced: [], fresh: [...rows[name]!], added: [] },
        true,
      )
  })
}
