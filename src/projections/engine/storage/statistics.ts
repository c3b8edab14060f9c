import { isMissing, literalOf, type Postgres, quoteIdentifier } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { analyze } from '../schema/sql.ts'

/**
 * Keeps the planner's statistics in step with tables that grow fast. While PostgreSQL believes that a table is empty, it
 * treats every index as equally good, and connections keep such plans until the table is analysed. Autovacuum comes within
 * minutes, and by then an import may have written 100,000 rows.
 */
export interface Statistics {
  /** Note that tables may have grown. */
  noteWritten(): void
  /**
   * Analyse some tables that have doubled since they were analysed last. A table that a rebuild indexes, or that somebody
   * vacuums, is left to a later call: the caller cannot renew its lease while it waits for a lock.
   */
  gather(): Promise<void>
}

/** Any plan reads this many rows quickly. */
const fewRows = 1_000
/** Tables in one round. They take about 0.1 s, so the renewal of the lease, on the same connection, does not wait long. */
const atOnce = 5
/** PostgreSQL counts what a connection has written at most 10 s later. */
const countedWithinMs = 15_000

/** @param clock milliseconds that never run backwards */
export function createStatistics(
  postgres: Pick<Postgres, 'query'>,
  { schema }: Pick<ReadModels, 'schema'>,
  clock: () => number,
): Statistics {
  let lookUntil = Number.NEGATIVE_INFINITY
  const noteWritten = () => {
    lookUntil = clock() + countedWithinMs
  }
  const grown = `
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = ${literalOf(schema)}::regnamespace
      AND pg_stat_get_mod_since_analyze(oid) > greatest(${fewRows}, reltuples)
    ORDER BY pg_stat_get_mod_since_analyze(oid) DESC LIMIT ${atOnce}`
  return {
    noteWritten,
    async gather() {
      if (clock() > lookUntil) return
      const names = await postgres.query<{ name: string }>(grown)
      // One that is locked now must be looked for again.
      if (names.length > 0) noteWritten()
      for (const { name } of names)
        try {
          await postgres.query(
            analyze(`${quoteIdentifier(schema)}.${quoteIdentifier(name)}`, '(SKIP_LOCKED)'),
          )
        } catch (error) {
          // A rebuild that has failed, or has switched, drops tables at any time.
          if (!isMissing(error)) throw error
        }
    },
  }
}
