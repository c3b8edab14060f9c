import { Failure } from '../../../lib/failure.ts'
import { literalOf, type Queries } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { ProjectionState } from '../schema/schema.ts'
import { snakeCase } from '../schema/sql.ts'

/**
 * Find tables and columns that somebody has dropped by hand. No read of them can be answered, and a fold notices only
 * when it writes to them.
 */
interface MissingTable {
  readonly table: string
  /** The missing columns; null when the whole table is missing. */
  readonly columns: readonly string[] | null
}

/** By the name of their projection. */
export type MissingTables = ReadonlyMap<string, readonly MissingTable[]>

/** Find the tables and columns that present generations lack, by projection. @throws PostgresUnavailable */
export async function findMissingTables(
  queries: Queries,
  { schema, tablesOf }: ReadModels,
  states: readonly ProjectionState[],
): Promise<MissingTables> {
  const wanted = states.flatMap(({ name, generation }) =>
    tablesOf(name, generation).flatMap(({ table, name: tableName }) =>
      Object.keys(table.columns).map((column) => ({
        projection: name,
        table: tableName,
        column: snakeCase(column),
      })),
    ),
  )
  const rows = await queries.query<MissingTable & { projection: string }>(
    `SELECT projection, "table", CASE WHEN c.oid IS NOT NULL THEN array_agg("column" ORDER BY place) END AS columns
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS wanted (projection, "table", "column", place)
     LEFT JOIN (pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND nspname = ${literalOf(schema)})
       ON c.relname = "table" AND relkind = 'r'
     LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND attname = "column" AND NOT attisdropped
     WHERE a.attrelid IS NULL
     GROUP BY projection, "table", c.oid ORDER BY min(place)`,
    [
      wanted.map(({ projection }) => projection),
      wanted.map(({ table }) => table),
      wanted.map(({ column }) => column),
    ],
  )
  const missing = new Map<string, MissingTable[]>()
  for (const { projection, table, columns } of rows)
    missing.set(projection, [...(missing.get(projection) ?? []), { table, columns }])
  return missing
}

/** Such as `tag_1`, or `tag_1.name` for a missing column. */
export function missingNames(missing: readonly MissingTable[]): string[] {
  return missing.flatMap(({ table, columns }) => columns?.map((column) => `${table}.${column}`) ?? [table])
}

export function missingText(missing: readonly MissingTable[]): string {
  return missing.map(lackText).join(' and ')
}

/** The command that restores missing and wrong rows. */
export function rebuildTodo(projection: string): string {
  return `"heatmark projections rebuild ${projection}" makes the rows again from the events`
}

export function tablesMissing(missing: MissingTables): Failure {
  const parts = [...missing].map(
    ([name, tables]) => `${name} cannot be compared: ${missingText(tables)}; ${rebuildTodo(name)}`,
  )
  return new Failure('tables-missing', parts.join('\n'))
}

function lackText({ table, columns }: MissingTable): string {
  if (!columns) return `its table ${table} is missing`
  return `its table ${table} lacks the ${columns.length === 1 ? 'column' : 'columns'} ${columns.join(', ')}`
}
