import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { own } from '../../support/own.ts'
import { type ClientName, type Sent, startTestService } from '../../support/testService.ts'

/** Decisions on mill certificates over the whole service. */

const all = 'millcert/certificates'
const reason = 'The stamp is of another heat.'

const service = await own(startTestService())

async function newCertificate() {
  const body = {
    certificateNumber: randomUUID(),
    heatNumber: 'H 1',
    grade: 'S355J2+N',
    inspectionDocument: '3.1',
  }
  const made = await service.send('planner', 'POST', all, { body })
  expect(made.body).toMatchObject({ status: 'Received', replacedBy: null })
  return made.body.millCertificationId as string
}
const read = (id: string) => service.send('viewer', 'GET', `${all}/${id}`)
const decide = (id: string, step: string, body?: object, who: ClientName = 'quality') =>
  service.send(who, 'POST', `${all}/${id}/${step}`, body && { body })
const idsOf = async (query: string) =>
  (await service.send('viewer', 'GET', `${all}?${query}`)).body.map(
    (one: { millCertificationId: string }) => one.millCertificationId,
  )

describe('a decision on a certificate', () => {
  it('is answered with the certificate as it is read afterwards', async () => {
    const id = await newCertificate()
    const released = await decide(id, 'release', { note: ' Seen with the steel. ' })
    expect(released).toMatchObject({ status: 200, body: { status: 'Released', updatedBy: 'planner' } })
    const known = await read(id)
    expect(known.body).toEqual(released.body)
    expect(known.headers.get('etag')).toBe(released.headers.get('etag'))
  })
})

describe('a release of a certificate with a Block', () => {
  it('is refused with the findings, and done with a reason that the history shows', async () => {
    const tag = { name: 'Sulphur', color: '#ff0000', severity: 'Block' }
    const { tagId } = (await service.send('editor', 'POST', 'millcert-tags', { body: tag })).body
    const [blocked, clean] = [await newCertificate(), await newCertificate()]
    await service.send('editor', 'PUT', `millcert-tag-assignments/${blocked}/manual`, {
      body: { tagIds: [tagId] },
    })
    const findings = [{ severity: 'Block', code: 'certificate-tag', tagId }]
    const refused = { code: 'certificate-blocked', findings }
    expect(await decide(blocked, 'release', { note: 'Seen.' })).toMatchObject({ status: 409, body: refused })
    const many = await service.send('quality', 'POST', `${all}/release`, { body: { ids: [blocked, clean] } })
    expect(many.body).toMatchObject({
      results: [
        { id: blocked, status: 409, ...refused },
        { id: clean, outcome: 'updated' },
      ],
      summary: { updated: 1, failed: 1 },
    })
    const answer = await decide(blocked, 'release', { reason: 'Measured again.' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'Released', blocked: true } })
    const [last] = (await service.send('quality', 'GET', `${all}/${blocked}/history`)).body
    expect(last.message).toBe(
      'The certificate was released in spite of 1 Block finding. Reason: Measured again.',
    )
    expect(last.changes).toContainEqual(
      expect.objectContaining({ to: [expect.objectContaining({ code: 'certificate-tag' })] }),
    )
  })
})

describe('a release of many certificates', () => {
  const releaseAll = (body: object, key?: string, who: ClientName = 'quality') =>
    service.send(who, 'POST', `${all}/release`, {
      body,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })

  it('answers each of them, and one that is refused does not hold up the others', async () => {
    const [received, released, rejected] = [
      await newCertificate(),
      await newCertificate(),
      await newCertificate(),
    ]
    const unknown = randomUUID()
    await decide(released, 'release')
    await decide(rejected, 'reject', { reason })
    const before = (await read(released)).headers.get('etag')
    const answer = await releaseAll({ ids: [rejected, received, unknown, released, received.toUpperCase()] })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      results: [
        {
          id: rejected,
          status: 409,
          code: 'certificate-not-allowed',
          state: 'Rejected',
          detail: (await decide(rejected, 'release')).body.detail,
        },
        { id: received, status: 200, outcome: 'updated' },
        {
          id: unknown,
          status: 404,
          code: 'certificate-not-found',
          detail: `There is no mill certificate ${unknown} in this company.`,
        },
        { id: released, status: 200, outcome: 'unchanged' },
      ],
      summary: { updated: 1, unchanged: 1, failed: 2 },
    })
    expect((await read(received)).body.status).toBe('Released')
    expect((await read(released)).headers.get('etag')).toBe(before)
    expect((await read(rejected)).body.status).toBe('Rejected')
  })

  it('is answered again under the same key, and completed by a repeat', async () => {
    const [first, second] = [await newCertificate(), await newCertificate()]
    await decide(second, 'reject', { reason })
    const body = { ids: [first, second], note: 'Seen with the steel.' }
    const key = randomUUID()
    const answer = await releaseAll(body, key)
    expect(answer.body.summary).toEqual({ updated: 1, unchanged: 0, failed: 1 })
    const repeat = await releaseAll(body, key)
    expect(repeat.body).toEqual(answer.body)
    expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    expect(repeat.headers.get('commit-position')).toBe(answer.headers.get('commit-position'))

    await decide(second, 'reopen', { reason })
    const completed = await releaseAll(body, key)
    expect(completed.body.summary).toEqual({ updated: 2, unchanged: 0, failed: 0 })
    expect(completed.headers.get('idempotent-replayed')).toBeNull()
    expect((await releaseAll(body)).body.summary).toEqual({ updated: 0, unchanged: 2, failed: 0 })
    expect(await releaseAll({ ids: [first] }, key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    })
  })
})

describe('a correction', () => {
  const patch = (id: string, body: object) =>
    service.send('planner', 'PATCH', `${all}/${id}`, {
      body,
      headers: { 'content-type': 'application/merge-patch+json' },
    })

  it('leaves a rejected certificate rejected, and is refused for a voided one', async () => {
    const id = await newCertificate()
    await decide(id, 'reject', { reason })
    expect((await patch(id, { grade: 'S355K2+N' })).body.status).toBe('Rejected')
    await decide(id, 'void', { reason })
    expect(await patch(id, { grade: 'S355J2' })).toMatchObject({
      status: 409,
      body: { code: 'certificate-voided' },
    })
    expect((await patch(id, { grade: 'S355K2+N' })).status).toBe(200)
  })
})

describe('the list', () => {
  it('leaves voided certificates out unless they are asked for, and finds each by its status', async () => {
    const [received, released, voided] = [
      await newCertificate(),
      await newCertificate(),
      await newCertificate(),
    ]
    await decide(released, 'release')
    await decide(voided, 'void', { reason })
    const live = await idsOf('')
    expect(live).toEqual(expect.arrayContaining([received, released]))
    expect(live).not.toContain(voided)
    expect(await idsOf('heatNumber=H%201')).not.toContain(voided)
    expect(await idsOf('status=Voided')).toContain(voided)
    const some = await idsOf('status=Voided&status=Released&heatNumber=H%201')
    expect(some).toEqual(expect.arrayContaining([released, voided]))
    expect(some).not.toContain(received)
  })

  it('has full pages without gap or repeat although a voided certificate stands among the first', async () => {
    const bodies = Array.from({ length: 7 }, (_, n) => ({
      certificateNumber: `-${n}`,
      heatNumber: 'H 9',
      grade: 'S460M',
      manufacturer: 'Paged',
      inspectionDocument: '3.1',
    }))
    const ids: string[] = []
    for (const body of bodies)
      ids.push((await service.send('planner', 'POST', all, { body })).body.millCertificationId)
    const [, voided] = ids
    await decide(voided!, 'void', { reason })
    const expected = ids.filter((id) => id !== voided)
    const queries = ['grade=S460M', 'q=paged', 'blocked=false&heatNumber=H%209', 'status=Received&q=h', '']
    for (const query of queries) {
      const pages: string[][] = []
      let next: string | undefined = `${all}?limit=2&${query}`
      while (next && pages.length < 3) {
        const { body, headers } = await service.send('viewer', 'GET', next)
        pages.push(body.map((one: { millCertificationId: string }) => one.millCertificationId))
        next = headers.get('link')?.match(/<(.*)>/)?.[1]
      }
      expect(pages, query).toEqual([expected.slice(0, 2), expected.slice(2, 4), expected.slice(4)])
    }
  })
})

describe('with qualityOnly', () => {
  const setPolicy = (qualityOnly: boolean) =>
    service.send('admin', 'PUT', 'release-policy', { body: { qualityOnly } })
  beforeAll(() => setPolicy(true))
  afterAll(() => setPolicy(false))

  const refused = { status: 403, body: { code: 'quality-only' } }
  const send = (who: ClientName, method: string, path: string, sent?: Sent) =>
    service.send(who, method, path, sent)
  const newTag = async (severity: string | null) =>
    (
      await send('quality', 'POST', 'millcert-tags', {
        body: { name: randomUUID(), color: '#123', severity },
      })
    ).body.tagId as string
  const tagged = async (...severities: (string | null)[]) => {
    const [id, tagIds] = [await newCertificate(), await Promise.all(severities.map(newTag))]
    const manual = `millcert-tag-assignments/${id}/manual`
    expect((await send('editor', 'PUT', manual, { body: { tagIds } })).status).toBe(200)
    return { manual, tagIds }
  }

  it('a Block is taken off a certificate by a quality engineer, and by nobody else', async () => {
    const { manual, tagIds } = await tagged('Block', 'Flag')
    const [block, flag] = tagIds as [string, string]
    expect(await send('editor', 'PUT', manual, { body: { tagIds: [flag] } })).toMatchObject(refused)
    expect(await send('editor', 'DELETE', `${manual}/${block}`)).toMatchObject(refused)
    expect((await send('editor', 'PUT', manual, { body: { tagIds: [block] } })).status).toBe(200)
    expect((await send('editor', 'PUT', `${manual}/${flag}`)).status).toBe(200)
    expect((await send('editor', 'DELETE', `${manual}/${flag}`)).status).toBe(204)
    expect((await send('quality', 'DELETE', `${manual}/${block}`)).status).toBe(204)
    expect((await send('editor', 'DELETE', `${manual}/${block}`)).status).toBe(204)
  })

  it('the tag of a Block is lowered and deleted by a quality engineer, and by nobody else', async () => {
    const path = `millcert-tags/${await newTag('Block')}`
    const patch = (who: ClientName, body: object) => send(who, 'PATCH', path, { body })
    const put = (who: ClientName, severity: string | null) =>
      send(who, 'PUT', path, { body: { name: randomUUID(), color: '#456', severity } })
    expect(await put('editor', 'Flag')).toMatchObject(refused)
    expect(await patch('editor', { severity: null })).toMatchObject(refused)
    expect(await send('editor', 'DELETE', path)).toMatchObject(refused)
    expect((await patch('editor', { color: '#789' })).status).toBe(200)
    expect((await put('quality', 'Flag')).status).toBe(200)
    expect((await put('editor', 'Block')).status).toBe(200)
    expect((await send('admin', 'DELETE', path)).status).toBe(204)
    expect((await send('editor', 'POST', `${path}/restore`)).status).toBe(200)
  })

  it('a judged value of a released or used certificate is corrected by a quality engineer', async () => {
    const numbers = { certificateNumber: randomUUID(), heatNumber: 'H 2' }
    const content = { grade: 'S355J2', inspectionDocument: '3.1' }
    const made = await send('planner', 'POST', all, { body: { ...numbers, ...content } })
    const path = `${all}/${made.body.millCertificationId}`
    const bulk = async (grade: string) => {
      const headers = { 'content-type': 'application/x-ndjson' }
      const body = JSON.stringify({ ...numbers, ...content, grade })
      return (await send('planner', 'POST', `${all}/bulk?mode=upsert`, { body, headers })).body
    }
    const put = (who: ClientName, body: object) => send(who, 'PUT', path, { body: { ...content, ...body } })
    const patch = (who: ClientName, body: object) => send(who, 'PATCH', path, { body })
    const isRefused = async () => {
      expect(await put('planner', { grade: 'S275JR' })).toMatchObject(refused)
      expect(await patch('planner', { profile: 'HEA 100' })).toMatchObject(refused)
      expect(await bulk('S275JR')).toMatchObject({ status: 403, code: 'quality-only' })
      expect((await patch('planner', { purchaseOrder: randomUUID() })).status).toBe(200)
    }
    expect((await patch('planner', { grade: 'S355K2' })).status).toBe(200)
    await decide(made.body.millCertificationId, 'release')
    await isRefused()
    expect((await put('quality', { grade: 'S355J0' })).body).toMatchObject({ status: 'Received' })
    expect(await bulk('S355JR')).toMatchObject({ outcome: 'updated' })
    const bar = { stockLengthMm: 6_000, grade: 'S355J2', cuts: [] }
    const bars = [{ ...bar, millCertificationId: made.body.millCertificationId }]
    await send('planner', 'POST', 'production-plans', { body: { name: 'Week 17', bars } })
    await isRefused()
    expect((await patch('admin', { grade: 'S355J2' })).status).toBe(200)
  })
})
