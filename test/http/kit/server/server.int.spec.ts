import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, type RequestListener, request, type ServerResponse } from 'node:http'
import { get } from 'node:https'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { readBody } from '../../../../src/http/kit/body/body.ts'
import { listen } from '../../../../src/http/kit/server/server.ts'
import { clock } from '../../../../src/lib/clocks.ts'
import { writeTlsFiles } from '../../../support/selfSigned.ts'

/** Where the service listens, and how it stops. */

const local = { host: '127.0.0.1', port: 0, clock }
const hello: RequestListener = (_req, res) => void res.end('hello')

describe('TLS', () => {
  const { tls, remove } = writeTlsFiles()
  afterAll(remove)

  it('is spoken with the certificate and key that are named', async () => {
    const server = await listen(hello, { ...local, tls })
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const asked = get(server.url, { rejectUnauthorized: false, agent: false })
    const [response] = await once(asked, 'response')
    expect(String((await response.toArray())[0])).toBe('hello')
    await server.close(1_000)
  })

  it('says in one line which file cannot be read', async () => {
    const missing = { ...tls, key: '/tmp/missing.pem' }
    await expect(listen(hello, { ...local, tls: missing })).rejects.toThrow(
      /^TLS_(CERT|KEY): .*missing\.pem cannot be read: ENOENT/,
    )
  })

  it('names the settings when the key is not that of the certificate', async () => {
    const key = `${tls.key}.other`
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await expect(listen(hello, { ...local, tls: { ...tls, key } })).rejects.toThrow(
      /^TLS_CERT, TLS_KEY: .* belong together: [^\n]*mismatch/,
    )
  })
})

describe('listening', () => {
  it('says in one line that a port is in use', async () => {
    const server = await listen(hello, local)
    await expect(listen(hello, { ...local, port: server.port })).rejects.toThrow(
      `PORT: cannot listen on 127.0.0.1:${server.port}: the port is in use`,
    )
    await server.close(1_000)
  })

  it('names addresses of IPv6 as a URL does', async () => {
    const server = await listen(hello, { ...local, host: '::1' })
    expect(await (await fetch(server.url)).text()).toBe('hello')
    await server.close(1_000)
  })
})

describe('closing', () => {
  const held = (begin = (_res: ServerResponse) => {}) => {
    const arrived = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const app: RequestListener = async (_req, res) => {
      begin(res)
      arrived.resolve()
      await answer.promise
      res.end('hello')
    }
    return { app, arrived: arrived.promise, answer: () => answer.resolve() }
  }
  /** Longer than a test may take. */
  const tooLongMs = 600_000
  const keepsConnections = { ...local, timeouts: { idleMs: tooLongMs, silentMs: tooLongMs } }
  const idle = async (port: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }

  it('lets a request under way finish, and takes no more', async () => {
    const { app, arrived, answer } = held()
    const server = await listen(app, keepsConnections)
    const asked = fetch(server.url)
    await arrived
    const socket = await idle(server.port)
    const closing = server.close(tooLongMs)
    await expect(fetch(server.url)).rejects.toThrow()
    answer()
    const { headers, body } = await asked
    expect(headers.get('connection')).toBe('close')
    expect(await text(body!)).toBe('hello')
    socket.destroy()
    await closing
  })

  it('closes a connection after the answer that was being sent when the server stopped', async () => {
    const { app, arrived, answer } = held((res) => res.flushHeaders())
    const server = await listen(app, keepsConnections)
    const { headers, body } = await fetch(server.url)
    expect(headers.get('connection')).toBe('keep-alive')
    await arrived
    const closing = server.close(tooLongMs)
    answer()
    expect(await text(body!)).toBe('hello')
    await closing
  })

  it('ends what is not over in time', async () => {
    const { app, arrived } = held()
    const server = await listen(app, local)
    const asked = fetch(server.url)
    await arrived
    const refused = expect(asked).rejects.toThrow()
    await server.close(50)
    await refused
  })
})

it('ignores an unknown expectation', async () => {
  const server = await listen(hello, local)
  const asked = request(server.url, { headers: { Expect: 'the unknown' }, agent: false }).end()
  const [response] = await once(asked, 'response')
  expect(response.statusCode).toBe(200)
  response.resume()
  await server.close(1_000)
})

it('discards a long body that it has answered, and the connection stays usable', async () => {
  const server = await listen((_req, res) => void res.end('answer'), local)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const isReused of [false, true]) {
    const sent = request(server.url, { agent, method: 'POST' })
    const responded = once(sent, 'response')
    for (let part = 0; part < 50; part += 1) sent.write(Buffer.alloc(100_000))
    // The whole body goes out, because the service reads it.
    await new Promise<void>((resolve) => sent.end(resolve))
    const [response] = await responded
    await once(response.resume(), 'end')
    expect(sent.reusedSocket).toBe(isReused)
  }
  agent.destroy()
  await server.close(1_000)
})

it('does not wait for the body of a client that has gone', async () => {
  const read = Promise.withResolvers<Buffer>()
  const app: RequestListener = (req) => {
    req.once('close', () => readBody(req).then(read.resolve, read.reject))
  }
  const server = await listen(app, local)
  const socket = connect(server.port, '127.0.0.1')
  socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf')
  await expect(read.promise).rejects.toMatchObject({ status: 400, code: 'body-incomplete' })
  await server.close(1_000)
})

describe('what is no request', () => {
  it.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400, 'malformed-request'],
    [
      'two lengths',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed-request',
    ],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'malformed-request'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'malformed-request'],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400, 'malformed-request'],
    ['an empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 400, 'malformed-request'],
    ['a path as host', 'GET / HTTP/1.1\r\nHost: x/y\r\n\r\n', 400, 'malformed-request'],
    ['two hosts in one', 'GET / HTTP/1.1\r\nHost: x, y\r\n\r\n', 400, 'malformed-request'],
    ['a user as host', 'GET / HTTP/1.1\r\nHost: u@x\r\n\r\n', 400, 'malformed-request'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
  ])('is answered as a problem, and the connection ends: %s', async (_, text, status, code) => {
    const server = await listen(hello, local)
    const socket = connect(server.port, '127.0.0.1')
    socket.write(text)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain(`"code":"${code}"`)
    await server.close(1_000)
  })

  it('does not include HTTP/1.0 without a host, as simple health checks send it', async () => {
    const server = await listen(hello, local)
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET / HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
    await server.close(1_000)
  })
})
