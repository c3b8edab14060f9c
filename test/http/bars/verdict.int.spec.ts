import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import type { Finding } from '../../../src/domain/verdict/verdict.ts'
import { wordOf, wordsFromWorst } from '../../../src/domain/verdict/verdictWord.ts'
import { concurrently } from '../../../src/lib/concurrently.ts'
import { projections } from '../../../src/projections/all.ts'
import { createReadModels, type ReadModels } from '../../../src/projections/engine/schema/readModels.ts'
import { dropAutomaticSkip, recordSkip } from '../../../src/projections/engine/schema/skips.ts'
import { connectPostgres, type Postgres } from '../../../src/stores/postgres/postgres.ts'
import { bareCertificate } from '../../domain/verdict/facts.ts'
import { assignmentsOf } from '../../support/assignmentsOf.ts'
import { own } from '../../support/own.ts'
import { type ClientName, type Sent, startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** The verdict over the whole service: may this bar be cut? */

const service = await own(startTestService())

const bars = 'production-plan-bars'
const plan = (method: string, path: string, sent?: Sent) => service.send('planner', method, path, sent)
const check = (method: string, path: string, body?: object) =>
  service.send('quality', method, path, body && { body })

interface Found {
  readonly severity: string
  readonly code: string
}
const verdictOf = async (barId: string, query = '') => {
  const { status, body } = await service.send('viewer', 'GET', `${bars}/${barId}/verdict${query}`)
  expect(status).toBe(200)
  return body
}
const codesOf = async (barId: string, query?: string) =>
  (await verdictOf(barId, query)).findings.map(({ severity, code }: Found) => `${severity} ${code}`)

async function newCertificate(content: object = {}): Promise<string> {
  const body = {
    certificateNumber: randomUUID(),
    heatNumber: randomUUID(),
    manufacturer: 'Mill',
    standard: 'EN 10025-2',
    grade: 'S355J2+N',
    inspectionDocument: '3.1',
    ...content,
  }
  const { millCertificationId } = (await plan('POST', 'millcert/certificates', { body })).body
  const { documentId } = (await plan('POST', 'documents', { body: ['the original'] })).body
  await plan('PUT', `millcert/certificates/${millCertificationId}/documents/${documentId}`)
  return millCertificationId
}

async function newOrder(content: object = {}, line: object = {}) {
  const { body } = await plan('POST', 'orders', {
    body: {
      orderNumber: randomUUID(),
      requiredInspectionDocument: '3.1',
      executionClass: 'EXC2',
      ...content,
      lineItems: [{ lineNumber: 10, grade: 'S355J2', lengthMm: 1_000, quantity: 9, ...line }],
    },
  })
  return { orderId: body.orderId as string, lineItemId: body.lineItems[0].lineItemId as string }
}

async function newBar(
  item: Awaited<ReturnType<typeof newOrder>>,
  millCertificationId: string | null,
  { status = 'Accepted', grade = 'S355J2' } = {},
) {
  const cuts = [{ ...item, lengthMm: 1_000, status }]
  const asked = { stockLengthMm: 6_000, grade, millCertificationId, cuts }
  const { body } = await plan('POST', 'production-plans', { body: { name: 'Week 17', bars: [asked] } })
  return body.bars[0].barId as string
}

async function tagged(family: 'millcert-tags' | 'order-tags', subjectId: string, severity: string | null) {
  const body = { name: randomUUID(), color: '#ff0000', severity }
  const { tagId } = (await check('POST', family, body)).body
  await check('PUT', `${assignmentsOf(family)}/${subjectId}/manual`, { tagIds: [tagId] })
  return tagId as string
}

describe('the verdict on a bar', () => {
  it('names the grade, the document and the delivery condition that do not fit', async () => {
    const item = await newOrder({ requiredInspectionDocument: '3.2' }, { grade: 'S355K2+N' })
    const millCertificationId = await newCertificate()
    const barId = await newBar(item, millCertificationId)
    const { findings, ...said } = await verdictOf(barId)
    expect(said).toMatchObject({ mayBeApproved: false, mayBeCut: false })
    expect(findings).toMatchObject([
      { severity: 'Block', code: 'document-insufficient', expected: '3.2', actual: '3.1' },
      {
        severity: 'Block',
        code: 'grade-mismatch',
        ...item,
        millCertificationId,
        expected: 'S355K2+N',
        actual: 'EN 10025-2 S355J2+N',
        key: expect.any(String),
      },
    ])
  })

  it('has the tags with a severity, on the certificate and on the orders, as they are now', async () => {
    const item = await newOrder()
    const certificate = await newCertificate()
    const barId = await newBar(item, certificate)
    const tagId = await tagged('millcert-tags', certificate, 'Block')
    await tagged('order-tags', item.orderId, 'Flag')
    await tagged('order-tags', (await newOrder()).orderId, 'Block')
    expect(await verdictOf(barId)).toMatchObject({
      mayBeCut: false,
      findings: [
        { code: 'certificate-tag', severity: 'Block', tagId },
        { code: 'order-tag', severity: 'Flag', orderId: item.orderId },
      ],
    })
    await check('DELETE', `millcert-tags/${tagId}`)
    expect(await codesOf(barId)).toEqual(['Flag order-tag'])
  })

  it('names 20 blocked certificates of a heat, and counts the others', async () => {
    const heat = { heatNumber: randomUUID() }
    const certificate = await newCertificate(heat)
    const others = await concurrently(8, Array.from({ length: 22 }), () => newCertificate(heat))
    await concurrently(8, others, (id) =>
      check('POST', `millcert/certificates/${id}/reject`, { reason: 'Cracked.' }),
    )
    const { findings } = await verdictOf(await newBar(await newOrder(), certificate))
    expect(findings).toHaveLength(21)
    expect(findings.filter(({ actual }: { actual?: string }) => actual)).toMatchObject([
      { code: 'same-heat-blocked', millCertificationId: certificate, actual: '2 more' },
    ])
  })

  it('flags cuts beyond the quantity of a line, on whatever bars they are, also when it is approved', async () => {
    const item = await newOrder({}, { quantity: 1 })
    const certificate = await newCertificate()
    const [first, second] = [await newBar(item, certificate), await newBar(item, certificate)]
    expect(await codesOf(first)).toEqual(['Flag line-overplanned'])
    expect((await plan('POST', `production-plan-bars/${second}/approve`)).status).toBe(204)
    expect((await verdictOf(second)).keptAtApproval.findings).toMatchObject([
      { code: 'line-overplanned', expected: '1', actual: '2' },
    ])
  })

  it('lets a substitute pass that Quality has allowed on the order, and nobody else may allow it', async () => {
    const item = await newOrder({}, { grade: 'S235JR' })
    const barId = await newBar(item, await newCertificate())
    expect(await codesOf(barId)).toContain('Block grade-substitute')
    const allow = (who: ClientName) =>
      service.send(who, 'PATCH', `orders/${item.orderId}`, {
        body: { allowedSubstitutes: [{ grade: 'S355J2+N', reference: 'DR 9' }] },
      })
    expect(await allow('planner')).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await allow('quality')).status).toBe(200)
    const rename = { body: { customer: 'Another' } }
    expect(await service.send('quality', 'PATCH', `orders/${item.orderId}`, rename)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    expect(await codesOf(barId)).toContain('Audit grade-substitute')
    const [last] = (await service.send('viewer', 'GET', `orders/${item.orderId}/history`)).body
    expect(last.changes).toMatchObject([
      { field: 'allowedSubstitutes', from: null, to: [{ reference: 'DR 9' }] },
    ])
  })

  it('lets a bar for EXC3 start once somebody has read its heat off the steel', async () => {
    const certificate = await newCertificate()
    const { heatNumber } = (await service.send('viewer', 'GET', `millcert/certificates/${certificate}`)).body
    const barId = await newBar(await newOrder({ executionClass: 'EXC3' }), certificate)
    const send = (method: string, path: string, body?: object) =>
      service.send('planner', method, `${bars}/${path}`, body && { body })
    expect((await send('POST', `${barId}/approve`)).status).toBe(204)
    expect(await codesOf(barId)).toEqual(['Block heat-unread'])
    const headers = { 'accept-language': 'de' }
    const refused = await service.send('planner', 'POST', `${bars}/${barId}/start`, { headers })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'bar-may-not-be-cut', findings: [{ code: 'heat-unread' }] })
    expect(refused.body.findings[0].message).toMatch('Lesen Sie sie ab')
    expect(refused.headers.get('content-language')).toBe('de')
    const read = await send('PUT', `${barId}/certificate`, { heatNumber })
    expect(read.body).toMatchObject({
      status: 'Approved',
      millCertificationId: certificate,
      heatRead: { heatNumber, marked: true, by: 'planner' },
    })
    expect((await send('POST', `${barId}/start`)).status).toBe(204)
    expect((await send('POST', `${barId}/complete`, { markTransferred: true })).status).toBe(204)
    const done = (await service.send('viewer', 'GET', `${bars}/${barId}`)).body
    expect(done).toMatchObject({ status: 'Completed', stop: null, markTransferred: true })
  })

  it('has the findings of own rules on certificate and line, wherever the bar is judged', async () => {
    const rule = {
      ruleId: 'mill-of-customer',
      severity: 'Block',
      when: 'line.pieceMark.startsWith("K-") && certificate.widthMm < 1000.0',
      clause: 'Contract 4711',
      explanation: 'The plate is {certificate.widthMm} mm wide.',
    }
    const document = { id: 'contract', name: 'Contract', tags: [], rules: [], pairRules: [rule] }
    const pack = await service.send('admin', 'POST', 'rule-packs', { body: document })
    expect(pack.status, JSON.stringify(pack.body)).toBe(201)
    const item = await newOrder({}, { pieceMark: 'K-1' })
    const [narrow, wide] = [await newCertificate({ widthMm: 900 }), await newCertificate({ widthMm: 1_500 })]
    const barId = await newBar(item, narrow)
    expect(await codesOf(barId)).toEqual([])
    const preview = await service.send('admin', 'POST', 'rule-packs/contract/preview')
    expect(preview.body).toMatchObject({ gainCount: 0, bars: [{ barId, findings: [{ code: 'pack-rule' }] }] })
    await service.send('admin', 'POST', 'rule-packs/contract/subscribe')
    try {
      expect((await service.send('admin', 'POST', 'rule-packs/contract/preview')).body.bars).toEqual([])
      expect(await verdictOf(barId)).toMatchObject({
        mayBeCut: false,
        findings: [{ code: 'pack-rule', severity: 'Block', expected: 'contract/mill-of-customer', ...item }],
      })
      expect(await codesOf(barId, `?millCertificationId=${wide}`)).toEqual([])
      const refused = await plan('POST', `${bars}/${barId}/approve`)
      expect(refused.body).toMatchObject({ code: 'bar-may-not-be-cut', findings: [{ code: 'pack-rule' }] })
      const candidates = await service.send('viewer', 'GET', `${bars}/${barId}/candidates`)
      const ids = candidates.body.map((one: { millCertificationId: string }) => one.millCertificationId)
      expect([ids.includes(narrow), ids.includes(wide)]).toEqual([false, true])
      const trace = await service.send('viewer', 'GET', `orders/${item.orderId}/traceability`)
      expect(JSON.stringify(trace.body)).toContain('The plate is 900 mm wide.')
      const listed = await service.send('viewer', 'GET', `${bars}?include=verdict&barId=${barId}`)
      expect(JSON.stringify(listed.body)).toContain('The plate is 900 mm wide.')
    } finally {
      await service.send('admin', 'POST', 'rule-packs/contract/unsubscribe')
    }
    expect(await codesOf(barId)).toEqual([])
  })

  it('needs a bar and a certificate that exist', async () => {
    const barId = await newBar(await newOrder(), null)
    const asked = (path: string) => service.send('viewer', 'GET', `${bars}/${path}`)
    expect(await asked(`${randomUUID()}/verdict`)).toMatchObject({
      status: 404,
      body: { code: 'bar-not-found' },
    })
    expect(await asked(`${barId}/verdict?millCertificationId=${randomUUID()}`)).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'millCertificationId', code: 'unknown-record' }] },
    })
  })
})

describe('a single record', () => {
  const read = async (path: string) => {
    const { body, headers } = await service.send('viewer', 'GET', path)
    return { findings: body.findings as Found[], etag: headers.get('etag')!, body }
  }
  const codes = ({ findings }: { findings: readonly Found[] }) =>
    findings.map(({ severity, code }) => `${severity} ${code}`)

  it('of a certificate shows its own findings, as they are on a bar, and a new ETag with each', async () => {
    const certificate = await newCertificate()
    const path = `millcert/certificates/${certificate}`
    const sound = await read(path)
    expect(codes(sound)).toEqual([])
    await tagged('millcert-tags', certificate, 'Block')
    const blocked = await read(path)
    expect(codes(blocked)).toEqual(['Block certificate-tag'])
    const barId = await newBar(await newOrder(), certificate)
    expect(blocked.findings).toEqual((await verdictOf(barId)).findings)

    const set = (severities: object) =>
      service.send('admin', 'PUT', 'release-policy', { body: { severities } })
    await set({ 'certificate-not-released': 'Flag' })
    const received = await read(path)
    expect(codes(received)).toEqual(['Block certificate-tag', 'Flag certificate-not-released'])
    await set({})
    expect(new Set([sound, blocked, received].map(({ etag }) => etag)).size).toBe(3)
    const unchanged = { headers: { 'if-none-match': received.etag } }
    expect((await service.send('viewer', 'GET', path, unchanged)).status).toBe(200)
    const list = await service.send('viewer', 'GET', 'millcert/certificates')
    expect(list.body[0].findings).toBeUndefined()
  })

  it('of an order shows its tags and the demands that it does not state', async () => {
    const { orderId } = await newOrder({ executionClass: null }, { grade: null })
    await tagged('order-tags', orderId, 'Audit')
    const { findings } = await read(`orders/${orderId}`)
    expect(findings).toMatchObject([
      { severity: 'Flag', code: 'demand-unstated', orderId, expected: 'the execution class' },
      { severity: 'Flag', code: 'demand-unstated', orderId, expected: 'the grade' },
      { severity: 'Audit', code: 'order-tag', orderId },
    ])
  })
})

describe('an approval', () => {
  const mismatched = async () => {
    const item = await newOrder({}, { grade: 'S355K2' })
    const barId = await newBar(item, await newCertificate())
    const { findings } = await verdictOf(barId)
    return { barId, findings, keys: findings.map(({ key }: { key: string }) => key) as string[] }
  }
  const overriding = (findings: readonly string[]) => ({
    override: { reason: 'The designer agreed.', reference: 'DR 17', findings },
  })
  const approve = (barId: string, body?: object, who: 'planner' | 'quality' = 'planner') =>
    service.send(who, 'POST', `${bars}/${barId}/approve`, body && { body })
  const start = (barId: string) => plan('POST', `${bars}/${barId}/start`)
  const read = async (barId: string) => (await service.send('viewer', 'GET', `${bars}/${barId}`)).body

  it('is given in spite of a Block by a quality engineer with a reason, and by nobody else', async () => {
    const { barId, keys } = await mismatched()
    expect(await approve(barId, overriding(keys))).toMatchObject({ status: 403 })
    expect((await approve(barId, overriding(keys), 'quality')).status).toBe(204)
    const { override } = overriding(keys)
    expect(await read(barId)).toMatchObject({
      status: 'Approved',
      approval: { by: 'quality', override },
      withdrawal: null,
    })
    expect(await verdictOf(barId)).toMatchObject({
      mayBeApproved: true,
      mayBeCut: true,
      findings: [{ severity: 'Block', override: { by: 'quality', ...override } }],
    })
    expect((await start(barId)).status).toBe(204)
  })

  it('is shown beside the verdict of today with the findings that were kept, and in the history', async () => {
    const item = await newOrder({}, { grade: null })
    const barId = await newBar(item, await newCertificate())
    const { findings, judgedBy, keptAtApproval } = await verdictOf(barId)
    expect(findings).toMatchObject([{ code: 'demand-unstated' }])
    expect(keptAtApproval).toBeNull()
    expect(judgedBy).toEqual({ verdict: expect.any(Number), steelGrades: expect.any(Number) })
    expect((await approve(barId)).status).toBe(204)
    const lineItems = [{ lineNumber: 10, grade: 'S355J0', lengthMm: 1_000, quantity: 9 }]
    expect((await plan('PUT', `orders/${item.orderId}`, { body: { lineItems } })).status).toBe(200)
    const later = await verdictOf(barId)
    expect(later.findings).toEqual([])
    expect(later.keptAtApproval).toEqual({ at: expect.any(String), judgedBy, findings })
    const { body: history } = await service.send('viewer', 'GET', `${bars}/${barId}/history`)
    expect(history[0].message).toBe(
      `The bar was approved (1 Flag; verdict ${judgedBy.verdict}, steel grades ${judgedBy.steelGrades}).`,
    )
    expect(history[0].changes.at(-1)).toMatchObject({ field: 'findings', to: [{ code: 'demand-unstated' }] })
    expect(
      (await check('POST', `${bars}/${barId}/revert`, { to: 'Draft', reason: 'Wrong bar.' })).status,
    ).toBe(204)
    expect((await verdictOf(barId)).keptAtApproval).toBeNull()
  })

  it('is withdrawn by the start when a Block was put on the certificate since', async () => {
    const certificate = await newCertificate()
    const barId = await newBar(await newOrder(), certificate)
    expect((await approve(barId)).status).toBe(204)
    await tagged('millcert-tags', certificate, 'Block')
    expect(await start(barId)).toMatchObject({
      status: 409,
      body: { code: 'bar-not-approved', state: 'Draft', findings: [{ code: 'certificate-tag' }] },
    })
    await expect
      .poll(() => read(barId))
      .toMatchObject({
        status: 'Draft',
        approvedAt: null,
        approval: null,
        withdrawal: { at: expect.any(String), findings: [{ code: 'certificate-tag', severity: 'Block' }] },
      })
    expect(await start(barId)).toMatchObject({ status: 409, body: { code: 'bar-not-approved' } })
    expect((await approve(barId)).body.code).toBe('bar-may-not-be-cut')
  })

  it('holds for the cuts that were judged: one more is judged, too', async () => {
    const item = await newOrder()
    const barId = await newBar(item, await newCertificate())
    expect((await approve(barId)).status).toBe(204)
    const other = await newOrder({}, { grade: 'S460N' })
    const bar = await newBar(other, null, { status: 'Proposed' })
    expect((await approve(bar)).status).toBe(204)
    const { cuts } = await read(bar)
    const accept = (body: object, who: 'planner' | 'quality' = 'planner') =>
      service.send(who, 'PUT', `${bars}/${bar}/cuts/${cuts[0].cutId}`, {
        body: { status: 'Accepted', ...body },
      })
    const refused = await accept({})
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'bar-may-not-be-cut',
        findings: [{ code: 'grade-mismatch' }, { code: 'no-certificate' }],
      },
    })
    const asked = overriding([refused.body.findings[0].key])
    expect(await accept(asked)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('Quality') },
    })
    expect(await accept(asked, 'quality')).toMatchObject({ status: 200, body: { status: 'Accepted' } })
    const { keptAtApproval } = await verdictOf(bar)
    expect(keptAtApproval.findings.map(({ code }: { code: string }) => code)).toEqual([
      'grade-mismatch',
      'no-certificate',
    ])
  })

  it('lets a finding on an Accepted cut be overridden later, with the same status', async () => {
    const item = await newOrder()
    const barId = await newBar(item, await newCertificate())
    const { cuts } = await read(barId)
    const accept = (body: object) =>
      check('PUT', `${bars}/${barId}/cuts/${cuts[0].cutId}`, { status: 'Accepted', ...body })
    expect(await accept(overriding(['unknown']))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/override' }] },
    })
    for (const step of ['approve', 'start'])
      expect((await plan('POST', `${bars}/${barId}/${step}`)).status).toBe(204)
    await tagged('order-tags', item.orderId, 'Block')
    const { findings } = await verdictOf(barId)
    const { status, headers } = await accept(overriding([findings[0].key]))
    expect(status).toBe(200)
    expect(await verdictOf(barId)).toMatchObject({ mayBeCut: true })
    const cut = await service.send('viewer', 'GET', `${bars}/${barId}/cuts/${cuts[0].cutId}`)
    expect(cut.headers.get('etag')).toBe(headers.get('etag'))
  })
})

describe('a release policy that is only tried', () => {
  const trial = (body: object, sent: Sent = {}) =>
    service.send('admin', 'PUT', 'release-policy?dryRun=true', { body, ...sent })
  const falling = async (body: object) => (await trial(body)).body.bars

  it('lists the open bars that it would stop, in any status, with the findings, and records nothing', async () => {
    const wanted = { requiredInspectionDocument: null }
    const item = await newOrder(wanted)
    const [low, high] = [
      await newCertificate({ inspectionDocument: '2.2' }),
      await newCertificate({ inspectionDocument: '3.2' }),
    ]
    const [stuck, fallen, other, draft, started, completed] = [
      await newBar(await newOrder(), low),
      await newBar(item, low),
      await newBar(item, high),
      await newBar(item, low),
      await newBar(item, low),
      await newBar(item, low),
    ]
    const move = async (barId: string, ...steps: string[]) => {
      for (const step of steps) expect((await plan('POST', `${bars}/${barId}/${step}`)).status).toBe(204)
    }
    for (const barId of [fallen, other]) await move(barId, 'approve')
    await move(started, 'approve', 'start')
    await move(completed, 'approve', 'start', 'complete')
    const before = await service.send('viewer', 'GET', 'release-policy')
    const policy = { defaultInspectionDocument: '3.1' }
    const found = (await falling(policy)) as { barId: string }[]
    expect(
      found.filter(({ barId }) => [stuck, fallen, other, draft, started, completed].includes(barId)),
    ).toMatchObject(
      [
        { barId: fallen, status: 'Approved' },
        { barId: draft, status: 'Draft' },
        { barId: started, status: 'Started' },
      ].map((one) => ({
        ...one,
        ordinal: 1,
        findings: [{ severity: 'Block', code: 'document-insufficient', expected: '3.1', actual: '2.2' }],
      })),
    )
    const after = await service.send('viewer', 'GET', 'release-policy')
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
    expect((await service.send('viewer', 'GET', `${bars}/${fallen}`)).body.status).toBe('Approved')
    expect(await falling({})).not.toContainEqual(expect.objectContaining({ barId: fallen }))
  })

  it('lists each bar once, however many there are', async () => {
    const low = await newCertificate({ inspectionDocument: '2.2' })
    const cuts = [
      { ...(await newOrder({ requiredInspectionDocument: null })), lengthMm: 1_000, status: 'Accepted' },
    ]
    const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId: low, cuts }
    const asked = { name: 'Week 19', bars: Array(205).fill(bar) }
    const { body } = await plan('POST', 'production-plans', { body: asked })
    const listed = (await falling({ defaultInspectionDocument: '3.1' })) as { barId: string }[]
    expect(new Set(listed.map(({ barId }) => barId)).size).toBe(listed.length)
    expect(listed.map(({ barId }) => barId)).toEqual(
      expect.arrayContaining(body.bars.map(({ barId }: { barId: string }) => barId)),
    )
  })
})

describe('an approval of many bars of a plan', () => {
  /** A plan with one bar for each certificate. */
  const planOf = async (...certificates: string[]) => {
    const cuts = [{ ...(await newOrder()), lengthMm: 1_000, status: 'Accepted' }]
    const asked = certificates.map((millCertificationId) => ({
      stockLengthMm: 6_000,
      grade: 'S355J2',
      millCertificationId,
      cuts,
    }))
    const { body } = await plan('POST', 'production-plans', { body: { name: 'Week 18', bars: asked } })
    const barIds: string[] = body.bars.map(({ barId }: { barId: string }) => barId)
    return { planId: body.planId as string, barIds }
  }
  const approveAll = (planId: string, body?: object, { who = 'planner' as ClientName, key = '' } = {}) =>
    service.send(who, 'POST', `production-plans/${planId}/approve`, {
      ...(body && { body }),
      ...(key && { headers: { 'idempotency-key': key } }),
    })
  const read = async (barId: string) => (await service.send('viewer', 'GET', `${bars}/${barId}`)).body
  const blockOn = async (barId: string) => {
    const { findings } = await verdictOf(barId)
    return findings.find(({ severity }: Found) => severity === 'Block').key as string
  }
  const overriding = (...findings: string[]) => ({ override: { reason: 'The designer agreed.', findings } })

  it('approves only bars that are as the caller has seen them', async () => {
    const sound = await newCertificate()
    const { planId, barIds } = await planOf(sound, sound, sound)
    const seen = Object.fromEntries(
      await Promise.all(barIds.map(async (id) => [id, (await read(id)).revision])),
    )
    await plan('PUT', `${bars}/${barIds[1]}/certificate`, {
      body: { millCertificationId: await newCertificate() },
    })
    const answer = await approveAll(planId, { revisions: seen })
    expect(answer.body.results).toMatchObject([
      { status: 204 },
      { status: 412, code: 'precondition-failed' },
      { status: 204 },
    ])
    expect((await read(barIds[1]!)).status).toBe('Draft')
    const { [barIds[1]!]: _, ...others } = seen
    const faulty = await approveAll(planId, { barIds: [barIds[1]], revisions: others })
    expect(faulty.body.errors).toMatchObject(
      Object.keys(others).map((id) => ({ path: `/revisions/${id}`, code: 'unknown-member' })),
    )
  })

  it('approves all Draft bars, and answers each that it cannot approve with its findings', async () => {
    const [sound, blocked] = [await newCertificate(), await newCertificate()]
    const { planId, barIds } = await planOf(sound, blocked, sound, sound)
    await tagged('millcert-tags', blocked, 'Block')
    await plan('POST', `${bars}/${barIds[3]}/approve`)
    const answer = await approveAll(planId)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        results: [
          { id: barIds[0], status: 204, outcome: 'updated' },
          {
            id: barIds[1],
            status: 409,
            code: 'bar-may-not-be-cut',
            findings: [{ code: 'certificate-tag', severity: 'Block' }],
          },
          { id: barIds[2], status: 204, outcome: 'updated' },
        ],
        summary: { updated: 2, unchanged: 0, failed: 1 },
      },
    })
    expect(answer.body.results).toHaveLength(3)
    expect((await Promise.all(barIds.map(read))).map(({ status }) => status)).toEqual([
      'Approved',
      'Draft',
      'Approved',
      'Approved',
    ])
    expect(await approveAll((await planOf()).planId)).toMatchObject({ status: 200, body: { results: [] } })
  })

  it('approves the bars that are named, in their order, and none of another plan', async () => {
    const sound = await newCertificate()
    const { planId, barIds } = await planOf(sound, sound, sound, sound)
    const other = (await planOf(sound)).barIds[0]!
    const unknown = randomUUID()
    await plan('POST', `${bars}/${barIds[1]}/approve`)
    await plan('POST', `${bars}/${barIds[2]}/approve`)
    await plan('POST', `${bars}/${barIds[2]}/start`)
    const asked = [other, unknown, barIds[2], barIds[1], barIds[0], barIds[1]]
    const { body } = await approveAll(planId, { barIds: asked }, { key: randomUUID() })
    expect(body).toMatchObject({
      results: [
        { id: other, status: 404, code: 'bar-not-found' },
        { id: unknown, status: 404, code: 'bar-not-found' },
        { id: barIds[2], status: 409, code: 'bar-not-draft', state: 'Started' },
        { id: barIds[1], status: 204, outcome: 'unchanged' },
        { id: barIds[0], status: 204, outcome: 'updated' },
      ],
      summary: { updated: 1, unchanged: 1, failed: 3 },
    })
    expect(await read(other)).toMatchObject({ status: 'Draft' })
    expect(await read(barIds[3]!)).toMatchObject({ status: 'Draft' })
  })

  it('overrides on each bar the findings that it has, and refuses a key that none of them has', async () => {
    const [sound, blocked, other] = [await newCertificate(), await newCertificate(), await newCertificate()]
    const { planId, barIds } = await planOf(sound, blocked, blocked, other)
    await tagged('millcert-tags', blocked, 'Block')
    await tagged('millcert-tags', other, 'Block')
    const key = await blockOn(barIds[1]!)
    const elsewhere = await blockOn(barIds[3]!)
    expect(await approveAll(planId, overriding(key))).toMatchObject({ status: 403 })
    const quality = { who: 'quality' } as const
    for (const body of [
      overriding(key, 'unknown'),
      { barIds: barIds.slice(0, 3), ...overriding(key, elsewhere) },
    ])
      expect(await approveAll(planId, body, quality)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '#/override/findings/1', code: 'unknown-record' }] },
      })
    expect((await approveAll(planId, overriding(key), quality)).body).toMatchObject({
      results: [
        { status: 204 },
        { status: 204 },
        { status: 204 },
        { status: 409, code: 'bar-may-not-be-cut' },
      ],
    })
    expect(await read(barIds[0]!)).toMatchObject({ approval: { override: null } })
    for (const barId of barIds.slice(1, 3))
      expect(await read(barId)).toMatchObject({ approval: { override: { findings: [key] } } })
    expect(
      (await approveAll(planId, { barIds: barIds.slice(1, 3), ...overriding(key) }, quality)).body,
    ).toMatchObject({
      summary: { updated: 0, unchanged: 2, failed: 0 },
    })
  })
})

describe('another certificate', () => {
  const set = (barId: string, body: object, who: ClientName = 'cutter') =>
    service.send(who, 'PUT', `${bars}/${barId}/certificate`, { body })
  const read = (barId: string) => service.send('viewer', 'GET', `${bars}/${barId}`)
  const step = async (barId: string, ...steps: string[]) => {
    for (const one of steps) expect((await plan('POST', `${bars}/${barId}/${one}`)).status).toBe(204)
  }

  it('is judged on an approved bar, which keeps its status', async () => {
    const barId = await newBar(await newOrder(), await newCertificate())
    const wrong = await newCertificate({ grade: 'S235JR' })
    await step(barId, 'approve')
    const refused = await set(barId, { millCertificationId: wrong })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'bar-may-not-be-cut', findings: [{ code: 'grade-mismatch', severity: 'Block' }] },
    })
    const override = { reason: 'The designer agreed.', findings: [refused.body.findings[0].key] }
    expect((await set(barId, { millCertificationId: wrong, override })).status).toBe(403)
    const answer = await set(barId, { millCertificationId: wrong, override }, 'quality')
    expect(answer).toMatchObject({ status: 200, body: { status: 'Approved', millCertificationId: wrong } })
    const known = await read(barId)
    expect(known.body).toEqual(answer.body)
    expect(known.headers.get('etag')).toBe(answer.headers.get('etag'))
    expect(await verdictOf(barId)).toMatchObject({
      mayBeCut: true,
      findings: [{ code: 'grade-mismatch', override: { by: 'quality' } }],
    })
  })

  it('is linked by the heat that was read off the steel, or offered when it arrives', async () => {
    const profile = 'HEA 180'
    const barId = await newBar(await newOrder({}, { profile }), await newCertificate())
    const heatNumber = `H ${randomUUID()}`
    const unknown = await set(barId, { heatNumber })
    const heatRead = { heatNumber, marked: true, by: 'cutter', at: expect.any(String) }
    expect(unknown.body).toMatchObject({ millCertificationId: null, heatRead: { ...heatRead, offered: [] } })

    await newCertificate({ heatNumber, profile: 'HEB 180' })
    expect((await read(barId)).body).toEqual(unknown.body)
    const numbers = { heatNumber: heatNumber.toLowerCase(), certificateNumber: randomUUID() }
    const certificate = await newCertificate({ ...numbers, profile: 'he 180 a' })
    const offer = {
      millCertificationId: certificate,
      ...numbers,
      grade: 'S355J2+N',
      manufacturer: 'Mill',
      profile: 'he 180 a',
      thicknessMm: null,
    }
    const found = await read(barId)
    expect(found.body).toEqual({ ...unknown.body, heatRead: { ...heatRead, offered: [offer] } })
    expect(found.headers.get('etag')).not.toBe(unknown.headers.get('etag'))

    await step(barId, 'approve', 'start')
    const linked = await set(barId, { heatNumber })
    expect(linked.body).toMatchObject({ millCertificationId: certificate, heatRead: { offered: [] } })
    const known = await read(barId)
    expect(known.body).toEqual(linked.body)
    expect(known.headers.get('etag')).toBe(linked.headers.get('etag'))
    const { body } = await service.send('viewer', 'GET', `${bars}/${barId}/history`)
    expect(body.slice(0, 1)).toMatchObject([
      {
        message: expect.stringContaining(`The bar got certificate ${numbers.certificateNumber} (`),
        actor: { id: 'cutter' },
      },
    ])
  })

  it('of a heat that blocks the bar is kept with the reading, and the saw is told to stop', async () => {
    const heatNumber = randomUUID()
    const rejected = await newCertificate({ heatNumber })
    await check('POST', `millcert/certificates/${rejected}/reject`, { reason: 'Cracked.' })
    const [approved, started] = [
      await newBar(await newOrder(), await newCertificate()),
      await newBar(await newOrder(), await newCertificate()),
    ]
    await step(approved, 'approve')
    await step(started, 'approve', 'start')
    for (const [barId, status] of [
      [approved, 'Draft'],
      [started, 'Started'],
    ] as const) {
      const headers = { 'idempotency-key': randomUUID() }
      const readHeat = () =>
        service.send('cutter', 'PUT', `${bars}/${barId}/certificate`, { body: { heatNumber }, headers })
      const refused = await readHeat()
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'bar-may-not-be-cut', findings: [{ code: 'certificate-rejected' }] },
      })
      expect(await readHeat()).toMatchObject({ status: 409, body: { findings: refused.body.findings } })
      expect((await read(barId)).body).toMatchObject({
        status,
        millCertificationId: rejected,
        heatRead: { heatNumber, by: 'cutter' },
      })
      expect(await verdictOf(barId)).toMatchObject({ mayBeCut: false })
    }
  })

  it('is not linked by a heat that two live certificates have, until one of them is voided', async () => {
    const heatNumber = randomUUID()
    const [one, other] = [await newCertificate({ heatNumber }), await newCertificate({ heatNumber })]
    const barId = await newBar(await newOrder(), null)
    const { body } = await set(barId, { heatNumber })
    expect(body.millCertificationId).toBeNull()
    const offered = body.heatRead.offered as { millCertificationId: string }[]
    expect(offered.map(({ millCertificationId }) => millCertificationId).sort()).toEqual([one, other].sort())
    await check('POST', `millcert/certificates/${other}/void`, { reason: 'Twice.' })
    expect((await set(barId, { heatNumber })).body.millCertificationId).toBe(one)
    expect((await set(barId, { heatNumber: null })).body).toMatchObject({
      millCertificationId: one,
      heatRead: null,
    })
  })

  it('is named either by its id or by its heat', async () => {
    const barId = await newBar(await newOrder(), null)
    for (const [body, pointer, code] of [
      [{}, '#/millCertificationId', 'required'],
      [{ millCertificationId: null, heatNumber: 'H 1' }, '#/heatNumber', 'unknown-member'],
      [{ heatNumber: ' ' }, '#/heatNumber', 'out-of-bounds'],
    ] as const)
      expect(await set(barId, body)).toMatchObject({ status: 400, body: { errors: [{ pointer, code }] } })
  })
})

describe('the voiding of a certificate whose bars move to the replacement', () => {
  const voiding = (id: string, body: object, key?: string) =>
    service.send('quality', 'POST', `millcert/certificates/${id}/void`, {
      body: { reason: 'Registered twice.', moveBars: true, ...body },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })
  const read = async (barId: string) => (await service.send('viewer', 'GET', `${bars}/${barId}`)).body
  const step = async (barId: string, ...steps: string[]) => {
    for (const one of steps) expect((await plan('POST', `${bars}/${barId}/${one}`)).status).toBe(204)
  }

  it('moves Draft, Approved and Started bars, and leaves one that may not be cut with it', async () => {
    const twice = await newCertificate({ inspectionDocument: '3.2' })
    const replacedBy = await newCertificate()
    const item = await newOrder()
    const strict = await newOrder({ requiredInspectionDocument: '3.2' })
    const [draft, approved, refused, started, completed] = [
      await newBar(item, twice),
      await newBar(item, twice),
      await newBar(strict, twice),
      await newBar(item, twice),
      await newBar(item, twice),
    ]
    await step(approved, 'approve')
    await step(refused, 'approve', 'start')
    await step(started, 'approve', 'start')
    await step(completed, 'approve', 'start', 'complete')
    const answer = await voiding(twice, { replacedBy })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'Voided',
        replacedBy,
        movedBars: {
          results: [
            { id: draft, status: 200, outcome: 'updated' },
            { id: approved, status: 200, outcome: 'updated' },
            {
              id: refused,
              status: 409,
              code: 'bar-may-not-be-cut',
              findings: [{ code: 'document-insufficient', severity: 'Block' }],
            },
            { id: started, status: 200, outcome: 'updated' },
          ],
          summary: { updated: 3, unchanged: 0, failed: 1 },
        },
      },
    })
    const { movedBars: _, ...shown } = answer.body
    const known = await service.send('viewer', 'GET', `millcert/certificates/${twice}`)
    expect(known.body).toEqual(shown)
    expect(known.headers.get('etag')).toBe(answer.headers.get('etag'))
    for (const [barId, status, millCertificationId] of [
      [draft, 'Draft', replacedBy],
      [approved, 'Approved', replacedBy],
      [refused, 'Started', twice],
      [started, 'Started', replacedBy],
      [completed, 'Completed', twice],
    ])
      expect(await read(barId!)).toMatchObject({ status, millCertificationId })

    const later = await newBar(item, twice)
    expect((await voiding(twice, { replacedBy })).body.movedBars.results).toMatchObject([
      { id: refused, status: 409 },
      { id: later, outcome: 'updated' },
    ])
  })

  it('moves nothing without a replacement that it may be given', async () => {
    const [twice, item] = [await newCertificate(), await newOrder()]
    const barId = await newBar(item, twice)
    for (const [body, pointer, code] of [
      [{}, '#/moveBars', 'unknown-member'],
      [{ replacedBy: randomUUID() }, '#/replacedBy', 'unknown-record'],
      [{ replacedBy: twice }, '#/replacedBy', 'unknown-record'],
    ] as const)
      expect(await voiding(twice, body)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer, code }] },
      })
    expect(await read(barId)).toMatchObject({ millCertificationId: twice })
  })
})

describe('the candidates of a bar', () => {
  const candidatesOf = async (barId: string) => {
    const answer = await service.send('viewer', 'GET', `${bars}/${barId}/candidates`)
    expect(answer.status).toBe(200)
    return answer
  }
  const idsOf = async (barId: string) =>
    (await candidatesOf(barId)).body.map((one: { millCertificationId: string }) => one.millCertificationId)
  const profile = 'IPE 330'

  it('are the certificates that leave no Block: the demanded steel first, then better, then with Flags', async () => {
    const barId = await newBar(await newOrder({}, { grade: 'S460N', profile }), null, { grade: 'S460N' })
    const [older, better] = [
      await newCertificate({ grade: 'S460N', standard: 'EN 10025-3', profile: 'ipe330' }),
      await newCertificate({ grade: 'S460NL / S460N+Z25', standard: null, profile }),
    ]
    const flagged = await newCertificate({ grade: 'S460N', standard: null, profile })
    await tagged('millcert-tags', flagged, 'Flag')
    const audited = await newCertificate({ grade: '1.8901', standard: null, profile })
    await tagged('millcert-tags', audited, 'Audit')
    const unstated = await newCertificate({ grade: 'S460N', standard: null })
    for (const other of [{ grade: 'S355N', standard: null }, { profile: 'IPE 300' }, { grade: 'S460Q' }])
      await newCertificate({ grade: 'S460N', standard: null, profile, ...other })
    const rejected = await newCertificate({ grade: 'S460N', standard: null, profile })
    await check('POST', `millcert/certificates/${rejected}/reject`, { reason: 'Cracked.' })

    const { body, headers } = await candidatesOf(barId)
    expect(body.map((one: { millCertificationId: string }) => one.millCertificationId)).toEqual([
      audited,
      older,
      unstated,
      better,
      flagged,
    ])
    expect(headers.get('truncated')).toBeNull()
    expect(body[1]).toEqual({
      millCertificationId: older,
      grade: 'S460N',
      profile: 'ipe330',
      findings: [],
      certificateNumber: expect.any(String),
      heatNumber: expect.any(String),
      manufacturer: 'Mill',
      thicknessMm: null,
    })
    expect(body[4].findings).toMatchObject([{ code: 'certificate-tag', severity: 'Flag' }])
    const cached = { 'if-none-match': headers.get('etag')! }
    const path = `${bars}/${barId}/candidates`
    expect((await service.send('viewer', 'GET', path, { headers: cached })).status).toBe(304)
  })

  it('follow a correction, and are none while the order has a Block', async () => {
    const item = await newOrder({}, { grade: 'S500ML', profile })
    const barId = await newBar(item, null)
    const certificate = await newCertificate({ grade: 'S500ML / S500M', standard: null, profile })
    expect(await idsOf(barId)).toEqual([certificate])
    const correct = (content: object) =>
      service.send('planner', 'PATCH', `millcert/certificates/${certificate}`, { body: content })
    expect((await correct({ grade: 'S500M' })).status).toBe(200)
    expect(await idsOf(barId)).toEqual([])
    await correct({ grade: 'Sondergüte / S500ML', profile: null })
    expect(await idsOf(barId)).toEqual([certificate])
    await tagged('order-tags', item.orderId, 'Block')
    expect(await idsOf(barId)).toEqual([])
  })

  it('are compared as texts when the grade cannot be read', async () => {
    const barId = await newBar(await newOrder({}, { grade: 'Sondergüte 7' }), null)
    const certificate = await newCertificate({ grade: 'SONDERGÜTE  7', standard: null })
    await newCertificate({ grade: 'Sondergüte 8', standard: null })
    expect(await idsOf(barId)).toEqual([certificate])
  })

  it('are substitutes, too, in a company that does not block them', async () => {
    const barId = await newBar(await newOrder({}, { grade: 'S890Q' }), null)
    const certificate = await newCertificate({ grade: 'S960Q', standard: null })
    expect(await idsOf(barId)).toEqual([])
    const set = (severity: string) =>
      service.send('admin', 'PUT', 'release-policy', {
        body: { severities: { 'grade-substitute': severity } },
      })
    await set('Flag')
    expect(await idsOf(barId)).toEqual([certificate])
    await set('Block')
  })

  it('are of other steels, too, after those that suit, in a company that does not block them', async () => {
    const barId = await newBar(await newOrder({}, { grade: 'S315MC', profile: 'RO 7' }), null, {
      grade: 'S315MC',
    })
    const suits = await newCertificate({ grade: 'S315MC', standard: null, profile: 'RO 7' })
    const other = await newCertificate({ grade: 'S260NC', standard: null, profile: 'RO 7' })
    const unread = await newCertificate({ grade: 'S315MX', standard: null, profile: 'RO 7' })
    const set = (severities: object) =>
      service.send('admin', 'PUT', 'release-policy', { body: { severities } })
    const found = async () =>
      (await idsOf(barId)).filter((one: string) => [suits, other, unread].includes(one))
    expect(await found()).toEqual([suits])
    await set({ 'grade-mismatch': 'Flag' })
    expect(await found()).toEqual([suits, other])
    await set({ 'grade-unreadable': 'Flag' })
    expect(await found()).toEqual([suits, unread])
    await set({})
  })

  it('are 50 of many, and the answer says that there are more', async () => {
    const barId = await newBar(await newOrder({}, { grade: 'S620Q', profile }), null, { grade: 'S620Q' })
    const context = { actor: { id: 'mill', name: '', kind: 'service' }, correlationId: 'c' } as const
    const grades = Array.from({ length: 120 }, (_, n) => (n < 60 ? 'S620QL' : 'S620Q'))
    await concurrently(16, grades, (grade) => {
      const numbers = { certificateNumber: randomUUID(), heatNumber: randomUUID() }
      const content = { ...bareCertificate, grade, profile }
      return service.executor.execute(registerCertificate(service.companyId, numbers, content), context)
    })
    await newCertificate()
    const answer = await candidatesOf(barId)
    expect(answer.headers.get('truncated')).toBe('true')
    expect(answer.body.map(({ grade }: { grade: string }) => grade)).toEqual(new Array(50).fill('S620Q'))
  })
})

describe('the list of bars', () => {
  const listed = async (query: string, headers: Record<string, string> = {}) =>
    service.send('viewer', 'GET', `${bars}?${query}`, { headers })

  it('has on request the verdict on each bar, as the bar itself has, and the numbers of its records', async () => {
    const item = await newOrder()
    const certificate = await newCertificate({ certificateNumber: 'Z-1', heatNumber: 'H 77' })
    const tagId = await tagged('millcert-tags', certificate, 'Block')
    const barId = await newBar(item, certificate)
    const rejected = await newBar(item, null, { status: 'Rejected' })
    const { body } = await listed('include=verdict')
    const byId = new Map<string, { [member: string]: unknown }>(
      body.map((bar: { barId: string }) => [bar.barId, bar]),
    )
    const { body: order } = await service.send('viewer', 'GET', `orders/${item.orderId}`)
    expect(byId.get(barId)).toMatchObject({
      planName: 'Week 17',
      certificate: {
        certificateNumber: 'Z-1',
        heatNumber: 'H 77',
        manufacturer: 'Mill',
        blocked: true,
        tags: [{ tagId }],
      },
      orders: [
        {
          orderId: item.orderId,
          orderNumber: order.orderNumber,
          dueDate: order.dueDate,
          lines: [
            {
              lineItemId: item.lineItemId,
              lineNumber: 10,
              profile: null,
              pieceMark: null,
              description: null,
            },
          ],
        },
      ],
    })
    expect(byId.get(rejected)).toMatchObject({ certificate: null, orders: [] })
    expect(byId.size).toBeGreaterThan(30)
    for (const [barId, { verdict }] of byId) {
      const { judgedBy: _, keptAtApproval: __, ...ofBar } = await verdictOf(barId)
      expect(verdict).toEqual(ofBar)
    }
    const { body: without } = await listed('')
    expect(
      body.map(({ planName, verdict, certificate, orders, ...bar }: Record<string, unknown>) => bar),
    ).toEqual(without)
  })

  it('finds and counts the open bars by the word for their verdict', async () => {
    const started = await newBar(await newOrder(), await newCertificate())
    for (const step of ['approve', 'start']) await plan('POST', `${bars}/${started}/${step}`)
    const { body: bar } = await service.send('viewer', 'GET', `${bars}/${started}`)
    await tagged('millcert-tags', bar.millCertificationId, 'Block')
    const { body } = await listed('include=verdict&status=Draft&status=Approved&status=Started')
    const byWord = Map.groupBy(
      body as {
        barId: string
        status: string
        certificate: object | null
        verdict: { findings: Finding[] }
      }[],
      ({ certificate, verdict: { findings }, status }) =>
        wordOf({ findings, hasCertificate: certificate !== null, isStarted: status === 'Started' }),
    )
    expect([...byWord.keys()].sort()).toEqual([...wordsFromWorst].sort())
    for (const [word, wanted] of byWord) {
      const ids = wanted.map(({ barId }) => barId)
      const found = await listed(`verdict=${word}`)
      expect(found.body.map(({ barId }: { barId: string }) => barId)).toEqual(ids)
      const page = await listed(`verdict=${word}&limit=1&count=true`)
      expect(page.headers.get('total-count')).toBe(String(ids.length))
    }
    expect((await listed(`verdict=stop&barId=${started}`)).body).toHaveLength(1)
    expect((await listed(`verdict=mayBeCut&barId=${started}`)).body).toHaveLength(0)
  })

  it('has a first page that stays the same until a fact changes that its verdicts are judged from', async () => {
    const item = await newOrder()
    const planned = await newBar(item, await newCertificate())
    const query = `include=verdict&limit=1&orderId=${item.orderId}`
    const { headers, body } = await listed(query)
    expect(body).toMatchObject([{ barId: planned, verdict: { findings: [] } }])
    const known = { 'if-none-match': headers.get('etag')! }
    expect((await listed(query, known)).status).toBe(304)
    await tagged('order-tags', item.orderId, 'Flag')
    expect((await listed(query, known)).body).toMatchObject([
      { barId: planned, verdict: { findings: [{ code: 'order-tag' }] } },
    ])
    expect((await listed('include=verdicts')).status).toBe(400)
  })
})

describe('the lists of certificates and of orders', () => {
  it.each([
    ['millcert/certificates', 'millCertificationId'],
    ['orders', 'orderId'],
  ])('%s have on request the findings that each record has', async (list, id) => {
    const item = await newOrder()
    await tagged('millcert-tags', await newCertificate(), 'Block')
    await tagged('order-tags', item.orderId, 'Block')
    await Promise.all([newCertificate(), newOrder()])
    const { body } = await service.send('viewer', 'GET', `${list}?include=findings`)
    const found = body as { findings: { severity: string }[]; [member: string]: unknown }[]
    const isBlocked = ({ findings }: (typeof found)[number]) =>
      findings.some(({ severity }) => severity === 'Block')
    const some = [found.filter(isBlocked), found.filter((one) => !isBlocked(one))].map((all) =>
      all.slice(0, 20),
    )
    expect(some.every(({ length }) => length > 0)).toBe(true)
    await concurrently(16, some.flat(), async ({ findings, ...listed }) => {
      const single = await service.send('viewer', 'GET', `${list}/${listed[id]}`)
      expect(findings).toEqual(single.body.findings)
    })
    expect(found.map(({ findings, ...listed }) => listed)).toEqual(
      (await service.send('viewer', 'GET', list)).body,
    )
  })
})

describe('rows that lack an event of the company', () => {
  let postgres: Postgres
  let readModels: ReadModels
  beforeAll(async () => {
    postgres = connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 1 })
    const [found] = await postgres.query<{ schema: string }>(
      `SELECT nspname AS schema FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_'`,
    )
    readModels = createReadModels(found!.schema, projections)
  })
  afterAll(() => postgres.close())

  /** Record that a read model skips an event of the company, until the end of `look`. */
  const lacking = async (projection: string, companyId: string, look: () => Promise<void>) => {
    const place = { streamName: `tags-${companyId}`, position: 1, companyIds: [companyId] }
    const skip = { projection, eventId: randomUUID(), eventType: 'TagCreated', ...place }
    const announce = () => postgres.query('SELECT pg_notify($1, $2)', [readModels.schema, ''])
    await recordSkip(postgres, readModels, { ...skip, reason: 'a trial', automatic: true })
    await announce()
    await look().finally(() => dropAutomaticSkip(postgres, readModels, skip))
    await announce()
  }

  it('allow no decision that a hidden Block would forbid, and all that stops steel', async () => {
    const item = await newOrder()
    const certificate = await newCertificate({ heatNumber: 'H unseen' })
    const [draft, approved, done] = [
      await newBar(item, certificate),
      await newBar(item, certificate),
      await newBar(item, certificate),
    ]
    const send = (barId: string, step: string, body?: object) =>
      check('POST', `${bars}/${barId}/${step}`, body)
    const step = (barId: string, name: string) => plan('POST', `${bars}/${barId}/${name}`)
    await step(approved, 'approve')
    const verdictListed = async (barId: string) =>
      (await service.send('viewer', 'GET', `${bars}?barId=${barId}&include=verdict`)).body[0].verdict
    expect(await verdictListed(approved)).toMatchObject({ mayBeCut: true })
    for (const name of ['approve', 'start', 'complete']) expect((await step(done, name)).status).toBe(204)
    const { body: bar } = await service.send('viewer', 'GET', `${bars}/${done}`)
    const dispatch = { date: '2026-03-31', reference: 'DN 1', cutIds: [bar.cuts[0].cutId] }
    const refused = { status: 503, body: { code: 'facts-incomplete' } }
    const look = (path: string) => service.send('viewer', 'GET', path)
    const findingsOf = async (list: string, id: string) => [
      (await look(`${list}/${id}`)).body.findings,
      (await look(`${list}?include=findings`)).body.at(-1).findings,
    ]

    await lacking('certificates', service.companyId, async () => {
      expect(await step(draft, 'approve')).toMatchObject(refused)
      expect(await step(approved, 'start')).toMatchObject(refused)
      const path = `${bars}/${approved}/certificate`
      const set = (body: object) => service.send('cutter', 'PUT', path, { body })
      expect(await set({ heatNumber: 'H unseen' })).toMatchObject(refused)
      expect(await plan('POST', `orders/${item.orderId}/dispatches`, { body: dispatch })).toMatchObject(
        refused,
      )
      expect(await service.send('viewer', 'GET', `${bars}/${draft}/candidates`)).toMatchObject(refused)
      expect(await service.send('viewer', 'GET', 'recalls?heatNumber=H%20unseen')).toMatchObject(refused)
      expect(await service.send('viewer', 'GET', `${bars}/${approved}/verdict`)).toMatchObject(refused)
      await until(async () => (await verdictListed(approved)) === null)
      const ofWord = async (word: string) => (await look(`${bars}?barId=${approved}&verdict=${word}`)).body
      expect(await ofWord('notKnown')).toHaveLength(1)
      expect(await ofWord('mayBeCut')).toHaveLength(0)
      expect(await look(`orders/${item.orderId}/traceability`)).toMatchObject(refused)
      const preview = { body: { severities: { 'certificate-not-released': 'Block' } } }
      expect(await service.send('admin', 'PUT', 'release-policy?dryRun=true', preview)).toMatchObject(refused)
      expect(await findingsOf('millcert/certificates', certificate)).toEqual([null, null])
      const { body: ready } = await service.send('operator', 'GET', '/health/ready')
      expect(ready.degraded).toContain('events that read models skip')
      expect((await send(approved, 'revert', { to: 'Draft', reason: 'Not sure.' })).status).toBe(204)
      const reject = `millcert/certificates/${certificate}/reject`
      expect((await check('POST', reject, { reason: 'Not sure.' })).status).toBe(200)
    })
    await until(async () => (await verdictListed(approved)) !== null)
    expect((await service.send('viewer', 'GET', `${bars}/${approved}/verdict`)).status).toBe(200)
    await lacking('orders', service.companyId, async () => {
      expect(await findingsOf('orders', item.orderId)).toEqual([null, null])
      const { body } = await plan('PATCH', `orders/${item.orderId}`, { body: { customer: 'Another' } })
      expect(body.findings).toBeNull()
      expect(await plan('POST', `orders/${item.orderId}/dispatches`, { body: dispatch })).toMatchObject(
        refused,
      )
    })
    await lacking('certificates', service.otherCompanyId, async () => {
      const other = await newBar(item, await newCertificate())
      expect((await step(other, 'approve')).status).toBe(204)
    })
  })
})
