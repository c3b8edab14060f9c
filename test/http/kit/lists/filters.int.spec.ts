import { beforeAll, describe, expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { startTestService } from '../../../support/testService.ts'

/** Filters of lists over the whole service: cursors, ETags, and the memory that answers are kept in. */

const all = 'millcert/certificates'
const minimal = { grade: 'S355J2+N', inspectionDocument: '3.1' }

const service = await own(startTestService({ LIST_CACHE_MB: '1' }))
beforeAll(async () => {
  for (let n = 0; n < 6; n += 1) await register(n)
})

const register = (n: number) =>
  service.send('planner', 'POST', all, {
    body: { ...minimal, certificateNumber: `MC-${n}`, heatNumber: n % 2 ? 'H 1' : 'H 0' },
  })
const view = (query: string, headers = {}) =>
  service.send('viewer', 'GET', `${all}${query}`, { headers: { 'accept-encoding': 'identity', ...headers } })
const numbersIn = (body: { certificateNumber: string }[]) => body.map((one) => one.certificateNumber)
const nextOf = (headers: Headers) => /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
const cursorOf = (headers: Headers) => new URL(nextOf(headers)!, service.url).searchParams.get('cursor')!

describe('a filtered list', () => {
  it('finds a number in any spelling, and pages within its filters', async () => {
    const first = await view('?heatNumber=%20h%20%201&limit=2')
    expect(numbersIn(first.body)).toEqual(['MC-1', 'MC-3'])
    const second = await service.send('viewer', 'GET', nextOf(first.headers)!)
    expect(numbersIn(second.body)).toEqual(['MC-5'])
    expect(nextOf(second.headers)).toBeUndefined()
  })

  it('finds the start of words in any spelling, and pages within them', async () => {
    for (const query of ['?q=mc', '?q=h%20mc', '?q=MC-&limit=100'])
      expect(numbersIn((await view(query)).body), query).toHaveLength(6)
    const first = await view('?q=1%20mc&limit=2')
    expect(numbersIn(first.body)).toEqual(['MC-1', 'MC-3'])
    const second = await service.send('viewer', 'GET', nextOf(first.headers)!)
    expect(numbersIn(second.body)).toEqual(['MC-5'])
    expect((await view('?q=c-1')).body).toEqual([])
  })

  it('follows the tags of its records at once', async () => {
    const since = new Date(Date.now() + 1).toISOString()
    const tag = { name: 'Hold', color: '#c00', severity: 'Block' }
    const {
      body: { tagId },
    } = await service.send('editor', 'POST', 'millcert-tags', { body: tag })
    const [{ millCertificationId }] = (await view('?heatNumber=H%201')).body
    const manual = `millcert-tag-assignments/${millCertificationId}/manual`
    expect((await view('?blocked=true')).body).toEqual([])
    await service.send('editor', 'PUT', manual, { body: { tagIds: [tagId] } })
    for (const query of ['?blocked=true', `?tagId=${tagId}`, `?updatedSince=${since}`])
      expect(numbersIn((await view(query)).body), query).toEqual(['MC-1'])
    expect((await view('?blocked=false')).body).toHaveLength(5)
    await service.send('editor', 'PUT', `millcert-tags/${tagId}`, { body: { ...tag, severity: null } })
    expect((await view('?blocked=true')).body).toEqual([])
    await service.send('editor', 'DELETE', `millcert-tags/${tagId}`)
    expect((await view(`?tagId=${tagId}`)).body).toEqual([])
    const { body: after } = await view(`?updatedSince=${since}`)
    const {
      findings: _,
      notJudged: __,
      documents: ___,
      stock: ____,
      ...one
    } = (await view(`/${millCertificationId}`)).body
    expect(after).toEqual([one])
    const { body: put } = await service.send('editor', 'GET', `millcert-tags/${tagId}`)
    expect(one.updatedAt).toBe(put.updatedAt)
  })

  it('refuses a cursor of another filter, of none, and of another value', async () => {
    const filtered = cursorOf((await view('?heatNumber=H%201&limit=1')).headers)
    const whole = cursorOf((await view('?limit=1')).headers)
    const refused = [
      `?cursor=${filtered}`,
      `?heatNumber=H%200&cursor=${filtered}`,
      `?grade=H%201&cursor=${filtered}`,
      `?heatNumber=H%201&grade=S355J2&cursor=${filtered}`,
      `?heatNumber=H%201&cursor=${whole}`,
    ]
    for (const query of refused) {
      const { status, body } = await view(query)
      expect({ status, errors: body.errors }, query).toMatchObject({
        status: 400,
        errors: [{ path: 'cursor', message: 'belongs to a list with other filters' }],
      })
    }
    // The spelling of a number and the order of the parameters do not matter.
    for (const query of [
      `?cursor=${filtered}&heatNumber=h%201`,
      `?heatNumber=%EF%BC%A8%201&cursor=${filtered}`,
    ])
      expect(numbersIn((await view(query)).body)).toEqual(['MC-3', 'MC-5'])
  })

  it('finds records with the longest values', async () => {
    // Every character becomes several when the number is normalised, and no two are the same.
    const squared = (from: number) => String.fromCodePoint(...Array.from({ length: 50 }, (_, n) => from + n))
    const longest = {
      certificateNumber: squared(0x3300),
      heatNumber: squared(0x3380),
      grade: '𝔸'.repeat(50),
      manufacturer: String.fromCodePoint(...Array.from({ length: 200 }, (_, n) => 0x1f400 + n)),
    }
    const made = await service.send('planner', 'POST', all, { body: { ...minimal, ...longest } })
    expect({ status: made.status, pending: made.headers.get('projection-status') }).toEqual({
      status: 201,
      pending: null,
    })
    for (const [name, value] of Object.entries(longest))
      expect(numbersIn((await view(`?${new URLSearchParams({ [name]: value })}`)).body)).toContain(
        longest.certificateNumber,
      )
  })

  it('pushes no other list out of the memory, however many filters are asked for', async () => {
    const counted = async (cache: string, result: string) => {
      const headers = {
        authorization: `Bearer ${await service.identity.token({ oid: 'o', roles: ['Operator'] })}`,
      }
      const text = await (await fetch(`${service.url}/metrics`, { headers })).text()
      const series = `heatmark_cache_requests_total{cache="${cache}",result="${result}"} `
      return Number(text.split(series)[1]!.split('\n')[0])
    }
    const mostBytes = 1_048_576
    await view('')
    // The names of entries count, and about 1,000 bytes for each.
    const queries = Array.from({ length: 1_200 }, (_, n) => `?manufacturer=${'x'.repeat(190)}${n}`)
    expect(queries.length * (1_000 + queries[0]!.length)).toBeGreaterThan(mostBytes)
    while (queries.length > 0) await Promise.all(queries.splice(0, 20).map((query) => view(query)))
    const before = await counted('lists', 'hit')
    await view('')
    expect(await counted('lists', 'hit')).toBe(before + 1)
    const [hits, misses] = [await counted('filteredLists', 'hit'), await counted('filteredLists', 'miss')]
    await view('?heatNumber=H%200')
    await view('?heatNumber=H%200')
    expect(await counted('filteredLists', 'miss')).toBe(misses + 1)
    expect(await counted('filteredLists', 'hit')).toBe(hits + 1)
  })

  it('counts what all its pages have, in an answer from memory and in one without news, too', async () => {
    const counted = async (query: string, headers = {}) => {
      const { status, body, headers: answered } = await view(query, headers)
      return { status, rows: body?.length, total: answered.get('total-count') }
    }
    const odd = '?heatNumber=H%201&limit=2&count=true'
    for (let n = 0; n < 2; n += 1) expect(await counted(odd)).toEqual({ status: 200, rows: 2, total: '3' })
    const { headers } = await view(odd)
    const known = { 'if-none-match': headers.get('etag')! }
    expect(await counted(odd, known)).toEqual({ status: 304, rows: undefined, total: '3' })
    const second = nextOf(headers)!.slice(nextOf(headers)!.indexOf('?'))
    expect(await counted(second)).toEqual({ status: 200, rows: 1, total: '3' })
    expect(await counted('?heatNumber=H%209&limit=2&count=true')).toEqual({
      status: 200,
      rows: 0,
      total: '0',
    })
    expect(await counted('?limit=2&count=false')).toEqual({ status: 200, rows: 2, total: null })
    const { body: all } = await view('')
    const { body: registered } = await register(all.length)
    expect((await counted('?limit=2&count=true')).total).toBe(String(all.length + 1))
    await service.send('quality', 'POST', `millcert/certificates/${registered.millCertificationId}/void`, {
      body: { reason: 'Registered twice.' },
    })
    expect((await counted('?limit=1&count=true')).total).toBe(String(all.length))
  })
})
