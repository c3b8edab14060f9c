import { identifier, type Queries } from '../../src/postgres.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { keyOf, keyText, type Row } from '../../src/projections/rows/rows.ts'
import { snakeCase, tableName } from '../../src/projections/schema/sql.ts'

/** Every row of a projection as PostgreSQL has it, by table and key. */
export async function rowsOf(
  queries: Queries,
  schema: string,
  projection: Projection,
  generation = 1,
): Promise<Record<string, Map<string, Row>>> {
  const all: Record<string, Map<string, Row>> = {}
  for (const [name, table] of Object.entries(projection.tables)) {
    const columns = Object.keys(table.columns).map(
      (column) => `${snakeCase(column)} AS ${identifier(column)}`,
    )
    const rows = await queries.query<Row>(
      `SELECT ${columns.join(', ')} FROM ${tableName(schema, name, generation)}`,
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
