import { STATUS_CODES } from 'node:http'
import type { Response } from 'express'
import { type Fault, Refusal, type RefusalKind } from '../../domain/refusal.ts'
import { StoreUnavailable } from '../../eventStore.ts'
import { PostgresUnavailable } from '../../postgres.ts'
import { isTableGone, TableGone } from '../../projections/reading/reader.ts'

/** Errors as problem documents (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** The stable code for programs. */
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  /** Members besides the standard ones. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { headers?: Record<string, string>; members?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause })
    this.status = status
    this.code = code
    this.headers = more.headers ?? {}
    this.members = more.members ?? {}
  }
}

/** Seconds after which a client may try again after a 503. */
const retryAfterSeconds = 1

export function unavailable(
  code: string,
  detail: string,
  cause?: unknown,
  members: Record<string, unknown> = {},
): Problem {
  return new Problem(503, code, detail, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    members,
    cause,
  })
}

/** A problem lists this many faults and counts the rest, so that a small body cannot cause a huge answer. */
export const maxListedFaults = 1_000
/** An answer quotes this many UTF-16 units of a name or pointer from the request. */
const longestQuote = 200

/** Return the part of a sent text that an answer quotes. */
export function quoted(text: string): string {
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote).toWellFormed()}…`
}

/** List every fault, up to `maxListedFaults`; `moreErrors` counts the rest. */
export function validationFailed(
  faults: readonly Fault[],
  detail = 'The request has faults, so nothing was done.',
): Problem {
  const errors = faults
    .slice(0, maxListedFaults)
    .map(({ path, message, record }) => ({ path: quoted(path), message, ...record }))
  const more = faults.length - errors.length
  if (more === 0) return new Problem(400, 'validation-failed', detail, { members: { errors } })
  const listed = `${errors.length} faults are listed, ${more} more are not.`
  return new Problem(400, 'validation-failed', `${detail} ${listed}`, {
    members: { errors, moreErrors: more },
  })
}

const statusOf: Record<Exclude<RefusalKind, 'invalid' | 'unavailable'>, number> = {
  'not-found': 404,
  forbidden: 403,
  conflict: 409,
  stale: 412,
  'too-large': 413,
  'key-reused': 422,
}

/** An unexpected error shows only its traceId. */
export function unforeseen(cause: unknown): Problem {
  return new Problem(
    500,
    'internal-error',
    'The service failed unexpectedly. Its log has the cause under the traceId.',
    {
      cause,
    },
  )
}

/** The error that Express's file server throws for a request that it cannot meet: 412 or 416. */
interface RequestError extends Error {
  readonly status: number
  readonly headers?: Record<string, string>
}

function isRequestError(error: unknown): error is RequestError {
  return (
    error instanceof Error &&
    'expose' in error &&
    error.expose === true &&
    'status' in error &&
    STATUS_CODES[Number(error.status)] !== undefined
  )
}

function ofRequest({ status, headers = {} }: RequestError): Problem {
  const reason = STATUS_CODES[status]!
  return new Problem(status, reason.toLowerCase().replaceAll(' ', '-'), `${reason}.`, { headers })
}

/** Turn any error into a problem. An unexpected error becomes a 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Refusal) {
    const { kind, code, message, details } = error
    if (kind === 'unavailable') return unavailable(code, message, error)
    if (kind === 'invalid') return validationFailed(details.errors as readonly Fault[], message)
    return new Problem(statusOf[kind], code, message, { members: details, cause: error })
  }
  if (error instanceof StoreUnavailable)
    return unavailable('store-unavailable', 'The event store cannot be reached. Try again later.', error)
  if (error instanceof TableGone || isTableGone(error))
    return unavailable(
      'database-unavailable',
      'A table of the read models is missing, or a column. An operator has to mend it: "heatmark doctor" says how.',
      error,
    )
  if (error instanceof PostgresUnavailable)
    return unavailable('database-unavailable', 'The read models cannot be reached. Try again later.', error)
  if (isRequestError(error)) return ofRequest(error)
  return unforeseen(error)
}

function titleOf(code: string): string {
  return `${code[0]!.toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`
}

/** Return the body of a problem. `instance` is the requested path. */
export function problemDocument(problem: Problem, instance: string, traceId: string): object {
  return {
    type: `urn:heatmark:problem:${problem.code}`,
    title: titleOf(problem.code),
    status: problem.status,
    detail: problem.message,
    instance,
    code: problem.code,
    traceId,
    ...problem.members,
  }
}

/** Answer a problem. If an answer has begun, break the connection, so that the answer never looks complete. */
export function sendProblem(
  res: Response,
  problem: Problem,
  { instance, traceId }: { instance: string; traceId: string },
): void {
  res.locals.code = problem.code
  if (res.headersSent) {
    res.destroy()
    return
  }
  // Headers of the unfinished answer do not apply to the problem.
  for (const header of ['ETag', 'Location', 'Commit-Position', 'Read-Position', 'Link', 'Last-Modified'])
    res.removeHeader(header)
  const bytes = Buffer.from(JSON.stringify(problemDocument(problem, instance, traceId)))
  res.writeHead(problem.status, {
    'Cache-Control': 'no-store',
    ...problem.headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': bytes.length,
  })
  res.end(bytes)
}
