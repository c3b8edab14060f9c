import type { Route } from '../../../../src/http/kit/routing/route.ts'
import { routes } from '../../../../src/http/routes.ts'
import { rulePackDocument } from '../../../../src/http/rulePacks/rulePackDocument.ts'
import { type Schema, sample, type Variant, variants, wrongUuids } from '../../../support/jsonSchema.ts'
import { describedPaths, resolve, resolved } from '../../../support/operations.ts'

/** The routes with the inputs that the OpenAPI document says they take, so that a new route is covered by itself. */

export interface DescribedRoute {
  readonly title: string
  readonly route: Route
  readonly body: Schema | undefined
  /** The path parameters that are ids of records. */
  readonly pathIds: readonly string[]
  readonly isPaged: boolean
  readonly filters: readonly DescribedFilter[]
}

export interface DescribedFilter {
  readonly name: string
  readonly isList: boolean
  readonly right: string
  readonly wrong: readonly string[]
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

const aUuid = '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
const wrongTimes = [
  '',
  '2026',
  '2026-03-31',
  '2026-02-30T08:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-03-31T08:00:00',
]
const notFilters = ['limit', 'cursor', 'separator', 'keepKeys', 'narrowKeys']

export const describedRoutes: readonly DescribedRoute[] = routes.map((route) => {
  const { parameters, requestBody } = describedPaths[route.path]![route.method]
  const all: Parameter[] = parameters.map(resolved)
  const inPath = all.filter((one) => one.in === 'path')
  const inQuery = all.filter((one) => one.in === 'query')
  const isPaged = inQuery.some(({ name }) => name === 'cursor')
  const filters = isPaged ? inQuery.filter(({ name }) => !notFilters.includes(name)) : []
  const isId = ({ schema }: Parameter) => schema.format === 'uuid'
  return {
    title: `${route.method.toUpperCase()} ${route.path}`,
    route,
    isPaged,
    // A file is not read as JSON, whatever its media type, and a rule pack has specs of its own.
    body:
      route.file || route.body === rulePackDocument
        ? undefined
        : requestBody?.content['application/json']?.schema,
    pathIds: inPath.filter(isId).map(({ name }) => name),
    filters: filters.map(({ name, schema }) => ({
      name,
      isList: resolved(schema).type === 'array',
      ...valuesOf(name, resolved(schema)),
    })),
  }
})

export const withBody = describedRoutes.filter(({ body }) => body)

/** List the bodies of a route that differ from one that fits in one part. @param unique see `sample` */
export function bodiesOf({ body }: DescribedRoute, unique?: string): Variant[] {
  return [...variants(body!, resolve, sample(body!, resolve, unique))]
}

/** A value that the schema of a filter allows, and values that it does not. */
function valuesOf(name: string, parameter: Schema): Pick<DescribedFilter, 'right' | 'wrong'> {
  const schema = resolved(parameter.items ?? parameter)
  if (name === 'asOf')
    return { right: '2026-03-31T08:00:00.5Z', wrong: ['', 'yesterday', '-1', '1.5', 'x\0'] }
  if (schema.type === 'boolean') return { right: 'true', wrong: ['', '1', 'TRUE', 'null'] }
  if (schema.enum) return { right: String(schema.enum[0]), wrong: ['', 'unknown', `${schema.enum[0]} `] }
  if (schema.format === 'uuid') return { right: aUuid, wrong: wrongUuids }
  if (schema.format === 'date') return { right: '2026-03-31', wrong: ['', 'yesterday', '2026-02-30'] }
  if (schema.format === 'date-time') return { right: '2026-03-31T08:00:00.5Z', wrong: wrongTimes }
  return { right: 'x', wrong: ['', 'x'.repeat(schema.maxLength! + 1), 'x\0'] }
}

/** Cursors that no list gave. Some could be keys of some list. */
export const forgedCursors: readonly string[] = [
  ...[
    [],
    ['\0'],
    ['\0', aUuid],
    ['\0', '\0', aUuid],
    ['\ud800', aUuid],
    [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
    ['9999-99-99T99:99:99.999Z', aUuid],
    ['999999-01-01T00:00:00.000+00:00', aUuid],
    [aUuid, aUuid, '\0'],
  ].map((key) => Buffer.from(JSON.stringify(key)).toString('base64url')),
  '',
  '\0',
]
