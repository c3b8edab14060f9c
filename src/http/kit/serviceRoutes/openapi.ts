import { z } from 'zod'
import { permissions } from '../../../identity/permissions.ts'
import { headerName } from '../body/validate.ts'
import { maxListedFaults } from '../problem.ts'
import type { Access, DeclaredResponse, Route } from '../routing/route.ts'

/** Build the OpenAPI 3.1 document from the declared routes. */

type Json = Record<string, unknown>

/** A JSON Schema that replaces the derived one, for example for a number that arrives as text. */
declare module 'zod' {
  interface GlobalMeta {
    readonly as?: Json
  }
}

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const schemas: Record<string, Json> = { Problem: problemSchema }
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const {
      $defs = {},
      $schema: _,
      ...own
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const told = z.globalRegistry.get(zodSchema)?.as
        if (!told) return
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as never]
        Object.assign(jsonSchema, told)
      },
    }) as Json & { $defs?: Record<string, Json> }
    Object.assign(schemas, hoisted($defs))
    return hoisted(own)
  }

  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method] = operation(route, schemaOf)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heatmark',
      version,
      description:
        'Tags on mill certificates and orders, company by company. Every path also works without its /api prefix. ' +
        'Timestamps are RFC 3339 in UTC; ids are UUIDs, accepted in any case. ' +
        'Behind a proxy that ends TLS, all routes except health require https and otherwise answer 403 `https-required`.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      headers: responseHeaders,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'Service-Api-Key' },
      },
    },
  }
}

/** Point references at the document instead of at the single schema. */
function hoisted<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

function operation(route: Route, schemaOf: SchemaOf): Json {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, mayCall(route.access)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: security(route.access),
    parameters: [
      ...parameters('path', route.params, schemaOf),
      ...parameters('query', route.query, schemaOf),
      ...parameters('header', route.headers, schemaOf),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
      },
    }),
    ...(route.lines && {
      requestBody: {
        required: true,
        content: { [route.lines.mediaType]: { schema: schemaOf(route.lines.schema, 'input') } },
      },
    }),
    responses: responses(route, schemaOf),
  }
}

function security(access: Access): Json[] {
  if (access === 'open') return []
  return access === 'bearer' ? [{ bearer: [] }] : [{ bearer: [] }, { apiKey: [] }]
}

function mayCall(access: Access): string {
  if (access === 'open') return 'Open to anyone.'
  if (access === 'caller') return 'Open to every caller.'
  if (access === 'bearer') return 'Open to every caller with an access token. An API key is not accepted.'
  if ('platform' in access) return `Needs the platform role ${access.platform}.`
  return `Needs one of the roles ${permissions[access.company].join(', ')} in the company.`
}

function parameters(where: 'path' | 'query' | 'header', shape: z.ZodObject, schemaOf: SchemaOf): Json[] {
  return Object.entries(shape.shape).map(([name, schema]) => {
    const { description, ...own } = schemaOf(schema as z.ZodType, 'input')
    return {
      name: where === 'header' ? headerName(name) : name,
      in: where,
      required: !(schema as z.ZodType).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: own,
    }
  })
}

function responses(route: Route, schemaOf: SchemaOf): Json {
  return {
    ...Object.fromEntries(
      Object.entries(route.responses).map(([status, response]) => [status, described(response, schemaOf)]),
    ),
    ...Object.fromEntries(problemStatuses(route).map((status) => [status, problems[status]])),
  }
}

function described({ description, schema, mediaType, headers = [] }: DeclaredResponse, schemaOf: SchemaOf) {
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    }),
    ...((schema || mediaType) && {
      content: { [mediaType ?? 'application/json']: { schema: schema ? schemaOf(schema, 'output') : {} } },
    }),
  }
}

/** Derive the problem statuses from the declaration; `problems` adds those that only the route knows. */
function problemStatuses({ access, body, params, query, headers, problems: own }: Route): number[] {
  const takesInput = [params, query, headers].some(({ shape }) => Object.keys(shape).length > 0) || body
  const statuses = [
    ...(takesInput ? [400] : []),
    ...(access === 'open' ? [] : [401, 429, 503]),
    ...(typeof access === 'string' ? [] : [403]),
    ...(body ? [413, 415] : []),
    ...own,
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

function problem(description: string): Json {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

const problems: Record<number, Json> = {
  400: problem(`The request has faults. Up to ${maxListedFaults} of them are listed.`),
  401: problem('The request has no valid credentials.'),
  403: problem('The caller may not do this, or the company does not exist.'),
  404: problem('The record does not exist in this company.'),
  409: problem('The request conflicts with the current state of the resource; `code` says why.'),
  412: problem('The record has changed since the ETag in If-Match.'),
  413: problem('The body is too large.'),
  415: problem('The body is not JSON in UTF-8.'),
  422: problem('The Idempotency-Key was used for another request.'),
  429: problem('Too many requests; Retry-After says when to try again.'),
  503: problem(
    'A store cannot be reached or is behind, or too much waits already; Retry-After says when to try again.',
  ),
}

const problemSchema: Json = {
  type: 'object',
  description: 'A problem document (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', description: 'The stable code for programs.' },
    traceId: { type: 'string' },
    errors: {
      type: 'array',
      maxItems: maxListedFaults,
      description:
        'The faults of the request. A path is a JSON Pointer into the body or the name of a parameter; a long one ends in "…".',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string' },
          message: { type: 'string' },
          tagId: { type: 'string', format: 'uuid', description: 'The tag that the fault is about, if any.' },
        },
      },
    },
    moreErrors: {
      type: 'integer',
      description: `The number of faults beyond the ${maxListedFaults} that are listed.`,
    },
  },
}

function header(description: string, schema: Json = { type: 'string' }): Json {
  return { description, schema }
}

const responseHeaders: Record<string, Json> = {
  ETag: header("The revision of the record's own last event, or a hash of the list."),
  Location: header('The path of the created record.', { type: 'string', format: 'uri-reference' }),
  Link: header('The next page: `<…>; rel="next"`.'),
  'Commit-Position': header(
    'The position of the recorded events. Send it as Min-Position to read your writes.',
    {
      type: 'integer',
    },
  ),
  'Read-Position': header('The position that the answered read models have reached.', { type: 'integer' }),
  'Projection-Status': header('`pending` when the read models have not applied the events yet.', {
    const: 'pending',
  }),
  'Idempotent-Replayed': header('`true` when this is the answer to an earlier request.', { const: 'true' }),
}
