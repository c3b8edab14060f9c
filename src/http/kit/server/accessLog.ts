import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import type { Route } from '../routing/route.ts'
import { traceIdOf } from './trace.ts'

/**
 * Log one line for each request, except for probes of the service's health. A line never has headers, bodies or query
 * strings, and so no token, key or secret. The id of the request is its traceId.
 */
export function accessLog(log: Logger, newId: () => string) {
  return pinoHttp<IncomingMessage, ServerResponse>({
    logger: log,
    genReqId: (req) => traceIdOf(req, newId),
    wrapSerializers: false,
    serializers: {
      req: (req: Request) => ({
        traceId: req.id,
        method: req.method,
        path: loggedPath(req.originalUrl),
        address: req.ip,
      }),
      res: (res: Response) => ({
        status: res.statusCode,
        code: res.locals?.code,
        caller: res.locals?.caller,
        keyId: res.locals?.keyId,
      }),
    },
    customLogLevel: (_req, res, error) => {
      if (error || res.err) return 'error'
      return isProbe(res as Response) ? 'silent' : 'info'
    },
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'failed',
    // A 503 is deliberate. Pino would add an error with a useless stack.
    customErrorObject: (_req, res, _error, { err, ...fields }) =>
      res.statusCode === 503 ? fields : { err, ...fields },
  })
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
export function isProbe({ locals }: Response): boolean {
  return (locals?.route as Route | undefined)?.path.startsWith('/health/') === true
}
