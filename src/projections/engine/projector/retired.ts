import { literal, type Postgres } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { ProjectionState } from '../schema/schema.ts'

/** The tables that a rebuild has replaced: they go when nobody can be reading them any more. */
export interface RetiredTables {
  /** Takes note of tables of earlier generations than the present ones. */
  note(states: readonly ProjectionState[]): Promise<void>
  /** Drops those that were noted long enough ago. */
  drop(): Promise<void>
}

/** No read keeps a snapshot for longer. */
export const longestReadMs = 60_000
/** Its node and this one may measure a minute a little differently. */
const slackMs = 5_000

export function retiredTables(
  postgres: Postgres,
  { schema, tablesOf }: ReadModels,
  now: () => Date,
): RetiredTables {
  /** When each may go, by its qualified, quoted name. */
  const due = new Map<string, number>()

  const earlier = async ({ name, generation }: ProjectionState): Promise<string[]> => {
    const tables = Array.from({ length: generation - 1 }, (_, index) => tablesOf(name, index + 1)).flat()
    if (tables.length === 0) return []
    const there = await postgres.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = ${literal(schema)}::regnamespace`,
    )
    const relations = new Set(there.map(({ relname }) => relname))
    return tables.filter((table) => relations.has(table.name)).map(({ sqlName }) => sqlName)
  }

  return {
    async note(states) {
      for (const state of states)
        for (const table of await earlier(state))
          if (!due.has(table)) due.set(table, now().getTime() + longestReadMs + slackMs)
    },
    async drop() {
      for (const [table, at] of due) {
        if (now().getTime() < at) continue
        // A read that is still at it, against all rules, must not make others queue behind this.
        await postgres.query(`SET lock_timeout = '1s'; DROP TABLE IF EXISTS ${table}; RESET lock_timeout`)
        due.delete(table)
      }
    },
  }
}
