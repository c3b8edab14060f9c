import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Caller } from '../../../identity/caller.ts'
import type { SessionEnds } from '../../../identity/sessions/ending.ts'
import { unauthorised } from './authenticationProblem.ts'

/** Headers that a page of the portal sends beside the cookie of its session, and those that it gets. */

/**
 * A browser sends the cookie also for a form or a picture on another port of this host, which counts as the same site.
 * Only a page of this service can have both headers.
 * @throws Problem 401
 */
export function requireOwnPage(headers: IncomingHttpHeaders): void {
  if (headers['sec-fetch-site'] === 'same-origin' && headers['heatmark-portal'] === '1') return
  throw unauthorised(
    'credentials-missing',
    'The session cookie does not count, because the request did not come from a page of the portal.',
  )
}

/** A page says so when no person caused the request: a session does not stay alive by an open tab alone. */
export function isPoll(headers: IncomingHttpHeaders): boolean {
  return headers['heatmark-poll'] === '1'
}

/**
 * All tabs of a browser share the cookie. A page that names its person cannot act for the next one.
 * @throws Problem 401
 */
export function requirePerson({ 'heatmark-user': user }: IncomingHttpHeaders, { id }: Caller): void {
  if (user === undefined || user === id) return
  throw unauthorised('session-ended', 'This browser has logged in as another person meanwhile.')
}

/** A page warns its person before the session ends. The header is a dictionary of dates (RFC 9651). */
export function tellEnds({ idleAt, latestAt }: SessionEnds, res: ServerResponse): void {
  const date = (time: Date) => `@${Math.floor(time.getTime() / 1_000)}`
  if (!res.headersSent) res.setHeader('Session-Ends', `idle=${date(idleAt)}, latest=${date(latestAt)}`)
}
