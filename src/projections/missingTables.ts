import { literal, type Queries } from '../postgres.ts'
import type { Projection } from './projection.ts'
import { type ProjectionState, presentTables } from './schema.ts'

/** Tables that somebody has dropped by hand: no fold notices until it has to write to them, and no read can be answered. */

/** Names of tables, by the name of their projection. */
export type MissingTables = ReadonlyMap<string, readonly string[]>

/** The tables of present generations that are not there; nothing for projections that have all. @throws PostgresUnavailable */
export const findMissingTables = async (
  queries: Queries,
  schema: string,
  projections: readonly Projection[],
  states: readonly ProjectionState[],
): Promise<MissingTables> => {
  const wanted = states.flatMap((state) =>
    presentTables(projections, state).map((table) => ({ projection: state.name, table })),
  )
  const rows = await queries.query<{ projection: string; table: string }>(
    `SELECT projection, "table" FROM unnest($1::text[], $2::text[]) AS wanted (projection, "table")
     WHERE NOT EXISTS (
       SELECT FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = ${literal(schema)} AND relname = "table" AND relkind = 'r'
     )`,
    [wanted.map(({ projection }) => projection), wanted.map(({ table }) => table)],
  )
  const missing = new Map<string, string[]>()
  for (const { projection, table } of rows)
    missing.set(projection, [...(missing.get(projection) ?? []), table])
  return missing
}

export const missingText = (tables: readonly string[]): string =>
  tables.length === 1 ? `its table ${tables[0]} is missing` : `its tables ${tables.join(', ')} are missing`

/** What to do about them. */
export const rebuildTodo = (projection: string): string =>
  `"heatmark projections rebuild ${projection}" makes the rows again from the events`

/** There are no rows to compare with. */
export class TablesMissing extends Error {
  override readonly name = 'TablesMissing'
  constructor(missing: MissingTables) {
    const parts = [...missing].map(
      ([name, tables]) => `${name} cannot be compared: ${missingText(tables)}; ${rebuildTodo(name)}`,
    )
    super(parts.join('\n'))
  }
}
