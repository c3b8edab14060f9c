import { beforeAll, describe, expect, it } from 'vitest'
import { own } from '../../support/own.ts'
import { startTestService, type TestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

const service = await own(startTestService())

const send = (...asked: Parameters<TestService['send']>) => service.send(...asked)
const admin = (method: string, path: string, body?: object) =>
  send('admin', method, path, body === undefined ? {} : { body })

const mechanical = 'rule-packs/en10025-2-mechanical'
/** Its yield strength is 349 MPa, where 355 are needed up to 16 mm. */
const weak = {
  certificateNumber: 'MC-1',
  heatNumber: 'H 1',
  standard: 'EN 10025-2',
  grade: 'S355J2+N',
  inspectionDocument: '3.1',
  productForm: 'Plate',
  thicknessMm: 12,
  mechanical: { reHMpa: 349, rmMpa: 540, a5Percent: 25, kvJoule: 90, kvTemperatureC: -20 },
}
const order = {
  orderNumber: 'SO-1',
  executionClass: 'EXC2',
  requiredInspectionDocument: '2.2',
  lineItems: [{ lineNumber: 10, grade: 'S355J2', lengthMm: 1000, quantity: 1 }],
}
const packOf = async (path: string) =>
  (await admin('GET', 'rule-packs')).body.find(({ id }: { id: string }) => path.endsWith(id))
const evaluated = (path: string) => until(async () => (await packOf(path)).evaluation.status === 'done')

let certificateId: string
beforeAll(async () => {
  certificateId = (await send('planner', 'POST', 'millcert/certificates', { body: weak })).body
    .millCertificationId
  await send('planner', 'POST', 'orders', { body: order })
})

describe('the catalogue', () => {
  it('shows every pack that is shipped, to everybody in the company', async () => {
    const { status, body } = await send('viewer', 'GET', 'rule-packs')
    expect(status).toBe(200)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([
      'bs4449',
      'completeness',
      'en10025-2-chemistry',
      'en10025-2-mechanical',
      'en10025-3',
      'en10025-4',
      'en1090-2-inspection-documents',
      'fine-grain-hollow-sections',
      'hollow-sections',
      'plausibility',
    ])
    expect(body.find(({ id }: { id: string }) => id === 'en10025-2-chemistry')).toEqual({
      rulePackId: 'en10025-2-chemistry',
      id: 'en10025-2-chemistry',
      name: 'EN 10025-2: chemistry and carbon equivalent',
      version: 1,
      subscribedVersion: null,
      subscribed: false,
      own: false,
      validation: null,
      evaluation: { status: 'none', done: 0, total: 0 },
      parameters: {},
      parameterSchema: { type: 'object', properties: {}, additionalProperties: false },
    })
    const page = await send('viewer', 'GET', 'rule-packs?limit=3')
    expect(page.body).toHaveLength(3)
    expect(page.headers.get('link')).toContain('rel="next"')
  })
})

describe('a subscription', () => {
  it('shows who has compared it with its standard', async () => {
    const validation = { by: 'Q. Manager', edition: 'EN 1090-2:2018', date: '2026-03-02', note: null }
    const at = 'rule-packs/en1090-2-inspection-documents'
    const put = await send('admin', 'PUT', `${at}/validation`, { body: validation })
    expect(put).toMatchObject({ status: 200, body: { validation: { version: 1, ...validation } } })
    expect((await send('viewer', 'GET', at)).body.validation).toEqual({ version: 1, ...validation })
  })

  it('is previewed without a trace', async () => {
    const before = await admin('GET', 'rule-packs')
    const { status, body } = await admin('POST', `${mechanical}/preview`)
    expect(status).toBe(200)
    expect(body).toEqual({
      gains: [
        {
          subjectId: certificateId,
          subjectLabel: 'MC-1',
          tag: {
            tagId: expect.any(String),
            name: 'Strength outside EN 10025-2',
            color: '#B00020',
            severity: 'Block',
          },
        },
      ],
      losses: [],
      gainCount: 1,
      lossCount: 0,
      bars: [],
    })
    expect((await admin('GET', 'rule-packs')).body).toEqual(before.body)
    expect((await admin('GET', 'millcert-tags')).body).toEqual([])
  })

  it('tags what is there, blocks it, and says why', async () => {
    const { status, body, headers } = await admin('POST', `${mechanical}/subscribe`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      rulePackId: 'en10025-2-mechanical',
      id: 'en10025-2-mechanical',
      version: 1,
      subscribedVersion: 1,
      subscribed: true,
    })
    expect(Object.keys(body).sort()).toEqual(
      [
        'evaluation',
        'id',
        'name',
        'own',
        'parameterSchema',
        'parameters',
        'rulePackId',
        'subscribed',
        'subscribedVersion',
        'validation',
        'version',
      ].sort(),
    )
    expect(headers.get('commit-position')).toMatch(/^\d+$/)
    await evaluated(mechanical)
    expect((await packOf(mechanical)).evaluation).toEqual({ status: 'done', done: 2, total: 2 })

    const certificate = await send('viewer', 'GET', `millcert/certificates/${certificateId}`)
    expect(certificate.body).toMatchObject({
      blocked: true,
      tags: [{ name: 'Strength outside EN 10025-2', severity: 'Block' }],
    })
    const { body: why } = await send(
      'viewer',
      'GET',
      `millcert-tag-assignments/${certificateId}/explanations`,
    )
    const limits = [{ name: 'certificate.mechanical.reHMpa', value: 349, limit: 355, isTooSmall: true }]
    expect(why).toEqual([
      {
        tagId: certificate.body.tags[0].tagId,
        tagName: 'Strength outside EN 10025-2',
        rulePackId: 'en10025-2-mechanical',
        rulePackVersion: 1,
        ruleId: 'yield-strength-low',
        clause: 'EN 10025-2:2019, 7.3 Mechanical properties: yield strength',
        expression:
          'judged && surelyLimited && !byProofStrength && !byLowerYield && rounded(certificate.mechanical.reHMpa, steps.ReH) < reHMinimum',
        message:
          'ReH is 349 MPa; S355J2 of this thickness needs 355 MPa at least. Ask the mill whether the value and the thickness are right; if they are, do not use the steel as S355J2.',
        sentence: { text: 'rule-explained', values: { explanation: expect.any(Object) } },
        values: expect.objectContaining({
          'certificate.mechanical.reHMpa': 349,
          reHMinimum: 355,
        }),
        limits,
        result: 'matched',
        reason: null,
        evaluatedAt: expect.stringMatching(/Z$/),
      },
    ])
    const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId: certificateId, cuts: [] }
    await send('planner', 'POST', 'production-plans', { body: { name: 'Week 17', bars: [bar] } })
    const { body: bars } = await send('viewer', 'GET', 'production-plan-bars?include=verdict')
    expect(bars[0].verdict.findings).toContainEqual(
      expect.objectContaining({ code: 'certificate-tag', rule: { clause: why[0].clause, limits } }),
    )
    expect((await send('viewer', 'GET', 'millcert-tag-assignments')).body).toMatchObject([
      { millCertificationId: certificateId, assignedByRuleId: 'yield-strength-low', isSystemTag: true },
    ])
  })

  it('evaluates what comes later as it comes', async () => {
    const later = { ...weak, certificateNumber: 'MC-2', mechanical: { ...weak.mechanical, kvJoule: null } }
    const { status, body } = await send('planner', 'POST', 'millcert/certificates', { body: later })
    expect(status).toBe(201)
    expect(body.blocked).toBe(true)
    expect(body.tags.map(({ name }: { name: string }) => name)).toEqual([
      'Not judged',
      'Strength outside EN 10025-2',
    ])
    expect((await admin('GET', `millcert/certificates/${body.millCertificationId}`)).body).toMatchObject({
      notJudged: [
        {
          rulePackId: 'en10025-2-mechanical',
          rules: ['charpy-energy-low', 'charpy-energy-to-be-judged'],
          missing: ['certificate.mechanical.kvJoule'],
        },
      ],
      findings: [
        { code: 'certificate-tag', severity: 'Block' },
        { code: 'not-judged', severity: 'Flag' },
        { code: 'same-heat-blocked' },
        { code: 'original-missing', severity: 'Audit' },
      ],
    })
    const { body: why } = await admin(
      'GET',
      `millcert-tag-assignments/${body.millCertificationId}/explanations`,
    )
    expect(why.filter(({ result }: { result: string }) => result === 'not-evaluated')).toMatchObject([
      { ruleId: 'charpy-energy-low', reason: 'certificate.mechanical.kvJoule is missing' },
      { ruleId: 'charpy-energy-to-be-judged', reason: 'certificate.mechanical.kvJoule is missing' },
    ])
    const corrected = await send('planner', 'PUT', `millcert/certificates/${body.millCertificationId}`, {
      body: { ...later, thicknessMm: 30 },
    })
    expect(corrected.body.blocked).toBe(false)
  })

  it('shows in the history of the tag, in the name of the pack', async () => {
    const tag = (await admin('GET', 'millcert-tags')).body.find(({ name }: { name: string }) =>
      name.startsWith('Strength outside'),
    )
    const { body } = await admin('GET', `millcert-tags/${tag.tagId}/history`)
    expect(
      body.filter(({ changedById }: { changedById: string }) => changedById === 'en10025-2-mechanical'),
    ).toMatchObject([
      { changeType: 'Unassigned', entityLabel: 'MC-2', assignedByRuleId: 'yield-strength-low' },
      { changeType: 'Assigned', entityLabel: 'MC-2' },
      { changeType: 'Assigned', entityLabel: 'MC-1' },
    ])
  })

  it('blocks orders too', async () => {
    await admin('POST', 'rule-packs/en1090-2-inspection-documents/subscribe')
    await evaluated('rule-packs/en1090-2-inspection-documents')
    const [found] = (await admin('GET', 'orders')).body
    expect(found).toMatchObject({ blocked: true, tags: [{ severity: 'Block' }] })
    const { body: why } = await admin('GET', `order-tag-assignments/${found.orderId}/explanations`)
    expect(why[0]).toMatchObject({
      ruleId: 'order-above-s275-needs-3-1',
      values: { 'steels[].name': ['S355J2'], 'order.requiredInspectionDocument': '2.2' },
    })
    expect((await admin('GET', `orders/${found.orderId}/traceability`)).body.blocked).toBe(true)
  })
})

describe('the parameters of a pack', () => {
  const documents = 'rule-packs/en1090-2-inspection-documents'

  it('are in the record and in the evidence, and change by subscribing again', async () => {
    expect(await packOf(documents)).toMatchObject({
      parameters: { edition: '2018' },
      parameterSchema: { properties: { edition: { enum: ['2018', '2008'], default: '2018' } } },
    })
    const changed = await admin('POST', `${documents}/subscribe`, { parameters: { edition: '2008' } })
    expect(changed.body).toMatchObject({ subscribedVersion: 1, parameters: { edition: '2008' } })
    await evaluated(documents)
    expect((await packOf(documents)).parameters).toEqual({ edition: '2008' })
    const [found] = (await admin('GET', 'orders')).body
    const { body: why } = await admin('GET', `order-tag-assignments/${found.orderId}/explanations`)
    expect(why[0].values).toMatchObject({ edition: '2008' })
  })
})
