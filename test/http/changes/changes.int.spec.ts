import { CloudEvent as StrictCloudEvent } from 'cloudevents'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CloudEvent } from '../../../src/http/changes/cloudEvents.ts'
import { startTestService, type TestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'
import { furnishCompany } from '../furnish.ts'
import { type Company, newCompany, type Person } from '../people.ts'

/** The change feed, as a list and as a stream. */

let service: TestService
let company: Company
let viewer: Person
/** Each record as the last change of it had it, by its subject: the feed was followed after each request. */
const mirrored = new Map<string, unknown>()
let place = 0
let ids: Awaited<ReturnType<typeof furnishCompany>>
beforeAll(async () => {
  service = await startTestService()
  company = await newCompany(service)
  viewer = await company.admit('Vera Viewer', ['Viewer'])
  ids = await furnishCompany(company.companyId, async (method, path, body) => {
    const answer = await company.admin.send(method, path, { body })
    place = await mirror(place)
    return answer
  })
})
afterAll(() => service.stop())

interface Page {
  readonly changes: readonly CloudEvent[]
  readonly next: string
  readonly after: number
  readonly position: number
}

async function page(path: string, headers: Record<string, string> = {}, by = viewer): Promise<Page> {
  const { status, body, headers: answered } = await by.send('GET', path, { headers })
  expect(status, JSON.stringify(body)).toBe(200)
  const next = /<([^>]+)>; rel="next"/.exec(answered.get('link')!)![1]!
  const after = Number(new URL(next, service.url).searchParams.get('after'))
  return { changes: body, next, after, position: Number(answered.get('read-position')) }
}

/** Follow the feed to its present end. */
async function follow(query = ''): Promise<{ changes: CloudEvent[]; after: number }> {
  const changes: CloudEvent[] = []
  for (let path = `changes?limit=7${query}`; ; ) {
    const one = await page(path)
    changes.push(...one.changes)
    if (one.after >= one.position) return { changes, after: one.after }
    path = one.next
  }
}

async function mirror(from: number): Promise<number> {
  const { changes, after } = await follow(`&after=${from}`)
  for (const { subject, data } of changes) if (data) mirrored.set(subject, data)
  return after
}

describe('GET C/changes', () => {
  it('gives valid CloudEvents, each once, in the order of the store', async () => {
    const { changes } = await follow()
    for (const change of changes) new StrictCloudEvent({ ...change }, true)
    expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length)
    const positions = changes.map(({ position }) => Number(position))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  })

  it('keeps a mirror equal to the lists', async () => {
    await mirror(place)
    for (const [kind, id, path] of [
      ['certificate', 'millCertificationId', 'millcert/certificates'],
      ['order', 'orderId', 'orders'],
      ['bar', 'barId', 'production-plan-bars'],
      ['plan', 'planId', 'production-plans'],
      ['delivery', 'deliveryId', 'deliveries'],
      ['filterProfile', 'profileId', 'optimisation/filter-profiles'],
    ] as const) {
      const { body } = await viewer.send('GET', path)
      expect(body.length, path).toBeGreaterThan(0)
      const kept = [...mirrored].filter(([subject]) => subject.startsWith(`${kind}/`))
      expect(Object.fromEntries(kept)).toEqual(
        Object.fromEntries(body.map((one: Record<string, string>) => [`${kind}/${one[id]}`, one])),
      )
    }
  })

  it('tells what happened, and which other records changed with it', async () => {
    const { changes } = await follow()
    const about = (subject: string) =>
      changes
        .filter((one) => one.subject === subject)
        .map(({ type }) => type.split('.').slice(1, 3).join('.'))
    expect(about(`order/${ids.orderId}`)).toEqual(
      expect.arrayContaining(['order.registered', 'order.manual-assignments-replaced', 'order.changed']),
    )
    expect(changes.map(({ type }) => type)).toContain('heatmark.bar.completed.v1')
    expect(changes.some(({ subject }) => /^(member|other)\//.test(subject))).toBe(false)
  })

  it('narrows to types, and moves on past what it leaves out', async () => {
    const { changes, after } = await follow('&types=heatmark.bar,heatmark.order.registered.v1')
    expect(new Set(changes.map(({ subject }) => subject.split('/')[0]))).toEqual(new Set(['bar', 'order']))
    expect(changes.filter(({ type }) => type.startsWith('heatmark.order')).map(({ type }) => type)).toEqual([
      'heatmark.order.registered.v1',
    ])
    const none = await page(`changes?types=heatmark.delivery&after=${after}`)
    expect(none).toMatchObject({ changes: [], after: none.position })
  })

  it.each([
    ['after=-1', 'after'],
    ['after=x', 'after'],
    ['limit=0', 'limit'],
    ['types=bars', 'types'],
    ['types=heatmark.crane', 'types'],
  ])('refuses %s, naming the parameter', async (query, parameter) => {
    const { status, body } = await viewer.send('GET', `changes?${query}`)
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ parameter }] })
  })

  it('waits for a change, if the reader prefers', async () => {
    const { after } = await follow()
    const waiting = page(`changes?after=${after}&types=heatmark.tag`, { prefer: 'wait=20' })
    await company.createTag(company.admin, 'Waited for')
    const { changes } = await waiting
    expect(changes).toMatchObject([
      { type: 'heatmark.tag.created.v1', data: { name: 'Waited for', family: 'millCert' } },
    ])
    expect(await page(`changes?after=${changes[0]!.position}`, { prefer: 'wait=0' })).toMatchObject({
      changes: [],
    })
  })

  it('leaves out a record that is large, and says where it is', async () => {
    const lineItems = Array.from({ length: 200 }, (_, index) => ({
      lineNumber: index + 1,
      lengthMm: 2_000,
      quantity: 1,
    }))
    const { body } = await company.admin.send('POST', 'orders', { body: { orderNumber: 'Large', lineItems } })
    const { changes } = await follow('&types=heatmark.order')
    const { data, dataref } = changes.find(({ subject }) => subject === `order/${body.orderId}`)!
    expect(data).toBeUndefined()
    expect((await viewer.send('GET', dataref!)).body.lineItems).toHaveLength(200)
  })
})

describe('the stream of changes', () => {
  async function open(lastEventId?: string, signal?: AbortSignal) {
    const token = await service.identity.token({ oid: viewer.userId, name: 'Vera Viewer' })
    return fetch(`${service.url}/api/company/${company.companyId}/changes`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      ...(signal && { signal }),
    })
  }

  it('loses nothing, wherever it breaks off', async () => {
    const { changes, after } = await follow()
    const seen: string[] = []
    let lastId = '0'
    for (let cut = 1; Number(lastId) < after; cut += 1) {
      const leaving = new AbortController()
      const response = await open(lastId, leaving.signal)
      let text = ''
      for await (const bytes of response.body!) {
        text += Buffer.from(bytes).toString()
        if (text.length > cut * 997 || text.includes(`id: ${after}\n\n`)) break
      }
      leaving.abort()
      // The end of a block that has not come is lost.
      const blocks = text
        .slice(0, Math.min(text.length, cut * 997))
        .split('\n\n')
        .slice(0, -1)
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data) seen.push(JSON.parse(data).id)
        lastId = /^id: (\d+)$/m.exec(block)?.[1] ?? lastId
      }
    }
    expect([...new Set(seen)]).toEqual(changes.map(({ id }) => id))
  })

  it('sends changes as they come, to any client of server-sent events', async () => {
    const { after } = await follow()
    const token = await service.identity.token({ oid: viewer.userId, name: 'Vera Viewer' })
    const url = `${service.url}/api/company/${company.companyId}/changes?after=${after}`
    const source = new EventSource(url, {
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...init?.headers, authorization: `Bearer ${token}` },
        } as RequestInit),
    })
    const names: unknown[] = []
    source.onmessage = ({ data }) => void names.push(JSON.parse(data).data?.name)
    for (const name of ['First', 'Second']) await company.createTag(company.admin, name)
    await until(() => names.length === 2)
    source.close()
    expect(names).toEqual(['First', 'Second'])
  })

  it('ends when the reader has lost the access', async () => {
    const mia = await company.admit('Mia Member', ['Viewer'])
    const token = await service.identity.token({ oid: mia.userId, name: 'Mia Member' })
    const response = await fetch(`${service.url}/api/company/${company.companyId}/changes`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    })
    const ended = response.text()
    expect((await company.admin.send('DELETE', `members/${mia.userId}`)).status).toBe(204)
    await company.createTag(company.admin, 'Unseen')
    expect(await ended).not.toContain('Unseen')
  })

  it('is refused as any other read is', async () => {
    const stranger = await newCompany(service, 'Sam Stranger')
    const path = `/api/company/${company.companyId}/changes`
    const refused = await stranger.admin.send('GET', path, { headers: { accept: 'text/event-stream' } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})
