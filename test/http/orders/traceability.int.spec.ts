import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import { sentence, tell } from '../../../src/domain/verdict/sentence.ts'
import { own } from '../../support/own.ts'
import { type ClientName, type Sent, startTestService } from '../../support/testService.ts'

/** From line items to heats and back, and the histories of the records, over the whole service. */

const service = await own(startTestService())

const plan = (method: string, path: string, sent?: Sent) => service.send('planner', method, path, sent)
const view = (path: string, sent?: Sent) => service.send('viewer', 'GET', path, sent)

const newOrder = async (orderNumber: string, ...quantities: number[]) => {
  const lineItems = quantities.map((quantity, n) => ({ lineNumber: 10 * (n + 1), lengthMm: 1_000, quantity }))
  const { body } = await plan('POST', 'orders', { body: { orderNumber, lineItems } })
  return body
}
const newCertificate = async (certificateNumber: string, heatNumber: string, more = {}) => {
  const certificate = { certificateNumber, heatNumber, grade: 'S355J2', inspectionDocument: '3.1', ...more }
  return (await plan('POST', 'millcert/certificates', { body: certificate })).body
}
const cut = (
  { orderId, lineItems }: Awaited<ReturnType<typeof newOrder>>,
  line: number,
  status = 'Accepted',
) => ({
  orderId,
  lineItemId: lineItems[line].lineItemId,
  lengthMm: 1_000,
  status,
})
const newBars = async (...bars: object[]) => {
  const asked = bars.map((bar) => ({ stockLengthMm: 6_000, grade: 'S355J2', ...bar }))
  return (await plan('POST', 'production-plans', { body: { name: 'Week 17', bars: asked } })).body.bars
}
const take = async ({ barId }: { barId: string }, ...steps: string[]) => {
  for (const step of steps)
    expect((await plan('POST', `production-plan-bars/${barId}/${step}`)).status).toBe(204)
}

describe('a line item', () => {
  it('explains its status by every cut for it, on bars of every plan', async () => {
    const order = await newOrder('SO-1', 2, 1)
    const [one] = await newBars({ cuts: [cut(order, 0), cut(order, 1), cut(order, 0, 'Rejected')] })
    const [two] = await newBars({ cuts: [cut(order, 0, 'Proposed')] })
    await take(one, 'approve', 'start')
    const read = await view(`orders/${order.orderId}/line-items/${order.lineItems[0].lineItemId}`)
    expect(read.status).toBe(200)
    const cuts = [
      { ...one, barStatus: 'Started', ...one.cuts[0], cutStatus: 'Accepted' },
      { ...one, barStatus: 'Started', ...one.cuts[2], cutStatus: 'Rejected' },
      { ...two, barStatus: 'Draft', ...two.cuts[0], cutStatus: 'Proposed' },
    ].map(({ cutId, pieceMark, barId, planId, barStatus, cutStatus, lengthMm }) => ({
      cutId,
      pieceMark,
      barId,
      planId,
      barStatus,
      cutStatus,
      lengthMm,
    }))
    expect(read.body).toStrictEqual({ ...order.lineItems[0], status: 'In Progress', cuts })
  })
})

describe('an order', () => {
  it('shows the heats that it is cut from, and what is missing until it is complete', async () => {
    const order = await newOrder('SO-4', 2, 1)
    const certificate = await newCertificate('C-4', 'H-4')
    const { millCertificationId } = certificate
    const tag = { name: 'Audited', color: '#00FF00', severity: 'Audit' }
    const { tagId } = (await service.send('editor', 'POST', 'millcert-tags', { body: tag })).body
    await service.send('editor', 'PUT', `millcert-tag-assignments/${millCertificationId}/manual`, {
      body: { tagIds: [tagId] },
    })
    const [good, bare] = await newBars(
      { millCertificationId, cuts: [cut(order, 0, 'Rejected'), cut(order, 0)] },
      { cuts: [cut(order, 1), cut(order, 0, 'Proposed')] },
    )
    await take(good, 'approve', 'start', 'complete')

    const path = `orders/${order.orderId}/traceability`
    const first = (await view(path)).body
    const findingsOn = async ({ barId }: { barId: string }) =>
      (await view(`production-plan-bars/${barId}/verdict`)).body.findings
    const traced = (bar: typeof good, n: number) => {
      const { cutId, pieceMark, lengthMm } = bar.cuts[n]
      const { barId, planId, ordinal: barOrdinal } = bar
      const place = { barOrdinal, cutOrdinal: n + 1 }
      const marks = { held: false, markTransferred: false }
      return { cutId, pieceMark, barId, planId, planName: 'Week 17', ...place, ...marks, lengthMm }
    }
    const heat = {
      millCertificationId,
      certificateNumber: 'C-4',
      heatNumber: 'H-4',
      tags: [{ tagId, ...tag }],
    }
    const none = { millCertificationId: null, certificateNumber: null, heatNumber: null, tags: [] }
    const [line10, line20] = order.lineItems
    expect(first).toStrictEqual({
      orderId: order.orderId,
      orderNumber: 'SO-4',
      blocked: false,
      complete: false,
      cleared: false,
      judgedBy,
      overrides: [],
      lineItems: [
        {
          lineItemId: line10.lineItemId,
          lineNumber: 10,
          cancelled: false,
          status: 'Completed',
          pieces: { required: 2, planned: 0, cut: 1, scrapped: 0, dispatched: 0, tooShort: 0 },
          cuts: [{ ...traced(good, 1), barStatus: 'Completed', ...heat, findings: await findingsOn(good) }],
          missing: [tell('gap-pieces', { quantity: 2, whole: 1 }), tell('gap-completed')],
        },
        {
          lineItemId: line20.lineItemId,
          lineNumber: 20,
          cancelled: false,
          status: 'Open',
          pieces: { required: 1, planned: 1, cut: 0, scrapped: 0, dispatched: 0, tooShort: 0 },
          cuts: [{ ...traced(bare, 0), barStatus: 'Draft', ...none, findings: await findingsOn(bare) }],
          missing: [
            tell('gap-unfinished', {
              plan: 'Week 17',
              bar: bare.ordinal,
              pieces: sentence('pieces-are', { count: 1 }),
              status: sentence('Draft'),
            }),
            tell('gap-certificate', { plan: 'Week 17', bar: bare.ordinal }),
          ],
        },
      ],
    })

    const inGerman = await view(path, { headers: { 'accept-language': 'de-AT, en;q=0.5' } })
    expect(inGerman.body.lineItems[1].missing[1].message).toBe('Stab 2 des Plans „Week 17“ hat kein Zeugnis.')
    expect(inGerman.headers.get('vary')).toContain('Accept-Language')
    expect(inGerman.headers.get('content-language')).toBe('de')
    const etag = inGerman.headers.get('etag')!
    expect((await view(path, { headers: { 'accept-language': 'de', 'if-none-match': etag } })).status).toBe(
      304,
    )
    expect((await view(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
    await plan('PUT', `production-plan-bars/${bare.barId}/cuts/${bare.cuts[0].cutId}`, {
      body: { status: 'Rejected' },
    })
    const [last] = await newBars({ millCertificationId, cuts: [cut(order, 0), cut(order, 1)] })
    await take(last, 'approve', 'start', 'complete')
    const complete = (await view(path)).body
    expect(complete.complete).toBe(true)
    expect(complete.lineItems.map(({ missing }: { missing: object[] }) => missing)).toStrictEqual([[], []])
  })

  it('is blocked by a finding on one of its pieces, and cleared when a quality engineer overrides it', async () => {
    const order = await newOrder('SO-17', 1, 1)
    const { millCertificationId } = await newCertificate('C-17', 'H-17')
    const [bar, other] = await newBars(
      { millCertificationId, cuts: [{ ...cut(order, 0), pieceMark: 'T7' }] },
      { millCertificationId, cuts: [cut(order, 1)] },
    )
    await take(bar, 'approve', 'start', 'complete')
    await take(other, 'approve', 'start', 'complete')
    const path = `orders/${order.orderId}/traceability`
    expect((await view(path)).body).toMatchObject({ blocked: false, complete: true, cleared: true })

    const setPolicy = (severities: object) =>
      service.send('admin', 'PUT', 'release-policy', { body: { severities } })
    expect((await setPolicy({ 'demand-unstated': 'Block' })).status).toBe(200)
    expect((await view(path)).body).toMatchObject({ blocked: true, complete: true, cleared: false })
    const overrides = []
    for (const { barId } of [bar, other]) {
      const { findings } = (await view(`production-plan-bars/${barId}/verdict`)).body
      const override = { reason: 'The customer left it to us.', reference: 'DR 17' }
      const blocks = findings.filter(({ severity }: { severity: string }) => severity === 'Block')
      const keys = blocks.map(({ key }: { key: string }) => key)
      const body = { ...override, findings: keys }
      await service.send('quality', 'POST', `production-plan-bars/${barId}/override`, { body })
      overrides.push({ barId, findings: keys, by: 'quality', at: expect.any(String), ...override })
    }
    const audited = (await view(path)).body
    expect(audited).toMatchObject({ blocked: true, complete: true, cleared: true })
    expect(audited.overrides).toStrictEqual(overrides)

    const piece = (await view(`${path}?pieceMark=T7`)).body
    expect(piece).toStrictEqual({ ...audited, lineItems: [audited.lineItems[0]] })
    expect((await view(`${path}?pieceMark=`)).body).toMatchObject({ errors: [{ parameter: 'pieceMark' }] })
    await setPolicy({})
  })

  it('counts its pieces by their states, now and as of an earlier time', async () => {
    const order = await newOrder('SO-18', 6)
    const { millCertificationId } = await newCertificate('C-18', 'H-18')
    const of = (...states: string[]) => ({
      millCertificationId,
      cuts: states.map((state) => ({ ...cut(order, 0, state) })),
    })
    const [done, , cancelled] = await newBars(
      of('Accepted', 'Accepted', 'Accepted'),
      of('Accepted', 'Proposed', 'Rejected'),
      of('Accepted'),
      { millCertificationId, cuts: [{ ...cut(order, 0), lengthMm: 900 }] },
    )
    await take(done, 'approve', 'start', 'complete')
    const path = `orders/${order.orderId}`
    const pieces = async (query = '') => (await view(`${path}/traceability${query}`)).body.lineItems[0].pieces
    const first = { required: 6, planned: 2, cut: 3, scrapped: 0, dispatched: 0, tooShort: 1 }
    expect(await pieces()).toStrictEqual(first)
    const before = (await view(`${path}/traceability`)).headers.get('read-position')
    const onBar = `production-plan-bars/${done.barId}/cuts`
    const reason = 'Told by the foreman.'
    const quality = (sent: string, body: object) => service.send('quality', 'POST', sent, { body })
    await quality(`${onBar}/${done.cuts[0].cutId}/scrap`, { reason })
    await plan('POST', `production-plan-bars/${cancelled.barId}/cancel`, { body: { reason } })
    const dispatch = { date: '2026-11-23', reference: 'DN 18', cutIds: [done.cuts[1].cutId] }
    expect((await plan('POST', `${path}/dispatches`, { body: dispatch })).status).toBe(201)
    expect(await pieces()).toStrictEqual({ ...first, planned: 1, cut: 1, scrapped: 1, dispatched: 1 })
    expect(await pieces(`?asOf=${before}`)).toStrictEqual(first)
  })
})

describe('a mill certificate', () => {
  it('shows every bar that names it, and which line items are cut from it', async () => {
    const certificate = await newCertificate('C-6', 'H-6')
    const { millCertificationId } = certificate
    const path = `millcert/certificates/${millCertificationId}/usage`
    const itself = { millCertificationId, certificateNumber: 'C-6', heatNumber: 'H-6' }
    expect((await view(path)).body).toStrictEqual({ ...itself, bars: [] })

    const [six, seven] = [await newOrder('SO-6', 1, 1), await newOrder('SO-7', 1)]
    const bars = await newBars(
      {
        millCertificationId,
        cuts: [cut(seven, 0), cut(six, 1), cut(six, 0), cut(six, 1, 'Proposed'), cut(six, 0)],
      },
      { millCertificationId, cuts: [cut(six, 0, 'Rejected')] },
      { cuts: [cut(six, 0)] },
    )
    await take(bars[0], 'approve')
    const orders = [six, seven].map(({ orderId, orderNumber, lineItems }) => ({
      orderId,
      orderNumber,
      lineItemIds: lineItems.map(({ lineItemId }: { lineItemId: string }) => lineItemId),
    }))
    const used = [
      { ...bars[0], status: 'Approved', orders },
      { ...bars[1], orders: [] },
    ]
    expect((await view(path)).body).toStrictEqual({
      ...itself,
      bars: used.map(({ barId, planId, status, orders }) => ({
        barId,
        planId,
        status,
        orders,
      })),
    })
    expect((await view(`millcert/certificates/${randomUUID()}/usage`)).status).toBe(404)
  })
})

describe('a history', () => {
  const sentences = ({ body }: Awaited<ReturnType<typeof view>>) =>
    body.map(({ message }: { message: string }) => message)

  it('of a certificate tells its decisions and its tags, newest first, with their authors', async () => {
    const { millCertificationId } = await newCertificate('C-18', 'H-18')
    const tag = { name: 'Cracked', color: '#FF0000', severity: 'Flag' }
    const { tagId } = (await service.send('editor', 'POST', 'millcert-tags', { body: tag })).body
    const assigned = { body: { tagIds: [tagId] } }
    const one = `millcert/certificates/${millCertificationId}`
    await service.send('editor', 'PUT', `millcert-tag-assignments/${millCertificationId}/manual`, assigned)
    await service.send('editor', 'PUT', `millcert-tags/${tagId}`, { body: { ...tag, name: 'Torn' } })
    await service.send('quality', 'POST', `${one}/release`, { body: { note: 'Seen.' } })
    await plan('PATCH', one, { body: { grade: 'S355K2' } })

    const all = await view(`${one}/history`)
    expect(sentences(all)).toEqual([
      'Certificate C-18 was corrected: grade. Its release was taken back.',
      'The certificate was released. Note: Seen.',
      'By hand, the tag "Cracked" was put on.',
      'Certificate C-18 of heat H-18 was registered.',
    ])
    expect(all.body[1]).toEqual({
      position: expect.any(Number),
      eventId: expect.any(String),
      occurredAt: expect.any(String),
      performedAt: null,
      actor: { id: 'quality', kind: 'application', name: expect.stringMatching(/./) },
      kind: 'CertificateReleased',
      subject: { type: 'certificate', id: millCertificationId, label: 'C-18' },
      message: 'The certificate was released. Note: Seen.',
      sentence: expect.objectContaining({ text: 'CertificateReleased' }),
      changes: [
        { field: 'status', from: 'Received', to: 'Released' },
        { field: 'note', from: null, to: 'Seen.' },
      ],
      correlationId: expect.any(String),
    })
    const first = await view(`${one}/history?limit=3`)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
    expect([...first.body, ...(await view(next!)).body]).toEqual(all.body)
  })
})

describe('a dispatch', () => {
  const send = (orderId: string, cutIds: readonly string[], who: ClientName = 'planner', more: object = {}) =>
    service.send(who, 'POST', `orders/${orderId}/dispatches`, {
      body: { date: '2026-03-01', reference: 'DN 17', cutIds, ...more },
    })
  const idsOf = (bar: { cuts: { cutId: string }[] }) => bar.cuts.map(({ cutId }) => cutId)

  it('takes sound pieces of an order that is not complete, each once', async () => {
    const order = await newOrder('SO-D1', 3)
    const { millCertificationId } = await newCertificate('C-D1', 'H-D1')
    const [bar] = await newBars({ millCertificationId, cuts: [cut(order, 0), cut(order, 0)] })
    const [first, second] = idsOf(bar)
    await take(bar, 'approve', 'start')
    const early = await send(order.orderId, [first!, randomUUID()])
    expect(early).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: '#/cutIds/0', code: 'wrong-status', cutId: first },
          { pointer: '#/cutIds/1', code: 'unknown-record' },
        ],
      },
    })
    await take(bar, 'complete')
    const answer = await send(order.orderId, [first!])
    expect(answer.status).toBe(201)
    expect(answer.body).toStrictEqual({
      dispatchId: expect.any(String),
      companyId: service.companyId,
      orderId: order.orderId,
      date: '2026-03-01',
      reference: 'DN 17',
      cuts: [{ barId: bar.barId, cutId: first }],
      override: null,
      createdAt: expect.any(String),
      createdBy: 'planner',
    })
    const one = await view(answer.headers.get('location')!.replace(/.*\/orders/, 'orders'))
    expect(one.body).toEqual(answer.body)
    expect(one.headers.get('etag')).toBe(answer.headers.get('etag'))

    const together = await Promise.all([
      send(order.orderId, [second!]),
      send(order.orderId, [second!], 'quality'),
    ])
    expect(together.map(({ status }) => status).toSorted()).toEqual([201, 400])
    const reverted = await service.send('quality', 'POST', `production-plan-bars/${bar.barId}/revert`, {
      body: { to: 'Started', reason: 'The wrong bar.' },
    })
    expect(reverted).toMatchObject({
      status: 409,
      body: { code: 'cut-dispatched', cutIds: [first, second] },
    })
    const { body } = await view(`orders/${order.orderId}/dispatches`)
    expect(body).toHaveLength(2)
    expect(body[0]).toEqual(answer.body)
    expect((await view(`orders/${order.orderId}/history`)).body[1]).toMatchObject({
      message: 'Dispatch DN 17 of 2026-03-01 took 1 piece.',
    })
    expect((await view(`orders/${randomUUID()}/dispatches`)).body.code).toBe('order-not-found')
    expect((await send(randomUUID(), [first!])).body.code).toBe('order-not-found')
  })

  it('takes no piece of a bar that was completed in spite of a Block, until Quality has decided', async () => {
    const order = await newOrder('SO-D3', 2)
    const { millCertificationId } = await newCertificate('C-D3', 'H-D3')
    const [bar] = await newBars({ millCertificationId, cuts: [cut(order, 0), cut(order, 0)] })
    await take(bar, 'approve', 'start')
    const tag = { name: 'Cracked', color: '#FF0000', severity: 'Block' }
    const { tagId } = (await service.send('editor', 'POST', 'millcert-tags', { body: tag })).body
    const assignment = `millcert-tag-assignments/${millCertificationId}/manual/${tagId}`
    await service.send('editor', 'PUT', assignment)
    const reason = 'It was cut before the tag came.'
    const path = `production-plan-bars/${bar.barId}`
    expect((await plan('POST', `${path}/complete`, { body: { reason } })).status).toBe(204)
    const finding = { code: 'certificate-tag', severity: 'Block' }
    const stop = { by: 'planner', at: expect.any(String), reason, findings: [finding] }
    const stopped = (await view(path)).body
    expect(stopped).toMatchObject({ status: 'Completed', stop, cuts: [{ held: true }, { held: true }] })
    const listed = async (path: string) => {
      const { body } = await view(path)
      return body.map(({ barId, orderId }: { barId?: string; orderId?: string }) => barId ?? orderId)
    }
    const held = () => listed('production-plan-bars?held=true')
    expect(await held()).toEqual([bar.barId])
    expect(await listed('production-plan-bars?held=false')).not.toContain(bar.barId)
    expect((await view(`production-plan-bars/${bar.barId}/cuts/${idsOf(bar)[0]}`)).body.held).toBe(true)

    // The pieces stay held when the fact behind the finding has gone.
    await service.send('editor', 'DELETE', assignment)
    const trace = async () => (await view(`orders/${order.orderId}/traceability`)).body
    expect(await trace()).toMatchObject({
      blocked: true,
      complete: false,
      cleared: false,
      lineItems: [
        { missing: [{ message: expect.stringContaining('2 pieces are held') }], cuts: [{ held: true }, {}] },
      ],
    })
    expect((await view(`orders/${order.orderId}`)).body.blocked).toBe(true)
    expect(await listed('orders?blocked=true')).toContain(order.orderId)
    expect(await send(order.orderId, idsOf(bar), 'quality')).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'wrong-status' }, { code: 'wrong-status' }] },
    })

    const [first, second] = idsOf(bar)
    const scrap = { body: { reason: 'It has a crack.' } }
    const scrapped = await service.send('quality', 'POST', `${path}/cuts/${first}/scrap`, scrap)
    expect(scrapped).toMatchObject({ status: 200, body: { held: false } })
    expect(await held()).toEqual([bar.barId])
    const override = { findings: [stopped.stop.findings[0].key], reason: 'The rest of it has no crack.' }
    const overridden = await service.send('quality', 'POST', `${path}/override`, { body: override })
    expect(overridden).toMatchObject({ status: 200, body: { stop: null } })
    expect(await held()).toEqual([])
    expect((await view(path)).body.stop).toBeNull()
    expect((await view(`orders/${order.orderId}`)).body.blocked).toBe(false)
    expect((await send(order.orderId, [second!])).status).toBe(201)
  })

  it('of pieces that are not cleared needs a quality engineer, who names every Block', async () => {
    const order = await newOrder('SO-D2', 1)
    const [bar] = await newBars({ cuts: [cut(order, 0)] })
    await take(bar, 'approve', 'start', 'complete')
    const tag = { name: 'Hold', color: '#FF0000', severity: 'Block' }
    const { tagId } = (await service.send('editor', 'POST', 'order-tags', { body: tag })).body
    await service.send('editor', 'PUT', `order-tag-assignments/${order.orderId}/manual/${tagId}`)
    const refused = await send(order.orderId, idsOf(bar))
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'pieces-not-cleared',
        missing: [{ message: 'Bar 1 of plan "Week 17" has no mill certificate.' }],
      },
    })
    const keys = refused.body.findings
      .filter(({ severity }: { severity: string }) => severity === 'Block')
      .map(({ key }: { key: string }) => key)
    const override = { reason: 'The site waits for it.', findings: keys }
    expect((await send(order.orderId, idsOf(bar), 'planner', { override })).status).toBe(403)
    expect(
      (await send(order.orderId, idsOf(bar), 'quality', { override: { reason: override.reason } })).status,
    ).toBe(409)
    const answer = await send(order.orderId, idsOf(bar), 'quality', { override })
    expect(answer).toMatchObject({ status: 201, body: { override: { ...override, reference: null } } })
    expect((await view(`orders/${order.orderId}/history`)).body[0].message).toMatch(
      /although the pieces were not cleared: 1 gap in their traceability\. .*Hold.* Reason: The site waits for it\./,
    )
  })
})

describe('a recall', () => {
  it('says where every piece of a heat is, also on a bar whose heat was only read', async () => {
    const order = await newOrder('SO-R1', 2, 1)
    const { millCertificationId } = await newCertificate('C-R1', 'H-R1')
    const [gone, next] = await newBars(
      { millCertificationId, cuts: [cut(order, 0), cut(order, 0), cut(order, 1, 'Proposed')] },
      { millCertificationId, cuts: [cut(order, 1), cut(order, 1, 'Rejected'), cut(order, 1, 'Proposed')] },
    )
    await take(gone, 'approve', 'start', 'complete')
    const [left] = gone.cuts
    const dispatch = { date: '2026-03-01', reference: 'DN 18', cutIds: [left.cutId] }
    const sent = await plan('POST', `orders/${order.orderId}/dispatches`, { body: dispatch })
    expect(sent.status).toBe(201)

    const piece = ({ cutId, lineItemId, pieceMark, lengthMm }: typeof left, state: string) => ({
      cutId,
      orderId: order.orderId,
      lineItemId,
      pieceMark,
      lengthMm,
      state,
    })
    const bar = ({ barId, planId, ordinal }: typeof gone, status: string, ...cuts: object[]) => ({
      barId,
      planId,
      planName: 'Week 17',
      ordinal,
      status,
      cuts,
    })
    const recall = {
      certificates: [
        {
          millCertificationId,
          certificateNumber: 'C-R1',
          heatNumber: 'H-R1',
          manufacturer: null,
          status: 'Received',
        },
      ],
      bars: [
        bar(gone, 'Completed', piece(left, 'dispatched'), piece(gone.cuts[1], 'cut')),
        bar(next, 'Draft', piece(next.cuts[0], 'planned'), piece(next.cuts[2], 'proposed')),
      ],
      lineItems: order.lineItems.map(({ lineItemId, lineNumber }: typeof left, n: number) => ({
        lineItemId,
        orderId: order.orderId,
        lineNumber,
        status: n === 0 ? 'Completed' : 'Open',
      })),
      orders: [{ orderId: order.orderId, orderNumber: 'SO-R1' }],
      deliveries: [],
      similarHeats: [],
    }
    const answer = await view(`recalls?millCertificationId=${millCertificationId}`)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toStrictEqual(recall)

    const [read] = await newBars({ cuts: [] })
    // The first letter is a Cyrillic one.
    expect(await newCertificate('C-R2', 'һ-r1')).toMatchObject({ code: 'looks-like-another', other: 'H-R1' })
    await service.send('cutter', 'PUT', `production-plan-bars/${read.barId}/certificate`, {
      body: { heatNumber: 'H-R1' },
    })
    expect((await view(`recalls?heatNumber=${encodeURIComponent('Н-R1')}`)).body.bars).toHaveLength(3)
    const { body } = await view('recalls?heatNumber=%20h-R1')
    expect(body.certificates).toStrictEqual(recall.certificates)
    expect(body.bars).toStrictEqual([...recall.bars, bar(read, 'Draft')])
    // It is the only certificate of the heat, so the bar whose heat was read has it.
    expect((await view(`recalls?millCertificationId=${millCertificationId}`)).body).toStrictEqual(body)
  })

  it('lists the bars from remnants of the steel, also if the heat was read after the remnant was used', async () => {
    const [source] = await newBars({ cuts: [] })
    await take(source, 'approve', 'start', 'complete')
    const [remnant] = await newBars({ stockLengthMm: 3_000, fromBarId: source.barId, cuts: [] })
    await take(remnant, 'approve', 'start', 'complete')
    const [rest] = await newBars({ stockLengthMm: 1_000, fromBarId: remnant.barId, cuts: [] })
    const reading = { heatNumber: 'H-R3', reason: 'The stamp was covered.' }
    const { status } = await service.send(
      'quality',
      'PUT',
      `production-plan-bars/${source.barId}/certificate`,
      {
        body: reading,
      },
    )
    expect(status).toBe(200)
    const { body } = await view('recalls?heatNumber=H-R3')
    const ids = body.bars.map(({ barId }: { barId: string }) => barId)
    expect(ids).toEqual([source.barId, remnant.barId, rest.barId])
  })

  it('finds the heat of a piece by its mark, and leaves out the steel of other mills', async () => {
    const order = await newOrder('SO-R5', 2)
    const { millCertificationId } = await newCertificate('C-R5', 'H-R5', { manufacturer: 'Ostwerk' })
    await newCertificate('C-R6', 'H-R5', { manufacturer: 'Westwerk' })
    const [bar] = await newBars({
      millCertificationId,
      cuts: [{ ...cut(order, 0), pieceMark: 'B-102' }, cut(order, 0)],
    })
    const { body } = await view('recalls?pieceMark=b-102')
    expect(body.certificates).toMatchObject([{ manufacturer: 'Ostwerk' }, { manufacturer: 'Westwerk' }])
    expect(body.bars).toMatchObject([{ barId: bar.barId, cuts: [{ pieceMark: 'B-102' }, {}] }])
    // A cut without a mark has that of its line.
    const lineItems = [{ lineNumber: 10, lengthMm: 1_000, quantity: 2, pieceMark: 'L-7' }]
    expect((await plan('PUT', `orders/${order.orderId}`, { body: { lineItems } })).status).toBe(200)
    expect((await view('recalls?pieceMark=l-7')).body.bars).toMatchObject([{ barId: bar.barId }])
    expect((await view('recalls?pieceMark=b-102')).body.bars).toHaveLength(1)
    const ofMill = async (mill: string) => (await view(`recalls?heatNumber=H-R5&manufacturer=${mill}`)).body
    expect((await ofMill('OSTWERK')).bars).toHaveLength(1)
    expect(await ofMill('Westwerk')).toMatchObject({ certificates: [{ manufacturer: 'Westwerk' }], bars: [] })
  })

  it('needs one certificate or one heat', async () => {
    const faults = async (query: string) => (await view(`recalls${query}`)).body.errors
    expect(await faults('')).toMatchObject([{ parameter: 'millCertificationId', code: 'required' }])
    const unknown = randomUUID()
    expect(await faults(`?millCertificationId=${unknown}`)).toMatchObject([
      { parameter: 'millCertificationId', code: 'unknown-record', millCertificationId: unknown },
    ])
    expect(await faults(`?millCertificationId=${unknown}&heatNumber=1`)).toMatchObject([
      { parameter: 'heatNumber', code: 'unknown-parameter' },
    ])
    expect((await view('recalls?heatNumber=nowhere')).body).toEqual({
      certificates: [],
      bars: [],
      lineItems: [],
      orders: [],
      deliveries: [],
      similarHeats: [],
    })
  })
})

describe('a heat number that is recorded in another way', () => {
  it('is offered to a bar, found by search and named by a recall, and never taken by itself', async () => {
    const content = { grade: 'S355J2', inspectionDocument: '3.1', manufacturer: 'Mill', profile: 'L 60x6' }
    const heat = { heatNumber: 'C 90771/I', ...content, thicknessMm: 6 }
    const sent = { body: { certificateNumber: 'C-N1', ...heat } }
    const { millCertificationId } = (await plan('POST', 'millcert/certificates', sent)).body
    const [bar] = await newBars({ cuts: [] })
    const at = `production-plan-bars/${bar.barId}`
    const read = (body: object) => service.send('cutter', 'PUT', `${at}/certificate`, { body })
    const { inspectionDocument: _, ...shown } = heat
    expect((await read({ heatNumber: 'c-9o7712' })).body).toMatchObject({ heatRead: { offered: [] } })
    const near = await read({ heatNumber: 'c-9o771l' })
    expect(near.body).toMatchObject({ millCertificationId: null, heatRead: { heatNumber: 'c-9o771l' } })
    expect(near.body.heatRead.offered).toStrictEqual([
      { millCertificationId, certificateNumber: 'C-N1', ...shown },
    ])
    expect((await view(at)).body.heatRead).toStrictEqual(near.body.heatRead)

    const ids = async (query: string) =>
      (await view(`millcert/certificates?${query}`)).body.map((one: typeof bar) => one.millCertificationId)
    expect(await ids('heatNumber=C90771I')).toEqual([])
    expect(await ids('heatLike=C90771I')).toEqual([millCertificationId])
    expect(await ids('q=c-9o77.11')).toEqual([millCertificationId])
    expect(await ids('q=c-9o77.12')).toEqual([])
    const recall = (await view('recalls?heatNumber=C90771I')).body
    expect(recall).toMatchObject({ certificates: [], bars: [] })
    expect(recall.similarHeats).toStrictEqual([
      shown,
      { heatNumber: 'c-9o771l', grade: 'S355J2', manufacturer: null, profile: null, thicknessMm: null },
    ])

    const chosen = (await read({ millCertificationId })).body
    expect(chosen).toMatchObject({ millCertificationId, heatRead: { heatNumber: 'c-9o771l', offered: [] } })
    // Both numbers exist, so each is its own.
    const other = (await newCertificate('C-N2', 'C90771l')).millCertificationId
    expect((await read({ heatNumber: 'c90771L' })).body).toMatchObject({ millCertificationId: other })
  })
})
