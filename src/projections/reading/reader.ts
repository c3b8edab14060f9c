import pg from 'pg'
import { type Connection, identifier, literal, type Postgres, PostgresUnavailable } from '../../postgres.ts'
import { longestReadMs } from '../projector/retired.ts'
import { tableName } from '../schema/sql.ts'
import { createSlots } from './slots.ts'
import type { Named } from './waitFor.ts'

/** Queries of the read models: each sees one moment of them, and can tell which. */

export interface Query {
  readonly text: string
  readonly values: readonly unknown[]
}

/** One moment of the read models. */
export interface Reading {
  /** The event position that this moment shows: the least of the projections asked for. */
  readonly position: number
  /** The table of a projection's present rows, qualified and quoted. Columns are in snake_case. */
  table(projection: Named, table: string): string
  /** @throws PostgresUnavailable */
  query<Row>(query: Query): Promise<Row[]>
  /** @throws PostgresUnavailable when the projection has stopped: where its rows must be true, they are no use. */
  requireRunning(projection: Named): void
}

/** With a way to rows that would not all fit into memory. */
export interface StreamReading extends Reading {
  /** The rows in portions, each fetched when it is asked for. */
  portions<Row>(query: Query): AsyncIterable<Row[]>
}

export interface Reader {
  /**
   * Carries `look` out in one moment, and once more should the connection be lost; not when the server is
   * silent. @throws PostgresUnavailable
   */
  read<Value>(
    projections: readonly Named[],
    look: (reading: StreamReading) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly position: number }>
  /**
   * Like `read`, for large lists: a few at a time, the others wait their turn, and no company has all of them.
   * `look` is not repeated.
   * @throws Refusal 503 `too-many-large-reads`; PostgresUnavailable, also when it takes longer than the longest read
   */
  stream<Value>(
    companyId: string,
    projections: readonly Named[],
    look: (reading: StreamReading) => Promise<Value>,
  ): Promise<Value>
}

export interface ReaderOptions {
  /** Its connections are shared by all requests. */
  readonly postgres: Postgres
  readonly schema: string
  /** Streams at once at most. */
  readonly streams: number
}

/** Rows that are held at once: one may be nearly 1 MiB. */
export const portionRows = 100
/** What begins or ends a moment takes no time: without an answer by then the server is silent. */
const beginWithin = { withinMs: 3_000 }
/** The first portion may have to wait until a whole list is sorted. */
const portionWithin = { withinMs: 30_000 }

/**
 * A rebuild's old tables went between the look at the generation and the first look at the table; if they are
 * gone at the second attempt, too, somebody has dropped them.
 */
export class TableGone extends PostgresUnavailable {
  constructor(cause: unknown) {
    super(cause, false)
  }
}

/** A table, or a column of one, is not there. */
export const isTableGone = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '42703')

const asTableGone = (error: unknown): unknown => (isTableGone(error) ? new TableGone(error) : error)

/** The connection was of no use any more: another one may be. */
const isLost = (error: unknown): boolean => error instanceof PostgresUnavailable && error.lost
const isWorthAnother = (error: unknown): boolean => isLost(error) && !(error as PostgresUnavailable).silent

/** Its rows are not true any more. */
export const hasStopped = ({ name }: Named): PostgresUnavailable =>
  new PostgresUnavailable(new Error(`the projection ${name} has stopped`), false)

/** More than any pool holds. */
const mostDeadOnes = 100

interface State {
  readonly name: string
  readonly status: 'running' | 'failed'
  readonly generation: number
  readonly position: number
}

interface Begun {
  readonly connection: Connection
  readonly states: readonly State[]
}

/** Streams that wait for their turn, and for how long: more are refused. */
const turns = { waitingOfACompany: 10, waitingInAll: 100, waitMs: 20_000 }

export const createReader = ({ postgres, schema, streams }: ReaderOptions): Reader => {
  const slots = createSlots({ atOnce: streams, ...turns })

  /**
   * One round trip begins the transaction, takes its snapshot, and says where in time it is. Connections that
   * died while nobody used them show here, one after the other: they say nothing of the next.
   */
  const begin = async (projections: readonly Named[], deadOnes = 0): Promise<Begun> => {
    const connection = await postgres.connect()
    const names = projections.map(({ name }) => literal(name)).join(', ')
    try {
      const states = await connection.query<State>(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
         SELECT name, status, generation, position FROM ${identifier(schema)}.projection WHERE name IN (${names})`,
        undefined,
        beginWithin,
      )
      return { connection, states }
    } catch (error) {
      connection.release(true)
      if (deadOnes < mostDeadOnes && isWorthAnother(error)) return begin(projections, deadOnes + 1)
      throw asTableGone(error)
    }
  }

  const readingOf = ({ connection, states }: Begun): Reading => {
    const generations = new Map(states.map(({ name, generation }) => [name, generation]))
    return {
      position: Math.min(...states.map(({ position }) => position)),
      table({ name }, table) {
        const generation = generations.get(name)
        if (generation === undefined) throw new Error(`the read declares no projection ${name}`)
        return tableName(schema, table, generation)
      },
      query: ({ text, values }) => connection.query(text, values),
      requireRunning(projection) {
        if (states.some(({ name, status }) => name === projection.name && status === 'failed'))
          throw hasStopped(projection)
      },
    }
  }

  const portionsOn = (connection: Connection) => {
    let cursors = 0
    return async function* portions<Row>({ text, values }: Query): AsyncIterable<Row[]> {
      const cursor = `portions_${++cursors}`
      await connection.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${text}`, values)
      for (;;) {
        const rows = await connection.query<Row>(
          `FETCH ${portionRows} FROM ${cursor}`,
          undefined,
          portionWithin,
        )
        if (rows.length > 0) yield rows
        if (rows.length < portionRows) break
      }
      await connection.query(`CLOSE ${cursor}`)
    }
  }

  /** In one transaction on one connection, for no longer than the longest read. */
  const inOneMoment = async <Value>(
    projections: readonly Named[],
    look: (reading: StreamReading) => Promise<Value>,
  ): Promise<{ value: Value; position: number }> => {
    const begun = await begin(projections)
    const { connection } = begun
    const reading = readingOf(begun)
    let broken = false
    const tooLong = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      broken = true
      tooLong.reject(new PostgresUnavailable(new Error('a read took longer than allowed'), false))
    }, longestReadMs)
    try {
      const streaming = { ...reading, portions: portionsOn(connection) }
      const value = await Promise.race([look(streaming), tooLong.promise])
      return { value, position: reading.position }
    } catch (error) {
      broken ||= isLost(error)
      throw asTableGone(error)
    } finally {
      clearTimeout(timer)
      // Nobody waits for the end of a transaction that changed nothing.
      if (broken) connection.release(true)
      else
        connection.query('ROLLBACK', undefined, beginWithin).then(
          () => connection.release(),
          () => connection.release(true),
        )
    }
  }

  return {
    async read(projections, look) {
      try {
        return await inOneMoment(projections, look)
      } catch (error) {
        if (!isWorthAnother(error) && !(error instanceof TableGone)) throw error
      }
      return inOneMoment(projections, look)
    },
    async stream(companyId, projections, look) {
      const give = await slots.take(companyId)
      try {
        return (await inOneMoment(projections, look)).value
      } finally {
        give()
      }
    },
  }
}
