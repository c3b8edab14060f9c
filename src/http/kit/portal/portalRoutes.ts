import type { Request, Response } from 'express'
import { z } from 'zod'
import { isRefusal, Refusal } from '../../../domain/kernel/refusal.ts'
import type { LoginProvider } from '../../../identity/sessions/loginProvider.ts'
import { type Logins, loginWithinSeconds } from '../../../identity/sessions/logins.ts'
import type { Sessions } from '../../../identity/sessions/sessions.ts'
import { messageOf } from '../../../lib/failure.ts'
import { authenticationProblem } from '../authentication/authenticationProblem.ts'
import { cookieIn, cookieNames, setCookie } from '../authentication/cookies.ts'
import { requireOwnPage } from '../authentication/ownPage.ts'
import { maxSmallBodyBytes, readBody, requireMediaType } from '../body/body.ts'
import { Problem, problemOf } from '../problem.ts'
import { send } from '../routing/respond.ts'
import type { Exchange, Route } from '../routing/route.ts'
import type { Services } from '../services.ts'
import { failurePage } from './failurePage.ts'

/** Login and logout of people at the portal. The browser follows links here, so faults are pages where it wants one. */

export interface Portal {
  /** The address by which browsers know the service, without a slash at its end. */
  address(): string
  readonly logins: Logins
  /** Count a login that asks the identity provider for tokens. @throws Problem 429 */
  countLogin(address: string): void
  readonly sessions: Sessions
  readonly provider: Pick<LoginProvider, 'logoutUrl'>
  /** @throws Refusal `invalid-logout-token`; Failure `provider-unavailable` */
  verifyLogoutToken(token: string): Promise<{ sid?: string; subject?: string }>
}

const open = {
  tag: 'Portal' as const,
  access: 'open' as const,
  params: z.object({}),
  headers: z.object({}),
  body: undefined,
}
const location = z.object({ location: z.string() }).meta({ id: 'LoggedOut' })

/** Sessions are in PostgreSQL, and people log in at the identity provider. */
const fromStores = ['database-unavailable', 'identity-provider-unavailable', 'internal-error'] as const

export function portalRoutes(portal: Portal): Route[] {
  return [
    {
      ...open,
      method: 'get',
      path: '/portal/login',
      operationId: 'logIn',
      summary: 'Log in to the portal, in a browser',
      description: 'Leads to the identity provider, and from there back to `returnTo`, a path of the portal.',
      query: z.object({ returnTo: z.string().optional(), moved: z.string().optional() }),
      responses: { 303: { description: 'To the identity provider.', headers: ['Location'] } },
      problemsAreForPeople: true,
      problems: ['login-failed', ...fromStores],
      answer: (exchange) => asPage(exchange, () => logIn(portal, exchange)),
    },
    {
      ...open,
      method: 'get',
      path: '/portal/callback',
      operationId: 'finishLogin',
      summary: 'Finish a login: the identity provider leads the browser here',
      query: z.object({}),
      responses: { 303: { description: 'To the portal, with the session cookie.', headers: ['Location'] } },
      problemsAreForPeople: true,
      problems: ['login-failed', 'rate-limit-exceeded', ...fromStores],
      answer: (exchange, services) => asPage(exchange, () => finishLogin(portal, exchange, services)),
    },
    {
      ...open,
      method: 'post',
      path: '/portal/logout',
      operationId: 'logOut',
      summary: 'End the session of the portal',
      description:
        'From the moment of the answer, the session is refused on every node. The browser then opens `location`, which ends the session at the identity provider.',
      query: z.object({}),
      responses: { 200: { description: 'The next address of the browser.', schema: location } },
      problems: ['credentials-missing', 'session-ended', 'session-unknown', ...fromStores],
      answer: (exchange) => logOut(portal, exchange),
    },
    {
      ...open,
      method: 'post',
      path: '/portal/backchannel-logout',
      operationId: 'backchannelLogout',
      summary: 'Take a logout from the identity provider',
      description:
        'A form with a `logout_token` (OpenID Connect Back-Channel Logout 1.0). Ends the sessions that the token names.',
      query: z.object({}),
      responses: { 200: { description: 'They have ended.' } },
      problems: ['invalid-logout-token', 'body-too-large', 'unsupported-media-type', ...fromStores],
      answer: (exchange) => endFromProvider(portal, exchange),
    },
  ]
}

const fresh = { 'Cache-Control': 'no-store' }

async function logIn(portal: Portal, { req, res, query }: Exchange): Promise<void> {
  const { returnTo = '', moved } = query as { returnTo?: string; moved?: string }
  const address = portal.address()
  // Under another name, the provider would lead the browser away from the cookie. Once is enough: a proxy may hide
  // the name that the browser used.
  if (req.host !== new URL(address).host && moved === undefined) {
    const again = new URLSearchParams({ returnTo, moved: '1' })
    return send(res, { status: 303, headers: { ...fresh, Location: `${address}/portal/login?${again}` } })
  }
  const names = cookieNames(address)
  const { url, state } = await portal.logins.begin(
    `${address}/portal/callback`,
    returnTo,
    cookieIn(req.headers, names.session),
  )
  const cookie = {
    name: names.login,
    value: state,
    sameSite: 'Lax',
    maxAgeSeconds: loginWithinSeconds,
  } as const
  res.append('Set-Cookie', setCookie(cookie))
  await send(res, { status: 303, headers: { ...fresh, Location: url } })
}

async function finishLogin(
  portal: Portal,
  { req, res, traceId }: Exchange,
  { invitations, log }: Services,
): Promise<void> {
  const address = portal.address()
  const names = cookieNames(address)
  res.append('Set-Cookie', setCookie({ name: names.login, value: '', sameSite: 'Lax', maxAgeSeconds: 0 }))
  // The address is the configured one: the header Host could name any other.
  const answer = new URL(`${address}/portal/callback`)
  answer.search = req.url.replace(/^[^?]*/, '')
  const { cookie, caller, returnTo } = await portal.logins.finish(
    answer,
    cookieIn(req.headers, names.login),
    // Anyone may come here with a made-up code, and the provider bounds what this service asks.
    () => portal.countLogin(req.ip ?? ''),
  )
  res.locals.caller = caller.id
  // The login itself has succeeded. The next one tries again.
  await invitations.takeUp(caller, traceId).catch((error) => log.warn(`invitations: ${messageOf(error)}`))
  res.append('Set-Cookie', setCookie({ name: names.session, value: cookie, sameSite: 'Strict' }))
  await send(res, { status: 303, headers: { ...fresh, Location: `${address}${returnTo}` } })
}

async function logOut(portal: Portal, { req, res }: Exchange): Promise<void> {
  const { headers } = req
  const address = portal.address()
  const { session } = cookieNames(address)
  const cookie = cookieIn(headers, session)
  const isAlone = headers.authorization === undefined && headers['service-api-key'] === undefined
  requireOwnPage(headers)
  try {
    if (cookie === undefined || !isAlone)
      throw new Refusal(
        'session-unknown',
        'A logout needs the session cookie, without a token or an API key, so nothing was done. Log out in the portal.',
      )
    const idToken = await portal.sessions.end(cookie)
    res.append('Set-Cookie', setCookie({ name: session, value: '', sameSite: 'Strict', maxAgeSeconds: 0 }))
    const home = `${address}/portal`
    // The session has ended, whether or not the provider can be asked for its own address.
    const next = await portal.provider.logoutUrl(idToken, home).catch(() => undefined)
    await send(res, {
      status: 200,
      headers: { ...fresh, 'Clear-Site-Data': '"cache"' },
      body: { location: next ?? home },
      isSecret: true,
    })
  } catch (error) {
    throw authenticationProblem(error)
  }
}

async function endFromProvider(portal: Portal, { req, res }: Exchange): Promise<void> {
  requireMediaType(req, ['application/x-www-form-urlencoded'])
  const body = await readBody(req, 2 * maxSmallBodyBytes)
  const token = new URLSearchParams(body.toString()).get('logout_token')
  try {
    if (!token) throw new Refusal('invalid-logout-token', 'The form has no logout_token.')
    await portal.sessions.endOfProvider(await portal.verifyLogoutToken(token))
  } catch (error) {
    throw authenticationProblem(error)
  }
  await send(res, { status: 200, headers: fresh })
}

/** Answer a fault as a page with a link to the login, unless the caller prefers JSON. */
async function asPage({ req, res }: Exchange, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const problem = loginProblem(error)
    if (!(problem instanceof Problem) || !prefersPage(req)) throw problem
    await sendPage(res, problem, req.id)
  }
}

function prefersPage(req: Request): boolean {
  return req.accepts(['json', 'html']) === 'html'
}

async function sendPage(res: Response, problem: Problem, traceId: string): Promise<void> {
  res.locals.code = problem.code
  const { html, headers } = failurePage(problem, traceId)
  await send(res, {
    status: problem.status,
    headers: { ...fresh, ...problem.headers, ...headers },
    body: Buffer.from(html),
  })
}

function loginProblem(error: unknown): unknown {
  if (isRefusal(error, 'invalid-token'))
    return new Problem('login-failed', `The identity provider issued an unusable token. ${error.message}`)
  if (isRefusal(error, 'login-failed')) return problemOf(error)
  return authenticationProblem(error)
}
