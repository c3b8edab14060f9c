import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { impactTest, tensileTest } from '../../domain/verdict/facts.ts'
import { own } from '../../support/own.ts'
import { type Sent, startTestService } from '../../support/testService.ts'

/** Mill certificates and orders over the whole service. */

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const service = await own(startTestService())

const plan = (method: string, path: string, sent?: Sent) => service.send('planner', method, path, sent)
const view = (path: string, sent?: Sent) => service.send('viewer', 'GET', path, sent)
const paths = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path).sort()

describe('mill certificates', () => {
  const all = 'millcert/certificates'
  const minimal = { certificateNumber: 'MC-1', heatNumber: 'H1', grade: 'S355J2', inspectionDocument: '3.1' }
  const full = {
    certificateNumber: 'mc-2026-0001',
    heatNumber: 'H  4711',
    item: 'Pos. 2',
    standard: 'EN 10210-1',
    grade: 'S355J2H',
    profile: 'RHS 200x100x12.5',
    deliveryCondition: 'N',
    zQuality: 'Z25',
    ultrasonicClass: 'S1',
    surfaceClass: 'A3',
    inspectionDocument: '3.2',
    manufacturer: 'Hütte 𝔸',
    productForm: 'HollowSection',
    thicknessMm: 12.5,
    widthMm: 2_500,
    purchaseOrder: 'PO 4500/17',
    declarationOfPerformance: 'DoP-12',
    documentRevision: 1,
    steelmakingProcess: 'EAF',
    analysis: 'product',
    statedCev: 0.42,
    solubleAluminium: 0.031,
    inspector: 'I. Brunel',
    chemistry: { C: 0.17, Mn: 1.35, Nb: 0 },
    nominalDiameterMm: 16,
    bend: 'passed',
    rebend: 'failed',
    mechanical: {
      reHMpa: 391,
      rmMpa: 530,
      a5Percent: 24.5,
      kvJoule: 61,
      kvTemperatureC: -20,
      rmReRatio: 1.36,
      agtPercent: 12.5,
      massPerMetreKg: 1.58,
    },
    tests: [tensileTest, impactTest],
    issuedOn: '2026-02-28',
  }

  it('are registered with everything that they say, and read as they were sent', async () => {
    const made = await plan('POST', all, { body: full })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      ...full,
      millCertificationId: uuid,
      companyId: service.companyId,
      registeredAt: at,
      updatedAt: made.body.registeredAt,
      updatedBy: 'planner',
      status: 'Received',
      replacedBy: null,
      revision: 0,
      tags: [],
      blocked: false,
      findings: [expect.objectContaining({ code: 'original-missing', severity: 'Audit' })],
      notJudged: [],
      documents: [],
      stock: null,
    })
    const location = `/api/company/${service.companyId}/${all}/${made.body.millCertificationId}`
    expect(made.headers.get('location')).toBe(location)
    const read = await view(location)
    expect(read.body).toEqual(made.body)
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    const { findings: _, notJudged: __, documents: ___, stock: ____, ...listed } = made.body
    expect((await view(all)).body).toContainEqual(listed)
  })

  it('need four fields, and say null for the others', async () => {
    const { status, body } = await plan('POST', all, { body: minimal })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...minimal,
      item: null,
      standard: null,
      profile: null,
      manufacturer: null,
      productForm: null,
      thicknessMm: null,
      deliveryCondition: null,
      zQuality: null,
      widthMm: null,
      purchaseOrder: null,
      inspector: null,
      declarationOfPerformance: null,
      documentRevision: null,
      steelmakingProcess: null,
      analysis: null,
      statedCev: null,
      solubleAluminium: null,
      chemistry: null,
      mechanical: null,
      tests: null,
      issuedOn: null,
    })
    expect(paths((await plan('POST', all, { body: {} })).body)).toEqual([
      '/certificateNumber',
      '/grade',
      '/heatNumber',
      '/inspectionDocument',
    ])
    const partly = { ...minimal, certificateNumber: 'MC-1b', mechanical: { rmMpa: 500 } }
    expect((await plan('POST', all, { body: partly })).body.mechanical).toEqual({
      reHMpa: null,
      rmMpa: 500,
      a5Percent: null,
      kvJoule: null,
      kvTemperatureC: null,
      rmReRatio: null,
      agtPercent: null,
      massPerMetreKg: null,
    })
  })

  it('have bounds, all of which are checked at once', async () => {
    const { status, body } = await plan('POST', all, {
      body: {
        certificateNumber: '   ',
        heatNumber: 'h'.repeat(51),
        standard: '',
        grade: 7,
        inspectionDocument: '3.3',
        manufacturer: 'm'.repeat(201),
        productForm: 'Sheet',
        thicknessMm: 0,
        chemistry: { C: 100.1, Mn: -0.1, Xx: 1, fe: 1 },
        mechanical: { reHMpa: 3001, rmMpa: -1, a5Percent: 101, kvJoule: 1001, kvTemperatureC: -274, more: 1 },
        issuedOn: '2026-02-29',
        deliveryCondition: 'x'.repeat(11),
        zQuality: 'Z20',
        widthMm: 10_001,
        analysis: 'heat',
        purchaseOrder: 'x'.repeat(101),
        declarationOfPerformance: '',
        statedCev: 5.1,
        steelmakingProcess: 'x'.repeat(51),
        solubleAluminium: -1,
        inspector: 'x'.repeat(201),
        tests: [
          { ...tensileTest, reHMpa: 3_001, temperatureC: 20 },
          { ...impactTest, valuesJoule: [] },
          { kind: 'hardness' },
        ],
        tags: [],
      },
    })
    expect(status).toBe(400)
    expect(paths(body)).toEqual([
      '/analysis',
      '/certificateNumber',
      '/chemistry/C',
      '/chemistry/Mn',
      '/chemistry/Xx',
      '/chemistry/fe',
      '/declarationOfPerformance',
      '/deliveryCondition',
      '/grade',
      '/heatNumber',
      '/inspectionDocument',
      '/inspector',
      '/issuedOn',
      '/manufacturer',
      '/mechanical/a5Percent',
      '/mechanical/kvJoule',
      '/mechanical/kvTemperatureC',
      '/mechanical/more',
      '/mechanical/reHMpa',
      '/mechanical/rmMpa',
      '/productForm',
      '/purchaseOrder',
      '/solubleAluminium',
      '/standard',
      '/statedCev',
      '/steelmakingProcess',
      '/tags',
      '/tests/0/reHMpa',
      '/tests/0/temperatureC',
      '/tests/1/valuesJoule',
      '/tests/2/kind',
      '/thicknessMm',
      '/widthMm',
      '/zQuality',
    ])
  })

  it.each([
    { thicknessMm: 1_000, chemistry: { Og: 100 }, issuedOn: '0001-01-01' },
    { mechanical: { reHMpa: 3_000, rmMpa: 0, a5Percent: 100, kvJoule: 1_000, kvTemperatureC: 200 } },
    { widthMm: 10_000, statedCev: 5, solubleAluminium: 100, deliveryCondition: '𝔸'.repeat(10) },
    { chemistry: {}, issuedOn: '9999-12-31', manufacturer: 'm'.repeat(200), grade: '𝔸'.repeat(50) },
  ])('may be at their bounds: %j', async (more) => {
    const body = { ...minimal, certificateNumber: randomUUID(), ...more }
    const made = await plan('POST', all, { body })
    expect(made.status).toBe(201)
    expect((await view(`${all}/${made.body.millCertificationId}`)).body).toEqual(made.body)
  })

  it.each([
    { thicknessMm: 1_000.001 },
    { issuedOn: '0000-01-01' },
    { issuedOn: '2026-2-1' },
    { thicknessMm: '1' },
  ])('may not be beyond them: %j', async (more) => {
    const { status, body } = await plan('POST', all, { body: { ...minimal, ...more } })
    expect(status).toBe(400)
    expect(paths(body)).toEqual([`/${Object.keys(more)[0]}`])
  })

  it('are the same in any spelling of their numbers', async () => {
    const first = await plan('POST', all, { body: { ...minimal, certificateNumber: 'Same One' } })
    const again = await plan('POST', all, {
      body: { ...minimal, certificateNumber: ' SAME  one', heatNumber: 'h1 ' },
    })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('commit-position')).toBe(first.headers.get('commit-position'))
    const other = await plan('POST', all, {
      body: { ...minimal, certificateNumber: 'same one', grade: 'S235JR' },
    })
    expect(other.status).toBe(409)
    expect(other.body).toMatchObject({
      code: 'certificate-already-registered',
      millCertificationId: first.body.millCertificationId,
    })
  })

  it('are corrected, but for their numbers', async () => {
    const made = await plan('POST', all, { body: { ...minimal, certificateNumber: 'to correct' } })
    const one = `${all}/${made.body.millCertificationId}`
    const correction = { grade: 'S275JR', inspectionDocument: '2.2', heatNumber: 'h1' }
    const corrected = await service.send('admin', 'PUT', one, {
      body: correction,
      headers: { 'if-match': made.headers.get('etag')! },
    })
    expect(corrected.status).toBe(200)
    expect(corrected.body).toEqual({
      ...made.body,
      grade: 'S275JR',
      inspectionDocument: '2.2',
      revision: 1,
      updatedAt: at,
      updatedBy: 'admin',
    })
    expect(corrected.body.updatedAt > made.body.updatedAt).toBe(true)
    expect((await view(one)).body).toEqual(corrected.body)
    const renumbered = await plan('PUT', one, { body: { ...correction, heatNumber: 'other' } })
    expect(renumbered.status).toBe(400)
    expect(paths(renumbered.body)).toEqual(['/heatNumber'])
    expect((await plan('PUT', one, { body: correction, headers: { 'if-match': '"99"' } })).status).toBe(412)
    expect((await plan('PUT', `${all}/${randomUUID()}`, { body: correction })).status).toBe(404)
    expect((await view(`${all}/${randomUUID()}`)).status).toBe(404)
    // A repeat of the registration answers the corrected certificate.
    const repeated = await plan('POST', all, { body: { ...minimal, certificateNumber: 'to correct' } })
    expect(repeated.status).toBe(200)
    expect(repeated.body).toEqual(corrected.body)
  })

  it('are one for each item that a document names, and one without', async () => {
    const of = (item?: string | null) =>
      plan('POST', all, { body: { ...minimal, certificateNumber: 'MC-items', item } })
    const [none, first, second] = [await of(), await of('HEA 200'), await of('HEB 300')]
    expect([none.status, first.status, second.status]).toEqual([201, 201, 201])
    expect(new Set([none, first, second].map(({ body }) => body.millCertificationId)).size).toBe(3)
    const again = [await of(null), await of(' hea  200'), await of('HEB 300')]
    expect(again.map(({ body }) => body)).toEqual([none.body, first.body, second.body])
    expect(paths((await of('  ')).body)).toEqual(['/item'])
  })

  it('keep their item', async () => {
    const numbers = { ...minimal, certificateNumber: 'MC-item' }
    const { body: made } = await plan('POST', all, { body: { ...numbers, item: 'HEA 200' } })
    const one = `${all}/${made.millCertificationId}`
    expect(
      (await plan('PUT', one, { body: { ...minimal, certificateNumber: 'mc-item', item: 'hea 200' } }))
        .status,
    ).toBe(200)
    expect(paths((await plan('PUT', one, { body: { ...numbers, item: 'HEB 300' } })).body)).toEqual(['/item'])
    expect(paths((await plan('PUT', one, { body: { ...numbers, item: null } })).body)).toEqual(['/item'])
  })

  it('are listed by certificate number, then heat number', async () => {
    for (const [certificateNumber, heatNumber] of [
      ['zz b', '1'],
      ['ZZ A', '2'],
      ['zz a', '1'],
    ])
      await plan('POST', all, { body: { ...minimal, certificateNumber, heatNumber } })
    const listed = (await view(all)).body
      .map((one: typeof minimal) => `${one.certificateNumber}/${one.heatNumber}`)
      .filter((label: string) => /^zz/i.test(label))
    expect(listed).toEqual(['zz a/1', 'ZZ A/2', 'zz b/1'])
  })
})

describe('orders', () => {
  const line = { lineNumber: 10, lengthMm: 6_000, quantity: 4 }
  const minimal = { orderNumber: 'SO-1', lineItems: [line] }

  it('are registered with their line items, and read as they were sent', async () => {
    const body = {
      orderNumber: 'SO-1001',
      customer: 'Brückenbau',
      requiredInspectionDocument: '3.1',
      executionClass: 'EXC3',
      lineItems: [
        {
          lineNumber: 20,
          pieceMark: null,
          description: 'Strut',
          standard: 'EN 10025-2',
          grade: 'S355J2',
          profile: 'HEA 200',
          lengthMm: 0.5,
          quantity: 100_000,
          cancelled: true,
        },
        {
          ...line,
          pieceMark: null,
          description: null,
          standard: null,
          grade: null,
          profile: null,
          cancelled: false,
        },
      ],
    }
    const made = await plan('POST', 'orders', { body })
    expect(made.status).toBe(201)
    const unstated = { allowedSubstitutes: null, options: null }
    expect(made.body).toEqual({
      ...body,
      ...unstated,
      orderId: uuid,
      companyId: service.companyId,
      registeredAt: at,
      updatedAt: made.body.registeredAt,
      updatedBy: 'planner',
      tags: [],
      blocked: false,
      lineItems: [body.lineItems[1], body.lineItems[0]].map((item) => ({
        ...item,
        ...unstated,
        lineItemId: uuid,
        status: 'Open',
      })),
      findings: [expect.objectContaining({ code: 'demand-unstated', expected: 'the grade' })],
    })
    const location = `/api/company/${service.companyId}/orders/${made.body.orderId}`
    expect(made.headers.get('location')).toBe(location)
    expect((await view(location)).body).toEqual(made.body)
    const { findings: _, notJudged: __, ...listed } = made.body
    expect((await view('orders')).body).toContainEqual(listed)
  })

  it('have bounds, all of which are checked at once', async () => {
    const { status, body } = await plan('POST', 'orders', {
      body: {
        orderNumber: 'o'.repeat(51),
        customer: '',
        requiredInspectionDocument: '1.1',
        executionClass: 'EXC5',
        lineItems: [
          { lineNumber: 1, lengthMm: 50_000, quantity: 1 },
          { lineNumber: 1, lengthMm: 0, quantity: 0 },
          { lineNumber: 10_000, lengthMm: 50_001, quantity: 1.5, status: 'Open' },
          { lineNumber: 0, lengthMm: 1, quantity: 100_001, description: 'd'.repeat(501), grade: '' },
        ],
      },
    })
    expect(status).toBe(400)
    expect(paths(body)).toEqual([
      '/customer',
      '/executionClass',
      '/lineItems/1/lengthMm',
      '/lineItems/1/lineNumber',
      '/lineItems/1/quantity',
      '/lineItems/2/lengthMm',
      '/lineItems/2/lineNumber',
      '/lineItems/2/quantity',
      '/lineItems/2/status',
      '/lineItems/3/description',
      '/lineItems/3/grade',
      '/lineItems/3/lineNumber',
      '/lineItems/3/quantity',
      '/orderNumber',
      '/requiredInspectionDocument',
    ])
  })

  it('have one line item at least and 500 at most', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...line, lineNumber: index + 1 }))
    const post = (count: number) =>
      plan('POST', 'orders', { body: { orderNumber: `lines ${count}`, lineItems: lines(count) } })
    expect((await post(0)).status).toBe(400)
    expect((await post(501)).status).toBe(400)
    const most = await post(500)
    expect(most.status).toBe(201)
    expect((await view(`orders/${most.body.orderId}`)).body).toEqual(most.body)
  })

  it('are corrected: line items may come, and may not go', async () => {
    const made = await plan('POST', 'orders', { body: { ...minimal, orderNumber: 'to correct' } })
    const one = `orders/${made.body.orderId}`
    const lineItems = [
      { ...line, quantity: 5 },
      { ...line, lineNumber: 20 },
    ]
    const corrected = await plan('PUT', one, { body: { customer: 'New', lineItems } })
    expect(corrected.status).toBe(200)
    expect(corrected.body).toMatchObject({ customer: 'New', lineItems })
    expect((await view(one)).body).toEqual(corrected.body)
    const dropped = await plan('PUT', one, { body: { lineItems: [line] } })
    expect(dropped.status).toBe(409)
    expect(dropped.body).toMatchObject({ code: 'line-item-in-use', lineNumbers: [20] })
    expect(paths((await plan('PUT', one, { body: { orderNumber: 'x', lineItems } })).body)).toEqual([
      '/orderNumber',
    ])
  })

  it('are the same in any spelling of their number', async () => {
    const first = await plan('POST', 'orders', { body: { ...minimal, orderNumber: 'same one' } })
    const again = await plan('POST', 'orders', { body: { ...minimal, orderNumber: ' SAME ONE ' } })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const other = await plan('POST', 'orders', {
      body: { orderNumber: 'same one', lineItems: [{ ...line, quantity: 9 }] },
    })
    expect(other.body).toMatchObject({ code: 'order-already-registered', orderId: first.body.orderId })
  })
})
