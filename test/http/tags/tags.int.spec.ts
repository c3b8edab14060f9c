import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { assignmentsOf } from '../../support/assignmentsOf.ts'
import { own } from '../../support/own.ts'
import { type Sent, startTestService } from '../../support/testService.ts'

/** The ten operations on tags over the whole service, for both families. */

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const service = await own(startTestService())

describe.each([
  {
    family: 'millcert-tags',
    subjectId: 'millCertificationId',
    entity: 'MillCertTag',
    subjectEntity: 'MillCertification',
  },
  { family: 'order-tags', subjectId: 'orderId', entity: 'OrderTag', subjectEntity: 'Order' },
])('$family', ({ family, subjectId, entity, subjectEntity }) => {
  const edit = (method: string, path: string, sent?: Sent) =>
    service.send('editor', method, path === '' ? family : `${family}/${path}`, sent)
  const view = (path: string, sent?: Sent) =>
    service.send('viewer', 'GET', /^(\?|$)/.test(path) ? `${family}${path}` : `${family}/${path}`, sent)
  const assigned = (path = '') => service.send('viewer', 'GET', `${assignmentsOf(family)}${path}`)
  const create = async (name: string, more: object = {}) => {
    const { status, body } = await edit('POST', '', { body: { name, color: '#abc', ...more } })
    expect(status).toBe(201)
    return body
  }
  let subjects = 0
  const newSubject = async (): Promise<{ id: string; label: string }> => {
    subjects += 1
    const label = `${family}-${subjects}`
    const { status, body } =
      subjectId === 'orderId'
        ? await service.send('planner', 'POST', 'orders', {
            body: { orderNumber: label, lineItems: [{ lineNumber: 1, lengthMm: 1, quantity: 1 }] },
          })
        : await service.send('planner', 'POST', 'millcert/certificates', {
            body: { certificateNumber: label, heatNumber: 'H', grade: 'S355J2', inspectionDocument: '3.1' },
          })
    expect(status).toBe(201)
    return { id: body[subjectId], label }
  }
  const assign = (id: string, tagIds: string[], sent: Sent = {}) =>
    service.send('editor', 'PUT', `${assignmentsOf(family)}/${id}/manual`, { body: { tagIds }, ...sent })

  it('creates a tag, and shows it at once', async () => {
    const sent = { name: '  Zebra\u00a0stripes ', color: '#0aF', description: 'D', severity: 'Flag' }
    const { status, headers, body } = await edit('POST', '', { body: sent })
    expect(status).toBe(201)
    expect(body).toEqual({
      tagId: uuid,
      companyId: service.companyId,
      name: 'Zebra\u00a0stripes',
      color: '#0aF',
      description: 'D',
      active: true,
      lastModifiedBy: 'editor',
      isSystemTag: false,
      severity: 'Flag',
    })
    expect(headers.get('location')).toBe(`/api/company/${service.companyId}/${family}/${body.tagId}`)
    expect(headers.get('projection-status')).toBeNull()

    const one = await service.send('viewer', 'GET', headers.get('location')!)
    expect(one.status).toBe(200)
    expect(one.body).toEqual({ ...body, createdAt: at, updatedAt: at, revision: expect.any(Number) })
    expect(one.headers.get('etag')).toBe(headers.get('etag'))
    expect(Number(one.headers.get('read-position'))).toBeGreaterThanOrEqual(
      Number(headers.get('commit-position')),
    )
    expect((await view('')).body).toEqual([{ ...one.body, usageCount: 0 }])
  })

  it('soft-deletes and restores a tag, with all that it is assigned to', async () => {
    const { tagId } = await create('comes and goes')
    const { id } = await newSubject()
    await assign(id, [tagId])
    const deleted = await edit('DELETE', tagId)
    expect(deleted.status).toBe(204)
    expect(deleted.body).toBeUndefined()
    expect((await edit('DELETE', tagId)).status).toBe(204)
    expect((await view('')).body.map((tag: { tagId: string }) => tag.tagId)).not.toContain(tagId)
    expect((await view('deleted')).body).toContainEqual(
      expect.objectContaining({ tagId, active: false, usageCount: 1, lastModifiedBy: 'editor' }),
    )
    expect((await view(tagId)).body.active).toBe(false)
    expect((await assigned(`/${id}`)).body).toEqual([])
    expect((await edit('PUT', tagId, { body: { name: 'x', color: '#abc' } })).body.code).toBe('tag-deleted')

    const restored = await service.send(
      'editor',
      'POST',
      `/company/${service.companyId}/${family}/${tagId}/restore`,
    )
    expect(restored.status).toBe(200)
    expect(restored.body).toMatchObject({ tagId, active: true })
    expect((await assigned(`/${id}`)).body).toHaveLength(1)
  })

  it('replaces the manual tags of a subject', async () => {
    const tagB = await create('b-assigned')
    const tagA = await create('A-assigned', { severity: 'Block' })
    const { id } = await newSubject()
    const first = await assign(id, [tagB.tagId, tagA.tagId.toUpperCase(), tagB.tagId])
    expect(first.status).toBe(200)
    const record = (tagId: string) => ({
      assignmentId: uuid,
      [subjectId]: id,
      tagId,
      assignedByRuleId: null,
      assignedAt: at,
    })
    expect(first.body).toEqual([record(tagA.tagId), record(tagB.tagId)])

    const repeated = await assign(id, [tagA.tagId, tagB.tagId])
    expect(repeated.body).toEqual(first.body)
    expect(repeated.headers.get('etag')).toBe(first.headers.get('etag'))
    const less = await assign(id, [tagB.tagId], { headers: { 'if-match': first.headers.get('etag')! } })
    expect(less.body).toEqual([first.body[1]])
    expect((await assign(id, [], { headers: { 'if-match': first.headers.get('etag')! } })).status).toBe(412)

    const shown = {
      [subjectId]: id,
      tagId: tagB.tagId,
      companyId: service.companyId,
      name: 'b-assigned',
      color: '#abc',
      description: null,
      assignedByRuleId: null,
      isSystemTag: false,
      severity: null,
    }
    expect((await assigned(`/${id}`)).body).toEqual([shown])
    expect((await assigned()).body).toContainEqual(shown)
    expect((await assign(id, [])).body).toEqual([])
    expect((await assigned(`/${id}`)).body).toEqual([])
  })

  it('tells the full history of a tag, most recent first', async () => {
    const { tagId } = await create('History', { description: 'd' })
    const { id, label } = await newSubject()
    await edit('PUT', tagId, { body: { name: 'Story', color: '#abc', description: 'd' } })
    await assign(id, [tagId])
    await assign(id, [])
    await edit('DELETE', tagId)
    await service.send('admin', 'POST', `${family}/${tagId}/restore`)
    const { status, body } = await view(`${tagId}/history`)
    expect(status).toBe(200)
    const told = body.map(
      (entry: Record<string, string>) =>
        `${entry.changeType} ${entry.entityType} ${entry.entityLabel} by ${entry.changedByName}`,
    )
    expect(told).toEqual([
      `Restored ${entity} Story by Admin`,
      `Deleted ${entity} Story by Editor`,
      `Unassigned ${subjectEntity} ${label} by Editor`,
      `Assigned ${subjectEntity} ${label} by Editor`,
      `Updated ${entity} Story by Editor`,
      `Created ${entity} History by Editor`,
    ])
    expect(body[4]).toEqual({
      changedAt: at,
      changedById: 'editor',
      changedByName: 'Editor',
      changeType: 'Updated',
      entityType: entity,
      entityLabel: 'Story',
      changes: [{ field: 'name', from: 'History', to: 'Story' }],
      entityId: tagId,
      eventId: uuid,
      position: expect.any(Number),
      assignedByRuleId: null,
    })
    // In the order of the text, for whoever reads it as it comes.
    expect(Object.keys(body[4].changes[0])).toEqual(['field', 'from', 'to'])
    expect((await view(`${randomUUID()}/history`)).status).toBe(404)
  })

  it('lists in the order of names by code point, page by page', async () => {
    const whole = (await view('')).body as { name: string; tagId: string }[]
    const met: unknown[] = []
    let next: string | undefined = `/api/company/${service.companyId}/${family}?limit=2`
    while (next) {
      const page = await service.send('viewer', 'GET', next)
      expect(page.status).toBe(200)
      expect(page.body.length).toBeLessThanOrEqual(2)
      met.push(...page.body)
      next = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(met).toEqual(whole)
    const keys = whole.map(({ name }) => name.normalize('NFKC').toUpperCase())
    expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
    expect((await view('?limit=1000')).headers.get('link')).toBeNull()
  })
})

describe('reading', () => {
  it('answers 503 when Min-Position is not reached in time', async () => {
    const hasty = await service.startAnother({}, { minPositionWithinMs: 50 })
    const future = await service.send('viewer', 'GET', 'millcert-tags', {
      at: hasty.url,
      headers: { 'min-position': String(Number.MAX_SAFE_INTEGER) },
    })
    await hasty.stop()
    expect(future.status).toBe(503)
    expect(future.body.code).toBe('read-model-behind')
    expect(future.headers.get('retry-after')).toBe('1')
  })
})
