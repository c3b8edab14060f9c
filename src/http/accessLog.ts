import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import { traceIdOf } from './trace.ts'

/** What somebody who mixed things up may have put into a path: API keys and tokens. */
const credentials = /hmk_[0-9A-Za-z]+|eyJ[\w-]+\.[\w.-]+/g

/**
 * One line a request. Headers, bodies and query strings are never in it, so no token, key or secret is.
 * The request's id is its traceId.
 */
export const accessLog = (log: Logger, newId: () => string) =>
  pinoHttp<IncomingMessage, ServerResponse>({
    logger: log,
    genReqId: (req) => traceIdOf(req, newId),
    wrapSerializers: false,
    serializers: {
      req: (req: Request) => ({
        traceId: req.id,
        method: req.method,
        path: req.originalUrl.split('?')[0]!.replace(credentials, '…'),
        address: req.ip,
      }),
      res: (res: Response) => ({
        status: res.statusCode,
        code: res.locals?.code,
        caller: res.locals?.caller,
        keyId: res.locals?.keyId,
      }),
    },
    customLogLevel: (_req, res, error) => (error || res.err ? 'error' : 'info'),
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'failed',
    // A 503 is meant. Pino makes an error up for it, whose stack tells nothing.
    customErrorObject: (_req, res, _error, { err, ...fields }) =>
      res.statusCode === 503 ? fields : { err, ...fields },
  })
