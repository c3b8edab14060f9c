import { describe, expect, it } from 'vitest'
import { own } from '../../support/own.ts'
import { type Sent, startTestService } from '../../support/testService.ts'

/** Optimisation filter profiles over the whole service. */

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const all = 'optimisation/filter-profiles'

const service = await own(startTestService())

const edit = (method: string, path: string, sent?: Sent) => service.send('editor', method, path, sent)
const list = async () => (await service.send('viewer', 'GET', all)).body
const save = (name: string, filters?: unknown) => edit('POST', all, { body: { name, filters } })
describe('filter profiles', () => {
  it('are saved, listed by name, updated and soft-deleted', async () => {
    const filters = { grades: ['S355J2', 'S460J2'], thickness: { min: 40, max: null }, on: true, π: 'ü' }
    const made = await save(' Thick plate ', filters)
    expect(made.status).toBe(201)
    const { profileId } = made.body
    expect(made.body).toStrictEqual({
      profileId: uuid,
      companyId: service.companyId,
      name: 'Thick plate',
      filters,
      createdBy: 'editor',
      lastModifiedBy: 'editor',
      createdAt: at,
      updatedAt: made.body.createdAt,
    })
    const path = `/api/company/${service.companyId}/${all}/${profileId}`
    expect(made.headers.get('location')).toBe(path)
    const other = (await save('Angles')).body
    expect(other.filters).toStrictEqual({})
    expect(await list()).toStrictEqual([other, made.body])

    const updated = await service.send('admin', 'PUT', path, { body: { name: 'Aged', filters: { a: 1 } } })
    expect(updated.status).toBe(200)
    expect(updated.body).toStrictEqual({
      ...made.body,
      name: 'Aged',
      filters: { a: 1 },
      lastModifiedBy: 'admin',
      updatedAt: at,
    })
    expect(await list()).toStrictEqual([updated.body, other])
    const same = await edit('PUT', path, { body: { name: 'Aged', filters: { a: 1 } } })
    expect(same.body).toStrictEqual(updated.body)
    expect(same.headers.get('etag')).toBe(updated.headers.get('etag'))
    expect((await edit('PUT', path, { body: { filters: {} } })).body).toMatchObject({
      name: 'Aged',
      filters: {},
    })

    expect((await edit('DELETE', path)).status).toBe(204)
    expect(await list()).toStrictEqual([other])
    for (const method of ['DELETE', 'PUT'])
      expect((await edit(method, path, method === 'PUT' ? { body: { name: 'Aged' } } : {})).status).toBe(404)
    expect((await save('aged')).status).toBe(201)
  })

  it('filter the lists of certificates and bars', async () => {
    for (const [certificateNumber, profile] of [
      ['F 1', 'HEA 200'],
      ['F 2', 'HEA 300'],
    ])
      await service.send('admin', 'POST', 'millcert/certificates', {
        body: { certificateNumber, heatNumber: 'F', grade: 'S355J2', inspectionDocument: '3.1', profile },
      })
    const found = async (path: string) => {
      const { status, body } = await service.send('viewer', 'GET', path)
      return status === 200
        ? body.map(({ certificateNumber }: { certificateNumber: string }) => certificateNumber)
        : body.errors.map(({ message }: { message: string }) => message)
    }
    const { profileId } = (
      await save('Received', {
        status: ['Received'],
        heatNumber: 'f',
        profile: 'HEA 300',
        minMm: 5,
      })
    ).body
    const ofProfile = `millcert/certificates?profileId=${profileId}`
    expect(await found(ofProfile)).toEqual(['F 2'])
    expect(await found(`${ofProfile}&profile=HEA%20200`)).toEqual(['F 1'])
    expect(await found(`${ofProfile}&asOf=0`)).toEqual([])
    await edit('PATCH', `${all}/${profileId}`, { body: { filters: { profile: null } } })
    expect(await found(ofProfile)).toEqual(['F 1', 'F 2'])
    const first = await service.send('viewer', 'GET', `${ofProfile}&limit=1`)
    const next = /<[^>]*\/(millcert[^>]*)>/.exec(first.headers.get('link')!)![1]!
    expect(await found(next)).toEqual(['F 2'])
    await edit('PATCH', `${all}/${profileId}`, { body: { filters: { heatNumber: 'G' } } })
    expect(await found(next)).toEqual(['belongs to a list with other filters'])
    expect(await found(`production-plan-bars?profileId=${profileId}`)).toEqual([
      expect.stringContaining('has filters.status, which must be one of Draft'),
    ])
    expect(await found(`production-plan-bars?profileId=${profileId}&status=Draft`)).toEqual([])
    for (const filters of [{ status: ['Aproved'] }, { dueBy: 'tomorrow' }])
      expect((await edit('PUT', `${all}/${profileId}`, { body: { filters } })).status).toBe(400)
    expect(await found(`production-plan-bars?profileId=${service.companyId}`)).toEqual([
      'must name a filter profile of the company',
    ])
  })
})
