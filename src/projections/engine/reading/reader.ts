import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { slotsFor } from '../../../admission/kinds.ts'
import { createSlots } from '../../../admission/slots.ts'
import { inTime } from '../../../lib/inTime.ts'
import { readAhead } from '../../../lib/readAhead.ts'
import {
  type Connection,
  isPostgres,
  literalOf,
  type Postgres,
  PostgresUnavailable,
} from '../../../stores/postgres/postgres.ts'
import { longestReadMs } from '../projector/retired.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { findIncomplete } from '../schema/skips.ts'
import { isBehind } from './knownStates.ts'
import { createShownPlaces, type ShownPlaces } from './shownPlaces.ts'
import type { Named, Positions } from './waitFor.ts'

/** Queries of the read models: each sees one snapshot of them, and can tell its position. */

export interface Query {
  readonly text: string
  readonly values: readonly unknown[]
  /** The text is hardly sent again, so the connection does not keep it prepared. */
  readonly isOnce?: boolean
}

/** One snapshot of the read models. */
export interface Reading {
  /** The event position that the snapshot shows: the least of the projections asked for. */
  readonly position: number
  /** The store whose events the read models show. */
  readonly storeId: string
  /** The tables are those of an earlier time: no index has their rows in an order. */
  readonly isEarlier?: boolean
  /** The table of a projection's present rows, qualified and quoted. Columns are in snake_case. */
  table(projection: Named, table: string): string
  /** @throws PostgresUnavailable */
  query<Row>(query: Query): Promise<Row[]>
  /** @throws PostgresUnavailable when the projection has stopped, for a read that needs its latest rows. */
  requireRunning(projection: Named): void
  /**
   * Say why the rows of a company lack facts, so that a Block may be missing: one of the projections that are read has
   * stopped, or has skipped an event of the company by itself. Undefined when they lack nothing.
   */
  lack(companyId: string): Promise<string | undefined>
}

/** A snapshot that can also be read in portions, for rows that do not all fit into memory. */
export interface StreamReading extends Reading {
  /** The rows in portions, each fetched when it is asked for. */
  portions<Row>(query: Query): AsyncIterable<Row[]>
}

export interface Reader {
  /**
   * Runs `look` in one snapshot, and once more if the connection was lost, but not if the server is silent.
   * @throws PostgresUnavailable
   */
  read<Value>(
    projections: readonly Named[],
    look: (reading: StreamReading) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly position: number }>
  /**
   * Like `read`, for large lists: a few run at a time, the others wait for a slot, and no company gets all of them.
   * `look` is not repeated.
   * @throws Refusal 503 `too-many-large-reads`; PostgresUnavailable, also when it takes longer than the longest read
   */
  stream<Value>(
    companyId: string,
    projections: readonly Named[],
    look: (reading: StreamReading) => Promise<Value>,
  ): Promise<Value>
  /**
   * Return the reader for requests of one company. Its reads wait while the company has many under way, so that slow
   * ones, such as lists of a time long past, leave connections for other companies. A read must not wait for another
   * one.
   * @throws Refusal 503 `too-busy` when too many wait, or for too long
   */
  ofCompany(companyId: string): Reader
}

interface ReaderOptions {
  /** Its connections are shared by all requests. */
  readonly postgres: Postgres
  /** The connections of streams, which clients may hold for a minute; by default those of all requests. */
  readonly postgresOfStreams?: Postgres
  readonly readModels: ReadModels
  /** No read shows less than this node had heard, or another read had shown, when it began. */
  readonly positions: Pick<Positions, 'knownStates'>
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Streams at once at most. */
  readonly streams: number
  /** Reads of all companies at once at most; by default 8. */
  readonly reads?: number
}

/** Rows that are held at once: one may be nearly 1 MiB. */
export const portionRows = 100

/** BEGIN and ROLLBACK take no time: without an answer by then the server is silent. */
const beginWithin = { withinMs: 3_000 }
/** The first portion may have to wait until a whole list is sorted. */
const portionWithin = { withinMs: 30_000 }
/** Rows that are behind are looked at again this often, for 5 s in all. */
const lookAgain = { everyMs: 50, times: 100 }
/** More than any pool holds. */
const mostDeadConnections = 100

export function createReader(options: ReaderOptions): Reader {
  const streams = createSlots(slotsFor.largeLists(options.streams))
  const reads = createSlots(slotsFor.reads(options.reads ?? 8))
  const shown = createShownPlaces(options.clock)
  const lookOn =
    (postgres: Postgres): Reader['read'] =>
    async (projections, work) =>
      inSnapshot(options.readModels, await beginCaughtUp({ ...options, postgres }, shown, projections), work)
  const look = lookOn(options.postgres)
  const lookAtStream = lookOn(options.postgresOfStreams ?? options.postgres)
  const reader: Reader = {
    async read(projections, work) {
      try {
        return await look(projections, work)
      } catch (error) {
        if (!mayPass(error) && !isPostgres(error, 'table-gone')) throw error
      }
      return look(projections, work)
    },
    stream: (companyId, projections, work) =>
      streams.run(companyId, async () => (await lookAtStream(projections, work)).value),
    ofCompany: (companyId) => ({
      ...reader,
      read: (projections, work) => reads.run(companyId, () => reader.read(projections, work)),
    }),
  }
  return reader
}

/** Whether PostgreSQL says that a table, or one of its columns, does not exist. */
export function isTableGone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '42703')
}

/** The rows of a projection that has stopped are no longer true. */
export function hasStopped({ name }: Named): PostgresUnavailable {
  return new PostgresUnavailable(new Error(`the projection ${name} has stopped`), false)
}

function catchingUp(): PostgresUnavailable {
  const why = new Error('the read models are catching up after a crash of PostgreSQL')
  return new PostgresUnavailable(why, false, 'rows-behind')
}

function readTooLong(): PostgresUnavailable {
  return new PostgresUnavailable(new Error('a read took longer than allowed'), false, 'read-too-long')
}

interface State {
  readonly name: string
  readonly status: 'running' | 'failed'
  readonly generation: number
  readonly position: number
}

interface Snapshot {
  readonly connection: Connection
  readonly states: readonly State[]
}

/** Begin once the rows show what this node has heard and shown. @throws PostgresUnavailable when that takes too long */
async function beginCaughtUp(
  { postgres, readModels, positions }: ReaderOptions,
  shown: ShownPlaces,
  projections: readonly Named[],
): Promise<Snapshot> {
  for (let times = 1; ; times += 1) {
    const { knownStates } = positions
    const shownBefore = new Map(projections.map(({ name }) => [name, shown.of(name)]))
    const snapshot = await begin(postgres, readModels, projections)
    const isStateBehind = (state: State): boolean =>
      isBehind(state, knownStates.get(state.name)) || shown.isTakenBack(state, shownBefore.get(state.name))
    if (!snapshot.states.some(isStateBehind)) {
      shown.note(snapshot.states)
      return snapshot
    }
    end(snapshot.connection, false)
    if (times === lookAgain.times) throw catchingUp()
    await pause(lookAgain.everyMs)
  }
}

/**
 * One round trip begins the transaction, takes its snapshot, and reads its positions. Connections that died while
 * nobody used them are found here, one after the other: that one is dead says nothing about the next.
 */
async function begin(
  postgres: Postgres,
  readModels: ReadModels,
  projections: readonly Named[],
  dead = 0,
): Promise<Snapshot> {
  const connection = await postgres.connect()
  const names = projections.map(({ name }) => literalOf(name)).join(', ')
  try {
    const states = await connection.query<State>(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
       SELECT name, status, generation, position FROM ${readModels.states} WHERE name IN (${names})`,
      undefined,
      beginWithin,
    )
    return { connection, states }
  } catch (error) {
    connection.release(true)
    if (dead < mostDeadConnections && mayPass(error))
      return begin(postgres, readModels, projections, dead + 1)
    throw asTableGone(error)
  }
}

/** Run `work` in the snapshot, for no longer than the longest read, and end it. */
async function inSnapshot<Value>(
  readModels: ReadModels,
  snapshot: Snapshot,
  work: (reading: StreamReading) => Promise<Value>,
): Promise<{ value: Value; position: number }> {
  const { connection } = snapshot
  const reading = readingOf(readModels, snapshot)
  let broken = false
  try {
    const value = await inTime(work(reading), longestReadMs, readTooLong)
    return { value, position: reading.position }
  } catch (error) {
    broken = isLost(error) || isPostgres(error, 'read-too-long')
    throw asTableGone(error)
  } finally {
    end(connection, broken)
  }
}

/** Nobody waits for the end of a transaction that changed nothing. */
function end(connection: Connection, broken: boolean): void {
  if (broken) connection.release(true)
  else
    connection.query('ROLLBACK', undefined, beginWithin).then(
      () => connection.release(),
      () => connection.release(true),
    )
}

function readingOf(readModels: ReadModels, { connection, states }: Snapshot): StreamReading {
  const { storeId, tableName } = readModels
  const generations = new Map(states.map(({ name, generation }) => [name, generation]))
  const queries = queriesOn(connection)
  return {
    position: Math.min(...states.map(({ position }) => position)),
    storeId,
    table({ name }, table) {
      const generation = generations.get(name)
      if (generation === undefined) throw new Error(`the read declares no projection ${name}`)
      return tableName(table, generation)
    },
    ...queries,
    requireRunning(projection) {
      if (states.some(({ name, status }) => name === projection.name && status === 'failed'))
        throw hasStopped(projection)
    },
    async lack(companyId) {
      const stopped = states.find(({ status }) => status === 'failed')
      if (stopped) return `The read model ${stopped.name} has stopped`
      const query = findIncomplete(readModels, companyId, [...generations.keys()])
      const [incomplete] = await queries.query<{ projection: string }>(query)
      return incomplete && `The read model ${incomplete.projection} has skipped an event of this company`
    },
  }
}

/** Statements of a snapshot take turns. PostgreSQL finds the next portion of rows while the caller works on one. */
function queriesOn(connection: Connection): Pick<StreamReading, 'query' | 'portions'> {
  let cursors = 0
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Row>(...statement: Parameters<Connection['query']>): Promise<Row[]> => {
    const rows = last.then(() => connection.query<Row>(...statement))
    last = rows.catch(() => {})
    return rows
  }
  async function* portionsOf<Row>({ text, values, isOnce }: Query): AsyncIterable<Row[]> {
    const cursor = `portions_${++cursors}`
    await inTurn(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${text}`, values, { isOnce })
    for (;;) {
      const rows = await inTurn<Row>(`FETCH ${portionRows} FROM ${cursor}`, undefined, portionWithin)
      if (rows.length > 0) yield rows
      if (rows.length < portionRows) break
    }
    await inTurn(`CLOSE ${cursor}`)
  }
  return {
    query: ({ text, values, isOnce }) => inTurn(text, values, { isOnce }),
    portions: <Row>(query: Query) => readAhead(portionsOf<Row>(query)),
  }
}

function asTableGone(error: unknown): unknown {
  return isTableGone(error) ? new PostgresUnavailable(error, false, 'table-gone') : error
}

/** Whether the connection is of no use any more. */
function isLost(error: unknown): boolean {
  return error instanceof PostgresUnavailable && error.lost
}

/** Whether the same may succeed on another connection. */
function mayPass(error: unknown): boolean {
  return isLost(error) && !(error as PostgresUnavailable).silent
}
