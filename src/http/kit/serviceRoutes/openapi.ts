import { z } from 'zod'
import { permissions } from '../../../identity/permissions.ts'
import { headerName } from '../body/validate.ts'
import type { Access, DeclaredResponse, Route } from '../routing/route.ts'
import { headerReferences, type ResponseHeader, responseHeaders } from '../schemas/responseHeaders.ts'
import { problemResponses, problemSchemas } from './problemResponses.ts'

/** Build the OpenAPI 3.1 document from the declared routes. */

type Json = Record<string, unknown>

/** A JSON Schema that replaces the derived one, for example for a number that arrives as text. */
declare module 'zod' {
  interface GlobalMeta {
    readonly as?: Json
  }
}

/** @param tokenUrl the address where callers get tokens; undefined while it is not known */
export function openApiDocument(routes: readonly Route[], version: string, tokenUrl?: string): Json {
  const schemas: Record<string, Json> = problemSchemas(routes)
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
    paths[route.path]![route.method] = operation(route, security(route.access, tokenUrl), schemaOf)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heatmark',
      version,
      description:
        'Tags on mill certificates and orders, company by company. Every path also works without its /api prefix. ' +
        'Timestamps are RFC 3339 in UTC; ids are UUIDs, accepted in any case. ' +
        'Answers above 1 KiB are compressed in br or gzip as Accept-Encoding asks, unless they hold a secret. ' +
        'Behind a proxy that ends TLS, all routes except health require https and otherwise answer 403 `https-required`.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      headers: responseHeaders,
      securitySchemes: {
        bearer: {
          ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          description: 'An access token of the identity provider, however the caller has got it.',
        },
        apiKey: {
          ...{ type: 'apiKey', in: 'header', name: 'Service-Api-Key' },
          description: '`POST /api/me/keys` creates a key and shows it once.',
        },
        ...(tokenUrl && { oauth2: clientCredentials(tokenUrl) }),
      },
    },
  }
}

/** Point references at the document instead of at the single schema. */
function hoisted<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

/** Nobody but the provider knows the scope, so the document names none. */
function clientCredentials(tokenUrl: string): Json {
  return {
    type: 'oauth2',
    description:
      'A program gets an access token with its client id, its secret and the scope that the identity provider has for this service.',
    flows: { clientCredentials: { tokenUrl, scopes: {} } },
  }
}

function operation(route: Route, security: Json[], schemaOf: SchemaOf): Json {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, mayCall(route.access)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security,
    parameters: [
      ...parameters('path', route.params, schemaOf),
      ...parameters('query', route.query, schemaOf),
      ...parameters('header', route.headers, schemaOf),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.isBodyOptional,
        content: {
          [route.bodyType ?? 'application/json']: { schema: schemaOf(route.body, 'input') },
        },
      },
    }),
    ...(route.lines && {
      requestBody: {
        required: true,
        content: {
          [route.lines.mediaType]: { schema: schemaOf(route.lines.schema, 'input') },
        },
      },
    }),
    ...(route.file && {
      requestBody: {
        required: true,
        content: Object.fromEntries(route.file.mediaTypes.map((type) => [type, { schema: binary }])),
      },
    }),
    responses: responses(route, schemaOf),
  }
}

/** A file as it is (JSON Schema has no words for bytes). */
const binary = {}

function security(access: Access, tokenUrl: string | undefined): Json[] {
  if (access === 'open') return []
  return [
    { bearer: [] },
    ...(access === 'bearer' ? [] : [{ apiKey: [] }]),
    ...(tokenUrl === undefined ? [] : [{ oauth2: [] }]),
  ]
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
      Object.entries(route.responses).map(([status, response]) => [
        status,
        described(response, headersOf(route, response), schemaOf),
      ]),
    ),
    ...problemResponses(route),
  }
}

/** Every answer to an authenticated caller tells the state of its limit. */
function headersOf({ access }: Route, { headers = [] }: DeclaredResponse): ResponseHeader[] {
  return [...headers, ...(access === 'open' ? [] : (['RateLimit', 'RateLimit-Policy'] as const))]
}

function described(
  { description, schema, mediaType, alternatives = [] }: DeclaredResponse,
  headers: readonly ResponseHeader[],
  schemaOf: SchemaOf,
) {
  return {
    description,
    ...(headers.length > 0 && { headers: headerReferences(headers) }),
    ...((schema || mediaType) && {
      content: Object.fromEntries([
        ...[mediaType ?? 'application/json']
          .flat()
          .map((type) => [type, { schema: schema ? schemaOf(schema, 'output') : {} }]),
        ...alternatives.map((type) => [type, {}]),
      ]),
    }),
  }
}
