import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { isHost } from '../baseUrl.ts'
import { Problem, problemDocument, problemMediaType } from '../problem.ts'
import { createDiscard } from './discard.ts'

/** The HTTP server: where it listens, and which connections it closes. */

/** Paths of PEM files. */
interface TlsFiles {
  readonly cert: string
  readonly key: string
}

export interface ListenOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** The setting that names the port, by default `PORT`. */
  readonly setting?: string
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** PEM files. Undefined for plain HTTP. */
  readonly tls?: TlsFiles | undefined
  /** The most open connections; a further one is closed at once. Undefined for no limit of our own. */
  readonly maxConnections?: number | undefined
  readonly timeouts?: Partial<Timeouts>
  /** The address by which callers reach the service. */
  readonly publicUrl?: string | undefined
}

/** A client that exceeds a limit is disconnected. The service's own work does not count. */
interface Timeouts {
  /** Until all headers have arrived: from the connection, or from the first byte of a later request. */
  readonly headersMs: number
  /** Until the whole request has arrived. */
  readonly requestMs: number
  readonly handshakeMs: number
  /** Without a byte in either direction while the service waits for the client. */
  readonly silentMs: number
  /** Without a byte between two requests. */
  readonly idleMs: number
  /** The interval at which the first two limits are checked. */
  readonly checkEveryMs: number
}

export interface Listening {
  readonly url: string
  readonly port: number
  /** Return the number of open connections. */
  connections(): Promise<number>
  /** Accept no more requests, wait this long for those in progress, then close the remaining connections. */
  close(withinMs: number): Promise<void>
}

/** @throws Error one line that names the address or file and its problem */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, setting = 'PORT', tls, publicUrl } = options
  const answers = new Map<Socket, ServerResponse>()
  const server = createServer(options)
  const discard = createDiscard(options.clock, { ...defaults, ...options.timeouts }.requestMs)
  const serve: RequestListener = (req, res) => {
    const { socket } = req
    answers.set(socket, res)
    res.once('finish', () => req.complete || discard(req))
    res.once('close', () => {
      if (answers.get(socket) !== res) return
      answers.delete(socket)
      // The server closed idle connections before this answer ended, so nothing else would close this one.
      if (!server.listening) socket.destroySoon()
    })
    req.url = withoutHost(req.url ?? '/')
    if (namesOneHost(req)) app(req, res)
    else refuseHost(res, publicUrl)
  }
  server.on('request', serve)
  // Ignore an unknown expectation. Node would answer 417 without a reason.
  server.on('checkExpectation', serve)
  closeStalled(server, answers, publicUrl)
  await startListening(server, host, port, setting)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    connections: () => countConnections(server),
    close: (withinMs) => close(server, answers.values(), withinMs),
  }
}

/**
 * No honest client is silent for so long. A descriptor is free within 90 s: when a client has read a part of the
 * answer, Node waits `silentMs` once more.
 */
const defaults: Timeouts = {
  headersMs: 30_000,
  requestMs: 300_000,
  handshakeMs: 30_000,
  silentMs: 30_000,
  // Proxies usually keep an idle connection for 60 s. The side that sends the requests must be the first to close it:
  // a request that crosses the end of its connection fails.
  idleMs: 75_000,
  checkEveryMs: 5_000,
}

function createServer({ tls, maxConnections, timeouts }: ListenOptions): Server {
  const { headersMs, requestMs, handshakeMs, silentMs, idleMs, checkEveryMs } = { ...defaults, ...timeouts }
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkEveryMs,
    // Node would answer without a problem document.
    requireHostHeader: false,
  }
  const server = tls
    ? createHttpsServer({
        ...limits,
        ...readTls(tls),
        handshakeTimeout: handshakeMs,
      })
    : createHttpServer(limits)
  server.timeout = silentMs
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  return server
}

/** @throws Error of one line that names the setting, when a file cannot be read or the two do not belong together */
export function readTls({ cert, key }: TlsFiles): { readonly cert: Buffer; readonly key: Buffer } {
  const pems = { cert: readPem('TLS_CERT', cert), key: readPem('TLS_KEY', key) }
  try {
    createSecureContext(pems)
  } catch (error) {
    const why = (error as Error).message.replace(/^error:\w+:/, '')
    throw new Error(
      `TLS_CERT, TLS_KEY: ${cert} and ${key} are no certificate and private key (PEM, without a password) that belong together: ${why}`,
    )
  }
  return pems
}

function readPem(setting: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`${setting}: ${path} cannot be read: ${(error as Error).message}`)
  }
}

/** By the code of the error. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES:
    'permission denied; for a port below 1024 the process needs CAP_NET_BIND_SERVICE, which deploy/heatmark.service gives it',
}

function startListening(server: Server, host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = reasons[error.code ?? ''] ?? error.message
      reject(new Error(`${setting}: cannot listen on ${host}:${port}: ${why}`))
    })
    server.listen(port, host, resolve)
  })
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

async function close(server: Server, answers: Iterable<ServerResponse>, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Tell clients not to send another request on the connection.
  for (const answer of answers) answer.shouldKeepAlive = false
  server.closeIdleConnections()
  const impatient = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearTimeout(impatient)
}

/** Destroy every connection whose client is silent. Ending it would wait for the client for ever. */
function closeStalled(
  server: Server,
  answers: ReadonlyMap<Socket, ServerResponse>,
  publicUrl?: string,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket)
    // The service reads the rest of a request as it answers it, however long that takes. `timeout` finds silent clients.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && answer?.headersSent) return
    // An answer to an earlier request is being sent. The client would take this one for a part of it.
    const inUse = answer !== undefined && (answer.headersSent || answer.req.complete)
    if (inUse || error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else answerUnreadable(error, socket, publicUrl)
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('timeout', (socket: Socket) => {
    if (!waitsForService(socket, answers.get(socket)?.req)) socket.destroy()
  })
}

/** True while the client has sent all that the service has asked for, and has read all that the service has sent. */
function waitsForService(socket: Socket, request: IncomingMessage | undefined): boolean {
  const hasSent = request !== undefined && (request.complete || request.readableLength > 0)
  return hasSent && socket.writableLength === 0
}

const unreadable: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem(
    'headers-too-large',
    'The headers are too large, so the request was not read. Send fewer or shorter ones.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(
    'request-timeout',
    'The request did not arrive in time, so nothing was done. Send it again.',
  ),
}
const noHttp = new Problem(
  'malformed-request',
  'The data is not a valid HTTP/1.1 request, so the connection is closed. Send a valid one.',
)

/**
 * Some proxies send the host in the target, too (RFC 9112, 3.2.2). It is ignored here. It may also be no valid
 * host, and Express would answer such a request with its own error page.
 */
function withoutHost(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/?#]*\/?/i, '/')
}

/**
 * Whether the request names exactly one host (RFC 9112, 3.2). A proxy may take another of two hosts than the service
 * does. Only HTTP/1.0 may leave the host out.
 */
function namesOneHost({ headersDistinct: { host = [] }, httpVersion }: IncomingMessage): boolean {
  return host.length === 0 ? httpVersion === '1.0' : host.length === 1 && isHost(host[0])
}

const noHost = new Problem(
  'malformed-request',
  'The request has no valid Host header, or several, so nothing was done. Send exactly one.',
)

function refuseHost(res: ServerResponse, publicUrl?: string): void {
  res.writeHead(noHost.status, { 'Content-Type': problemMediaType, Connection: 'close' })
  res.end(JSON.stringify(documentOf(noHost, publicUrl)))
}

function documentOf(problem: Problem, baseUrl = ''): object {
  return problemDocument(problem, { baseUrl, instance: '', traceId: randomUUID().replaceAll('-', '') })
}

/** Destroying a connection at once would discard the answer of a client that is still sending. */
const lingerMs = 1_000

/** Answer data that is not a valid request, which never reaches the application, and close the connection. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, publicUrl?: string): void {
  const problem = unreadable[error.code ?? ''] ?? noHttp
  const body = JSON.stringify(documentOf(problem, publicUrl))
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.code}\r\nContent-Type: ${problemMediaType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  const lingering = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(lingering))
}
