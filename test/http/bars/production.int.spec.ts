import { randomUUID } from 'node:crypto'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientName, type Sent, startTestService, type TestService } from '../../support/testService.ts'

/** Production plans and bars over the whole service. */

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const plans = 'production-plans'
const bars = 'production-plan-bars'

let service: TestService
let millCertificationId: string
beforeAll(async () => {
  service = await startTestService()
  const certificate = {
    certificateNumber: 'C-1',
    heatNumber: 'H-1',
    grade: 'S355J2',
    inspectionDocument: '3.1',
  }
  const { body } = await plan('POST', 'millcert/certificates', { body: certificate })
  millCertificationId = body.millCertificationId
})
afterAll(() => service.stop())

const plan = (method: string, path: string, sent?: Sent) => service.send('planner', method, path, sent)
const view = (path: string, sent?: Sent) => service.send('viewer', 'GET', path, sent)
const paths = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path).sort()

/** A new order of one line; its orderId and lineItemId are what a cut names. */
const newLineItem = async (quantity = 4) => {
  const lineItems = [{ lineNumber: 10, lengthMm: 2_000, quantity }]
  const { body } = await plan('POST', 'orders', { body: { orderNumber: `SO-${randomUUID()}`, lineItems } })
  return { orderId: body.orderId as string, lineItemId: body.lineItems[0].lineItemId as string }
}
type Named = Awaited<ReturnType<typeof newLineItem>>

const cut = (item: Named, status = 'Accepted', lengthMm = 2_000) => ({ ...item, lengthMm, status })
const bar = (...cuts: (ReturnType<typeof cut> & { pieceMark?: string })[]) => ({
  stockLengthMm: 6_000,
  grade: 'S355J2',
  cuts,
})
const create = (body: object, headers?: Record<string, string>) =>
  plan('POST', plans, { body: { name: 'Week 17', ...body }, ...(headers && { headers }) })
/** A plan of one bar with these cuts: the bar as it is answered. */
const newBar = async (...cuts: ReturnType<typeof cut>[]) =>
  (await create({ bars: [bar(...cuts)] })).body.bars[0]
const take = async (barId: string, ...steps: string[]) => {
  for (const step of steps) expect((await plan('POST', `${bars}/${barId}/${step}`)).status).toBe(204)
}
const statusOf = async ({ orderId }: Named) => (await view(`orders/${orderId}`)).body.lineItems[0].status

describe('production plans', () => {
  it('are created with their bars, and read as they were answered', async () => {
    const item = await newLineItem()
    const asked = {
      ...bar({ ...cut(item), pieceMark: 'B-17/2' }, cut(item, 'Proposed', 0.1), cut(item, 'Rejected')),
      millCertificationId,
      profile: 'HEA 200',
    }
    const made = await create({ name: ' Week 17 ', bars: [asked, bar()] })
    expect(made.status).toBe(201)
    const { bars: madeBars, ...planned } = made.body
    expect(planned).toStrictEqual({
      planId: uuid,
      companyId: service.companyId,
      name: 'Week 17',
      createdAt: at,
      createdBy: 'planner',
      barCount: 2,
    })
    expect(madeBars[0]).toStrictEqual({
      barId: uuid,
      planId: planned.planId,
      companyId: service.companyId,
      status: 'Draft',
      stockLengthMm: 6_000,
      grade: 'S355J2',
      profile: 'HEA 200',
      millCertificationId,
      fromBarId: null,
      cuts: asked.cuts.map((one) => ({ cutId: uuid, pieceMark: null, revision: 0, held: false, ...one })),
      remnantMm: 3_999.9,
      ordinal: 1,
      createdAt: at,
      updatedAt: at,
      approvedAt: null,
      startedAt: null,
      completedAt: null,
      approval: null,
      withdrawal: null,
      heatRead: null,
      markTransferred: false,
      stop: null,
      revision: 0,
    })
    expect(madeBars[1]).toMatchObject({ millCertificationId: null, cuts: [], remnantMm: 6_000, ordinal: 2 })

    const location = `/api/company/${service.companyId}/${plans}/${planned.planId}`
    expect(made.headers.get('location')).toBe(location)
    const read = await view(location)
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    expect(read.body).toStrictEqual({ ...planned, bars: madeBars })
    expect((await view(plans)).body).toContainEqual(planned)
    expect((await view(`${bars}?planId=${planned.planId}`)).body).toStrictEqual(madeBars)
    const one = await view(`${bars}/${madeBars[0].barId}`)
    expect(one.body).toStrictEqual(madeBars[0])
    expect(one.headers.get('etag')).toMatch(/^"0-/)
  })

  it('have bars that nobody approves with another certificate than the one that was seen', async () => {
    const { barId, revision } = await newBar(cut(await newLineItem()))
    const seen = { headers: { 'if-match': (await view(`${bars}/${barId}`)).headers.get('etag')! } }
    await plan('PUT', `${bars}/${barId}/certificate`, { body: { millCertificationId } })
    const stale = await plan('POST', `${bars}/${barId}/approve`, seen)
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition-failed'])
    const now = await view(`${bars}/${barId}`)
    expect(now.body).toMatchObject({ status: 'Draft', revision: revision + 1 })
    const condition = { headers: { 'if-match': `"${now.body.revision}"` } }
    expect((await plan('POST', `${bars}/${barId}/approve`, condition)).status).toBe(204)
  })

  it('have bars that are found by the order of their cuts', async () => {
    const [item, other] = [await newLineItem(), await newLineItem()]
    const made = await create({
      bars: [bar(cut(item), cut(item)), bar(cut(other)), bar(cut(other), cut(item, 'Rejected'))],
    })
    const [first, , third] = made.body.bars
    const ofOrder = `${bars}?orderId=${item.orderId}`
    expect((await view(ofOrder)).body).toStrictEqual([first, third])
    const page = await view(`${bars}?orderId=${item.orderId.toUpperCase()}&limit=1`)
    expect(page.body).toStrictEqual([first])
    const next = /<(.*)>/.exec(page.headers.get('link')!)![1]!
    expect((await view(next)).body).toStrictEqual([third])
    for (const [query, path] of [
      [next.replace(/orderId=[^&]*/, `orderId=${other.orderId}`), 'cursor'],
      [`${bars}?orderId=SO-1`, 'orderId'],
    ] as const) {
      const { status, body } = await view(query)
      expect({ status, paths: paths(body) }).toEqual({ status: 400, paths: [path] })
    }
  })

  it('have bars that are found by words of their plan, their heat, their orders and their pieces', async () => {
    const item = await newLineItem()
    const { orderNumber } = (await view(`orders/${item.orderId}`)).body
    const marked = { ...bar({ ...cut(item), pieceMark: 'B-102' }), profile: 'HEA 200' }
    const asked = [{ ...marked, millCertificationId }, bar(cut(await newLineItem()))]
    const made = await create({ name: `Quay ${orderNumber}`, bars: asked })
    const [first, second] = made.body.bars
    const found = async (q: string) =>
      (await view(`${bars}?planId=${made.body.planId}&q=${encodeURIComponent(q)}`)).body
    for (const q of ['hea200', 'HEA 200', 'b102', 'H1', 'h-1 quay', `hea ${orderNumber.slice(0, 20)}`])
      expect({ q, found: await found(q) }).toStrictEqual({ q, found: [first] })
    expect(await found('quay')).toStrictEqual([first, second])
    expect(await found('quay hea300')).toStrictEqual([])
    await plan('PUT', `${bars}/${second.barId}/certificate`, { body: { heatNumber: 'Q.7-7' } })
    expect(await found('q77')).toMatchObject([{ barId: second.barId }])
  })

  it('may have no bars, and get them later', async () => {
    const made = await create({})
    expect(made.body).toMatchObject({ barCount: 0, bars: [] })
    const { planId } = made.body
    const barId = randomUUID()
    const added = await plan('POST', `${plans}/${planId}/bars`, {
      body: { bars: [{ ...bar(), barId }, bar()] },
    })
    expect(added.status).toBe(201)
    expect(added.headers.get('location')).toBe(`/api/company/${service.companyId}/${plans}/${planId}`)
    expect(added.body).toHaveLength(2)
    expect(added.body[0]).toMatchObject({ barId, planId, status: 'Draft' })
    const read = await view(`${plans}/${planId}`)
    expect(read.body.barCount).toBe(2)
    expect(read.headers.get('etag')).toMatch(/^"1-/)

    const headers = { 'If-Match': made.headers.get('etag')! }
    const late = await plan('POST', `${plans}/${planId}/bars`, { body: { bars: [bar()] }, headers })
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition-failed' } })
    expect((await view(`${plans}/${planId}`)).body.barCount).toBe(2)

    const seen = { 'If-Match': read.headers.get('etag')! }
    const again = await plan('POST', `${plans}/${planId}/bars`, {
      body: { bars: [{ ...bar(), barId }] },
      headers: seen,
    })
    expect(again.status).toBe(200)
    expect(again.body).toStrictEqual([added.body[0]])
    const other = await plan('POST', `${plans}/${planId}/bars`, {
      body: { bars: [{ ...bar(), barId, grade: 'S235JR' }] },
    })
    expect(other).toMatchObject({ status: 409, body: { code: 'bar-already-planned', barIds: [barId] } })
  })

  it('keep the order in which their bars were planned, in every list and on every page', async () => {
    const several = (count: number) => ({ bars: Array.from({ length: count }, () => bar()) })
    const first = await create(several(6))
    const second = await create(several(2))
    const { planId } = first.body
    const later = await plan('POST', `${plans}/${planId}/bars`, { body: several(3) })
    expect(later.body.map(({ ordinal }: { ordinal: number }) => ordinal)).toStrictEqual([7, 8, 9])

    const planned = [...first.body.bars, ...later.body]
    expect((await view(`${plans}/${planId}`)).body.bars).toStrictEqual(planned)
    const both = [...planned, ...second.body.bars]
    const plansOf = new Set([planId, second.body.planId])
    const met = async (query: string): Promise<{ planId: string }[]> => {
      const { headers, body } = await view(`${bars}?${query}`)
      const next = /[?&](cursor=[^&>]+)/.exec(headers.get('link') ?? '')?.[1]
      return next ? [...body, ...(await met(`${query.replace(/&?cursor=.*/, '')}&${next}`))] : body
    }
    expect(await met(`planId=${planId}&limit=2`)).toStrictEqual(planned)
    const all = (await met('status=Draft&limit=4')).filter((one) => plansOf.has(one.planId))
    expect(all).toStrictEqual(both)
    expect(
      (await view(bars)).body.filter((one: { planId: string }) => plansOf.has(one.planId)),
    ).toStrictEqual(both)
  })

  it('list every fault at once, whatever has to be looked up for it, and record nothing', async () => {
    const [planId, nowhere] = [randomUUID(), randomUUID()]
    const item = await newLineItem()
    const wrong = [
      { ...bar(cut(item, 'Accepted', 4_000), cut(item, 'Proposed', 2_001)), millCertificationId: nowhere },
      bar(cut({ ...item, lineItemId: nowhere }), cut({ ...item, orderId: nowhere })),
    ]
    const refused = await create({ planId, bars: wrong })
    expect(refused.status).toBe(400)
    expect(paths(refused.body)).toStrictEqual([
      '/bars/0/cuts',
      '/bars/0/millCertificationId',
      '/bars/1/cuts/0/lineItemId',
      '/bars/1/cuts/1/orderId',
    ])
    expect((await view(`${plans}/${planId}`)).status).toBe(404)
    const malformed = {
      name: '',
      bars: [{ ...bar(cut(item, 'Cut', 0)), stockLengthMm: 50_001, colour: 'red' }],
    }
    expect(paths((await create(malformed)).body)).toStrictEqual([
      '/bars/0/colour',
      '/bars/0/cuts/0/lengthMm',
      '/bars/0/cuts/0/status',
      '/bars/0/stockLengthMm',
      '/name',
    ])
  })

  it('take 500 bars, 200 cuts a bar and 900 KiB a request, and no more', async () => {
    const item = await newLineItem()
    const short = cut(item, 'Accepted', 1)
    const cuts = (count: number) => Array.from({ length: count }, () => short)
    expect(paths((await create({ bars: Array.from({ length: 501 }, () => bar()) })).body)).toStrictEqual([
      '/bars',
    ])
    expect(paths((await create({ bars: [bar(...cuts(201))] })).body)).toStrictEqual(['/bars/0/cuts'])
    const full = Array.from({ length: 500 }, (_, n) => bar(...cuts(n < 490 ? 10 : 100)))
    const most = { name: 'Week 17', bars: full }
    const lacking = 900 * 1_024 - Buffer.byteLength(JSON.stringify(most))
    expect(lacking).toBeGreaterThan(0)
    const tooLarge = JSON.stringify(most).padEnd(900 * 1_024 + 1)
    expect((await plan('POST', plans, { body: tooLarge })).status).toBe(413)
    const made = await plan('POST', plans, { body: JSON.stringify(most).padEnd(900 * 1_024) })
    expect(made.status).toBe(201)
    expect(made.body.barCount).toBe(500)
    expect((await view(`${bars}?planId=${made.body.planId}`)).body).toHaveLength(500)
  })
})

describe('bars', () => {
  it('go from Draft by Approved and Started to Completed, and no other way', async () => {
    const { barId } = await newBar()
    const attempt = async (step: string) => {
      const { status, body } = await plan('POST', `${bars}/${barId}/${step}`)
      return status === 204 ? body : [status, body.code, body.state]
    }
    const steps = ['approve', 'start', 'complete']
    const wants = { approve: 'bar-not-draft', start: 'bar-not-approved', complete: 'bar-not-started' }
    const states = ['Draft', 'Approved', 'Started', 'Completed']
    for (const [n, state] of states.entries()) {
      expect((await view(`${bars}/${barId}`)).body.status).toBe(state)
      for (const step of steps)
        if (step !== steps[n]) expect(await attempt(step)).toStrictEqual([409, wants[step as 'start'], state])
      if (steps[n]) expect(await attempt(steps[n])).toBeUndefined()
    }
    const { body, headers } = await view(`${bars}/${barId}`)
    expect(body).toMatchObject({ approvedAt: at, startedAt: at, completedAt: at })
    expect(headers.get('etag')).toMatch(/^"3-/)
    for (const step of steps) expect((await plan('POST', `${bars}/${randomUUID()}/${step}`)).status).toBe(404)
  })

  it('are listed by state and by plan, in pages too', async () => {
    const item = await newLineItem()
    const { body } = await create({ bars: [bar(cut(item)), bar(), bar(), bar(), bar()] })
    await take(body.bars[2].barId, 'approve', 'start')
    const ofPlan = `${bars}?planId=${body.planId}`
    const started = await view(`${ofPlan}&status=Started`)
    expect(started.body.map(({ barId }: { barId: string }) => barId)).toStrictEqual([body.bars[2].barId])
    expect((await view(`${ofPlan}&status=Cut`)).status).toBe(400)
    expect((await view(`${bars}?planId=17`)).status).toBe(400)
    expect((await view(`${bars}?planId=${randomUUID()}`)).body).toStrictEqual([])
    const whole = (await view(ofPlan)).body
    const met = []
    let next: string | undefined = `/api/company/${service.companyId}/${ofPlan}&limit=2`
    while (next) {
      const page = await view(next)
      met.push(...page.body)
      next = page.headers.get('link')?.match(/<(.*)>/)?.[1]
    }
    expect(met).toStrictEqual(whole)
    expect(whole).toHaveLength(5)
  })

  it('have cuts that may change until they are Completed', async () => {
    const item = await newLineItem()
    const made = await newBar(cut(item), cut(item, 'Rejected', 4_000), cut(item, 'Rejected', 0.5))
    const [first, second, third] = made.cuts
    const change = (cutId: string, status: string, headers = {}) =>
      plan('PUT', `${bars}/${made.barId}/cuts/${cutId}`, { body: { status }, headers })
    const changed = await change(second.cutId, 'Proposed')
    expect(changed).toMatchObject({ status: 200, body: { ...second, status: 'Proposed', revision: 1 } })
    expect((await view(`${bars}/${made.barId}`)).body).toMatchObject({ remnantMm: 0 })
    expect(await change(third.cutId, 'Accepted')).toMatchObject({
      status: 409,
      body: { code: 'bar-overfull' },
    })
    expect((await change(second.cutId, 'Proposed')).headers.get('etag')).toBe(changed.headers.get('etag'))

    await take(made.barId, 'approve')
    const etag = changed.headers.get('etag')!
    expect((await change(second.cutId, 'Accepted', { 'If-Match': '"0"' })).status).toBe(412)
    expect((await change(second.cutId, 'Accepted', { 'If-Match': etag })).status).toBe(200)
    await take(made.barId, 'start', 'complete')
    expect(await change(first.cutId, 'Rejected')).toMatchObject({
      status: 409,
      body: { code: 'bar-completed', state: 'Completed' },
    })
    expect((await change(randomUUID(), 'Rejected')).status).toBe(404)
    expect((await change(first.cutId, 'Cut')).status).toBe(400)
  })
})

describe('mistakes on the floor', () => {
  const reason = 'The wrong bar.'
  const as = (client: ClientName, path: string, body: object) =>
    service.send(client, 'POST', `${bars}/${path}`, {
      body,
      headers: { prefer: 'return=representation' },
    })
  const revert = (client: ClientName, barId: string, to: string) =>
    as(client, `${barId}/revert`, { to, reason })
  const tap = (client: ClientName, barId: string, step: string) =>
    service.send(client, 'POST', `${bars}/${barId}/${step}`, { body: {} })
  const isRefused = (code: string, more: object = {}) => ({ status: 409, body: { code, ...more } })

  it('are taken back by the person who has tapped, and the line items roll down', async () => {
    const item = await newLineItem()
    const one = await newBar(cut(item))
    await take(one.barId, 'approve')
    expect((await tap('cutter', one.barId, 'start')).status).toBe(204)
    expect((await tap('cutter', one.barId, 'complete')).status).toBe(204)
    expect(await statusOf(item)).toBe('Completed')
    expect((await revert('planner', one.barId, 'Started')).status).toBe(403)

    const back = await revert('cutter', one.barId, 'Started')
    expect(back).toMatchObject({ status: 200, body: { status: 'Started', startedAt: at, completedAt: null } })
    expect((await view(`${bars}/${one.barId}`)).body).toStrictEqual(back.body)
    expect(await statusOf(item)).toBe('In Progress')
    const again = await revert('cutter', one.barId, 'Started')
    expect(again).toMatchObject(isRefused('bar-not-revertible', { state: 'Started' }))
    const approved = await revert('cutter', one.barId, 'Approved')
    expect(approved.body).toMatchObject({
      status: 'Approved',
      approval: { by: 'planner' },
      startedAt: null,
    })
    expect(await statusOf(item)).toBe('Open')
    expect((await revert('cutter', one.barId, 'Draft')).status).toBe(403)
    expect((await revert('planner', one.barId, 'Draft')).body).toMatchObject({
      status: 'Draft',
      approvedAt: null,
      approval: null,
    })
    const { body: history } = await view(`${bars}/${one.barId}/history?limit=1`)
    expect(history[0]).toMatchObject({
      kind: 'BarReverted',
      sentence: 'The bar was taken back from Approved to Draft. Reason: The wrong bar.',
      performedAt: null,
    })
    expect(
      (await as('quality', `${one.barId}/revert`, { to: 'Completed', reason: ' ' })).body.errors,
    ).toHaveLength(2)
  })

  it('are judged as for an approval when the bar is to be Approved again', async () => {
    const item = await newLineItem()
    const one = await newBar(cut(item))
    await take(one.barId, 'approve', 'start')
    const made = await service.send('quality', 'POST', 'order-tags', {
      body: { name: `Stop ${item.orderId}`, color: '#123456', severity: 'Block' },
    })
    const tagged = `order-tag-assignments/${item.orderId}/manual/${made.body.tagId}`
    await service.send('quality', 'PUT', tagged)
    const refused = await revert('quality', one.barId, 'Approved')
    expect(refused).toMatchObject(
      isRefused('bar-may-not-be-cut', {
        findings: expect.arrayContaining([expect.objectContaining({ code: 'order-tag' })]),
      }),
    )
    expect((await revert('quality', one.barId, 'Draft')).body.status).toBe('Draft')
  })

  it('may be cancelled with their bar, whose cuts then count nowhere', async () => {
    const item = await newLineItem(1)
    const [done, wrong] = [await newBar(cut(item)), await newBar(cut(item))]
    await plan('PUT', `${bars}/${wrong.barId}/certificate`, { body: { millCertificationId } })
    await take(done.barId, 'approve', 'start', 'complete')
    expect(await statusOf(item)).toBe('In Progress')
    const gone = await as('planner', `${wrong.barId}/cancel`, { reason })
    expect(gone).toMatchObject({ status: 200, body: { status: 'Cancelled', cuts: wrong.cuts } })
    expect(await statusOf(item)).toBe('Completed')
    const again = await as('planner', `${wrong.barId}/cancel`, { reason })
    expect(again.headers.get('commit-position')).toBe(gone.headers.get('commit-position'))
    expect((await view(`${bars}?status=Cancelled`)).body).toStrictEqual([gone.body])
    const traced = (await view(`orders/${item.orderId}/traceability`)).body.lineItems[0].cuts
    expect(traced.map(({ barId }: { barId: string }) => barId)).toStrictEqual([done.barId])
    const usage = await view(`millcert/certificates/${millCertificationId}/usage`)
    expect(usage.body.bars).not.toContainEqual(expect.objectContaining({ barId: wrong.barId }))

    const started = isRefused('bar-not-cancellable', { state: 'Completed' })
    expect(await as('planner', `${done.barId}/cancel`, { reason })).toMatchObject(started)
    const cutPath = `${bars}/${wrong.barId}/cuts/${wrong.cuts[0].cutId}`
    expect(await plan('PUT', cutPath, { body: { status: 'Rejected' } })).toMatchObject(
      isRefused('bar-cancelled'),
    )
    expect(await revert('quality', wrong.barId, 'Draft')).toMatchObject(
      isRefused('bar-not-revertible', { state: 'Cancelled' }),
    )
  })

  it('leave a scrapped piece out of the roll-up, and its length on the bar', async () => {
    const item = await newLineItem(1)
    const one = await newBar(cut(item), cut(item, 'Proposed'))
    const [piece, proposed] = one.cuts
    const scrap = (cutId: string) => as('quality', `${one.barId}/cuts/${cutId}/scrap`, { reason })
    const nothing = { state: 'Draft', cutStatus: 'Accepted' }
    expect(await scrap(piece.cutId)).toMatchObject(isRefused('cut-not-scrappable', nothing))
    await take(one.barId, 'approve', 'start', 'complete')
    expect(await statusOf(item)).toBe('Completed')
    expect((await as('planner', `${one.barId}/cuts/${piece.cutId}/scrap`, { reason })).status).toBe(403)
    const scrapped = await scrap(piece.cutId)
    expect(scrapped).toMatchObject({ status: 200, body: { ...piece, status: 'Scrapped', revision: 4 } })
    const read = await view(`${bars}/${one.barId}/cuts/${piece.cutId}`)
    expect(read.headers.get('etag')).toBe(scrapped.headers.get('etag'))
    expect(await statusOf(item)).toBe('Open')
    expect((await view(`${bars}/${one.barId}`)).body.remnantMm).toBe(one.remnantMm)
    const again = await scrap(piece.cutId)
    expect(again.headers.get('commit-position')).toBe(scrapped.headers.get('commit-position'))
    expect((await scrap(proposed.cutId)).body).toMatchObject({
      code: 'cut-not-scrappable',
      cutStatus: 'Proposed',
    })
    const { missing, cuts } = (await view(`orders/${item.orderId}/traceability`)).body.lineItems[0]
    expect({ missing, cuts }).toStrictEqual({
      missing: [
        {
          message: 'Pieces with an Accepted cut of this length: 0 of 1.',
          sentence: { text: 'gap-pieces', values: { quantity: 1, whole: 0 } },
        },
      ],
      cuts: [],
    })
  })

  it('keep the time at which they were done, for a tap that was sent later', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const one = await newBar(cut(await newLineItem()))
    await take(one.barId, 'approve')
    for (const performedAt of [hoursAgo(24.01), hoursAgo(-0.01), 'at six']) {
      const refused = await as('cutter', `${one.barId}/start`, { performedAt })
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/performedAt' }] } })
    }
    const performedAt = hoursAgo(23.9)
    const local = performedAt.replace('Z', '+00:00')
    expect((await as('cutter', `${one.barId}/start`, { performedAt: local })).body.status).toBe('Started')
    const history = await view(`${bars}/${one.barId}/history`)
    expect(history.body.slice(0, 2)).toMatchObject([
      { kind: 'BarStarted', performedAt, occurredAt: at },
      { kind: 'BarApproved', performedAt: null },
    ])
    expect(history.body[0].occurredAt > performedAt).toBe(true)
    // The ten minutes run from the tap by the clock of the service, whatever the request says.
    expect((await revert('cutter', one.barId, 'Approved')).status).toBe(200)
  })
})

describe('line items', () => {
  it('roll up across every plan and bar', async () => {
    const item = await newLineItem()
    expect(await statusOf(item)).toBe('Open')
    const one = await newBar(cut(item), cut(item, 'Rejected'))
    const two = await newBar(cut(item), cut(item, 'Proposed'))
    expect(await statusOf(item)).toBe('Open')
    await take(one.barId, 'approve')
    expect(await statusOf(item)).toBe('Open')
    await take(one.barId, 'start')
    expect(await statusOf(item)).toBe('In Progress')
    await take(one.barId, 'complete')
    expect(await statusOf(item)).toBe('In Progress')
    await take(two.barId, 'approve', 'start', 'complete')
    expect(await statusOf(item)).toBe('Completed')
    const late = await newBar(cut(item))
    expect(await statusOf(item)).toBe('In Progress')
    await plan('PUT', `${bars}/${late.barId}/cuts/${late.cuts[0].cutId}`, { body: { status: 'Rejected' } })
    expect(await statusOf(item)).toBe('Completed')
  })

  it('show their status in the list and in the answer to a correction, too', async () => {
    const item = await newLineItem()
    await take((await newBar(cut(item))).barId, 'approve', 'start')
    const listed = (await view('orders')).body.find(({ orderId }: Named) => orderId === item.orderId)
    expect(listed.lineItems[0].status).toBe('In Progress')
    const lineItems = [10, 20].map((lineNumber) => ({ lineNumber, lengthMm: 2_000, quantity: 4 }))
    const corrected = await plan('PUT', `orders/${item.orderId}`, { body: { lineItems } })
    expect(corrected.body.lineItems.map(({ status }: { status: string }) => status)).toStrictEqual([
      'In Progress',
      'Open',
    ])
  })
})

describe('a remnant', () => {
  it('becomes the stock of another bar once, and no longer than it is', async () => {
    const done = (await create({ bars: [{ ...bar(), millCertificationId }] })).body.bars[0]
    const reading = { body: { heatNumber: 'h-1' } }
    const { heatRead } = (await plan('PUT', `${bars}/${done.barId}/certificate`, reading)).body
    expect(heatRead).toMatchObject({ heatNumber: 'h-1', offered: [] })
    await take(done.barId, 'approve', 'start', 'complete')
    const from = (stockLengthMm: number) =>
      create({ bars: [{ stockLengthMm, grade: 'S355J2', fromBarId: done.barId, cuts: [] }] })
    const long = await from(6_000.5)
    expect(long).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/bars/0/stockLengthMm' }] } })
    expect(long.body.errors[0].message).toMatch(/6000\.5 mm.*6000 mm/)
    const made = await from(6_000)
    const [rest] = made.body.bars
    expect(rest).toMatchObject({ fromBarId: done.barId, millCertificationId })
    expect((await view(`${bars}/${rest.barId}`)).body).toStrictEqual({
      ...rest,
      heatRead: { ...heatRead, marked: false },
    })
    const used = { code: 'remnant-used', barId: done.barId, usedBy: rest.barId }
    expect(await from(1_000)).toMatchObject({ status: 409, body: used })
  })
})

describe('labels', () => {
  it('name a heat, bars and pieces, for sheets and for a roll', async () => {
    const item = await newLineItem()
    const steel = { profile: 'HEA 200', millCertificationId }
    const named = { ...bar({ ...cut(item), pieceMark: 'L-17/1' }, cut(item)), ...steel }
    const { body: made } = await create({ name: 'Week 41', bars: [named, bar(cut(item, 'Proposed'))] })
    const heat = await labels(`millCertificationId=${millCertificationId}&copies=25`)
    expect(heat.text.match(/H-1/g)).toHaveLength(25)
    expect(heat.totalPages).toBe(2)
    const ofBars = await labels(`planId=${made.planId}&paper=roll62`)
    expect(ofBars.totalPages).toBe(2)
    expect(ofBars.text).toContain('2 · Week 41')
    expect(ofBars.text).toContain('H-1')
    const steelOf = `production-plan-bars/${made.bars[0].barId}/certificate`
    for (const body of [{ heatNumber: 'R-9' }, { millCertificationId }])
      expect((await service.send('quality', 'PUT', steelOf, { body })).status).toBe(200)
    expect((await labels(`barId=${made.bars[0].barId}`)).text).toContain('R-9')
    const ofPieces = await labels(`barId=${made.bars[0].barId}&of=pieces&paper=roll62`)
    expect(ofPieces.totalPages).toBe(2)
    expect(ofPieces.text).toContain('L-17/1')
    expect(ofPieces.text).toContain('HEA 200 · 2000 mm')
    expect(ofPieces.text).toContain('1 / 2 · Week 41')
  })

  it('are refused for nothing, for two things at once, and for more than a file has', async () => {
    const of = `millCertificationId=${millCertificationId}`
    const { body: made } = await create({ bars: [bar(), bar()] })
    for (const [query, code] of [
      ['', 'required'],
      [`${of}&planId=${randomUUID()}`, 'unknown-parameter'],
      [`planId=${randomUUID()}`, 'unknown-record'],
      [`barId=${made.bars[0].barId}&of=pieces`, 'unknown-record'],
      [`planId=${made.planId}&copies=501`, 'out-of-bounds'],
    ]) {
      const { status, body } = await view(`labels?${query}`)
      expect([status, body.errors[0].code]).toEqual([400, code])
    }
  })
})

async function labels(query: string) {
  const response = await fetch(`${service.url}/api/company/${service.companyId}/labels?${query}`, {
    headers: { authorization: `Bearer ${await service.identity.token({ oid: 'viewer' })}` },
  })
  expect(response.headers.get('content-type')).toBe('application/pdf')
  return extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true })
}
