import { once } from 'node:events'
import { Agent, type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { sized } from '../../../support/size.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** Many registrations in one request, one on each line. */

const service = await own(startTestService())
const token = await service.identity.token({ oid: 'planner', name: 'Planner' })

const path = (of: string) => `/api/company/${service.companyId}/${of}/bulk`
const post = (of: string, body: string | Buffer, headers: Record<string, string> = {}, query = '') =>
  fetch(service.url + path(of) + query, {
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
      { line: 1, status: 201, id: uuid, outcome: 'created' },
      { line: 3, status: 200, id: answers[0].id, outcome: 'unchanged' },
      {
        line: 4,
        status: 409,
        code: 'certificate-already-registered',
        detail: expect.stringContaining('B-1'),
        millCertificationId: answers[0].id,
        differences: expect.any(Array),
      },
      {
        line: 5,
        status: 400,
        code: 'malformed-json',
        detail: expect.stringMatching(/^The line is not JSON: /),
      },
      {
        line: 6,
        status: 400,
        code: 'validation-failed',
        detail: 'The line has faults, so it was not carried out.',
        errors: expect.any(Array),
      },
      { line: 8, status: 201, id: uuid, outcome: 'created' },
      {
        line: 9,
        status: 400,
        code: 'validation-failed',
        detail: expect.any(String),
        errors: [{ path: '', pointer: '#', code: 'wrong-type', message: expect.any(String) }],
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

  it('refuses a line whose member has no storable name, and carries out the lines around it', async () => {
    const lines = [certificate('Unstorable-1'), '{"\\udfff":1}', certificate('Unstorable-2')]
    const answers = await linesOf(await post(certificates, lines.join('\n')))
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 201])
    expect(answers[1].errors).toContainEqual({
      path: '/\ufffd',
      pointer: '#/%EF%BF%BD',
      code: 'not-storable',
      message: 'its name must not contain unpaired surrogates',
    })
  })

  it('finds faults that a schema cannot express', async () => {
    const line = { lineNumber: 1, lengthMm: 1, quantity: 1 }
    const [answer] = await linesOf(await post('orders', order('twice', { lineItems: [line, line] })))
    expect(answer).toEqual({
      line: 1,
      status: 400,
      code: 'validation-failed',
      detail: expect.any(String),
      errors: [
        {
          path: '/lineItems/1/lineNumber',
          pointer: '#/lineItems/1/lineNumber',
          code: 'not-unique',
          message: 'must be unique',
        },
      ],
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
    expect(answers[10_000]).toEqual({
      line: 10_002,
      status: 413,
      code: 'too-many-lines',
      detail: expect.stringContaining('10000 lines'),
    })
  })

  it.each([
    ['too-many-lines', 10_001, () => ['{}\n'.repeat(30_000_000)]],
    ['body-too-large', 65_538, () => ['{}\n{}\n', ...Array(80_000).fill(`${' '.repeat(1_023)}\n`)]],
  ])(
    'discards what follows a line that is %s, and the connection stays usable',
    async (code, line, chunks) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
      const send = (...sent: string[]) => {
        const outgoing = request(service.url + path(certificates), { method: 'POST', agent, headers })
        Readable.from(sent).pipe(outgoing)
        return outgoing
      }
      const answered = async (sent: ClientRequest) => {
        const [response] = await once(sent, 'response')
        return text(response)
      }
      try {
        const first = send(...chunks())
        const last = (await answered(first)).trim().split('\n').at(-1)!
        expect(JSON.parse(last)).toMatchObject({ line, status: 413, code })
        const second = send('{}')
        expect(JSON.parse(await answered(second))).toMatchObject({ line: 1, status: 400 })
        expect(second.reusedSocket).toBe(true)
      } finally {
        agent.destroy()
      }
    },
  )

  it('registers many in one request, in little memory', async () => {
    const many = sized(300, 10_000)
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
      expect(answers[400]).toMatchObject({ line: 801, status: 429, code: 'rate-limit-exceeded' })
      expect(await left()).toBe('r=0')
      expect((await send('{}')).status).toBe(429)
    } finally {
      await limited.stop()
    }
    const listed = await service.send('viewer', 'GET', certificates)
    expect(JSON.stringify(listed.body)).not.toContain('over-the-limit')
  })

  it('is refused as a whole when it is too large, of another type, under a key or not permitted', async () => {
    expect((await post(certificates, certificate('x'), { 'content-type': 'application/json' })).status).toBe(
      415,
    )
    const keyed = await post(certificates, certificate('x'), { 'idempotency-key': 'k' })
    expect(keyed.status).toBe(400)
    expect(await keyed.json()).toMatchObject({
      code: 'validation-failed',
      errors: [{ path: 'Idempotency-Key', parameter: 'Idempotency-Key', code: 'unknown-parameter' }],
    })
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

  it('counts the lines by their outcome in a last line', async () => {
    const lines = ['{}', '', certificate('S-1'), certificate('S-2'), certificate('S-1')].join('\n')
    const answers = await linesOf(await post(certificates, lines, {}, '?summary=true'))
    expect(answers).toHaveLength(5)
    const { commitPosition, ...counts } = answers[4].summary
    expect(answers[4]).toEqual({ summary: { ...counts, commitPosition } })
    expect(counts).toEqual({ lines: 4, created: 2, updated: 0, unchanged: 1, failed: 1 })
    const headers = { 'min-position': String(commitPosition) }
    const { status, body } = await service.send('viewer', 'GET', certificates, { headers })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain('S-2')
    expect(await linesOf(await post(certificates, '', {}, '?summary=true'))).toEqual([
      { summary: { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0, commitPosition: 0 } },
    ])
  })

  it('answers in a dry run what each line would do, and records nothing', async () => {
    const lines = [
      certificate('D-1'),
      certificate('d-1'),
      certificate('D-1', { grade: 'S235JR' }),
      certificate('D-2', { grade: '' }),
      certificate('D-3'),
      '{',
    ].join('\n')
    expect((await linesOf(await post(certificates, certificate('D-3'))))[0].status).toBe(201)
    const before = await service.send('viewer', 'GET', certificates)
    const dry = await linesOf(await post(certificates, lines, {}, '?dryRun=true&summary=true'))
    const position = before.headers.get('read-position')
    const again = await service.send('viewer', 'GET', certificates)
    expect([again.body, again.headers.get('read-position')]).toEqual([before.body, position])
    const real = await linesOf(await post(certificates, lines, {}, '?dryRun=false&summary=true'))
    expect(dry.slice(0, -1)).toEqual(real.slice(0, -1))
    expect(dry.slice(0, -1).map(({ status, outcome, code }) => `${status} ${outcome ?? code}`)).toEqual([
      '201 created',
      '200 unchanged',
      '409 certificate-already-registered',
      '400 validation-failed',
      '200 unchanged',
      '400 malformed-json',
    ])
    const { commitPosition: ofDry, ...counts } = dry.at(-1).summary
    const { commitPosition, ...realCounts } = real.at(-1).summary
    expect(counts).toEqual(realCounts)
    expect(ofDry).toBeLessThanOrEqual(Number(position))
    expect(commitPosition).toBeGreaterThan(Number(position))
  })

  it('corrects with mode=upsert what exists, merging as PUT does, and registers the rest', async () => {
    const numbered = (n: number, more: object = {}) => ({
      certificateNumber: `U-${n}`,
      heatNumber: 'H',
      ...more,
    })
    const whole = { grade: 'S355J2', inspectionDocument: '3.1', manufacturer: 'Ostwerk' }
    const sent = async (lines: object[], query: string, as = token) =>
      linesOf(
        await post(
          certificates,
          lines.map((line) => JSON.stringify(line)).join('\n'),
          { authorization: `Bearer ${as}` },
          `?mode=upsert&summary=true${query}`,
        ),
      )
    const shortly = (answers: { status?: number; outcome?: string; code?: string }[]) =>
      answers.map(({ status, outcome, code }) => (status ? `${status} ${outcome ?? code}` : 'summary'))

    expect(shortly(await sent([numbered(1, whole), numbered(2, whole)], ''))).toEqual([
      '201 created',
      '201 created',
      'summary',
    ])
    const nightly = [
      numbered(1, { grade: 'S235JR' }),
      numbered(2, { ...whole, manufacturer: null }),
      numbered(3, { grade: 'S355J2' }),
      numbered(3, whole),
      { certificateNumber: ' u-3', heatNumber: 'h', grade: 'S355J2' },
      numbered(1, { grad: 'S235JR' }),
      { heatNumber: 'H', ...whole },
      numbered(2, { item: 'HEB 300', ...whole }),
    ]
    const expected = [
      '200 updated',
      '200 updated',
      '400 validation-failed',
      '201 created',
      '200 unchanged',
      '400 validation-failed',
      '400 validation-failed',
      '201 created',
      'summary',
    ]
    const dry = await sent(nightly, '&dryRun=true')
    expect(shortly(dry)).toEqual(expected)
    const real = await sent(nightly, '')
    expect(real.slice(0, -1)).toEqual(dry.slice(0, -1))
    expect(real[2].errors).toMatchObject([{ pointer: '#/inspectionDocument', code: 'required' }])
    expect(real.at(-1).summary).toMatchObject({ lines: 8, created: 2, updated: 2, unchanged: 1, failed: 3 })
    const one = async (n: number) =>
      (await service.send('viewer', 'GET', `${certificates}?certificateNumber=U-${n}`)).body.find(
        ({ item }: { item: string | null }) => item === null,
      )
    expect(await one(1)).toMatchObject({ ...whole, grade: 'S235JR' })
    expect(await one(2)).toMatchObject({ ...whole, manufacturer: null })

    // Somebody corrects it here. The same file again leaves that as it is; another caller's file does not.
    const { millCertificationId } = await one(1)
    const path = `${certificates}/${millCertificationId}`
    const corrected = await service.send('admin', 'PUT', path, { body: { grade: 'S275JR' } })
    expect(corrected.status).toBe(200)
    expect(shortly(await sent([nightly[0]!], ''))).toEqual(['200 unchanged', 'summary'])
    expect(await one(1)).toMatchObject({ grade: 'S275JR' })
    const quality = await service.identity.token({ oid: 'quality' })
    expect(shortly(await sent([nightly[0]!], '', quality))).toEqual(['200 updated', 'summary'])
    expect(await one(1)).toMatchObject({ grade: 'S235JR', updatedBy: 'quality' })
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
    // A later request to the same stores ends after any that was still under way.
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
    expect(text).toMatch(/\r\nTrailer: Commit-Position, Projection-Status\r\n/)
    expect(text).toMatch(/\r\n0\r\nCommit-Position: [1-9]\d*\r\n\r\n$/)
  })
})
