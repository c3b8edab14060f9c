import type { Postgres } from '../../postgres.ts'
import type { Projection, Table } from '../projection.ts'
import type { ProjectionState } from '../schema/schema.ts'
import { snakeCase, tableName } from '../schema/sql.ts'
import type { Row } from './rows.ts'

/** Rows that have outlived their use: the holder of the lease deletes them, a portion at a time. */
export interface OutlivedRows {
  /** Deletes a portion from each table that has such rows, unless it has just found that there are none. */
  drop(states: readonly ProjectionState[]): Promise<void>
}

/** Deleted in some milliseconds, so that a lease that is renewed by the same connection does not wait. */
const portion = 2_000
const lookEveryMs = 60_000

/** SQL of whether a row is of use at an instant, which is SQL too; undefined for tables whose rows always are. */
export const ofUse = ({ outlived }: Table, instant: string): string | undefined =>
  outlived && `${snakeCase(outlived.column)} >= ${instant} - interval '${outlived.afterMs} milliseconds'`

/** Whether a row was of no use any more at a time, in milliseconds since the epoch. */
export const wasOutlived = ({ outlived }: Table, row: Row, at: number): boolean =>
  outlived !== undefined && Date.parse(row[outlived.column] as string) < at - outlived.afterMs

export const outlivedRows = (
  postgres: Pick<Postgres, 'query'>,
  schema: string,
  projections: readonly Projection[],
  now: () => Date,
): OutlivedRows => {
  let nextLook = 0

  const dropPortion = async (table: Table, sqlName: string): Promise<number> => {
    const deleted = await postgres.query(
      `DELETE FROM ${sqlName} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${sqlName} WHERE NOT (${ofUse(table, 'statement_timestamp()')}) LIMIT ${portion})) RETURNING 1`,
    )
    return deleted.length
  }

  return {
    async drop(states) {
      if (now().getTime() < nextLook) return
      let most = 0
      for (const { name, generation } of states)
        for (const [key, table] of Object.entries(projections.find((one) => one.name === name)?.tables ?? {}))
          if (table.outlived)
            most = Math.max(most, await dropPortion(table, tableName(schema, key, generation)))
      if (most < portion) nextLook = now().getTime() + lookEveryMs
    },
  }
}
