import type { Postgres } from '../../../stores/postgres/postgres.ts'
import type { Table } from '../projection.ts'
import type { Row } from '../rows/rows.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { snakeCase } from '../schema/sql.ts'

/** Rows whose retention has passed: the holder of the lease deletes them, a portion at a time. */
export interface ExpiredRows {
  /**
   * Delete a portion from each table of these generations that has such rows, unless it has just found that there are
   * none.
   */
  drop(generations: ReadonlyMap<string, number>): Promise<void>
}

/** Deleted in some milliseconds, so that a lease that is renewed by the same connection does not wait. */
const portion = 2_000
const lookEveryMs = 60_000

export function expiredRows(
  postgres: Pick<Postgres, 'query'>,
  readModels: ReadModels,
  now: () => Date,
): ExpiredRows {
  let nextLook = 0

  const dropPortion = async (table: Table, sqlName: string): Promise<number> => {
    const deleted = await postgres.query(
      `DELETE FROM ${sqlName} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${sqlName} WHERE NOT (${notExpired(table, 'statement_timestamp()')}) LIMIT ${portion})) RETURNING 1`,
    )
    return deleted.length
  }

  return {
    async drop(generations) {
      if (now().getTime() < nextLook) return
      let most = 0
      for (const [name, generation] of generations)
        for (const { table, sqlName } of readModels.tablesOf(name, generation))
          if (table.retention) most = Math.max(most, await dropPortion(table, sqlName))
      if (most < portion) nextLook = now().getTime() + lookEveryMs
    },
  }
}

/** The SQL condition of rows to keep at an instant, which is SQL too; undefined for a table without a retention. */
export function notExpired({ retention }: Table, instant: string): string | undefined {
  return (
    retention &&
    `${snakeCase(retention.column)} >= ${instant} - interval '${retention.milliseconds} milliseconds'`
  )
}

/** Whether a row's retention had passed at a time, in milliseconds since the epoch. */
export function isExpired({ retention }: Table, row: Row, at: number): boolean {
  return retention !== undefined && Date.parse(row[retention.column] as string) < at - retention.milliseconds
}
