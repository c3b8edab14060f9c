import { literalOf, type Postgres, PostgresUnavailable } from '../../../stores/postgres/postgres.ts'
import type { Projection } from '../projection.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { ListQuery } from './listQuery.ts'
import { hasStopped, isTableGone, type Reading } from './reader.ts'

/**
 * Looks up a few rows of a projection in one statement: for what is looked up on every request. The statement
 * says itself whether it looked at the present generation of the tables, and whether the projection runs. It does not
 * compare positions: what requests look up is in durable projections, so no crash takes rows back that this node has
 * heard of.
 * Times come as PostgreSQL writes them in JSON.
 */
export type LookUp = <Row>(find: (tables: LookUpTables) => LookUpQuery) => Promise<Row[]>

export interface LookUpTables extends Pick<Reading, 'table' | 'storeId'> {
  /** SQL that holds when the tables are those of the present generation, and the projection runs. */
  readonly areCurrent: string
}

export interface LookUpQuery extends ListQuery {
  /** Queries for `WITH` before the query. One that changes rows must ask for `areCurrent`, as it may run again. */
  readonly before?: string
}

interface LookUpAnswer {
  readonly status: 'running' | 'failed'
  readonly generation: number
  /** null when there are none. */
  readonly rows: unknown[] | null
}

/** A rebuild may switch between two statements, but not again and again. */
const attempts = 5
/** A look-up takes no time: without an answer by then the server is silent. */
const within = { withinMs: 3_000 }

/** The look-up throws PostgresUnavailable, also when the projection has stopped, because its rows are then not true. */
export function createLookUp(
  postgres: Pick<Postgres, 'query'>,
  { storeId, stateTable, tableName }: ReadModels,
  projection: Projection,
): LookUp {
  const name = literalOf(projection.name)
  let generation = 1

  const presentGeneration = async (): Promise<number> => {
    const [state] = await postgres.query<LookUpAnswer>(
      `SELECT generation FROM ${stateTable} WHERE name = ${name}`,
      [],
      within,
    )
    return state?.generation ?? generation
  }

  const tablesOf = (generation: number): LookUpTables => ({
    table: (_, table) => tableName(table, generation),
    storeId,
    areCurrent: `EXISTS (SELECT FROM ${stateTable} WHERE name = ${name} AND generation = ${generation} AND status = 'running')`,
  })

  const lookAt = async (query: LookUpQuery): Promise<LookUpAnswer | undefined> => {
    const text = `${query.before ? `WITH ${query.before} ` : ''}SELECT status, generation, (SELECT json_agg(found) FROM (${query.text}) found) AS rows
                  FROM ${stateTable} WHERE name = ${name}`
    const look = async () => (await postgres.query<LookUpAnswer>(text, query.values, within))[0]
    return look().catch((error) => {
      if (error instanceof PostgresUnavailable && error.lost && !error.silent) return look()
      throw error
    })
  }

  return async <Row>(find: Parameters<LookUp>[0]) => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const generationBefore = generation
      let gone: unknown
      try {
        const answer = await lookAt(find(tablesOf(generationBefore)))
        if (answer?.status === 'failed') throw hasStopped(projection)
        if (answer?.generation === generationBefore) return (answer.rows ?? []) as Row[]
      } catch (error) {
        if (!isTableGone(error)) throw error
        gone = error
      }
      generation = await presentGeneration()
      if (gone && generation === generationBefore) throw new PostgresUnavailable(gone, false, 'table-gone')
    }
    throw new PostgresUnavailable(new Error(`the tables of ${projection.name} keep changing`), false)
  }
}
