import type { z } from 'zod'
import { roles } from '../../../domain/company/companyEvents.ts'
import { permissions } from '../../../identity/permissions.ts'
import { groups } from '../routing/groups.ts'
import { bodyTypesOf, needsToken, type Route } from '../routing/route.ts'
import { responseHeaders } from '../schemas/responseHeaders.ts'
import { answersOf } from './answers.ts'
import { rawContent, schemaIn } from './contents.ts'
import { extendRecords } from './extendedRecords.ts'
import { collectSchemas, type Json, type NameOfEnum, type SchemaOf } from './jsonSchemas.ts'
import { parametersOf } from './parameters.ts'
import { problemSchemas, problemsOf } from './problemResponses.ts'
import { shareMembers } from './sharedMembers.ts'
import { share } from './sharedParts.ts'

/** Build the OpenAPI 3.1 document from the declared routes. */

/** Where programs get tokens, and the scope that they ask for, if they need one. */
interface TokenSource {
  readonly tokenUrl: string
  readonly scope?: string | undefined
}

interface DescribedApi {
  readonly routes: readonly Route[]
  readonly nameOfEnum: NameOfEnum
}

/** @param source undefined while it is not known */
export function openApiDocument(
  { routes, nameOfEnum }: DescribedApi,
  version: string,
  source?: TokenSource,
): Json {
  const { components: schemas, schemaOf } = collectSchemas(nameOfEnum)
  const described = routes.map((route) => ({
    route,
    parameters: parametersOf(route, schemaOf),
    answers: [...answersOf(route, schemaOf), ...problemsOf(route)],
  }))
  const parameters = share(
    'parameters',
    described.flatMap((one) => one.parameters),
  )
  const answers = share(
    'responses',
    described.flatMap((one) => one.answers.map(([, answer]) => answer)),
  )
  const paths: Record<string, Json> = {}
  for (const one of described) {
    const { path, method } = one.route
    const [inPath, others] = splitBy(one.parameters, ([, { in: place }]) => place === 'path')
    paths[path] ??= { ...(inPath.length > 0 && { parameters: inPath.map(parameters.refer) }) }
    paths[path]![method] = {
      ...headingOf(one.route),
      ...securityOf(one.route, source),
      ...(others.length > 0 && { parameters: others.map(parameters.refer) }),
      ...requestBody(one.route, schemaOf),
      responses: Object.fromEntries(one.answers.map(([status, answer]) => [status, answers.refer(answer)])),
    }
  }
  return {
    openapi: '3.1.0',
    info: infoOf(version),
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: groups[name] })),
    security: schemesFor('caller', source),
    paths,
    components: {
      schemas: shareMembers(extendRecords({ ...problemSchemas(routes, schemaOf), ...schemas })),
      parameters: parameters.components,
      responses: answers.components,
      headers: responseHeaders,
      securitySchemes: securitySchemes(source),
    },
  }
}

function infoOf(version: string): Json {
  return {
    title: 'Heatmark',
    version,
    license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    contact: { name: 'The operator of this service' },
    description:
      'May this bar be cut for this order? Mill certificates, orders, their tags, rule packs, production plans and bars, ' +
      'company by company. `Roles` are those of which a caller needs one in the company. Every path also works without its /api prefix. ' +
      'Timestamps are RFC 3339 in UTC; ids are UUIDs, accepted in any case. ' +
      'Every answer to a caller with credentials has the headers RateLimit and RateLimit-Policy. ' +
      '`Prefer: respond-async` answers a change once it is recorded, and does not wait until reads show it; ' +
      '`Prefer: return=representation` answers 200 with the record where the answer is 204 otherwise. ' +
      'Answers above 1 KiB are compressed in br or gzip as Accept-Encoding asks, unless they hold a secret. ' +
      'Behind a proxy that ends TLS, all routes except health require https and otherwise answer 403 `https-required`.',
  }
}

function securitySchemes(source: TokenSource | undefined): Json {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token of the identity provider, however the caller has got it.',
    },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'Service-Api-Key',
      description: '`POST /api/me/keys` creates a key and shows it once.',
    },
    ...(source && { oauth2: clientCredentials(source) }),
  }
}

function splitBy<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

function clientCredentials({ tokenUrl, scope }: TokenSource): Json {
  const scopes = scope === undefined ? {} : { [scope]: 'Call this service.' }
  return {
    type: 'oauth2',
    description:
      'A program gets an access token with its client id, its secret and the scope, if there is one.',
    flows: { clientCredentials: { tokenUrl, scopes } },
  }
}

function headingOf(route: Route): Json {
  const { operationId, summary, description, tag } = route
  return {
    operationId,
    summary,
    description: [description, mayCall(route)].filter(Boolean).join('\n\n'),
    tags: [tag],
  }
}

function requestBody(route: Route, schemaOf: SchemaOf): { requestBody?: Json } {
  const { body, isBodyOptional, lines, file } = route
  const of = (mediaTypes: readonly string[], schema: z.ZodType) =>
    Object.fromEntries(
      mediaTypes.map((type) => [type, { schema: schemaIn(type, schemaOf(schema, 'input')) }]),
    )
  if (body) return { requestBody: { required: !isBodyOptional, content: of(bodyTypesOf(route), body) } }
  if (lines) return { requestBody: { required: true, content: of([lines.mediaType], lines.schema) } }
  if (!file) return {}
  const content = Object.fromEntries(file.mediaTypes.map((type) => [type, { schema: rawContent(type) }]))
  return { requestBody: { required: true, content } }
}

/** An operation names its security schemes only if they differ from those of the whole document. */
function securityOf(route: Route, source: TokenSource | undefined): { security?: Json[] } {
  if (route.access === 'open') return { security: [] }
  return needsToken(route) ? { security: schemesFor('bearer', source) } : {}
}

function schemesFor(access: 'caller' | 'bearer', source: TokenSource | undefined): Json[] {
  return [
    { bearer: [] },
    ...(access === 'bearer' ? [] : [{ apiKey: [] }]),
    ...(source ? [{ oauth2: source.scope === undefined ? [] : [source.scope] }] : []),
  ]
}

function mayCall(route: Route): string {
  const { access } = route
  if (access === 'open') return 'Open to anyone.'
  if (access === 'caller') return 'Open to every caller.'
  if (access === 'bearer') return 'Open to every caller with an access token. An API key is not accepted.'
  if (access === 'ownKey') return 'Open to every caller with an access token, and to the API key itself.'
  if ('platform' in access) return `Needs the platform role ${access.platform}.`
  const allowed = permissions[access.company]
  if (allowed.length === roles.length) return 'Roles: any.'
  const needed = `Roles: ${allowed.join(', ')}.`
  return needsToken(route) ? `${needed} An API key is not accepted.` : needed
}
