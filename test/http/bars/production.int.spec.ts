import { randomUUID } from 'node:crypto'
import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { own } from '../../support/own.ts'
import { type ClientName, type Sent, startTestService } from '../../support/testService.ts'

/** Production plans and bars over the whole service. */

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const plans = 'production-plans'
const bars = 'production-plan-bars'

let millCertificationId: string
const service = await own(startTestService())
beforeAll(async () => {
  const certificate = {
    certificateNumber: 'C-1',
    heatNumber: 'H-1',
    grade: 'S355J2',
    inspectionDocument: '3.1',
  }
  const { body } = await plan('POST', 'millcert/certificates', { body: certificate })
  millCertificationId = body.millCertificationId
})

const plan = (method: string, path: string, sent?: Sent) => service.send('planner', method, path, sent)
const view = (path: string, sent?: Sent) => service.send('viewer', 'GET', path, sent)
const paths = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path).sort()

/** A new order of one line; its orderId and lineItemId are what a cut names. */
const newLineItem = async (quantity = 4, head = {}) => {
  const lineItems = [{ lineNumber: 10, lengthMm: 2_000, quantity }]
  const order = { orderNumber: `SO-${randomUUID()}`, ...head, lineItems }
  const { body } = await plan('POST', 'orders', { body: order })
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

  it('are found by the day on which their orders are due', async () => {
    const item = await newLineItem(4, { dueDate: '2001-02-28' })
    const planned = await newBar(cut(item))
    await newBar(cut(item, 'Rejected'))
    const due = async (list: string, day: string) => (await view(`${list}?dueBy=${day}`)).body
    expect(await due(bars, '2001-02-27')).toEqual([])
    expect(await due(bars, '2001-02-28')).toMatchObject([{ barId: planned.barId }])
    expect(await due('orders', '2001-02-27')).toEqual([])
    expect(await due('orders', '2001-02-28')).toMatchObject([
      { orderId: item.orderId, dueDate: '2001-02-28' },
    ])
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

describe('mistakes on the floor', () => {
  const reason = 'The wrong bar.'
  const as = (client: ClientName, path: string, body: object) =>
    service.send(client, 'POST', `${bars}/${path}`, {
      body,
      headers: { prefer: 'return=representation' },
    })
  const revert = (client: ClientName, barId: string, to: string) =>
    as(client, `${barId}/revert`, { to, reason })

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
    expect(ofBars.disposition).toContain('"labels-Week 41.pdf"')
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
      [`${of}&of=pieces`, 'unknown-parameter'],
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
  const text = await extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true })
  return { ...text, disposition: response.headers.get('content-disposition') }
}
