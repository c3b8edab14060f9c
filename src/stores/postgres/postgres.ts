import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Failure, messageOf } from '../../lib/failure.ts'
import { runBatch, type Statement } from './batch.ts'
import { GuardedClient } from './guardedClient.ts'
import { isWornOut, statementName } from './prepared.ts'
import { postgresUrlFault } from './url.ts'
import { types } from './values.ts'

export type { Statement } from './batch.ts'

/** PostgreSQL as the service uses it: pooled connections, transactions, and values in the form of the API. */

/** The reasons for which PostgreSQL, or the read models in it, cannot be used. */
type PostgresCode =
  | 'postgres-unavailable'
  /** A table, or one of its columns, does not exist. */
  | 'table-gone'
  /**
   * The rows show less than this node has heard or shown. PostgreSQL has crashed, and the projector writes the last
   * rows again.
   */
  | 'rows-behind'
  /** A read took longer than allowed. The connection may still be busy with it. */
  | 'read-too-long'

/** PostgreSQL cannot be reached, or could not do this just now. The same statement may succeed later. */
export class PostgresUnavailable extends Failure<PostgresCode> {
  override readonly name = 'PostgresUnavailable'
  /** True when the connection is gone; false when the server answered, for example with a deadlock. */
  readonly lost: boolean
  /** True when no answer came in time. A caller that asks again at once usually waits as long again. */
  readonly silent: boolean
  constructor(cause: unknown, lost: boolean, code: PostgresCode = 'postgres-unavailable') {
    super(code, `PostgreSQL: ${messageOf(cause)}`, { cause })
    this.lost = lost
    this.silent = isSilence(cause)
  }
}

export function isPostgres(error: unknown, code: PostgresCode): error is PostgresUnavailable {
  return error instanceof PostgresUnavailable && error.code === code
}

interface QueryOptions {
  readonly withinMs?: number | undefined
  readonly isOnce?: boolean | undefined
}

export interface Queries {
  /**
   * With values, run one statement, which the connection keeps prepared unless it keeps many others. Without values,
   * run one or several, and return the rows of the last. Without an answer within `withinMs` (by default the limit of
   * the pool) the connection counts as lost. A text that `isOnce`, because it is hardly sent again, is not kept
   * prepared.
   * @throws PostgresUnavailable, or pg's DatabaseError for what the server refuses
   */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>
}

/** The server refuses a statement of a batch. Nothing of the batch was done. */
export class StatementRefused extends Failure<'statement-refused'> {
  override readonly name = 'StatementRefused'
  readonly statement: Statement
  constructor(statement: Statement, cause: unknown) {
    super('statement-refused', messageOf(cause), { cause })
    this.statement = statement
  }
}

export interface Connection extends Queries {
  /**
   * Run the statements as one transaction, in one round trip, and return the rows of each. The connection keeps them
   * prepared, and must not be in a transaction. @throws StatementRefused, PostgresUnavailable
   */
  batch(statements: readonly Statement[]): Promise<unknown[][]>
  /** Send `chunks` through `COPY … FROM STDIN`. */
  copy(text: string, chunks: Iterable<string>): Promise<void>
  /** Give the connection back to the pool, or close it when it is `broken`. */
  release(broken?: boolean): void
}

export interface Postgres extends Queries {
  /** Take a connection until it is released. @throws PostgresUnavailable */
  connect(): Promise<Connection>
  /** Commit everything that `work` did, or nothing. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface PostgresOptions {
  readonly url: string
  /** The use of the connections, as `pg_stat_activity` shows it. */
  readonly name: string
  /** The most connections at once. */
  readonly size: number
  /** The connection counts as lost when a query has no answer after this many milliseconds. Default: no limit. */
  readonly queryTimeoutMs?: number
  /** PostgreSQL's settings for the sessions, beside those that every session has. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called when a connection breaks that nobody uses. */
  readonly onError?: (error: Error) => void
}

const connectTimeoutMs = 5_000
/**
 * A connection that is returned after this long is closed. With it go the statements that it has kept prepared, such as
 * those of tables that a rebuild has replaced.
 */
const longestLifeS = 3_600

/**
 * A connection that nobody has used for this long is closed. Work that comes a few times in a minute finds one: a new one takes
 * the service and the server several milliseconds, most of them for the password.
 */
const idleForMs = 60_000

/** Classes of SQLSTATE whose cause is the server or the moment, not the statement. */
const passing = new Set(['08', '40', '53', '55', '57', '58'])
const closing = new Set(['08', '57'])

/** What the server refuses for good, by SQLSTATE. */
const refusals: Readonly<Record<string, 'user' | 'database'>> = {
  '28P01': 'user',
  '28000': 'user',
  '3D000': 'database',
}

/** Return what the server refuses of the address, so that no later try succeeds; undefined when one may. */
export function refusalOf({ cause }: PostgresUnavailable): 'user' | 'database' | 'tls' | undefined {
  if (cause instanceof pg.DatabaseError) return refusals[cause.code ?? '']
  return /does not support SSL/.test(messageOf(cause)) ? 'tls' : undefined
}

/** Whether the database user lacks the right to do this. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42501'
}

/** Whether the schema, table or column is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['3F000', '42P01', '42703'].includes(error.code ?? '')
}

/** Connect lazily: the first query fails when the server is down, not this call. */
export function connectPostgres(options: PostgresOptions): Postgres {
  const { url, name, size, queryTimeoutMs, settings = {}, onError = () => {} } = options
  const pool = new pg.Pool({
    Client: GuardedClient,
    connectionString: withSettings(url, settings),
    application_name: name,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    maxLifetimeSeconds: longestLifeS,
    idleTimeoutMillis: idleForMs,
    keepAlive: true,
    types,
    ...(queryTimeoutMs && { query_timeout: queryTimeoutMs }),
  })
  pool.on('error', onError)
  // A connection in use reports its break here, too; its queries fail by themselves.
  pool.on('connect', (client) => client.on('error', () => {}))

  let ended: Promise<void> | undefined

  const connect = async () => {
    try {
      return connectionOf(await pool.connect())
    } catch (error) {
      throw new PostgresUnavailable(error, true)
    }
  }

  return {
    connect,
    async query(text, values, options) {
      const connection = await connect()
      let broken = false
      try {
        return await connection.query(text, values, options)
      } catch (error) {
        broken = error instanceof PostgresUnavailable && error.lost
        throw error
      } finally {
        connection.release(broken)
      }
    },
    transaction: async (work) => transactionOn(await connect(), work),
    close: () => (ended ??= pool.end()),
  }
}

/** Quote an SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Quote an SQL text literal. */
export function literalOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** True if the driver waited too long. Errors of the server may contain the same word, so they do not count. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && !(error instanceof pg.DatabaseError) && /timeout/i.test(error.message)
}

function unavailable(error: unknown): PostgresUnavailable | undefined {
  if (error instanceof PostgresUnavailable) return error
  if (error instanceof pg.DatabaseError) {
    const sqlState = error.code?.slice(0, 2) ?? ''
    return passing.has(sqlState) ? new PostgresUnavailable(error, closing.has(sqlState)) : undefined
  }
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return undefined
  // The driver's connection errors have the code of a system error, or no code and one of these words.
  const ofConnection = 'syscall' in error || /connection|not queryable|timeout|closed/i.test(error.message)
  return ofConnection ? new PostgresUnavailable(error, true) : undefined
}

const ofEverySession = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  // The cost of a random page in memory or on a solid-state disk. With the default, which is for rotating disks,
  // PostgreSQL reads all tags of a company to find one of a certificate.
  random_page_cost: '1.1',
}

/** Add settings to the url, and those of every session. */
function withSettings(url: string, settings: Readonly<Record<string, string>>): string {
  const fault = postgresUrlFault(url)
  if (fault) throw new Error(`DATABASE_URL: ${fault}`)
  const parsed = new URL(url)
  const flags = Object.entries({ ...ofEverySession, ...settings }).map(
    ([name, value]) => `-c ${name}=${value}`,
  )
  parsed.searchParams.set('options', [parsed.searchParams.get('options'), ...flags].filter(Boolean).join(' '))
  return parsed.href
}

async function queryOn<Row>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] | undefined,
  { withinMs, isOnce = false }: QueryOptions = {},
): Promise<Row[]> {
  const name = values && !isOnce ? statementName(client, text) : undefined
  try {
    const result: pg.QueryResult | pg.QueryResult[] = await client.query({
      text,
      ...(values && { values: [...values] }),
      ...(name && { name }),
      ...(withinMs !== undefined && { query_timeout: withinMs }),
    })
    return (Array.isArray(result) ? result.at(-1)! : result).rows
  } catch (error) {
    throw unavailable(error) ?? error
  }
}

async function batchOn(client: pg.ClientBase, statements: readonly Statement[]): Promise<unknown[][]> {
  if (statements.length === 0) return []
  return runBatch(client, statements, {
    types,
    failure: (index, cause) => unavailable(cause) ?? new StatementRefused(statements[index]!, cause),
  })
}

function connectionOf(client: pg.PoolClient): Connection {
  let released = false
  return {
    query: (text, values, options) => queryOn(client, text, values, options),
    batch: (statements) => batchOn(client, statements),
    async copy(text, chunks) {
      try {
        await pipeline(Readable.from(chunks, { objectMode: true }), client.query(copyFrom(text)))
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
    release(broken = false) {
      if (released) return
      released = true
      client.release(broken || isWornOut(client))
    },
  }
}

/** Run `work` in a transaction, and release the connection. */
async function transactionOn<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let broken = true
  try {
    await connection.query('BEGIN')
    const result = await work(connection)
    await connection.query('COMMIT')
    broken = false
    return result
  } catch (error) {
    if (!(error instanceof PostgresUnavailable && error.lost))
      broken = await connection.query('ROLLBACK').then(
        () => false,
        () => true,
      )
    throw error
  } finally {
    connection.release(broken)
  }
}
