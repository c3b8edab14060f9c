import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Caller } from '../../../identity/caller.ts'
import type { SessionEnds } from '../../../identity/sessions/ending.ts'
import { unauthorised } from './authenticationProblem.ts'

/** Headers that a page of the portal sends with its session cookie, and headers that it receives. */

/**
 * Refuse a cookie that a page of another origin sent. A browser also sends the cookie for a form or a picture of a page
 * on another port of this host, because it is the same site. Only a page of this service can send both headers.
 * @throws Problem 401
 */
export function requireOwnPage(headers: IncomingHttpHeaders): void {
  if (headers['sec-fetch-site'] === 'same-origin' && headers['heatmark-portal'] === '1') return
  throw unauthorised(
    'credentials-missing',
    'The session cookie does not count, because the request did not come from a page of the portal. Send an access token or an API key, or use the portal.',
  )
}

/** Whether the page, and no person, caused the request. An open tab alone must not keep a session alive. */
export function isPoll(headers: IncomingHttpHeaders): boolean {
  return headers['heatmark-poll'] === '1'
}

/**
 * Refuse a page that names another person than the session. All tabs of a browser share the cookie, so a page of one
 * person could otherwise act for the next one.
 * @throws Problem 401
 */
export function requirePerson({ 'heatmark-user': user }: IncomingHttpHeaders, { id }: Caller): void {
  if (user === undefined || user === id) return
  throw unauthorised(
    'session-ended',
    'Another person has logged in with this browser since the page was opened. Load the page again.',
  )
}

/** Tell the page when the session ends, so that it can warn the person. The header is a dictionary of dates (RFC 9651). */
export function tellEnds({ idleAt, latestAt }: SessionEnds, res: ServerResponse): void {
  const date = (time: Date) => `@${Math.floor(time.getTime() / 1_000)}`
  if (!res.headersSent) res.setHeader('Session-Ends', `idle=${date(idleAt)}, latest=${date(latestAt)}`)
}
