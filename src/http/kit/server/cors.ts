import cors from 'cors'
import type { RequestHandler } from 'express'
import { headerName } from '../body/validate.ts'
import type { Route } from '../routing/route.ts'
import { responseHeaders } from '../schemas/responseHeaders.ts'

/** The longest time that a browser may cache the answer to a preflight. */
const preflightSeconds = 7_200

/** Request headers that no route declares, because all routes take them. */
const commonHeaders = ['Authorization', 'Service-Api-Key', 'Content-Type', 'Traceparent']

/** Headers that operations answer and do not declare one by one. */
const undeclared = ['Allow', 'Deprecation', 'Idempotent-Replayed', 'Projection-Status', 'Sunset']

/** Answer headers that pages may read. */
const exposedHeaders = [...Object.keys(responseHeaders), ...undeclared].sort()

/**
 * Let pages of these origins call every route. Cookies play no part, because callers send a token or an API key. A
 * preflight carries no credentials, so it is answered before they are checked.
 */
export function allowOrigins(origins: readonly string[], routes: readonly Route[]): RequestHandler {
  const allow = cors({
    origin: [...origins],
    methods: [...new Set(routes.map(({ method }) => method.toUpperCase())), 'HEAD'],
    allowedHeaders: [...commonHeaders, ...declaredHeaders(routes)],
    exposedHeaders,
    maxAge: preflightSeconds,
  })
  return (req, res, next) => {
    const isOfBrowser = req.headers.origin !== undefined
    const isPreflight = isOfBrowser && req.headers['access-control-request-method'] !== undefined
    if (isPreflight || (isOfBrowser && req.method !== 'OPTIONS')) return allow(req, res, next)
    res.vary('Origin')
    next()
  }
}

function declaredHeaders(routes: readonly Route[]): string[] {
  return [...new Set(routes.flatMap(({ headers }) => Object.keys(headers.shape)))].map(headerName).sort()
}
