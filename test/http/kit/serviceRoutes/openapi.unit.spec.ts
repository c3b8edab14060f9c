import { describe, expect, it } from 'vitest'
import { codesOf, codesOutsideRoutes } from '../../../../src/http/kit/routing/problemCodes.ts'
import { openApiDocument } from '../../../../src/http/kit/serviceRoutes/openapi.ts'
import { nameOfEnum } from '../../../../src/http/namedEnums.ts'
import { routes } from '../../../../src/http/routes.ts'
import { type ProblemCode, problemCodes } from '../../../../src/problems/catalogue.ts'
import { projections } from '../../../../src/projections/all.ts'
import { operations as allOperations, operationsOf } from '../../../support/operations.ts'

/** The description that callers and generated tests go by. */

const api = { routes, nameOfEnum }
// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
const document = openApiDocument(api, '1.2.3') as any
/** Follow a reference to a component. */
const resolved = <Part extends object>(part: Part): Part =>
  '$ref' in part ? (resolve(part.$ref as string) as Part) : part
const resolve = (reference: string): unknown =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce((part, step) => part?.[step], document)

const operations = Object.entries<Record<string, Operation>>(operationsOf(document)).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, responses, ...operation }]) => ({
      path,
      method,
      operation: {
        ...operation,
        parameters: parameters.map(resolved),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [status, resolved(response)]),
        ),
      },
    })),
)
const operationOf = (operationId: string) =>
  operations.find(({ operation }) => operation.operationId === operationId)!.operation
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: true
  readonly schema: { readonly enum?: readonly string[] }
}
interface Operation {
  readonly operationId: string
  readonly parameters: Parameter[]
  readonly requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
  readonly responses: Record<string, { headers?: object; content?: object }>
}
const parameterNames = ({ parameters }: Operation, where: string) =>
  parameters.filter((parameter) => parameter.in === where).map(({ name }) => name)

const references = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!)
describe('the OpenAPI document', () => {
  it('has every declared route once, under a name of its own', () => {
    expect(operations).toHaveLength(routes.length)
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(routes.length)
  })

  it('has no two paths that one address could mean', () => {
    const meet = ([a, b]: [string, string]) => a === b || a.startsWith('{') || b.startsWith('{')
    const literals = (path: string[]) => path.filter((segment) => !segment.startsWith('{')).length
    const paths = Object.keys(document.paths).map((path) => path.split('/'))
    const ambiguous = paths.flatMap((path, index) =>
      paths
        .slice(index + 1)
        .filter(
          (other) =>
            other.length === path.length &&
            literals(other) === literals(path) &&
            path.every((segment, place) => meet([segment, other[place]!])),
        )
        .map((other) => [path.join('/'), other.join('/')]),
    )
    expect(ambiguous).toEqual([])
  })

  it('has no dangling reference and no unused schema', () => {
    const referred = references(document)
    for (const reference of referred) expect(resolve(reference), reference).toBeDefined()
    for (const name of Object.keys(document.components.schemas))
      expect(referred).toContain(`#/components/schemas/${name}`)
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it.each(operations)(
    '$method $path says what it takes and what it answers',
    ({ path, method, operation }) => {
      expect(parameterNames(operation, 'path')).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      )
      expect(
        operation.parameters.filter(({ required }) => required).map((parameter) => parameter.in),
      ).toEqual([
        ...parameterNames(operation, 'path').map(() => 'path'),
        ...(path.endsWith('/history/log/consistency') ? ['query', 'query'] : []),
        ...(path.endsWith('/imports') ? ['query'] : []),
      ])
      const statuses = Object.keys(operation.responses)
      expect(statuses).toContain('default')
      if (path.startsWith('/api/company/')) expect(statuses).toContain('403')
      if (!['/api/ops/projections', '/api/ops/runs'].includes(path)) expect(statuses).toContain('400')
      if (path.startsWith('/api/ops/')) {
        expect(parameterNames(operation, 'header')).toEqual([])
        expect(operation.requestBody).toBeUndefined()
      } else if (/\/(history\/log\/keys|imports\/template|imports\/\{importId\})$/.test(path)) {
        // They come from the settings, the code or a file, and no read model.
        expect(parameterNames(operation, 'header')).toEqual([])
      } else if (method === 'get') {
        expect(parameterNames(operation, 'header')).toContain('Min-Position')
        expect(operation.responses[200]?.headers).toHaveProperty('Read-Position')
      } else if (path.endsWith('/bulk')) {
        expect(parameterNames(operation, 'header')).toEqual(['Prefer'])
        expect(Object.keys(operation.requestBody!.content)).toEqual(['application/x-ndjson'])
      } else if (
        /\/(preview|imports|imports\/\{importId\}\/confirm|invitations(\/\{invitationId\})?)$/.test(path)
      ) {
        // Sent twice, they do the same.
        expect(parameterNames(operation, 'header')).toEqual([])
      } else {
        expect(parameterNames(operation, 'header')).toContain('Idempotency-Key')
        expect(statuses).toContain('422')
      }
      if (parameterNames(operation, 'header').includes('If-Match')) expect(statuses).toContain('412')
      if (parameterNames(operation, 'query').includes('limit'))
        expect(operation.responses[200]?.headers).toHaveProperty('Link')
    },
  )

  it('lists the codes of the statuses of an operation, and the members of those that have some', () => {
    const codesOf = (operationId: string, status: number | 'default') => {
      const { content } = operationOf(operationId).responses[status] as { content: object }
      const found = [...JSON.stringify(content).matchAll(/"enum":(\[[^\]]+\])|schemas\/([a-z-]+)"/g)]
      return found.flatMap(([, codes, code]) => (codes ? (JSON.parse(codes) as string[]) : [code])).sort()
    }
    expect(codesOf('updateMillCertTag', 404)).toEqual(['tag-not-found'])
    expect(codesOf('updateMillCertTag', 409)).toEqual([
      'looks-like-another',
      'system-tag-read-only',
      'tag-deleted',
      'tag-name-soft-deleted',
      'tag-name-taken',
    ])
    expect(codesOf('updateMillCertTag', 412)).toEqual(['precondition-failed'])
    const { UnavailableCode } = document.components.schemas
    expect(UnavailableCode.enum).toEqual(
      expect.arrayContaining(['database-unavailable', 'read-model-behind']),
    )
    const mayAnswer = (operationId: string, status: string) =>
      references(operationOf(operationId).responses[status])
    expect(mayAnswer('revokeCompanyApiKey', '503')).toContain('#/components/schemas/UnavailableCode')
    expect(codesOf('revokeCompanyApiKey', 503)).toContain('revocation-pending')
    expect(mayAnswer('updateMillCertTag', 'default')).toContain('#/components/schemas/UnavailableCode')
    expect(codesOf('updateMillCertTag', 'default')).toEqual(
      expect.arrayContaining(['rate-limit-exceeded', 'body-too-large', 'internal-error']),
    )
    expect(document.components.schemas['tag-name-soft-deleted']).toMatchObject({
      properties: { code: { const: 'tag-name-soft-deleted' }, tagId: {} },
      required: ['tagId'],
    })
  })

  it('has every code of the catalogue, but for those that belong to no operation', () => {
    const inBackground: ProblemCode[] = ['rule-pack-not-shipped']
    const inLines: ProblemCode[] = ['line-too-long', 'too-many-lines', 'another-manufacturer']
    const listed = new Set<string>([
      ...allOperations.flatMap(codesOf),
      ...codesOutsideRoutes,
      ...inBackground,
      ...inLines,
    ])
    expect(problemCodes.filter((code) => !listed.has(code))).toEqual([])
  })

  it('shows programs how to get a token, once the identity provider has named the address', () => {
    const tokenUrl = 'https://login.example/token'
    const scope = 'api://heatmark/.default'
    // biome-ignore lint/suspicious/noExplicitAny: a JSON document.
    const { components, paths, security } = openApiDocument(api, '1', { tokenUrl, scope }) as any
    expect(components.securitySchemes.oauth2.flows).toEqual({
      clientCredentials: { tokenUrl, scopes: { [scope]: 'Call this service.' } },
    })
    expect(security).toEqual([{ bearer: [] }, { apiKey: [] }, { oauth2: [scope] }])
    expect(paths['/api/me'].get).not.toHaveProperty('security')
    expect(paths['/api/me/keys'].get.security).toEqual([{ bearer: [] }, { oauth2: [scope] }])
    expect(document.components.securitySchemes).not.toHaveProperty('oauth2')
    expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }])
  })

  it('names no scope where programs need none', () => {
    const { components, security } = openApiDocument(api, '1', {
      tokenUrl: 'https://login.example',
    }) as {
      components: object
      security: object
    }
    expect(components).toMatchObject({
      securitySchemes: { oauth2: { flows: { clientCredentials: { scopes: {} } } } },
    })
    expect(security).toContainEqual({ oauth2: [] })
  })

  it('describes every answer', () => {
    for (const { operation } of operations)
      for (const response of Object.values(operation.responses))
        expect(response).toMatchObject({ description: expect.stringMatching(/.{5}/) })
  })

  it('names the headers of problems', () => {
    const names = (operationId: string, status: number | 'default') =>
      Object.keys(operationOf(operationId).responses[status]!.headers!)
    expect(names('registerOrder', 'default')).toEqual([
      'WWW-Authenticate',
      'Accept',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ])
    expect(names('revokeCompanyApiKey', 503)).toEqual(['Retry-After'])
  })

  it('names the existing read models', () => {
    for (const id of ['rebuildProjection', 'verifyProjection']) {
      const [name] = operationOf(id).parameters
      expect(resolved(name!.schema).enum).toEqual(projections.map((projection) => projection.name))
    }
  })

  it('says no default that is empty', () => {
    expect(JSON.stringify(document)).not.toContain('The default is .')
  })

  it('states the bounds of bodies', () => {
    const { TagContent, TagMembers, CertificateRegistration, CertificateMembers, OrderRegistration } =
      document.components.schemas
    expect(TagContent).toMatchObject({ required: ['name', 'color'], unevaluatedProperties: false })
    expect(TagMembers.properties.name).toMatchObject({ minLength: 1, maxLength: 100 })
    expect(CertificateRegistration.allOf).toEqual([{ $ref: '#/components/schemas/CertificateMembers' }])
    expect(CertificateMembers.properties.thicknessMm).toMatchObject({
      type: ['number', 'null'],
      exclusiveMinimum: 0,
      maximum: 1_000,
    })
    expect(OrderRegistration.properties.lineItems).toMatchObject({ minItems: 1, maxItems: 500 })
    expect(resolved(OrderRegistration.properties.lineItems.items)).toMatchObject({
      unevaluatedProperties: false,
    })
  })
})
