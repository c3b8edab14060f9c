import { z } from 'zod'
import { declarationOf, type ProblemCode } from '../../../problems/catalogue.ts'
import { maxListedFaults } from '../../../problems/requests.ts'
import { problemMediaType } from '../problem.ts'
import { answeredCodes } from '../routing/problemCodes.ts'
import type { Route } from '../routing/route.ts'
import { headerReferences, type ResponseHeader } from '../schemas/responseHeaders.ts'

/** The problems of an operation in the OpenAPI document: each status with its codes, each code with its members. */

type Json = Record<string, unknown>

/** Return the responses for every status that the route may answer a problem with. */
export function problemResponses(route: Route): Record<string, Json> {
  const byStatus = Map.groupBy(answeredCodes(route), (code) => declarationOf(code).status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: descriptions[status],
        headers: headerReferences(headersOf(status, route)),
        content: { [problemMediaType]: { schema: oneOf(codes) } },
      },
    ]),
  )
}

/** Return the schemas of these codes. Each has the code as its name, as the discriminator expects. */
export function problemSchemas(routes: readonly Route[]): Record<string, Json> {
  const codes = new Set(routes.flatMap(answeredCodes))
  return { Problem: problem, ...Object.fromEntries([...codes].map((code) => [code, schemaOf(code)])) }
}

const descriptions: Readonly<Record<number, string>> = {
  400: `The request has faults. Up to ${maxListedFaults} of them are listed.`,
  401: 'The request has no valid credentials.',
  403: 'The caller may not do this, or the company does not exist.',
  404: 'The record does not exist.',
  409: 'The request conflicts with the current state of the resource; `code` says why.',
  412: 'The record has changed since the ETag in If-Match.',
  428: 'The company requires If-Match for this change, and the request has none.',
  413: 'The body is too large, or what would be recorded is.',
  415: 'The body has another media type, or is not in UTF-8.',
  416: 'Range names no byte of the file; Content-Range says how many there are.',
  422: 'The Idempotency-Key was used for another request, or the file has a virus; `code` says which.',
  429: 'Too many requests; Retry-After says when to try again.',
  500: 'The service failed unexpectedly; its log has the cause under the traceId.',
  503: 'A store cannot be reached or is behind, or too much waits already; Retry-After says when to try again.',
  507: 'The store of documents has no room left.',
}

const headersByStatus: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function headersOf(status: number, { access }: Route): ResponseHeader[] {
  return [
    ...(headersByStatus[status] ?? []),
    ...(access === 'open' ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
  ]
}

function oneOf(codes: readonly ProblemCode[]): Json {
  const schemas = codes.map((code) => ({ $ref: `#/components/schemas/${code}` }))
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas, discriminator: { propertyName: 'code' } }
}

function schemaOf(code: ProblemCode): Json {
  const { status, title, meaning, members } = declarationOf(code)
  const { properties = {}, required = [] } = members ? membersOf(members) : {}
  return {
    title,
    description: meaning,
    allOf: [{ $ref: '#/components/schemas/Problem' }],
    type: 'object',
    properties: { status: { const: status }, code: { const: code }, ...properties },
    required: ['status', 'code', ...required],
  }
}

interface Members {
  readonly properties?: Json
  readonly required?: readonly string[]
}

function membersOf(members: z.ZodObject): Members {
  const { properties = {}, required = [] } = z.toJSONSchema(members, { io: 'input' })
  return { properties, required }
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
    code: { type: 'string', description: 'The stable code for programs.' },
    traceId: { type: 'string' },
  },
}
