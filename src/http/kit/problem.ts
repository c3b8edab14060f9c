import { STATUS_CODES } from 'node:http'
import type { Response } from 'express'
import type { RateLimitStatus } from '../../admission/rateLimit.ts'
import { type Fault, Refusal } from '../../domain/kernel/refusal.ts'
import { Failure, isFailure } from '../../lib/failure.ts'
import { type CodeOf, declarationOf, type MembersOf, type ProblemCode } from '../../problems/catalogue.ts'
import { maxListedFaults } from '../../problems/requests.ts'
import { isTableGone } from '../../projections/engine/reading/reader.ts'
import { StoreUnavailable } from '../../stores/eventStore.ts'
import { isPostgres, PostgresUnavailable } from '../../stores/postgres/postgres.ts'
import { send } from './routing/respond.ts'

/** Errors as problem documents (RFC 9457). */
export class Problem<Code extends ProblemCode = ProblemCode> extends Failure<Code> {
  override readonly name = 'Problem'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Members besides the standard ones. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(
    code: Code,
    detail: string,
    more: { headers?: Record<string, string>; members?: MembersOf<Code>; cause?: unknown } = {},
  ) {
    super(code, detail, { cause: more.cause })
    this.status = declarationOf(code).status
    this.headers = more.headers ?? {}
    this.members = more.members ?? {}
  }
}

export function tooManyRequests({ headers, resetSeconds }: RateLimitStatus, detail: string): Problem {
  return new Problem('rate-limit-exceeded', detail, {
    headers: { ...headers, 'Retry-After': String(resetSeconds) },
  })
}

/** Seconds after which a client may try again after a 503. */
const retryAfterSeconds = 1

export function unavailable<Code extends CodeOf<503>>(
  code: Code,
  detail: string,
  cause?: unknown,
  members?: MembersOf<Code>,
): Problem {
  return new Problem(code, detail, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    ...(members && { members }),
    cause,
  })
}

/** An answer quotes this many UTF-16 units of a name or pointer from the request. */
const longestQuote = 200

/** Return the part of a sent text that an answer quotes. U+FFFD stands for an unpaired surrogate in it. */
export function excerptOf(text: string): string {
  const part = text.length <= longestQuote ? text : `${text.slice(0, longestQuote)}…`
  return part.toWellFormed()
}

/**
 * Return a JSON Pointer as a URI fragment (RFC 6901, 6), or that of the nearest part around it when it would be long.
 */
function encodeFragment(pointer: string): string {
  // An unpaired surrogate has no UTF-8 form, so `encodeURIComponent` would throw.
  const encoded = pointer.toWellFormed().split('/').map(encodeURIComponent)
  while (encoded.join('/').length > longestQuote) encoded.pop()
  return `#${encoded.join('/')}`
}

/** List the faults, up to `maxListedFaults`. */
export function validationFailed(
  faults: readonly Fault[],
  detail = 'The request has faults, so nothing was done.',
): Problem {
  const errors = faults
    .slice(0, maxListedFaults)
    .map(({ path, parameter, code, message, record, line, column }) => ({
      path: excerptOf(path),
      ...(parameter === undefined ? { pointer: encodeFragment(path) } : { parameter: excerptOf(parameter) }),
      code,
      message,
      ...(column !== undefined && { line, column }),
      ...record,
    }))
  const more =
    errors.length < maxListedFaults ? '' : ` The first ${maxListedFaults} are listed, and there may be more.`
  return new Problem('validation-failed', detail + more, { members: { errors } })
}

/** An unexpected error shows only its traceId. */
export function unforeseen(cause: unknown): Problem {
  return new Problem(
    'internal-error',
    'The service failed unexpectedly. Tell the operator the traceId, under which the log has the cause.',
    { cause },
  )
}

/** The error that Express's file server throws for a request that it cannot meet: 412 or 416. */
interface RequestError extends Error {
  readonly status: number
  readonly headers?: Record<string, string>
}

const fileProblems: Readonly<Record<number, ProblemCode>> = {
  404: 'not-found',
  412: 'precondition-failed',
  416: 'range-not-satisfiable',
}

function storeProblem(code: StoreUnavailable['code']): [code: CodeOf<503>, detail: string] {
  switch (code) {
    case 'event-damaged':
      return [
        code,
        'An event of this record is not as it was written, so nothing was done. Tell the operator, to whom "heatmark doctor" names the event.',
      ]
    case 'store-forbids':
      return [
        'store-unavailable',
        'The event store refuses this service a right, so nothing was done. Tell the operator, to whom "heatmark doctor" names the right.',
      ]
    default:
      return ['store-unavailable', 'The event store cannot be reached. Try again later.']
  }
}

/** Turn any error into a problem. An unexpected error becomes a 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Refusal) {
    const { code, status, message, details } = error
    if (status === 503) return unavailable(code as CodeOf<503>, message, error)
    if (code === 'validation-failed')
      return validationFailed((details as { errors: readonly Fault[] }).errors, message)
    return new Problem(code, message, {
      ...('retryAfterSeconds' in details && { headers: { 'Retry-After': `${details.retryAfterSeconds}` } }),
      members: details,
      cause: error,
    })
  }
  if (error instanceof StoreUnavailable) return unavailable(...storeProblem(error.code), error)
  if (isPostgres(error, 'table-gone') || isTableGone(error))
    return unavailable(
      'database-unavailable',
      'The read models lack a table or a column, so this cannot be answered. Tell the operator, to whom "heatmark doctor" says what to do.',
      error,
    )
  if (error instanceof PostgresUnavailable)
    return unavailable('database-unavailable', 'The read models cannot be reached. Try again later.', error)
  if (isFailure(error, 'objects-not-set'))
    return unavailable(
      'documents-unavailable',
      `There is no store of documents, so nothing was done: ${error.message}. Requests without files work.`,
      error,
    )
  if (isFailure(error, 'objects-unavailable', 'objects-of-another-store'))
    return unavailable(
      'documents-unavailable',
      'The store of documents cannot be used, so nothing was done. Try again later; requests without files work.',
      error,
    )
  if (isFailure(error, 'objects-full'))
    return new Problem(
      'documents-full',
      'The store of documents has no room left, so nothing was stored. Ask the operator to make room.',
      { cause: error },
    )
  if (isRequestError(error)) return ofRequest(error)
  return unforeseen(error)
}

/** The request that a problem answers. */
interface ProblemContext {
  /** The address of the service as its caller knows it, without a slash at the end; empty where it is not known. */
  readonly baseUrl: string
  /** The requested path. */
  readonly instance: string
  readonly traceId: string
}

/** Return the address of the page that explains a code. */
export const problemMediaType = 'application/problem+json'

export function problemType(baseUrl: string, code: ProblemCode): string {
  return `${baseUrl}/problems/${code}`
}

/** Return the body of a problem. */
export function problemDocument(problem: Problem, { baseUrl, instance, traceId }: ProblemContext): object {
  return {
    type: problemType(baseUrl, problem.code),
    title: declarationOf(problem.code).title,
    status: problem.status,
    detail: problem.message,
    instance,
    code: problem.code,
    traceId,
    ...problem.members,
  }
}

/** Answer a problem. If an answer has begun, break the connection, so that the answer never looks complete. */
export async function sendProblem(res: Response, problem: Problem, context: ProblemContext): Promise<void> {
  res.locals.code = problem.code
  if (res.headersSent) {
    res.destroy()
    return
  }
  for (const header of unfinished) res.removeHeader(header)
  await send(res, {
    status: problem.status,
    headers: {
      'Cache-Control': 'no-store',
      ...problem.headers,
      'Content-Type': problemMediaType,
    },
    body: problemDocument(problem, context),
  })
}

/** Headers of an unfinished answer, which do not apply to the problem. */
const unfinished = [
  'ETag',
  'Location',
  'Commit-Position',
  'Read-Position',
  'Link',
  'Total-Count',
  'Last-Modified',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Disposition',
]

function isRequestError(error: unknown): error is RequestError {
  return (
    error instanceof Error &&
    'expose' in error &&
    error.expose === true &&
    'status' in error &&
    Number(error.status) in fileProblems
  )
}

function ofRequest({ status, headers = {} }: RequestError): Problem {
  return new Problem(fileProblems[status]!, `${STATUS_CODES[status]}.`, { headers })
}
