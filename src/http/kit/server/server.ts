import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { Problem, problemDocument } from '../problem.ts'

/** Where the service listens, and which connections it lets go. */

export interface ListenOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Files in PEM; undefined: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Connections held at once; one more is closed as it comes. undefined: as many as the system allows. */
  readonly maxConnections?: number | undefined
  readonly timeouts?: Partial<Timeouts>
}

/** A client that takes longer is let go. Work of our own that takes long is never the client's fault. */
export interface Timeouts {
  /** From the connection, or from the first byte of a later request, until the headers are here. */
  readonly headersMs: number
  /** Until the whole request is here. */
  readonly requestMs: number
  readonly handshakeMs: number
  /** Without a byte in either direction while it is the client's turn to send or to take. */
  readonly silentMs: number
  /** How often the two first are looked at. */
  readonly checkEveryMs: number
}

export interface Listening {
  readonly url: string
  readonly port: number
  /** Connections that are open. */
  connections(): Promise<number>
  /** Takes no more requests, lets those under way finish within this time, then ends what is left. */
  close(withinMs: number): Promise<void>
}

/** @throws Error one line that says which address or file, and what is wrong with it */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, tls } = options
  const answers = new WeakMap<Socket, ServerResponse>()
  const server = createServer(options)
  const serve: RequestListener = (req, res) => {
    const { socket } = req
    answers.set(socket, res)
    res.once('close', () => answers.get(socket) === res && answers.delete(socket))
    app(req, res)
  }
  server.on('request', serve)
  // An expectation that is not known is passed over: Node would answer 417 and say nothing else.
  server.on('checkExpectation', serve)
  letGo(server, answers)
  await listening(server, host, port)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    connections: () => connections(server),
    close: (withinMs) => close(server, withinMs),
  }
}

/**
 * No turn of an honest client takes as long. A descriptor is free within 90 s: where a client has taken a part of
 * what was written, Node gives it `silentMs` once more.
 */
const defaults: Timeouts = {
  headersMs: 30_000,
  requestMs: 300_000,
  handshakeMs: 30_000,
  silentMs: 30_000,
  checkEveryMs: 5_000,
}

function createServer({ tls, maxConnections, timeouts }: ListenOptions): Server {
  const { headersMs, requestMs, handshakeMs, silentMs, checkEveryMs } = { ...defaults, ...timeouts }
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
  }
  const server = tls
    ? createHttpsServer({
        ...limits,
        cert: readPem(tls.cert),
        key: readPem(tls.key),
        handshakeTimeout: handshakeMs,
      })
    : createHttpServer(limits)
  server.timeout = silentMs
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  return server
}

function readPem(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`TLS: ${path} cannot be read: ${(error as Error).message}`)
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message
      reject(new Error(`cannot listen on ${host}:${port}: ${why}`))
    })
    server.listen(port, host, resolve)
  })
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

async function close(server: Server, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const impatient = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearTimeout(impatient)
}

/** Destroys every connection whose client does not get on; to end it would wait for the client's side for ever. */
function letGo(server: Server, answers: WeakMap<Socket, ServerResponse>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket)
    // The answer to an earlier request is on its way: this one would be taken for it, or for a part of it.
    const inUse = answer !== undefined && (answer.headersSent || answer.req.complete)
    if (inUse || error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else answerUnreadable(error, socket)
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('timeout', (socket: Socket) => {
    const waitsForUs = answers.get(socket)?.req.complete && socket.writableLength === 0
    if (!waitsForUs) socket.destroy()
  })
}

const unreadable: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem(431, 'headers-too-large', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, 'request-timeout', 'The request did not arrive in time.'),
}
const noHttp = new Problem(400, 'malformed-request', 'This is not a request that HTTP/1.1 knows.')

/** To destroy a connection at once would take the answer back from a client that is still sending. */
const lingerMs = 1_000

/** What is not even a request never reaches the application: it is answered here, and the connection ends. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const problem = unreadable[error.code ?? ''] ?? noHttp
  const body = JSON.stringify(problemDocument(problem, '', randomUUID().replaceAll('-', '')))
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.code}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  const lingering = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(lingering))
}
