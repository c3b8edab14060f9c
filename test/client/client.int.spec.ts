import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Copy, mirror } from '../../examples/mirror/mirror.ts'
import { type Client, type ClientOptions, createClient } from '../../packages/client/src/index.ts'
import { newSecret, signedHeaders } from '../../src/webhooks/signature.ts'
import { startTestService, type TestService } from '../support/testService.ts'
import { until } from '../support/until.ts'

/** The client and the examples on the whole service, over a connection that loses every fifth answer. */

const certificates = 'GET /api/company/{companyId}/millcert/certificates'
const bars = 'GET /api/company/{companyId}/production-plan-bars'
const content = { grade: 'S355J2', inspectionDocument: '3.1' } as const

let service: TestService
let client: Client
let token: string
beforeAll(async () => {
  service = await startTestService()
  token = await service.identity.token({ oid: 'admin', name: 'Admin', roles: [] })
  client = createClient({ ...losingAnswers(), baseUrl: service.url, companyId: service.companyId, token })
})
afterAll(() => service.stop())

function losingAnswers(): Pick<ClientOptions, 'fetch' | 'pause'> {
  let count = 0
  return {
    pause: async () => {},
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      count += 1
      if (count % 5 > 0) return answer
      await answer.arrayBuffer()
      throw new TypeError('the answer was lost')
    },
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

it('registers many, reads them page by page, and loses no change of several programs', async () => {
  const records = Array.from({ length: 60 }, (_, n) => ({
    ...content,
    certificateNumber: `C ${n + 10}`,
    heatNumber: n === 7 ? '' : 'H 1',
  }))
  const results = await all(
    client.bulk('POST /api/company/{companyId}/millcert/certificates/bulk', records, { linesPerRequest: 25 }),
  )
  expect(results.filter(({ status }) => status !== 201 && status !== 200)).toEqual([
    expect.objectContaining({ index: 7, status: 400, code: 'validation-failed', record: records[7] }),
  ])
  expect(results.map(({ index }) => index)).toEqual(records.map((_, index) => index))
  const listed = await all(client.list(certificates, { query: { heatNumber: 'h 1', limit: 20 } }))
  expect(listed.map(({ certificateNumber }) => certificateNumber)).toEqual(
    records.filter((_, n) => n !== 7).map(({ certificateNumber }) => certificateNumber),
  )

  const { body: order } = await client.call('POST /api/company/{companyId}/orders', {
    body: { orderNumber: 'SO 1', lineItems: [{ lineNumber: 1, lengthMm: 1_000, quantity: 1 }] },
  })
  const append = (letter: string) =>
    client.update('/api/company/{companyId}/orders/{orderId}', order, ({ customer }) => ({
      customer: `${customer ?? ''}${letter}`,
    }))
  await Promise.all(['a', 'b', 'c'].map(append))
  const { body: changed } = await client.call('GET /api/company/{companyId}/orders/{orderId}', {
    params: order,
  })
  expect([...changed.customer!].sort().join('')).toBe('abc')
})

it('keeps a mirror that equals the lists, also after it was stopped', async () => {
  let saved = '{ "certificate": {}, "bar": {} }'
  const follow = () => {
    const stopped = new AbortController()
    const save = async (copy: Copy) => {
      saved = JSON.stringify(copy)
    }
    const ended = mirror(client, JSON.parse(saved), save, stopped.signal)
    return async () => {
      stopped.abort()
      await ended
    }
  }
  const equalsLists = async () => {
    const byId = <Item>(id: keyof Item, items: Item[]) =>
      Object.fromEntries(items.map((one) => [one[id], one]))
    const { certificate, bar } = JSON.parse(saved)
    try {
      expect(certificate).toEqual(byId('millCertificationId', await all(client.list(certificates))))
      expect(bar).toEqual(byId('barId', await all(client.list(bars))))
      return true
    } catch {
      return false
    }
  }
  const register = async (certificateNumber: string) =>
    (
      await client.call('POST /api/company/{companyId}/millcert/certificates', {
        body: { ...content, certificateNumber, heatNumber: 'H 2' },
      })
    ).body
  const first = await register('M 1')
  const stop = follow()
  await until(async () => equalsLists())

  const tag = await client.call('POST /api/company/{companyId}/millcert-tags', {
    body: { name: 'Hold', color: '#c00', severity: 'Block' },
  })
  await client.call(
    'PUT /api/company/{companyId}/millcert-tag-assignments/{millCertificationId}/manual/{tagId}',
    {
      params: { ...first, tagId: tag.body.tagId },
    },
  )
  await until(async () => equalsLists())
  await stop()

  await client.update('/api/company/{companyId}/millcert-tags/{tagId}', tag.body, () => ({ color: '#00c' }))
  const second = await register('M 2')
  await client.call('POST /api/company/{companyId}/millcert/certificates/{millCertificationId}/void', {
    params: second,
    body: { reason: 'Sent twice' },
  })
  const { body: order } = await client.call('POST /api/company/{companyId}/orders', {
    body: { orderNumber: 'SO 2', lineItems: [{ lineNumber: 1, lengthMm: 1_000, quantity: 1 }] },
  })
  await client.call('POST /api/company/{companyId}/production-plans', {
    body: {
      name: 'Plan',
      bars: [
        {
          stockLengthMm: 6_000,
          grade: 'S355J2',
          cuts: [
            {
              orderId: order.orderId,
              lineItemId: order.lineItems[0]!.lineItemId,
              lengthMm: 1_000,
              status: 'Accepted',
            },
          ],
        },
      ],
    },
  })
  const stopAgain = follow()
  await until(async () => equalsLists())
  expect(Object.keys(JSON.parse(saved).bar)).toHaveLength(1)

  await client.call('DELETE /api/company/{companyId}/millcert-tags/{tagId}', { params: tag.body })
  await until(async () => equalsLists())
  await stopAgain()
})

const hasPython = (() => {
  try {
    return execFileSync('python3', ['--version']).length > 0
  } catch {
    return false
  }
})()

it.skipIf(!hasPython)('does the same from Python (skipped where python3 is missing)', async () => {
  const env = {
    PATH: process.env.PATH,
    HEATMARK_URL: service.url,
    HEATMARK_COMPANY_ID: service.companyId,
    HEATMARK_TOKEN: token,
  }
  const { stdout } = await promisify(execFile)('python3', ['examples/python/heatmark.py'], { env })
  expect(stdout).toBe('PY-1 EN 10025-2\nheatmark.company.registered.v1\n')

  const next = `import json, os, heatmark as h
service = h.Heatmark(os.environ['HEATMARK_URL'], os.environ['HEATMARK_COMPANY_ID'], token=os.environ['HEATMARK_TOKEN'])
change, after = next(service.changes())
print(change['id'] != next(service.changes(after))[0]['id'], after == change['position'])
hook = json.loads(os.environ['HOOK'])
print(h.read_webhook(hook['headers'], hook['body'].encode(), hook['secret']))
try: h.read_webhook(hook['headers'], b'[2]', hook['secret'])
except ValueError as error: print(error)`
  const secret = newSecret()
  const message = { id: 'm', timestamp: Math.floor(Date.now() / 1_000), body: '[1]' }
  const hook = { headers: signedHeaders(message, [newSecret(), secret]), body: '[1]', secret }
  const options = { env: { ...env, HOOK: JSON.stringify(hook) }, cwd: 'examples/python' }
  const resumed = await promisify(execFile)('python3', ['-B', '-c', next], options)
  expect(resumed.stdout, 'continues after one change of a page, and knows its sender').toBe(
    'True True\n[1]\nno signature of the webhook fits the secret\n',
  )
})
