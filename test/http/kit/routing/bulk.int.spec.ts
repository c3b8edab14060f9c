import { once } from 'node:events'
import { Agent, type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** Many registrations in one request, one on each line. */

let service: TestService
let token: string
beforeAll(async () => {
  service = await startTestService()
  token = await service.identity.token({ oid: 'planner', name: 'Planner' })
})
afterAll(() => service.stop())

const path = (of: string) => `/api/company/${service.companyId}/${of}/bulk`
const post = (of: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(service.url + path(of), {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', ...headers },
  })
const linesOf = async (response: Response) => {
  const text = await response.text()
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
const certificate = (certificateNumber: string, more: object = {}) =>
  JSON.stringify({ certificateNumber, heatNumber: 'H', grade: 'S355J2', inspectionDocument: '3.1', ...more })
const order = (orderNumber: string, more: object = {}) =>
  JSON.stringify({ orderNumber, lineItems: [{ lineNumber: 1, lengthMm: 1, quantity: 1 }], ...more })
const certificates = 'millcert/certificates'
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

describe('bulk intake', () => {
  it('answers each line by itself, in order, with the status of a single request', async () => {
    const body = [
      certificate('B-1'),
      '',
      certificate('b-1 '),
      certificate('B-1', { grade: 'S235JR' }),
      '{"certificateNumber":',
      certificate('B-2', { grade: '', more: 1 }),
      '   \r',
      `\t${certificate('B-3')}\r`,
      '"B-4"',
    ].join('\n')
    const response = await post(certificates, body)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const answers = await linesOf(response)
    expect(answers).toEqual([
      { line: 1, status: 201, id: uuid },
      { line: 3, status: 200, id: answers[0].id },
      { line: 4, status: 409, code: 'certificate-already-registered' },
      { line: 5, status: 400, code: 'malformed-json' },
      { line: 6, status: 400, code: 'validation-failed', errors: expect.any(Array) },
      { line: 8, status: 201, id: uuid },
      {
        line: 9,
        status: 400,
        code: 'validation-failed',
        errors: [{ path: '', message: expect.any(String) }],
      },
    ])
    expect(answers[4].errors.map((error: { path: string }) => error.path).sort()).toEqual(['/grade', '/more'])
    // The whole answer is there once the read models show what was recorded.
    const listed = await service.send('viewer', 'GET', certificates)
    expect(listed.body.map((one: { certificateNumber: string }) => one.certificateNumber)).toEqual([
      'B-1',
      'B-3',
    ])
  })

  it('is harmless to repeat', async () => {
    const body = Array.from({ length: 20 }, (_, n) => order(`R-${n}`)).join('\n')
    const first = await linesOf(await post('orders', body))
    expect(first.every(({ status }) => status === 201)).toBe(true)
    const second = await linesOf(await post('orders', body))
    expect(second).toEqual(first.map((answer) => ({ ...answer, status: 200 })))
    expect((await service.send('viewer', 'GET', 'orders')).body).toHaveLength(20)
  })

  it('finds faults that a schema cannot express', async () => {
    const line = { lineNumber: 1, lengthMm: 1, quantity: 1 }
    const [answer] = await linesOf(await post('orders', order('twice', { lineItems: [line, line] })))
    expect(answer).toEqual({
      line: 1,
      status: 400,
      code: 'validation-failed',
      errors: [{ path: '/lineItems/1/lineNumber', message: 'must be unique' }],
    })
  })

  it('refuses a line too long on its line, to the byte, and goes on', async () => {
    const sized = (bytes: number) => {
      const shortest = certificate('long', { manufacturer: '' })
      return certificate('long', { manufacturer: 'm'.repeat(bytes - shortest.length) })
    }
    const body = [sized(65_536), sized(65_537), sized(300_000), certificate('after')].join('\r\n')
    const answers = await linesOf(await post(certificates, body))
    expect(answers.map(({ line, status, code }) => `${line} ${status} ${code ?? ''}`)).toEqual([
      '1 400 validation-failed',
      '2 413 line-too-long',
      '3 413 line-too-long',
      '4 201 ',
    ])
  })

  it('takes 10,000 lines that are not blank, and refuses the next one as the last answer', async () => {
    const answers = await linesOf(await post(certificates, `\n${'{}\n'.repeat(10_002)}`))
    expect(answers).toHaveLength(10_001)
    expect(answers[9_999]).toMatchObject({ line: 10_001, status: 400 })
    expect(answers[10_000]).toEqual({ line: 10_002, status: 413, code: 'too-many-lines' })
  })

  it('discards the lines after the first one too many, and the connection stays usable', async () => {
    const body = '{}\n'.repeat(4_000_000)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
    const send = (sent: string) => {
      const outgoing = request(service.url + path(certificates), { method: 'POST', agent, headers })
      outgoing.end(sent)
      return outgoing
    }
    const answered = async (sent: ClientRequest) => {
      const [response] = await once(sent, 'response')
      return text(response)
    }
    try {
      const first = send(body)
      const last = (await answered(first)).trim().split('\n').at(-1)!
      expect(JSON.parse(last)).toMatchObject({ line: 10_001, code: 'too-many-lines' })
      const second = send('{}')
      expect(JSON.parse(await answered(second))).toMatchObject({ line: 1, status: 400 })
      expect(second.reusedSocket).toBe(true)
    } finally {
      agent.destroy()
    }
  })

  it('registers many in one request, in little memory', async () => {
    const many = process.env.HEATMARK_TEST_LONG ? 10_000 : 300
    const body = Array.from({ length: many }, (_, n) => certificate(`M-${n}`)).join('\n')
    const before = process.memoryUsage().rss
    const started = performance.now()
    const answers = await linesOf(await post(certificates, body))
    const seconds = (performance.now() - started) / 1_000
    const grownMiB = Math.round((process.memoryUsage().rss - before) / 1_048_576)
    console.log(`${many} lines in ${seconds.toFixed(1)} s, memory grew by ${grownMiB} MiB`)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(many)
    expect(grownMiB).toBeLessThan(256)
  })

  it('counts as a request for each 100 lines, and refuses lines above the limit on their line', async () => {
    const limited = await service.startAnother({ API_RATE_LIMIT: '6' })
    const authorization = `Bearer ${await service.identity.token({ oid: 'planner' })}`
    const headers = { authorization, 'content-type': 'application/x-ndjson' }
    const send = (body: string) =>
      fetch(`${limited.url}${path(certificates)}`, { method: 'POST', body, headers })
    const left = async () =>
      (await fetch(`${limited.url}/api/me`, { headers })).headers.get('ratelimit')?.split(';')[1]
    try {
      expect(await linesOf(await send('{}\n'.repeat(100)))).toHaveLength(100)
      expect(await left()).toBe('r=4')
      const body = `${'{}\n\n'.repeat(400)}${certificate('over-the-limit')}`
      const answers = await linesOf(await send(body))
      expect(answers.slice(0, 400).map(({ status }) => status)).toEqual(Array(400).fill(400))
      expect(answers[400]).toEqual({ line: 801, status: 429, code: 'rate-limit-exceeded' })
      expect(await left()).toBe('r=0')
      expect((await send('{}')).status).toBe(429)
    } finally {
      await limited.stop()
    }
    const listed = await service.send('viewer', 'GET', certificates)
    expect(JSON.stringify(listed.body)).not.toContain('over-the-limit')
  })

  it('is refused as a whole when it is too large, of another type or not permitted', async () => {
    expect((await post(certificates, certificate('x'), { 'content-type': 'application/json' })).status).toBe(
      415,
    )
    const viewer = `Bearer ${await service.identity.token({ oid: 'viewer' })}`
    expect((await post(certificates, certificate('x'), { authorization: viewer })).status).toBe(403)
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(
      `POST ${path(certificates)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/x-ndjson\r\nContent-Length: 67108865\r\n\r\n',
    )
    const [answer] = await once(socket, 'data')
    socket.destroy()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [\s\S]*body-too-large/)
  })

  it('leaves whole lines only when the connection breaks', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const lines = `${order('whole-1')}\n${order('whole-2')}\n${order('cut-short')}`
    socket.write(
      `POST ${path('orders')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: 10000\r\n\r\n${lines}`,
    )
    const numbers = async () =>
      (await service.send('viewer', 'GET', 'orders')).body
        .map((one: { orderNumber: string }) => one.orderNumber)
        .filter((number: string) => /^(whole|cut)/.test(number))
    await until(async () => (await numbers()).length === 2)
    socket.destroy()
    await once(socket, 'close')
    // What comes later on the same stores comes after anything that was still under way.
    expect((await linesOf(await post('orders', order('whole-3'))))[0].status).toBe(201)
    expect(await numbers()).toEqual(['whole-1', 'whole-2', 'whole-3'])
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200)
  })

  it('tells in a trailer the position of what was recorded', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const body = order('trailer')
    socket.write(
      `POST ${path('orders')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toMatch(/\r\nTrailer: Commit-Position\r\n/)
    expect(text).toMatch(/\r\n0\r\nCommit-Position: [1-9]\d*\r\n\r\n$/)
  })
})
