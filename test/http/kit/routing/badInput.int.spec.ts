import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventStore } from '../../../../src/eventStore.ts'
import { connectEventStore } from '../../../../src/eventStoreDb/connect.ts'
import { openApiDocument } from '../../../../src/http/kit/serviceRoutes/openapi.ts'
import { routes } from '../../../../src/http/routes.ts'
import { type Resolve, type Schema, sample, variants, wrongUuids } from '../../../support/jsonSchema.ts'
import { startTestService, type TestService } from '../../../support/testService.ts'

/**
 * Whatever is wrong with a request is found, named, and never recorded: made from the OpenAPI document, so
 * that a new operation is covered by itself.
 */

// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
const document = openApiDocument(routes, '0') as any
const resolve: Resolve = (reference) =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce((part, key) => part[key], document)
/** Follow a reference to a component. */
const resolved = <Part extends { readonly $ref?: string }>(part: Part): Part =>
  part.$ref ? (resolve(part.$ref) as Part) : part

interface Operation {
  readonly method: string
  readonly path: string
  readonly body: Schema | undefined
  readonly mayLackBody: boolean
  readonly pathIds: readonly string[]
  /** The parameters of the path that are no ids of records. */
  readonly pathTexts: readonly string[]
  readonly query: readonly string[]
  /** The schemas of the parameters that narrow a list. */
  readonly filters: Readonly<Record<string, Schema>>
}
interface Described {
  readonly parameters: { $ref?: string; name: string; in: string; schema: Schema }[]
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
}
const operations: Operation[] = Object.entries<Record<string, Described>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, ...described }]) => {
      const parameters = described.parameters.map(resolved)
      return {
        method: method.toUpperCase(),
        path,
        body: requestBody?.content['application/json']?.schema,
        mayLackBody: !requestBody?.required,
        pathIds: parameters
          .filter((one) => one.in === 'path' && one.schema.format === 'uuid')
          .map(({ name }) => name),
        pathTexts: parameters
          .filter((one) => one.in === 'path' && one.schema.format !== 'uuid')
          .map(({ name }) => name),
        query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        filters: Object.fromEntries(
          parameters
            .filter(
              (one) =>
                one.in === 'query' && !['limit', 'cursor', 'separator', 'revokeKeys'].includes(one.name),
            )
            .map(({ name, schema }) => [name, resolved(schema)]),
        ),
      }
    }),
)
/** A file is not read as JSON, whatever its media type. */
const takesFile = ({ method, path }: Operation) =>
  routes.some((route) => route.file && route.path === path && route.method.toUpperCase() === method)
const withBody = operations.filter((operation) => operation.body && !takesFile(operation))

let service: TestService
let store: EventStore
let tokenOfAll: string
beforeAll(async () => {
  service = await startTestService()
  store = connectEventStore(service.settings.EVENTSTORE_URL!)
  // This caller may do everything, so only the request is wrong.
  tokenOfAll = await service.identity.token({
    oid: 'admin',
    name: 'Admin',
    roles: ['PlatformAdmin', 'Operator'],
  })
})
afterAll(async () => {
  await store.close()
  await service.stop()
})

const fill = (path: string, ids: Record<string, string> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(ids[name] ?? (name === 'companyId' ? service.companyId : randomUUID())),
  )
const send = async (
  { method, path }: Operation,
  {
    body,
    ids,
    query = '',
    headers = {},
  }: { body?: string | Buffer; ids?: Record<string, string>; query?: string; headers?: object },
) => {
  const response = await fetch(service.url + fill(path, ids) + query, {
    method,
    body: body ?? null,
    headers: {
      authorization: `Bearer ${tokenOfAll}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
/** A member that another one excludes is wrong by its presence, whatever its value. */
const wrongValuesIn = (problem: { errors?: { path: string; code: string }[] }) =>
  (problem.errors ?? []).filter(({ code }) => code !== 'unknown-member').map(({ path }) => path)
/** Several at a time: what each one meets does not depend on the others. */
const forAll = async <Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> => {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}
const recordsNothing = async (work: () => Promise<void>) => {
  const before = (await store.last())?.position
  await work()
  if (!process.env.EVENTSTORE_URL) expect((await store.last())?.position).toBe(before)
}

describe.each(withBody)('$method $path', (operation) => {
  const schema = operation.body!
  const fitting = () => sample(schema, resolve, `s${randomUUID().slice(0, 8)}`)

  it('names every single fault in a body, and records nothing', async () => {
    await recordsNothing(async () => {
      const wrong = [...variants(schema, resolve, fitting())].filter((variant) => variant.wrong)
      await forAll(wrong, async ({ what, body, path, wrong: code }) => {
        const answer = await send(operation, { body: JSON.stringify(body) })
        expect(answer.status, what).toBe(400)
        const message = expect.any(String)
        expect(answer.body.errors, what).toContainEqual({ path, pointer: `#${path}`, code, message })
      })
    })
  })

  it('accepts values at a bound', async () => {
    const right = [...variants(schema, resolve, fitting())].filter(({ wrong }) => !wrong)
    await forAll(right, async ({ what, body, path }) => {
      const answer = await send(operation, { body: JSON.stringify(body) })
      expect(answer.status, what).toBeLessThan(500)
      if (answer.status === 400) expect(wrongValuesIn(answer.body), what).not.toContain(path)
    })
  })

  it('refuses a body that is not JSON, too deep, too large or of another type', async () => {
    await recordsNothing(async () => {
      const status = async (body: string | Buffer, headers = {}) => {
        const answer = await send(operation, { body, headers })
        return `${answer.status} ${answer.body.code}`
      }
      if (!operation.mayLackBody) expect(await status('')).toBe('400 malformed-json')
      for (const body of ['{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '\u0000'])
        expect(await status(body)).toBe('400 malformed-json')
      expect(await status(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]))).toBe(
        '400 malformed-json',
      )
      for (const body of ['null', '[]', '"x"', '1e400', '['.repeat(8_000) + ']'.repeat(8_000)])
        expect(await status(body)).toBe('400 validation-failed')
      expect(await status(JSON.stringify({ x: 'x'.repeat(1_048_576) }))).toBe('413 body-too-large')
      expect(await status('{}', { 'content-type': 'text/plain' })).toBe('415 unsupported-media-type')
    })
  })
})

describe.each(operations.filter(({ pathIds }) => pathIds.length > 0))('$method $path', (operation) => {
  it('names malformed ids in the path', async () => {
    const cases = operation.pathIds.flatMap((name) =>
      wrongUuids.filter((shape) => shape !== '').map((shape) => ({ name, shape })),
    )
    await forAll(cases, async ({ name, shape }) => {
      const answer = await send(operation, { ids: { [name]: shape } })
      expect(answer.status, `${name}: ${shape}`).toBe(400)
      expect(answer.body.errors).toMatchObject([{ path: name, parameter: name, code: 'wrong-format' }])
    })
  })
})

describe.each(operations.filter(({ pathTexts }) => pathTexts.length > 0))('$method $path', (operation) => {
  it('refuses texts in the path that cannot be stored', async () => {
    const cases = operation.pathTexts.flatMap((name) => ['\0', 'a\0b'].map((text) => ({ name, text })))
    await forAll(cases, async ({ name, text }) => {
      const { status } = await send(operation, {
        ids: { [name]: text },
        ...(operation.body && { body: '{}' }),
      })
      expect([400, 404], `${name}: ${JSON.stringify(text)}`).toContain(status)
    })
  })
})

describe.each(operations.filter(({ query }) => query.includes('limit')))('$method $path', (operation) => {
  it('names the faults of paging parameters', async () => {
    const forged = (...key: unknown[]) => `?cursor=${Buffer.from(JSON.stringify(key)).toString('base64url')}`
    const uuid = randomUUID()
    const cursors = [
      forged(),
      forged('\0'),
      forged('\0', uuid),
      forged('\0', '\0', uuid),
      forged('\ud800', uuid),
      forged(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
      forged('9999-99-99T99:99:99.999Z', uuid),
      forged('999999-01-01T00:00:00.000+00:00', uuid),
      forged(uuid, uuid, '\0'),
      '?cursor=',
      '?cursor=%00',
    ]
    await forAll(cursors, async (query) => {
      const answer = await send(operation, { query })
      // One that could be a key of this very list is one.
      if (![200, 404].includes(answer.status)) {
        expect(answer.status, query).toBe(400)
        const fault = { path: 'cursor', parameter: 'cursor', code: 'wrong-format' }
        expect(answer.body.errors, query).toMatchObject([fault])
      }
    })
    const parameters = [
      ['?limit=0', 'limit', 'out-of-bounds'],
      ['?limit=1001', 'limit', 'out-of-bounds'],
      ['?limit=-1', 'limit', 'wrong-format'],
      ['?limit=1.5', 'limit', 'wrong-format'],
      ['?limit=', 'limit', 'wrong-format'],
      ['?limit=1e2', 'limit', 'wrong-format'],
      ['?limit=1&limit=1', 'limit', 'repeated-parameter'],
      ['?unknown=1', 'unknown', 'unknown-parameter'],
    ] as const
    await forAll(parameters, async ([query, name, code]) => {
      const answer = await send(operation, { query })
      expect(answer.status, query).toBe(400)
      expect(answer.body.errors, query).toMatchObject([{ path: name, parameter: name, code }])
    })
  })
})

const narrowed = operations.filter(
  ({ query, filters }) => query.includes('limit') && Object.keys(filters).length > 0,
)

/** Lists that belong to one record. */
const ownedByRecord = /assignments\/\{/

/** A value that the schema of a filter allows, and values that it does not. */
const valuesOf = (name: string, parameter: Schema) => {
  const schema = resolved(parameter.items ?? parameter)
  if (name === 'asOf')
    return { right: '2026-03-31T08:00:00.5Z', wrong: ['', 'yesterday', '-1', '1.5', 'x\0'] }
  if (schema.type === 'boolean') return { right: 'true', wrong: ['', '1', 'TRUE', 'null'] }
  if (schema.enum) return { right: String(schema.enum[0]), wrong: ['', 'unknown', `${schema.enum[0]} `] }
  if (schema.format === 'uuid') return { right: randomUUID(), wrong: wrongUuids }
  if (schema.format === 'date-time')
    return {
      right: '2026-03-31T08:00:00.5Z',
      wrong: [
        '',
        '2026',
        '2026-03-31',
        '2026-02-30T08:00:00Z',
        '0000-01-01T00:00:00Z',
        '2026-03-31T08:00:00',
      ],
    }
  return { right: 'x', wrong: ['', 'x'.repeat(schema.maxLength! + 1), 'x\0'] }
}

describe.each(narrowed)('$method $path', (operation) => {
  const cases = Object.entries(operation.filters).map(([name, schema]) => ({
    ...{ name, isList: schema.type === 'array' },
    ...valuesOf(name, schema),
  }))
  const asQuery = (...pairs: (readonly [string, string])[]) =>
    `?${new URLSearchParams(pairs.map((pair) => [...pair]))}`

  it('accepts every filter, and names one with a wrong value', async () => {
    await forAll(cases, async ({ name, right, wrong }) => {
      // At the moment that the value names there was no record yet that could own the list.
      const expected = name === 'asOf' && ownedByRecord.test(operation.path) ? 404 : 200
      expect((await send(operation, { query: asQuery([name, right]) })).status, name).toBe(expected)
      for (const value of wrong) {
        const answer = await send(operation, { query: asQuery([name, value]) })
        expect(answer.status, `${name}=${value}`).toBe(400)
        expect(wrongValuesIn(answer.body), `${name}=${value}`).toEqual([name])
      }
    })
    const all = await send(operation, {
      query: asQuery(...cases.map(({ name, wrong }) => [name, wrong[0]!] as const)),
    })
    expect(wrongValuesIn(all.body).sort()).toEqual(cases.map(({ name }) => name).sort())
  })

  it('names a filter that is given twice, unless it may be', async () => {
    await forAll(cases, async ({ name, right, isList }) => {
      const answer = await send(operation, { query: asQuery([name, right], [name, right]) })
      expect(answer.status, name).toBe(isList ? 200 : 400)
      if (!isList) expect(wrongValuesIn(answer.body), name).toEqual([name])
    })
  })
})
