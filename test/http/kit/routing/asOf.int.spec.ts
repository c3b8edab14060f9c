import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { ownDocument } from '../../../rulePacks/ownDocument.ts'
import { own } from '../../../support/own.ts'
import { sized } from '../../../support/size.ts'
import { type Answer, type Sent, startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** Lists and records as of an earlier time, over the whole service. */

interface Explained {
  readonly rulePackId: string
  readonly expression: string
}

/** Answers that were the present ones once, each with the position that they show. */
const remembered: { readonly path: string; readonly position: number; readonly answer: Answer }[] = []
let paths: string[] = ['millcert-tags', 'millcert-tags/deleted', 'order-tags', 'millcert/certificates']
let firstPosition: number
let rushId: string

const admin = (method: string, path: string, sent?: Sent) => service.send('admin', method, path, sent)
const read = (path: string, sent?: Sent) => service.send('viewer', 'GET', path, sent)
const asOf = (path: string, moment: string | number, sent?: Sent) =>
  read(`${path}${path.includes('?') ? '&' : '?'}asOf=${encodeURIComponent(moment)}`, sent)

const aMillisecondBefore = (time: string) => new Date(Date.parse(time) - 1).toISOString()

let steps = 0
/** After a step every read is asked, or every other one in turn. */
const inTurn = sized(2, 1)

/** Send a command, and remember what the reads answer after it. */
async function step(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await admin(method, path, body && { body })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  const position = Number(answer.headers.get('Commit-Position'))
  for (const [n, one] of paths.entries()) if ((n + steps) % inTurn === 0) await remember(one, position)
  steps += 1
  return answer
}

async function remember(path: string, position: number): Promise<void> {
  let answer!: Answer
  // On a busy machine, 503 says nothing about the path.
  await until(async () => {
    answer = await read(path)
    return answer.status !== 503
  })
  remembered.push({ path, position: Number(answer.headers.get('Read-Position') ?? position), answer })
}

const service = await own(startTestService())
beforeAll(async () => {
  const certificate = {
    certificateNumber: 'MC-1',
    heatNumber: 'H1',
    grade: 'S355J2+N',
    standard: 'EN 10025-2',
    inspectionDocument: '3.1',
    manufacturer: 'Mill One',
  }
  const hold = { name: 'Hold', color: '#ff0000', severity: 'Block' }
  const tag = (await step('POST', 'millcert-tags', hold)).body
  firstPosition = remembered[0]!.position
  rushId = (await step('POST', 'order-tags', { name: 'Rush', color: '#00ff00' })).body.tagId
  await step('POST', 'rule-packs/en10025-2-mechanical/subscribe')
  await step('POST', 'rule-packs', ownDocument)
  await step('POST', `rule-packs/${ownDocument.id}/subscribe`)
  const { millCertificationId } = (await step('POST', 'millcert/certificates', certificate)).body
  const one = `millcert/certificates/${millCertificationId}`
  const manual = `millcert-tag-assignments/${millCertificationId}/manual`
  paths = [
    ...paths,
    one,
    manual,
    `${manual}/${tag.tagId}`,
    `millcert-tags/${tag.tagId}`,
    'millcert-tag-assignments',
    `millcert-tag-assignments/${millCertificationId}`,
    'millcert/certificates?q=mill',
    'millcert/certificates?q=other',
    'millcert/certificates?status=Voided',
    'millcert/certificates?blocked=true',
    `millcert/certificates?tagId=${tag.tagId}`,
    'orders',
    'orders?status=Completed',
    'orders?q=so',
    'production-plans',
    'production-plan-bars',
    'production-plan-bars?status=Draft&status=Started',
    'orders?include=findings',
    'millcert/certificates?include=findings',
  ]
  const explained = `millcert-tag-assignments/${millCertificationId}/explanations`
  // The company's own rule follows after the command.
  const ownRuleIsFound = async () =>
    (await read(explained)).body.some(({ rulePackId }: Explained) => rulePackId === ownDocument.id)
  await until(ownRuleIsFound)
  paths.push(explained)
  await step('PUT', manual, { tagIds: [tag.tagId] })
  const { documentId } = (await step('POST', 'documents', ['the original'])).body
  await step('PUT', `${one}/documents/${documentId}`)
  const order = {
    orderNumber: 'SO-1',
    customer: 'Smith',
    requiredInspectionDocument: '3.1',
    executionClass: 'EXC2',
    lineItems: [{ lineNumber: 10, grade: 'S355J2', lengthMm: 1_000, quantity: 2 }],
  }
  const { orderId, lineItems } = (await step('POST', 'orders', order)).body
  const { lineItemId } = lineItems[0]
  await step('PUT', `order-tag-assignments/${orderId}/manual`, { tagIds: [rushId] })
  const cuts = ['Accepted', 'Proposed'].map((status) => ({ orderId, lineItemId, lengthMm: 1_000, status }))
  const { planId, bars } = (
    await step('POST', 'production-plans', {
      name: 'Week 17',
      bars: [{ stockLengthMm: 6_000, grade: 'S355J2', millCertificationId, cuts }],
    })
  ).body
  const bar = `production-plan-bars/${bars[0].barId}`
  const cut = `${bar}/cuts/${bars[0].cuts[1].cutId}`
  paths = [
    ...paths,
    `orders/${orderId}`,
    `orders/${orderId}/line-items/${lineItemId}`,
    `orders/${orderId}/traceability`,
    `order-tag-assignments/${orderId}`,
    `production-plans/${planId}`,
    bar,
    cut,
    `${bar}/verdict`,
    'production-plan-bars?include=verdict',
    `production-plan-bars?orderId=${orderId}`,
  ]
  await step('PUT', `millcert-tags/${tag.tagId}`, { ...hold, name: 'On hold' })
  await step('PUT', manual, { tagIds: [] })
  await step('POST', `${one}/release`, {})
  await step('POST', `${bar}/approve`)
  await step('PUT', cut, { status: 'Accepted' })
  await step('PUT', one, { thicknessMm: 12, manufacturer: 'Other Mill' })
  await until(async () => !(await ownRuleIsFound()))
  await step('PUT', 'release-policy', { severities: { 'certificate-not-released': 'Audit' } })
  await step('PUT', `orders/${orderId}`, { customer: 'Jones' })
  await step('POST', `${bar}/start`)
  await step('POST', `${bar}/complete`)
  await step('DELETE', `millcert-tags/${tag.tagId}`)
  await step('DELETE', `${one}/documents/${documentId}`)
  await step('POST', `${one}/void`, { reason: 'Superseded' })
})

describe('asOf', () => {
  it('gives at every position what was answered there', async () => {
    expect(remembered.length).toBeGreaterThan(200)
    for (const { path, position, answer } of remembered) {
      const then = await asOf(path, position)
      const what = `${path} as of ${position}: ${JSON.stringify(then.body).slice(0, 300)}`
      expect(then.status, what).toBe(answer.status)
      if (answer.status === 200) expect(then.body, what).toEqual(answer.body)
      else expect(then.body.code, what).toBe(answer.body.code)
    }
  })

  it('explains the tags of rules as they were, also by a rule of the company that no longer matches', async () => {
    const explained = remembered.filter(({ path }) => path.endsWith('/explanations'))
    const ofOwnRule = ({ answer }: (typeof explained)[number]) =>
      answer.body.filter(({ rulePackId }: Explained) => rulePackId === ownDocument.id)
    const { path, position } = explained.find((one) => ofOwnRule(one).length > 0)!
    expect(ofOwnRule(explained.at(-1)!)).toEqual([])
    const then = await asOf(path, position)
    expect(then.body).toContainEqual(
      expect.objectContaining({
        ruleId: 'thick',
        clause: 'House rule 1',
        result: 'not-evaluated',
        rulePackVersion: 1,
        expression: ownDocument.rules[0].when,
      }),
    )
  })

  it('names the last event of the company', async () => {
    const trail = (await service.send('auditor', 'GET', 'audit')).body
    for (const moment of trail.flatMap(({ position }: { position: number }) => [position, position - 1])) {
      const { headers } = await asOf('orders', moment)
      const last = trail.find(({ position }: { position: number }) => position <= moment)
      expect(headers.get('As-Of-Position')).toBe(String(last?.position ?? 0))
      expect(headers.get('As-Of-Event')).toBe(last?.eventId ?? null)
      const time = headers.get('As-Of-Time')
      expect(time !== null).toBe(last !== undefined)
      if (time === null) continue
      const [then, before] = await Promise.all(
        [time, aMillisecondBefore(time)].map((one) => asOf('orders', one)),
      )
      expect(Number(then!.headers.get('As-Of-Position'))).toBeGreaterThanOrEqual(last.position)
      expect(Number(before!.headers.get('As-Of-Position'))).toBeLessThan(last.position)
    }
  })

  it('takes a time for the last event that was not recorded later', async () => {
    const trail: { position: number; occurredAt: string }[] = (await service.send('auditor', 'GET', 'audit'))
      .body
    const oldestFirst = trail.toReversed()
    for (const { occurredAt } of trail) {
      const { headers } = await asOf('orders', occurredAt)
      const later = oldestFirst.findIndex((other) => Date.parse(other.occurredAt) > Date.parse(occurredAt))
      const last = (later === -1 ? oldestFirst : oldestFirst.slice(0, later)).at(-1)
      expect(Number(headers.get('As-Of-Position'))).toBe(last?.position ?? 0)
    }
  })

  it('shows nothing before the first event', async () => {
    for (const moment of [0, '1999-12-31T23:59:59Z']) {
      const { status, body, headers } = await asOf('millcert-tags', moment)
      expect([status, body]).toEqual([200, []])
      expect(headers.get('As-Of-Position')).toBe('0')
      expect(headers.get('As-Of-Event')).toBeNull()
    }
    const { tagId } = remembered[0]!.answer.body[0]
    expect(await asOf(`millcert-tags/${tagId}`, firstPosition)).toMatchObject({ status: 200 })
    expect(await asOf(`millcert-tags/${tagId}`, 0)).toMatchObject({
      status: 404,
      body: { code: 'tag-not-found' },
    })
  })

  it('keeps the moment over all pages, also of a time', async () => {
    for (const name of ['A', 'B', 'C'])
      expect((await admin('POST', 'order-tags', { body: { name, color: '#fff' } })).status).toBe(201)
    const first = await asOf('order-tags?limit=3', new Date().toISOString())
    expect((await admin('POST', 'order-tags', { body: { name: 'D', color: '#fff' } })).status).toBe(201)
    const next = /<([^>]+)>/.exec(first.headers.get('Link')!)![1]!
    expect(next).toContain(`asOf=${first.headers.get('As-Of-Position')}`)
    const second = await read(next)
    const names = second.body.map(({ name }: { name: string }) => name)
    expect([names[0], names.at(-1)]).toEqual([ownDocument.tags[1].name, 'Rush'])
    expect(second.headers.get('Link')).toBeNull()
  })

  it('has ETags that answer If-None-Match, and are not those of the present record', async () => {
    const path = remembered[0]!.path
    const then = await asOf(path, firstPosition)
    const etag = then.headers.get('ETag')!
    expect((await asOf(path, firstPosition, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    expect((await read(path)).headers.get('ETag')).not.toBe(etag)
  })

  it('answers as a spreadsheet, too', async () => {
    const token = await service.identity.token({ oid: 'viewer' })
    const list = `/api/company/${service.companyId}/millcert-tags?asOf=${firstPosition}`
    const answer = await fetch(service.url + list, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/csv' },
    })
    expect(answer.status).toBe(200)
    expect((await answer.text()).split('\r\n')[1]).toContain(',Hold,')
  })

  it.each([
    ['yesterday', 'wrong-format', 'must be a position, or a time'],
    ['-1', 'wrong-format', 'must be a position, or a time'],
    ['01', 'wrong-format', 'must be a position, or a time'],
    ['2026-03-31T08:00Z', 'wrong-format', 'must be a position, or a time'],
    ['', 'wrong-format', 'must be a position, or a time'],
    ['99999999999999999', 'wrong-format', 'must be a position, or a time'],
    ['2026-02-30T00:00:00Z', 'wrong-format', 'must be a position, or a time'],
    ['9007199254740991', 'out-of-bounds', 'must not be in the future'],
    ['2999-01-01T00:00:00Z', 'out-of-bounds', 'must not be in the future'],
  ])('refuses %j', async (moment, code, message) => {
    for (const path of ['orders', 'millcert-tags?limit=5', `orders/${randomUUID()}`]) {
      const { status, body } = await asOf(path, moment)
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([
        { parameter: 'asOf', code, message: expect.stringContaining(message) },
      ])
    }
  })

  it('gives a record an ETag on which no change is made, even if the record has not changed since', async () => {
    const path = `order-tags/${rushId}`
    const [present, past] = await Promise.all([read(path), asOf(path, remembered.at(-1)!.position)])
    expect(past.body).toEqual(present.body)
    const body = { name: 'Rush', color: '#00ff01' }
    const change = (answer: Answer) =>
      admin('PUT', path, { body, headers: { 'If-Match': answer.headers.get('ETag')! } })
    expect((await change(past)).status).toBe(412)
    expect((await change(present)).status).toBe(200)
  })
})
