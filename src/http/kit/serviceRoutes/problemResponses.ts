import { declarationOf, type ProblemCode, problemCodes } from '../../../problems/catalogue.ts'
import { maxListedFaults } from '../../../problems/requests.ts'
import { problemMediaType } from '../problem.ts'
import { codeBeforeService, codesBeforeRoutes, codesOf, generalCodes } from '../routing/problemCodes.ts'
import type { Route } from '../routing/route.ts'
import { headerReferences, type ResponseHeader } from '../schemas/responseHeaders.ts'
import { rawContent } from './contents.ts'
import type { Json, SchemaOf } from './jsonSchemas.ts'
import type { Named } from './sharedParts.ts'

/**
 * The problems of an operation in the OpenAPI document: each status with its codes. A status that says nothing about the
 * operation itself is part of the answer `default`, which all operations share. Operations that answer a status with the
 * same codes refer to the same component. A code whose problem has members of its own is a schema.
 */

/** Return the answers of a route that are problems, by status. */
export function problemsOf(route: Route): [status: string, problem: Named][] {
  return answersOf(route).map((answer) => [answer.status, [nameOf(answer), responseOf(answer)]])
}

/** Return the schemas of the problems of these routes. */
export function problemSchemas(routes: readonly Route[], schemaOf: SchemaOf): Record<string, Json> {
  const codes = new Set(routes.flatMap(answersOf).flatMap((answer) => answer.codes))
  return {
    Problem: problem,
    UnavailableCode: { type: 'string', enum: unavailable },
    ...Object.fromEntries(
      [...codes].filter(hasMembers).map((code) => [code, schemaWithMembers(code, schemaOf)]),
    ),
  }
}

/** The codes that a route may answer with one status. */
interface Answer {
  readonly status: string
  readonly codes: readonly ProblemCode[]
  /** The answer is a page where HTML is asked for. */
  readonly isForPeople?: boolean
}

/** A general code with one of these statuses is a refusal that callers handle for each operation. */
const statusesOfOperations = [400, 403, 422]

function isShared(code: ProblemCode): boolean {
  return generalCodes.has(code) && !statusesOfOperations.includes(declarationOf(code).status)
}

/** The answer with any other status. */
const otherwise: Answer = {
  status: 'default',
  codes: problemCodes.filter(
    (code) => isShared(code) || [...codesBeforeRoutes, codeBeforeService].some((one) => one === code),
  ),
}

function answersOf(route: Route): Answer[] {
  const byStatus = Map.groupBy(codesOf(route), (code) => String(declarationOf(code).status))
  const answers = [...byStatus]
    .filter(([, codes]) => !codes.every(isShared))
    .map(([status, codes]) => ({ status, codes, isForPeople: route.problemsAreForPeople ?? false }))
  const isRefused = answers.some(({ status }) => status.startsWith('4'))
  // If a route itself refuses nothing, it has at least the refusals that come before every route.
  return [
    ...answers,
    ...(isRefused ? [] : [{ ...otherwise, status: '4XX', codes: codesBeforeRoutes }]),
    otherwise,
  ]
}

/** Name a component by its status and the codes that make it differ, such as `404.bar-not-found`. */
function nameOf({ status, codes, isForPeople }: Answer): string {
  const own = codes.filter((code) => !generalCodes.has(code))
  const differing = own.length > 0 ? own : codes.slice(0, 1)
  return [status, ...differing, ...(isForPeople ? ['page'] : [])].join('.')
}

function responseOf({ status, codes, isForPeople }: Answer): Json {
  const headers = headersByStatus[status]
  const [only, ...others] = codes
  return {
    description: others.length > 0 ? descriptions[status] : declarationOf(only!).title,
    ...(headers && { headers: headerReferences(headers) }),
    content: {
      [problemMediaType]: { schema: schemaOfCodes(codes) },
      ...(isForPeople && { 'text/html': { schema: rawContent('text/html') } }),
    },
  }
}

const descriptions: Readonly<Record<string, string>> = {
  default:
    'Any operation may answer so. 401 asks for valid credentials. 413 and 415 refuse a body, and 428 asks for If-Match. 429 and 503 ask to try again ' +
    'after the seconds of Retry-After. 500 is an error of the service.',
  '4XX': 'The request is not HTTP, its headers are too large, or it came too slowly or without https.',
  400: `The request has faults. Up to ${maxListedFaults} of them are listed.`,
  403: 'The caller may not do this, or the company does not exist.',
  404: 'The record does not exist.',
  409: 'The request conflicts with the current state of the resource.',
  412: 'The record has changed since the ETag in If-Match.',
  416: 'Range names no byte of the file; Content-Range says how many there are.',
  422: 'The Idempotency-Key was used for another request, or the file has a virus.',
  503: 'The service cannot answer now. Retry-After says when to try again.',
}

const headersByStatus: Readonly<Record<string, readonly ResponseHeader[]>> = {
  416: ['Content-Range'],
  503: ['Retry-After'],
  default: ['WWW-Authenticate', 'Accept', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
}

function hasMembers(code: ProblemCode): boolean {
  return declarationOf(code).members !== undefined
}

function schemaOfCodes(codes: readonly ProblemCode[]): Json {
  const plain = codes.filter((code) => !hasMembers(code))
  const schemas = [
    ...codes.filter(hasMembers).map((code) => ({ $ref: `#/components/schemas/${code}` })),
    ...(plain.length > 0 ? [problemWith({ code: enumOf(plain) })] : []),
  ]
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas }
}

/** Codes with which any operation may say that it cannot answer now. */
const unavailable = problemCodes.filter((code) => isShared(code) && declarationOf(code).status === 503)

/** An operation that has one of these codes is described with all of them, so that the list stands in one place. */
function enumOf(codes: readonly ProblemCode[]): Json {
  const others = codes.filter((code) => !unavailable.includes(code))
  if (others.length === codes.length) return { type: 'string', enum: codes }
  return { anyOf: [{ $ref: '#/components/schemas/UnavailableCode' }, { type: 'string', enum: others }] }
}

function schemaWithMembers(code: ProblemCode, schemaOf: SchemaOf): Json {
  const { title, members } = declarationOf(code)
  const { properties, required = [] } = schemaOf(members!, 'input') as Members
  const schema = problemWith({ code: { const: code }, ...properties })
  return { title, ...schema, ...(required.length > 0 && { required }) }
}

function problemWith(properties: Json): Json {
  return { allOf: [{ $ref: '#/components/schemas/Problem' }], properties }
}

interface Members {
  readonly properties?: Json
  readonly required?: readonly string[]
}

const problem: Json = {
  type: 'object',
  description: 'A problem document (RFC 9457). Codes and members may be added.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'The address of a page that explains the code.',
    },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', description: 'The stable code for programs. `GET /problems` explains each.' },
    traceId: { type: 'string' },
  },
}
