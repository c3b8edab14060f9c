import { literalOf, type Postgres } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { ProjectionState } from '../schema/schema.ts'

/** The tables that a rebuild has replaced. They are dropped once no read can still use them. */
export interface RetiredTables {
  /** Note the tables of earlier generations. */
  note(states: readonly ProjectionState[]): Promise<void>
  /** Drop the tables that were noted long enough ago. */
  drop(): Promise<void>
}

/** No read keeps a snapshot for longer. */
export const longestReadMs = 60_000
/** The clocks of two nodes may run at slightly different speeds. */
const slackMs = 5_000

export function retiredTables(
  postgres: Postgres,
  { schema, tablesOf }: ReadModels,
  now: () => Date,
): RetiredTables {
  /** The time at which each may be dropped, by its qualified, quoted name. */
  const due = new Map<string, number>()

  const findEarlier = async ({ name, generation }: ProjectionState): Promise<string[]> => {
    const tables = Array.from({ length: generation - 1 }, (_, index) => tablesOf(name, index + 1)).flat()
    if (tables.length === 0) return []
    const there = await postgres.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = ${literalOf(schema)}::regnamespace`,
    )
    const relations = new Set(there.map(({ relname }) => relname))
    return tables.filter((table) => relations.has(table.name)).map(({ sqlName }) => sqlName)
  }

  return {
    async note(states) {
      for (const state of states)
        for (const table of await findEarlier(state))
          if (!due.has(table)) due.set(table, now().getTime() + longestReadMs + slackMs)
    },
    async drop() {
      for (const [table, at] of due) {
        if (now().getTime() < at) continue
        // A read that lasts longer than allowed must not make others wait behind the lock of this statement.
        await postgres.query(`SET lock_timeout = '1s'; DROP TABLE IF EXISTS ${table}; RESET lock_timeout`)
        due.delete(table)
      }
    },
  }
}
