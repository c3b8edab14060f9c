import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** PostgreSQL as the service uses it: pooled connections, transactions, and values as they are answered. */

/** PostgreSQL cannot be reached, or could not carry this out just now: it may well work in a moment. */
export class PostgresUnavailable extends Error {
  override readonly name = 'PostgresUnavailable'
  /** True when the connection is gone; false when the server answered, for example with a deadlock. */
  readonly lost: boolean
  /** True when no answer came in time: whoever asks again at once waits as long again, as a rule. */
  readonly silent: boolean
  constructor(cause: unknown, lost: boolean) {
    super(`PostgreSQL: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.lost = lost
    this.silent = isSilence(cause)
  }
}

export interface Queries {
  /**
   * With values, one statement, which the connection keeps prepared; without, one or several, and the rows
   * of the last. Without an answer within `withinMs` (as long as the pool allows, unless told) the connection
   * counts as lost.
   * @throws PostgresUnavailable, or pg's DatabaseError for what the server refuses
   */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    limits?: { readonly withinMs: number },
  ): Promise<Row[]>
}

export interface Connection extends Queries {
  /** Sends `chunks` through `COPY … FROM STDIN`. */
  copy(text: string, chunks: Iterable<string>): Promise<void>
  /** Back to the pool; with `broken`, closed instead. */
  release(broken?: boolean): void
}

export interface Postgres extends Queries {
  /** A connection of the caller's own until it is released. @throws PostgresUnavailable */
  connect(): Promise<Connection>
  /** Commits what `work` did, or nothing of it. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface PostgresOptions {
  readonly url: string
  /** What this process uses the connections for, as `pg_stat_activity` shows it. */
  readonly name: string
  /** Connections at most. */
  readonly size: number
  /** A query that has no answer after so many milliseconds counts as a lost connection; never unless told. */
  readonly queryTimeoutMs?: number
  /** Told of connections that break while nobody uses them. */
  readonly onError?: (error: Error) => void
}

const connectTimeoutMs = 5_000

/** What the driver says when it has waited long enough; the server has sentences with this word of its own. */
const isSilence = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof pg.DatabaseError) && /timeout/i.test(error.message)

/** Classes of SQLSTATE that say something of the server or the moment, and nothing of the statement. */
const passing = new Set(['08', '40', '53', '55', '57', '58'])
const closing = new Set(['08', '57'])

const unavailable = (error: unknown): PostgresUnavailable | undefined => {
  if (error instanceof PostgresUnavailable) return error
  if (error instanceof pg.DatabaseError) {
    const sqlState = error.code?.slice(0, 2) ?? ''
    return passing.has(sqlState) ? new PostgresUnavailable(error, closing.has(sqlState)) : undefined
  }
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return undefined
  // What the driver says of a connection has a system error's code, or no code and one of its own sentences.
  const ofConnection = 'syscall' in error || /connection|not queryable|timeout|closed/i.test(error.message)
  return ofConnection ? new PostgresUnavailable(error, true) : undefined
}

/** The role may not do this. */
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '42501'

/** The schema, table or column is not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['3F000', '42P01', '42703'].includes(error.code ?? '')

/** `2026-01-02 03:04:05.6+00`, as PostgreSQL writes it in a session in UTC, as RFC 3339 with milliseconds. */
const rfc3339 = (text: string): string => {
  if (text.length < 22 || !text.endsWith('+00')) return text
  const fraction = text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

const { builtins, getTypeParser } = pg.types

/** Times and dates stay text; whole numbers up to 2^53 are numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) => {
    if (oid === builtins.TIMESTAMPTZ) return rfc3339
    if (oid === builtins.DATE) return (text: string) => text
    if (oid === builtins.INT8) return Number
    return getTypeParser(oid, format as 'text')
  },
}

/** The url with the settings that every session starts with. */
const withSettings = (url: string): string => {
  // Without the url: it may hold a password.
  if (!/^postgres(ql)?:/.test(url) || !URL.canParse(url))
    throw new Error('the address of PostgreSQL (DATABASE_URL) is not one that starts with postgres://')
  const parsed = new URL(url)
  const settings = ['-c TimeZone=UTC', '-c DateStyle=ISO']
  parsed.searchParams.set(
    'options',
    [parsed.searchParams.get('options'), ...settings].filter(Boolean).join(' '),
  )
  return parsed.href
}

const names = new Map<string, string>()

/** A statement's name: planned once a connection, it gains 6 to 8 per cent of a small query. */
const nameOf = (text: string): string => {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
  names.set(text, name)
  return name
}

const queryOn = async <Row>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] | undefined,
  limits: { readonly withinMs: number } | undefined,
): Promise<Row[]> => {
  try {
    const result: pg.QueryResult | pg.QueryResult[] = await client.query({
      text,
      ...(values && { name: nameOf(text), values: [...values] }),
      ...(limits && { query_timeout: limits.withinMs }),
    })
    return (Array.isArray(result) ? result.at(-1)! : result).rows
  } catch (error) {
    throw unavailable(error) ?? error
  }
}

const connectionOf = (client: pg.PoolClient): Connection => {
  let released = false
  return {
    query: (text, values, limits) => queryOn(client, text, values, limits),
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
      client.release(broken)
    },
  }
}

/** Carries `work` out in a transaction that `begin` starts, and gives the connection back. */
const transactionOn = async <T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => {
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

/** Connects lazily: a server that is down shows in the first query, not here. */
export const connectPostgres = (options: PostgresOptions): Postgres => {
  const { url, name, size, queryTimeoutMs, onError = () => {} } = options
  const pool = new pg.Pool({
    connectionString: withSettings(url),
    application_name: name,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types,
    ...(queryTimeoutMs && { query_timeout: queryTimeoutMs }),
  })
  pool.on('error', onError)
  // A connection that breaks while it is lent out says so here too; its queries fail by themselves.
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
    async query(text, values, limits) {
      const connection = await connect()
      let broken = false
      try {
        return await connection.query(text, values, limits)
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

/** An SQL identifier, quoted. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** An SQL text literal, quoted. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
