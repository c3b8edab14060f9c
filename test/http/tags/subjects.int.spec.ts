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
      dueDate: null,
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
})
