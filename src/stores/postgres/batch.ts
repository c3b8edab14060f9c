import pg from 'pg'
import { nameOf } from './prepared.ts'

/**
 * Several statements for the driver to send in one message, with one Sync at the end. The server runs what comes before
 * a Sync as one transaction, and passes over the rest of it after an error.
 */

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

interface BatchOptions {
  readonly types: pg.CustomTypesConfig
  /** Return the error to throw when the statement at this place failed. Nothing of the batch was done. */
  failure(index: number, cause: unknown): Error
}

/**
 * Run the statements as one transaction, in one round trip, and return the rows of each. The client must not be in a
 * transaction.
 */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
  options: BatchOptions,
): Promise<unknown[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[][]>()
  client.query(batchOf(statements, options, resolve, reject))
  return promise
}

/** The methods of pg's queries by which its client hands them the server's messages. */
interface Receiver extends pg.Submittable {
  readonly name?: string | undefined
  readonly text?: string | undefined
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
  handleEmptyQuery(connection: pg.Connection): void
  handleReadyForQuery(connection: pg.Connection): void
  handleError(error: unknown, connection: pg.Connection): void
}

/** The parts of pg's connection that a batch needs besides those of the public type. */
interface Wire extends pg.Connection {
  /** Names that were sent to the server, until it confirms them. */
  readonly submittedNamedStatements: Record<string, string>
}

/** The columns that each statement returns, by its name, once the server has described them; null for none. */
const descriptions = new WeakMap<object, Map<string, unknown>>()

function descriptionsOn({ stream }: pg.Connection): Map<string, unknown> {
  const described = descriptions.get(stream) ?? new Map<string, unknown>()
  descriptions.set(stream, described)
  return described
}

type OnAnswer = (error: unknown, result: pg.QueryResult) => void

function queryOf({ text, values }: Statement, types: pg.CustomTypesConfig, onAnswer: OnAnswer): Receiver {
  const config = { name: nameOf(text), text, values: [...values], types } as pg.QueryConfig
  return new pg.Query(config, onAnswer) as unknown as Receiver
}

/** The server does not describe again what it has described on this connection. */
function submitWithoutSync(
  queries: readonly Receiver[],
  described: ReadonlyMap<string, unknown>,
  connection: pg.Connection,
): void {
  const withoutSync: pg.Connection = Object.assign(Object.create(connection), { sync() {} })
  const undescribed: pg.Connection = Object.assign(Object.create(withoutSync), { describe() {} })
  for (const query of queries) {
    const description = described.get(query.name!)
    if (description) query.handleRowDescription(description)
    query.submit(description === undefined ? withoutSync : undescribed)
  }
}

/** Send all statements in one piece, with one sync at the end. */
function submitAll(
  queries: readonly Receiver[],
  described: ReadonlyMap<string, unknown>,
  connection: pg.Connection,
  findUnsent: () => unknown,
): void {
  const { stream } = connection
  stream.cork()
  submitWithoutSync(queries, described, connection)
  // A value could not be encoded, so the server must not carry out the rest.
  const unsent = findUnsent()
  if (unsent) stream.destroy(unsent as Error)
  else connection.sync()
  stream.uncork()
}

/** Forget statements that the server has not parsed, because one before them failed. */
function forget(queries: readonly Receiver[], connection: pg.Connection): void {
  const { submittedNamedStatements } = connection as Wire
  for (const { name } of queries) delete submittedNamedStatements[name!]
}

/** A query of the driver that stands for all statements: each of the server's messages goes to the statement it is for. */
function batchOf(
  statements: readonly Statement[],
  { types, failure }: BatchOptions,
  onRows: (rows: unknown[][]) => void,
  onError: (error: Error) => void,
): Receiver & { callback(error: unknown): void } {
  const rows: unknown[][] = []
  let unsent: unknown
  const queries = statements.map((statement) =>
    queryOf(statement, types, (error, result) => {
      if (error) unsent ??= error
      else rows.push(result.rows)
    }),
  )
  let present = 0
  /** The statement that the server's next message is for; after the last one, still the last. */
  let current = queries[0]!
  let described: Map<string, unknown>

  return {
    // By name and text the client remembers which statements the server has parsed.
    get name() {
      return current.name
    },
    get text() {
      return current.text
    },
    // The client wraps it with the end of its timer, and calls it when the time is over.
    callback(error) {
      if (error) onError(failure(present, error))
    },
    submit(connection) {
      described = descriptionsOn(connection)
      submitAll(queries, described, connection, () => unsent)
    },
    handleRowDescription(message) {
      described.set(current.name!, message)
      current.handleRowDescription(message)
    },
    handleDataRow: (message) => current.handleDataRow(message),
    handleCommandComplete(message, connection) {
      const { name } = current
      if (!described.has(name!)) described.set(name!, null)
      current.handleCommandComplete(message, connection)
      current = queries[++present] ?? current
    },
    handleEmptyQuery() {
      current = queries[++present] ?? current
    },
    handleReadyForQuery(connection) {
      for (const query of queries) query.handleReadyForQuery(connection)
      this.callback(unsent)
      if (!unsent) onRows(rows)
    },
    handleError(error, connection) {
      forget(queries.slice(present), connection)
      this.callback(error)
    },
  }
}
