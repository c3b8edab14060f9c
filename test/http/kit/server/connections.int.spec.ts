import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { get as getByTls } from 'node:https'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectByTls } from 'node:tls'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readBody } from '../../../../src/http/kit/body/body.ts'
import { type Listening, type ListenOptions, listen } from '../../../../src/http/kit/server/server.ts'
import { clock } from '../../../../src/lib/clocks.ts'
import { writeTlsFiles } from '../../../support/selfSigned.ts'
import { isFullRun, sized } from '../../../support/size.ts'
import { until } from '../../../support/until.ts'

/** A client that stops sending or reading holds no descriptor for long, and keeps nobody else out. */

const sockets = sized(50, 2_000)
/** The long run uses the default timeouts, with which all descriptors must be free within 90 s. */
const timeouts = {
  // Client and server share a process, so many handshakes at once may take a second of a slow machine.
  ...{ headersMs: 500, requestMs: 1_200, handshakeMs: 3_000, silentMs: 800, idleMs: 1_500 },
  checkEveryMs: 50,
}
const freeWithinMs = sized(20_000, 90_000)

const local = { host: '127.0.0.1', port: 0, clock }
const large = Buffer.alloc(16 * 1_048_576)
const app: RequestListener = (req, res) => {
  if (req.url === '/large') res.end(large)
  else if (req.url === '/refused') res.writeHead(401).end()
  else if (req.method === 'POST')
    readBody(req).then(
      () => res.end('hello'),
      () => res.destroy(),
    )
  else res.end('hello')
}

const { tls, remove } = writeTlsFiles()
afterAll(remove)

let server: Listening
let clients: Socket[]
beforeEach(() => {
  clients = []
})
afterEach(async () => {
  for (const client of clients) client.destroy()
  await server.close(1_000)
})

const start = async (options: Partial<ListenOptions> = {}, serve: RequestListener = app): Promise<void> => {
  server = await listen(serve, { ...local, ...options })
}

/** A client that never closes its side, not even after the service has ended or destroyed its own. */
const open = (socket: Socket): Socket => {
  clients.push(socket)
  return socket.on('error', () => {})
}
const plain = (): Socket => open(connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }))
const byTls = (): Socket =>
  open(
    connectByTls({
      socket: plain(),
      rejectUnauthorized: false,
      ...{ allowHalfOpen: true, maxVersion: 'TLSv1.3' as const },
    }),
  )

/** Requests that a client leaves unfinished, or whose answer it does not read. */
const halfRequests = [
  '',
  'GET / HTTP/1.1\r\nHost: x\r\nX-Half: ',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
  'POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
  'GET /large HTTP/1.1\r\nHost: x\r\n\r\n',
]
const halfHandshakes = ['', '\x16\x03\x01\x02\x00']

const honestRequest = async (): Promise<void> => {
  if (server.url.startsWith('http:')) {
    expect(await (await fetch(server.url, { headers: { connection: 'close' } })).text()).toBe('hello')
    return
  }
  const [response] = await once(getByTls(server.url, { rejectUnauthorized: false, agent: false }), 'response')
  expect(String((await response.toArray())[0])).toBe('hello')
}

/** Opens them in portions that the backlog of a listening socket holds, and sends each of the texts in turn. */
const openMany = async (count: number, connectOne: () => Socket, ready: string, texts: readonly string[]) => {
  const portion = 50
  for (let n = 0; n < count; n += portion) {
    const some = Array.from({ length: Math.min(portion, count - n) }, connectOne)
    await Promise.all(some.map((socket) => once(socket, ready)))
    for (const [index, socket] of some.entries()) socket.write(texts[index % texts.length]!, 'latin1')
    // Connections are accepted in their order: when this one is answered, all before it are held.
    await honestRequest()
  }
  // Where nobody reads, no client sees that the other side has gone.
  for (const client of clients) client.pause()
}

const expectFreed = async (): Promise<void> => {
  const started = performance.now()
  await until(async () => {
    await honestRequest()
    return (await server.connections()) === 0
  }, freeWithinMs)
  if (isFullRun)
    console.info(`${clients.length} were free after ${Math.round(performance.now() - started)} ms`)
}

describe('silent clients are disconnected while others are served', () => {
  const options = isFullRun ? {} : { timeouts }

  it('over plain HTTP', async () => {
    await start(options)
    await openMany(sockets, plain, 'connect', halfRequests)
    await expectFreed()
  })

  it('over TLS', async () => {
    await start({ ...options, tls })
    await openMany(sockets / 2, byTls, 'secureConnect', halfRequests)
    await openMany(sockets / 2, plain, 'connect', halfHandshakes)
    await expectFreed()
  })
})

// A slow machine may take more than half a second from a connection to its first byte.
describe('a client is not disconnected', () => {
  it('while its request is carried out, however long that takes', async () => {
    await start({ timeouts: { ...timeouts, headersMs: 1_000 } }, async (_req, res) => {
      await pause(3 * timeouts.silentMs)
      res.end('hello')
    })
    await honestRequest()
  })

  it('while the service does not read its body, however long that takes', async () => {
    const limits = { ...timeouts, headersMs: 60_000, requestMs: 60_000, silentMs: 1_000 }
    await start({ timeouts: limits }, async (req, res) => {
      await pause(3 * limits.silentMs)
      res.end(String((await readBody(req, large.length)).length))
    })
    const response = await fetch(server.url, { method: 'POST', body: large })
    expect(await response.text()).toBe(String(large.length))
  })
})

it('a client whose request is answered while it is read is not disconnected, however long that takes', async () => {
  const limits = { ...timeouts, requestMs: 1_000, headersMs: 1_000, silentMs: 60_000 }
  await start({ timeouts: limits }, async (req, res) => {
    for await (const part of req) res.write(part)
    res.end()
  })
  const socket = plain()
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nfirst')
  expect(String((await once(socket, 'data'))[0])).toContain('first')
  await pause(limits.requestMs + 4 * limits.checkEveryMs)
  socket.write('later')
  let answer = ''
  for await (const chunk of socket) {
    answer += chunk
    if (answer.endsWith('0\r\n\r\n')) break
  }
  expect(answer).toContain('later')
})

describe('a connection between two requests', () => {
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

  it('stays open for longer than proxies keep it', async () => {
    await start()
    const { headers } = await fetch(server.url)
    expect(headers.get('keep-alive')).toBe('timeout=75')
  })

  it('stays open when the limits of a request have passed', async () => {
    const limits = { ...timeouts, ...{ headersMs: 1_000, requestMs: 1_000, silentMs: 1_000, idleMs: 60_000 } }
    await start({ timeouts: limits })
    const socket = plain()
    socket.write(request)
    expect(String((await once(socket, 'data'))[0])).toContain('hello')
    await pause(limits.requestMs + 4 * limits.checkEveryMs)
    socket.write(request)
    expect(String((await once(socket, 'data'))[0])).toContain('hello')
  })

  it('is closed after its own limit', async () => {
    await start({ timeouts: { ...timeouts, idleMs: 200 } })
    const socket = plain()
    socket.write(request)
    expect(String((await once(socket, 'data'))[0])).toContain('hello')
    await until(async () => (await server.connections()) === 0)
  })
})

describe('connections', () => {
  it('beyond the limit are closed, and one that ends makes room for another', async () => {
    await start({ maxConnections: 2 })
    const [first] = [plain(), plain()]
    await until(async () => (await server.connections()) === 2)
    await expect(fetch(server.url)).rejects.toThrow()
    first!.destroy()
    await until(async () => (await server.connections()) === 1)
    await honestRequest()
  })

  it('end without an answer when invalid data follows a request that is being answered', async () => {
    const answered = Promise.withResolvers<void>()
    await start({}, async (_req, res) => {
      await answered.promise
      res.end('hello')
    })
    const socket = plain()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nNOTHING OF HTTP\r\n\r\n')
    let answer = ''
    for await (const chunk of socket) answer += chunk
    answered.resolve()
    expect(answer).toBe('')
  })

  it('that are closed for a time limit get a problem with the reason', async () => {
    await start({ timeouts })
    const socket = plain()
    socket.write(halfRequests[1]!)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request-timeout"/s)
  })
})
