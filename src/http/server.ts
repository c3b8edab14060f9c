import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { Problem, problemDocument } from './problem.ts'

export interface ListenOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Files in PEM; undefined: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
}

export interface Listening {
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets those under way finish within this time, then ends what is left. */
  close(withinMs: number): Promise<void>
}

/** @throws Error one line that says which address or file, and what is wrong with it */
export const listen = async (
  app: RequestListener,
  { host, port, tls }: ListenOptions,
): Promise<Listening> => {
  const server: Server = tls
    ? createHttpsServer({ cert: readPem(tls.cert), key: readPem(tls.key) }, app)
    : createHttpServer(app)
  server.on('clientError', answerUnreadable)
  // An expectation that is not known is passed over: Node would answer 417 and say nothing else.
  server.on('checkExpectation', app)
  await listening(server, host, port)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: (withinMs) => close(server, withinMs),
  }
}

const readPem = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`TLS: ${path} cannot be read: ${(error as Error).message}`)
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message
      reject(new Error(`cannot listen on ${host}:${port}: ${why}`))
    })
    server.listen(port, host, resolve)
  })

const close = async (server: Server, withinMs: number): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const impatient = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearTimeout(impatient)
}

const unreadable: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem(431, 'headers-too-large', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, 'request-timeout', 'The request did not arrive in time.'),
}
const noHttp = new Problem(400, 'malformed-request', 'This is not a request that HTTP/1.1 knows.')

/** What is not even a request never reaches the application: it is answered here, and the connection ends. */
const answerUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = unreadable[error.code ?? ''] ?? noHttp
  const body = JSON.stringify(problemDocument(problem, '', randomUUID().replaceAll('-', '')))
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.code}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
