import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { assignmentsOf } from '../../support/assignmentsOf.ts'
import { own } from '../../support/own.ts'
import { type ClientName, type Sent, startTestService } from '../../support/testService.ts'

/** Tags that are assigned by hand, one at a time, over the whole service. */

const service = await own(startTestService())

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const send = (method: string, path: string, sent?: Sent, client: ClientName = 'editor') =>
  service.send(client, method, path, sent)
const number = () => randomUUID().slice(0, 18)

const families = {
  'millcert-tags': {
    subjectId: 'millCertificationId',
    path: 'millcert/certificates',
    body: () => ({
      certificateNumber: number(),
      heatNumber: 'H',
      grade: 'S355J2',
      inspectionDocument: '3.1',
    }),
    code: 'certificate-not-found',
  },
  'order-tags': {
    subjectId: 'orderId',
    path: 'orders',
    body: () => ({ orderNumber: number(), lineItems: [{ lineNumber: 1, lengthMm: 1, quantity: 1 }] }),
    code: 'order-not-found',
  },
}

describe.each(Object.entries(families))('%s', (family, { subjectId: name, path, body, code }) => {
  const newTag = async (named = number()): Promise<string> =>
    (await send('POST', family, { body: { name: named, color: '#123' } })).body.tagId
  const newSubject = async (): Promise<string> =>
    (await send('POST', path, { body: body() }, 'planner')).body[name]
  const manual = (subjectId: string, tagId?: string) =>
    `${assignmentsOf(family)}/${subjectId}/manual${tagId ? `/${tagId}` : ''}`
  const listed = async (subjectId: string) => (await send('GET', manual(subjectId))).body
  const eventsOf = async (tagId: string): Promise<string[]> =>
    (await send('GET', `${family}/${tagId}/history`)).body.map(
      (entry: { changeType: string }) => entry.changeType,
    )

  it('are assigned and taken away without touching the others', async () => {
    const subjectId = await newSubject()
    const [b, a] = [await newTag(`b ${number()}`), await newTag(`a ${number()}`)]
    const first = await send('PUT', manual(subjectId, b))
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      assignmentId: expect.any(String),
      [name]: subjectId,
      tagId: b,
      assignedByRuleId: null,
      assignedAt: at,
    })
    expect((await send('GET', manual(subjectId, b))).body).toEqual(first.body)
    const second = await send('PUT', manual(subjectId, a))
    expect(await listed(subjectId)).toEqual([second.body, first.body])
    expect((await send('DELETE', manual(subjectId, b))).status).toBe(204)
    expect(await listed(subjectId)).toEqual([second.body])
    expect((await send('GET', manual(subjectId, b))).body.code).toBe('assignment-not-found')
    expect(await eventsOf(b)).toEqual(['Unassigned', 'Assigned', 'Created'])
  })

  it('are assigned and taken away again, which records nothing', async () => {
    const [subjectId, tagId] = [await newSubject(), await newTag()]
    const first = await send('PUT', manual(subjectId, tagId))
    const again = await send('PUT', manual(subjectId, tagId))
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    for (let time = 0; time < 2; time += 1)
      expect((await send('DELETE', manual(subjectId, tagId))).status).toBe(204)
    expect((await send('DELETE', manual(subjectId, randomUUID()))).status).toBe(204)
    expect(await eventsOf(tagId)).toEqual(['Unassigned', 'Assigned', 'Created'])
    expect(await listed(subjectId)).toEqual([])
  })

  it('must be active tags of the family when they are assigned', async () => {
    const [subjectId, tagId, deleted] = [await newSubject(), await newTag(), await newTag()]
    await send('PUT', manual(subjectId, tagId))
    for (const gone of [tagId, deleted]) await send('DELETE', `${family}/${gone}`)
    const other = family === 'order-tags' ? 'millcert-tags' : 'order-tags'
    const ofOther = (await send('POST', other, { body: { name: number(), color: '#123' } })).body.tagId
    for (const wrong of [deleted, ofOther, randomUUID()]) {
      const { status, body: problem } = await send('PUT', manual(subjectId, wrong))
      expect(status).toBe(400)
      expect(problem.errors).toMatchObject([{ path: 'tagId', parameter: 'tagId', tagId: wrong }])
    }
    // An assignment that was made before the tag was deleted stays until it is taken away.
    const kept = await send('PUT', manual(subjectId, tagId))
    expect([kept.status, await listed(subjectId)]).toEqual([200, [kept.body]])
    expect((await send('DELETE', manual(subjectId, tagId))).status).toBe(204)
    expect(await listed(subjectId)).toEqual([])
  })

  it('are of a record that exists', async () => {
    const tagId = await newTag()
    for (const [method, address] of [
      ['GET', manual(randomUUID())],
      ['PUT', manual(randomUUID(), tagId)],
      ['DELETE', manual(randomUUID(), tagId)],
    ] as const) {
      const { status, body: problem } = await send(method, address)
      expect([status, problem.code]).toEqual([404, code])
    }
  })

  it('have an ETag that holds the revision of the assignment, whatever happens beside it', async () => {
    const [subjectId, tagId, other] = [await newSubject(), await newTag(), await newTag()]
    const { headers } = await send('PUT', manual(subjectId, tagId))
    const ifMatch = { headers: { 'if-match': headers.get('etag')! } }
    await send('PUT', manual(subjectId, other))
    const read = await send('GET', manual(subjectId, tagId), {
      headers: { 'if-none-match': headers.get('etag')! },
    })
    expect(read.status).toBe(304)
    // An assignment that does not exist has no ETag that could match.
    expect(
      (await send('PUT', manual(subjectId, await newTag()), { headers: { 'if-match': '*' } })).status,
    ).toBe(412)
    expect((await send('DELETE', manual(subjectId, other), ifMatch)).status).toBe(412)
    expect((await send('DELETE', manual(subjectId, tagId), ifMatch)).status).toBe(204)
    expect((await send('DELETE', manual(subjectId, tagId), ifMatch)).status).toBe(412)
  })
})

it('are a hundred at most', async () => {
  const made = await send('POST', 'orders', { body: families['order-tags'].body() }, 'planner')
  const path = `order-tag-assignments/${made.body.orderId}/manual`
  const newTag = async () =>
    (await send('POST', 'order-tags', { body: { name: number(), color: '#123' } })).body.tagId
  const tagIds: string[] = []
  for (let n = 0; n < 100; n += 1) tagIds.push(await newTag())
  expect((await send('PUT', path, { body: { tagIds } })).body).toHaveLength(100)
  const tooMany = await send('PUT', `${path}/${await newTag()}`)
  expect([tooMany.status, tooMany.body.code]).toEqual([409, 'too-many-manual-tags'])
  expect((await send('PUT', `${path}/${tagIds[7]}`)).status).toBe(200)
})
