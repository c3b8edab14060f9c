import type { IncomingMessage } from 'node:http'
import type { Response } from 'express'
import type { Logger } from 'pino'

declare module 'http' {
  interface IncomingMessage {
    /** The id of the request, which is its traceId. */
    id: string
    /** The request as lines of the log show it. */
    logged: {
      readonly traceId: string
      readonly method: string
      readonly path: string
      readonly address?: string
    }
  }
  interface ServerResponse {
    /** The error behind a 500, for the access log. */
    err?: Error
  }
}

/**
 * Log one line for each request, except for probes of the service's health. A line never has headers, bodies or query
 * strings, and so no token, key or secret.
 */
export function accessLog(log: Logger, newId: () => string) {
  /** @param address of the client; undefined when the connection has ended */
  return (req: IncomingMessage, res: Response, address?: string): void => {
    const startedAt = Date.now()
    req.id = traceIdOf(req, newId)
    const { id: traceId, method = '', url = '' } = req
    req.logged = { traceId, method, path: loggedPath(url), ...(address && { address }) }
    const write = (error?: Error) => {
      for (const event of ends) res.off(event, write)
      const err = error ?? res.err
      if (!err && isProbe(res)) return
      const line = { req: req.logged, res: answerOf(res), responseTime: Date.now() - startedAt }
      const message = err || res.statusCode >= 500 ? 'failed' : 'answered'
      // A 503 is deliberate, so the line has no stack.
      if (err) log.error(res.statusCode === 503 ? line : { err, ...line }, message)
      else log.info(line, message)
    }
    for (const event of ends) res.on(event, write)
  }
}

/** Events of which the first ends an answer. */
const ends = ['finish', 'close', 'error'] as const

function answerOf({ statusCode: status, locals }: Response) {
  return { status, code: locals?.code, caller: locals?.caller, keyId: locals?.keyId }
}

/** A line shows this many characters of a path. */
const maxPathLength = 1_000

/**
 * API keys and tokens that a caller put into a path by mistake. After its first characters the pattern cannot
 * fail, so it never backtracks.
 */
const credentials = /(?:hmk_|eyJ)[\w.-]*/g

/** Return the path without query and credentials. A long path is cut off first, to bound the work. */
export function loggedPath(url: string): string {
  const start = url.slice(0, maxPathLength)
  const path = start.split('?', 1)[0]!
  const cut = path.length < start.length || start.length === url.length ? '' : '…'
  return path.replace(credentials, '…') + cut
}

/** Probes ask every few seconds, and anyone may ask without limit. `reportHealth` logs what they find. */
export function isProbe({ req }: Response): boolean {
  return /^(\/api)?\/health\/(live|ready)$/.test(req.logged.path)
}

/** W3C Trace Context: version 00, trace id, parent id, flags; an id of zeros is none. */
const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Return the trace id of a request: the caller's or a new one. It is the correlation id of the recorded events. */
function traceIdOf(req: IncomingMessage, newId: () => string): string {
  return traceparent.exec(String(req.headers.traceparent ?? ''))?.[1] ?? newId().replaceAll('-', '')
}
