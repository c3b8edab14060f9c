import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient, describeProblem } from '../../src/cli/client.ts'

describe('createClient', () => {
  const asked: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = []
  let answer: { status: number; headers?: Record<string, string>; body?: string }
  let server: Server
  let baseUrl: string

  beforeEach(async () => {
    asked.length = 0
    answer = { status: 200, body: '[]' }
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        asked.push({ method: request.method!, url: request.url!, headers: request.headers, body })
        response.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.close()
  })

  it('sends the token, and JSON only where there is a body', async () => {
    const client = createClient(baseUrl, 'a.b.c')
    expect(await client('GET', '/x')).toEqual({ status: 200, body: [] })
    await client('PUT', '/y', { tagIds: [] })
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: '/x',
      headers: { authorization: 'Bearer a.b.c' },
      body: '',
    })
    expect(asked[0]!.headers).not.toHaveProperty('content-type')
    expect(asked[1]).toMatchObject({ headers: { 'content-type': 'application/json' }, body: '{"tagIds":[]}' })
  })

  it('returns no body for 204', async () => {
    answer = { status: 204 }
    expect(await createClient(baseUrl, 't')('POST', '/x')).toEqual({ status: 204, body: undefined })
  })

  it('sends with every GET the highest position that its commands recorded', async () => {
    const client = createClient(baseUrl, 't')
    await client('GET', '/before')
    for (const position of ['9007199254740993', '12']) {
      answer = { status: 201, headers: { 'Commit-Position': position }, body: '{}' }
      await client('POST', '/x', {})
    }
    await client('GET', '/after')
    expect(asked.map(({ headers }) => headers['min-position'])).toEqual([
      undefined,
      undefined,
      undefined,
      '9007199254740993',
    ])
  })

  it('throws an error with the detail and the code of the problem document', async () => {
    const problem = {
      title: 'Conflict',
      detail: 'Order SO-1 has another content.',
      code: 'order-already-registered',
    }
    answer = { status: 409, body: JSON.stringify(problem) }
    await expect(createClient(baseUrl, 't')('POST', '/x', {})).rejects.toThrow(
      'POST /x: 409 Order SO-1 has another content. (order-already-registered)',
    )
  })
})

describe('describeProblem', () => {
  it('writes each fault on a line of its own', () => {
    const problem = {
      title: 'Bad Request',
      detail: 'Two faults.',
      code: 'validation-failed',
      traceId: '4bf9',
      errors: [
        { path: '/grade', message: 'is empty' },
        { path: '/lineItems/0/lengthMm', message: 'is not above 0' },
      ],
    }
    expect(describeProblem('POST /x', 400, JSON.stringify(problem))).toBe(
      'POST /x: 400 Two faults. (validation-failed, trace 4bf9)\n' +
        '  /grade: is empty\n' +
        '  /lineItems/0/lengthMm: is not above 0',
    )
  })

  it('shows the start of a body that is not a problem document', () => {
    expect(describeProblem('GET /x', 502, '<html>Bad Gateway')).toBe('GET /x: 502: <html>Bad Gateway')
    expect(describeProblem('GET /x', 500, '')).toBe('GET /x: 500: the response is empty')
  })
})
