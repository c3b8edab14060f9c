import { setTimeout as sleep } from 'node:timers/promises'
import { CloudEvent as StrictCloudEvent } from 'cloudevents'
import { EventSource } from 'eventsource'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CloudEvent } from '../../../src/changes/cloudEvents.ts'
import { own } from '../../support/own.ts'
import { sized } from '../../support/size.ts'
import { startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'
import { furnishCompany } from '../furnish.ts'
import { newCompany } from '../people.ts'

/** The change feed, as a list and as a stream. */

/** Less than a reader waits for anything but the end of its access. */
const atOnceMs = 10_000

/** Each record as the last change of it had it, by its subject: the feed was followed after each request. */
const mirrored = new Map<string, unknown>()
let place = 0
let ids: Awaited<ReturnType<typeof furnishCompany>>
const service = await own(startTestService())
const company = await newCompany(service)
const viewer = await company.admit('Vera Viewer', ['Viewer'])
beforeAll(async () => {
  ids = await furnishCompany(company.companyId, async (method, path, body) => {
    const answer = await company.admin.send(method, path, { body })
    place = await mirror(place)
    return answer
  })
})

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

  it('gives in one long page what many short ones give', async () => {
    const lines = Array.from({ length: 110 }, (_, n) =>
      JSON.stringify({
        orderNumber: `Long ${n}`,
        lineItems: [{ lineNumber: 1, lengthMm: 2_000, quantity: 1 }],
      }),
    )
    const headers = { 'content-type': 'application/x-ndjson' }
    expect(
      (await company.admin.send('POST', 'orders/bulk', { body: `${lines.join('\n')}\n`, headers })).status,
    ).toBe(200)
    const { changes } = await page('changes?limit=1000&types=heatmark.order')
    expect(changes.length).toBeGreaterThan(110)
    expect((await follow('&types=heatmark.order')).changes).toEqual(changes)
  })

  it('lets 20 requests of a caller wait, and frees the place of one whose client leaves', async () => {
    const { after } = await follow()
    const waiting = () => {
      const left = new AbortController()
      const headers = { authorization: `Bearer ${token}`, prefer: 'wait=30' }
      const url = `${service.url}/api/company/${company.companyId}/changes?after=${after}&types=heatmark.plan`
      const answered = fetch(url, { headers, signal: left.signal }).then(({ status }) => status)
      return { answered: answered.catch(() => 'left'), leave: () => left.abort() }
    }
    const token = await service.identity.token({ oid: viewer.userId, name: 'Vera Viewer' })
    const all = Array.from({ length: 21 }, waiting)
    expect(await Promise.race(all.map(({ answered }) => answered))).toBe(503)
    for (const { leave } of all) leave()
    await until(async () => {
      const again = waiting()
      const first = await Promise.race([again.answered, sleep(300)])
      again.leave()
      return first !== 503
    })
  })

  it('refuses a place beyond the end of the store, which a restore has taken away', async () => {
    const { status, body } = await viewer.send('GET', `changes?after=${Number.MAX_SAFE_INTEGER}`)
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'after-unknown' } })
  })

  it('is refused as soon as the key of a reader who waits is deleted', async () => {
    const { after } = await follow()
    const { body: key } = await viewer.send('POST', '/api/me/keys', { body: { label: 'Mirror' } })
    const waiting = fetch(`${service.url}/api/company/${company.companyId}/changes?after=${after}`, {
      headers: { 'service-api-key': key.key, prefer: 'wait=30' },
    })
    // The read has to be under way when the key goes.
    await sleep(300)
    const deletedAt = performance.now()
    expect((await viewer.send('DELETE', `/api/me/keys/${key.keyId}`)).status).toBe(204)
    expect((await waiting).status).toBe(401)
    expect(performance.now() - deletedAt).toBeLessThan(atOnceMs)
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

/** The stream up to so many bytes, or to the end of a page. The client comes back at once. */
function cutOff({ status, headers, url, body }: Response, bytes: number) {
  let sent = 0
  const cutting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, to) {
      const text = Buffer.from(chunk).toString('latin1').replace('retry: 2000', 'retry: 1')
      to.enqueue(Buffer.from(text.slice(0, Math.max(1, bytes - sent)), 'latin1'))
      sent += text.length
      if (sent >= bytes || (bytes < Number.POSITIVE_INFINITY && /(^|\n\n)id: \d+\n\n$/.test(text)))
        to.terminate()
    },
  })
  return { status, headers, url, redirected: false, body: body!.pipeThrough(cutting) } as unknown as Response
}

describe('the stream of changes', () => {
  const wantedCuts = sized(50, 1_000)
  const place = () => `${service.url}/api/company/${company.companyId}/changes`

  it('loses nothing to any client of server-sent events, wherever the connection breaks', async () => {
    const { after } = await follow()
    const token = await service.identity.token({ oid: viewer.userId, name: 'Vera Viewer' })
    let cuts = 0
    const source = new EventSource(`${place()}?after=0`, {
      fetch: async (input, init) => {
        const headers = { ...init?.headers, authorization: `Bearer ${token}` }
        const response = await fetch(input, { ...init, headers } as RequestInit)
        cuts += 1
        return cutOff(response, cuts > wantedCuts ? Number.POSITIVE_INFINITY : (cuts * 997) % 30_000)
      },
    })
    const seen = new Set<string>()
    source.onmessage = ({ data }) => void seen.add(JSON.parse(data).id)
    for (let tag = 0; cuts < wantedCuts; tag += 1) {
      await company.createTag(company.admin, `Beside cut ${tag}`)
      const before = cuts
      await until(() => cuts >= Math.min(before + 10, wantedCuts))
    }
    const { changes } = await follow()
    expect(Number(changes.at(-1)!.position)).toBeGreaterThan(after)
    await until(() => seen.has(changes.at(-1)!.id))
    source.close()
    expect([...seen]).toEqual(changes.map(({ id }) => id))
  })

  it('ends when the reader has lost the access', async () => {
    const mia = await company.admit('Mia Member', ['Viewer'])
    const token = await service.identity.token({ oid: mia.userId, name: 'Mia Member' })
    const response = await fetch(place(), {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    })
    const ended = response.text()
    const removedAt = performance.now()
    expect((await company.admin.send('DELETE', `members/${mia.userId}`)).status).toBe(204)
    expect(await ended).not.toContain('member')
    expect(performance.now() - removedAt).toBeLessThan(atOnceMs)
  })

  it('is refused as any other read is', async () => {
    const stranger = await newCompany(service, 'Sam Stranger')
    const path = `/api/company/${company.companyId}/changes`
    const refused = await stranger.admin.send('GET', path, { headers: { accept: 'text/event-stream' } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})
