import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { type ClientName, type Sent, startTestService } from '../../../support/testService.ts'

/** PUT keeps the members that are left out; PATCH takes a merge patch. */

const service = await own(startTestService())

const send = (client: ClientName, method: string, path: string, body?: unknown, sent: Sent = {}) =>
  service.send(client, method, path, { body, ...sent })
const paths = ({ errors }: { errors: { path: string }[] }) => errors.map(({ path }) => path).sort()
const faultsOf = async (answer: ReturnType<typeof send>) => {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBe(400)
  return paths(body)
}

const at = expect.any(String)

interface Record {
  /** An editor of the record, and its path. */
  readonly client: ClientName
  readonly path: string
  /** The record as it was made. */
  readonly made: object
}

const number = () => randomUUID().slice(0, 18)
const make = async (client: ClientName, all: string, id: string, body: object): Promise<Record> => {
  const { status, body: made } = await send(client, 'POST', all, body)
  expect(status, JSON.stringify(made)).toBe(201)
  return { client, path: `${all}/${made[id]}`, made }
}
const makeTag = () =>
  make('editor', 'millcert-tags', 'tagId', {
    name: number(),
    color: '#123456',
    description: 'Do not cut',
    severity: 'Block',
  })
const chemistry = { C: 0.17, Mn: 1.4 }
const mechanical = { reHMpa: 372, rmMpa: 541, a5Percent: 26, kvJoule: 61, kvTemperatureC: -20 }
const makeCertificate = () =>
  make('planner', 'millcert/certificates', 'millCertificationId', {
    certificateNumber: number(),
    heatNumber: 'H1',
    item: 'HEA 200',
    standard: 'EN 10025-2',
    grade: 'S355J2',
    profile: 'HEA 200',
    inspectionDocument: '3.1',
    manufacturer: 'Mill',
    productForm: 'Section',
    thicknessMm: 20,
    chemistry,
    mechanical,
    issuedOn: '2026-01-12',
  })
const line10 = {
  lineNumber: 10,
  description: 'Strut',
  standard: 'EN 10025-2',
  grade: 'S355J2',
  profile: 'HEA 200',
  lengthMm: 6_000,
  quantity: 4,
  cancelled: true,
}
const line20 = { ...line10, lineNumber: 20, cancelled: false }
const makeOrder = () =>
  make('planner', 'orders', 'orderId', {
    orderNumber: number(),
    customer: 'Bridge',
    requiredInspectionDocument: '3.1',
    executionClass: 'EXC3',
    lineItems: [line10, line20],
  })
const makeProfile = () =>
  make('editor', 'optimisation/filter-profiles', 'profileId', {
    name: number(),
    filters: { a: { b: 1, c: 2 } },
  })
const records = { tag: makeTag, certificate: makeCertificate, order: makeOrder, profile: makeProfile }
const everyKind = Object.entries(records)

describe.each(everyKind)('a %s', (kind, makeRecord) => {
  const least = (made: object) =>
    kind === 'tag' ? { name: (made as { name: string }).name, color: '#123456' } : {}

  it('stays the same by a PUT that leaves out all that may be left out, and by an empty PATCH', async () => {
    const { client, path, made } = await makeRecord()
    for (const [method, body] of [
      ['PUT', least(made)],
      ['PATCH', {}],
    ] as const) {
      const same = await send(client, method, path, body)
      expect(same.status).toBe(200)
      expect(same.body).toEqual(made)
    }
  })

  it('is patched with a merge patch alone', async () => {
    const { client, path } = await makeRecord()
    const plain = { headers: { 'content-type': 'application/json' } }
    expect((await send(client, 'PATCH', path, {}, plain)).status).toBe(200)
    for (const type of ['text/plain', 'application/json-patch+json']) {
      const answer = await send(client, 'PATCH', path, {}, { headers: { 'content-type': type } })
      expect(answer.status).toBe(415)
      expect(answer.body.code).toBe('unsupported-media-type')
      expect(answer.headers.get('accept-patch')).toBe('application/merge-patch+json, application/json')
    }
    const wrong = await send(
      client,
      'PUT',
      path,
      {},
      {
        headers: { 'content-type': 'application/merge-patch+json' },
      },
    )
    expect(wrong.status).toBe(415)
    for (const body of ['[]', 'null', '"a"', '1'])
      expect(await faultsOf(send(client, 'PATCH', path, body))).toEqual([''])
    expect((await send(client, 'PATCH', path, '')).body.code).toBe('malformed-json')
  })
})

describe('a tag', () => {
  it.each(['PUT', 'PATCH'])('loses by %s what is set to null, where that is possible', async (method) => {
    const { path } = await makeTag()
    const body = { name: number(), color: '#abcdef', description: null, severity: null }
    expect((await send('editor', method, path, body)).body).toMatchObject(body)
    expect(await faultsOf(send('editor', method, path, { name: null, color: null }))).toEqual([
      '/color',
      '/name',
    ])
  })
})

describe('a certificate', () => {
  it('keeps what is left out, and loses what is null', async () => {
    const { path, made } = await makeCertificate()
    const changed = await send('planner', 'PUT', path, { thicknessMm: 25, manufacturer: null })
    expect(changed.body).toEqual({ ...made, thicknessMm: 25, manufacturer: null, revision: 1, updatedAt: at })
    const nulls = { standard: null, profile: null, productForm: null, thicknessMm: null, issuedOn: null }
    const bare = await send('planner', 'PATCH', path, { ...nulls, chemistry: null, mechanical: null })
    expect(bare.body).toEqual({
      ...changed.body,
      ...nulls,
      chemistry: null,
      mechanical: null,
      revision: 2,
      updatedAt: at,
    })
    for (const method of ['PUT', 'PATCH'])
      expect(
        await faultsOf(
          send('planner', method, path, {
            grade: null,
            inspectionDocument: null,
            certificateNumber: null,
            heatNumber: null,
          }),
        ),
      ).toEqual(['/certificateNumber', '/grade', '/heatNumber', '/inspectionDocument'])
  })

  it('has its chemistry and mechanical values replaced by PUT, and merged by PATCH', async () => {
    const { path } = await makeCertificate()
    const merged = await send('planner', 'PATCH', path, {
      chemistry: { Mn: null, P: 0.01 },
      mechanical: { reHMpa: 400, kvJoule: null },
    })
    expect(merged.body).toMatchObject({ mechanical: { ...mechanical, reHMpa: 400, kvJoule: null } })
    expect(merged.body.chemistry).toEqual({ C: 0.17, P: 0.01 })
    const replaced = await send('planner', 'PUT', path, {
      chemistry: { P: 0.01 },
      mechanical: { reHMpa: 400 },
    })
    expect(replaced.body.chemistry).toEqual({ P: 0.01 })
    expect(replaced.body.mechanical).toEqual({
      reHMpa: 400,
      rmMpa: null,
      a5Percent: null,
      kvJoule: null,
      kvTemperatureC: null,
      rmReRatio: null,
      agtPercent: null,
      massPerMetreKg: null,
    })
    await send('planner', 'PATCH', path, { chemistry: null, mechanical: null })
    const fresh = await send('planner', 'PATCH', path, { chemistry: { C: 0.1 }, mechanical: { rmMpa: 500 } })
    expect(fresh.body).toMatchObject({ chemistry: { C: 0.1 }, mechanical: { reHMpa: null, rmMpa: 500 } })
  })
})

describe.each(['PUT', 'PATCH'])('an order, by %s,', (method) => {
  it('keeps what is left out, at the top and in each line', async () => {
    const { path, made } = await makeOrder()
    const lines = [{ lineNumber: 20, quantity: 5, grade: null }, { lineNumber: 10 }]
    const { body } = await send('planner', method, path, { executionClass: null, lineItems: lines })
    expect(body).toEqual({
      ...made,
      updatedAt: at,
      executionClass: null,
      lineItems: [
        expect.objectContaining(line10),
        expect.objectContaining({ ...line20, quantity: 5, grade: null }),
      ],
      findings: expect.arrayContaining([expect.objectContaining({ expected: 'the execution class' })]),
    })
    expect((await send('planner', method, path, { customer: 'Other' })).body).toEqual({
      ...body,
      updatedAt: at,
      customer: 'Other',
    })
  })

  it('lists all of its lines, if it lists any', async () => {
    const { path } = await makeOrder()
    const dropped = await send('planner', method, path, { lineItems: [{ lineNumber: 20 }] })
    expect([dropped.status, dropped.body.code, dropped.body.lineNumbers]).toEqual([
      409,
      'line-item-in-use',
      [10],
    ])
    expect(await faultsOf(send('planner', method, path, { lineItems: [] }))).toEqual(['/lineItems'])
    expect(await faultsOf(send('planner', method, path, { lineItems: null }))).toEqual(['/lineItems'])
    expect(await faultsOf(send('planner', method, path, { lineItems: [{}, null] }))).toEqual([
      '/lineItems/0/lineNumber',
      '/lineItems/1',
    ])
  })
})

describe("an order's options", () => {
  it('are merged by PUT and by PATCH', async () => {
    const { path } = await makeOrder()
    const none = {
      zQuality: null,
      ultrasonicClass: null,
      surfaceClass: null,
      siliconClass: null,
      mostCev: null,
      impactTemperatureC: null,
      impactJoule: null,
      normalisedRolling: false,
    }
    const change = async (method: string, options: object | null) => {
      const { status, body } = await send('planner', method, path, { options })
      expect(status, JSON.stringify(body)).toBe(200)
      return body.options
    }
    expect(await change('PATCH', { zQuality: 'Z25', normalisedRolling: true })).toEqual({
      ...none,
      zQuality: 'Z25',
      normalisedRolling: true,
    })
    const merged = { ...none, zQuality: 'Z25', normalisedRolling: true, siliconClass: '1' }
    expect(await change('PATCH', { siliconClass: '1' })).toEqual(merged)
    expect(await change('PATCH', { zQuality: null })).toEqual({ ...merged, zQuality: null })
    expect(await change('PUT', { zQuality: 'Z15' })).toEqual({ ...merged, zQuality: 'Z15' })
    expect(await change('PATCH', null)).toBeNull()
    expect(
      await faultsOf(send('planner', 'PATCH', path, { options: { zQuality: 'Z99', hard: null } })),
    ).toEqual(['/options/hard', '/options/zQuality'])
  })
})

describe('a filter profile', () => {
  it('has its filters replaced by PUT, and merged by PATCH, in depth', async () => {
    const { path } = await makeProfile()
    const merged = await send(
      'editor',
      'PATCH',
      path,
      '{"filters":{"a":{"b":null,"d":[1]},"__proto__":{"x":1}}}',
    )
    expect(JSON.stringify(merged.body.filters)).toBe('{"a":{"c":2,"d":[1]},"__proto__":{"x":1}}')
    const replaced = await send('editor', 'PUT', path, { filters: { e: null } })
    expect(replaced.body.filters).toEqual({ e: null })
    for (const method of ['PUT', 'PATCH']) {
      const { body } = await send('editor', method, path, { name: null, filters: null })
      expect(body.errors).toMatchObject([
        { path: '/name', code: 'wrong-type', message: 'must be a string' },
        { path: '/filters', code: 'wrong-type', message: 'must be an object' },
      ])
    }
  })
})
