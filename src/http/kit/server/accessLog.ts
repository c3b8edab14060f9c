import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import { traceIdOf } from './trace.ts'

/**
 * One line a request, but for those that find the service in health. Headers, bodies and query strings are never in it, so no token, key or secret is.
 * The request's id is its traceId.
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
      return isQuiet(res as Response) ? 'silent' : 'info'
    },
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'failed',
    // A 503 is meant. Pino makes an error up for it, whose stack tells nothing.
    customErrorObject: (_req, res, _error, { err, ...fields }) =>
      res.statusCode === 503 ? fields : { err, ...fields },
  })
}

/** Probes ask every few seconds, and anyone may ask as often as they like: only bad health is worth a line. */
function isQuiet({ locals, statusCode }: Response): boolean {
  return statusCode === 200 && String(locals?.route).startsWith('/health/')
}

/** Characters of a path that a line shows. */
const maxPathLength = 1_000

/**
 * API keys and tokens, which somebody who mixed things up may have put into a path. Behind its first characters
 * the pattern takes what comes: one that can still fail there would look at every character again and again.
 */
const credentials = /(?:hmk_|eyJ)[\w.-]*/g

/** The path without query and credentials. What is long is cut off first, so that a line costs little. */
export function loggedPath(url: string): string {
  const start = url.slice(0, maxPathLength)
  const path = start.split('?', 1)[0]!
  const cut = path.length < start.length || start.length === url.length ? '' : '…'
  return path.replace(credentials, '…') + cut
}
