import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import {
  addressGroup,
  createRateLimiter,
  type RateLimiter,
  type RateLimitStatus,
} from '../../../admission/rateLimit.ts'
import { isWellFormed } from '../../../identity/apiKeyFormat.ts'
import type { ApiKeys } from '../../../identity/apiKeys.ts'
import type { Caller } from '../../../identity/caller.ts'
import type { Memberships } from '../../../identity/memberships.ts'
import type { Sessions, Verified as VerifiedSession } from '../../../identity/sessions/sessions.ts'
import type { Tokens } from '../../../identity/tokens.ts'
import { Problem, tooManyRequests } from '../problem.ts'
import type { Authenticate, Principal, RecallMember } from '../services.ts'
import { authenticationProblem, realm, unauthorised } from './authenticationProblem.ts'
import { cookieIn } from './cookies.ts'
import { isPoll, requireOwnPage, requirePerson, tellEnds } from './ownPage.ts'

/** Authenticate requests by access token, API key or session, and count them against the limits of callers and addresses. */

export interface AuthenticateOptions {
  readonly tokens: Tokens
  readonly apiKeys: ApiKeys
  readonly memberships: Memberships
  /** undefined without a portal. */
  readonly portal?: { readonly sessions: Pick<Sessions, 'verify'>; sessionCookie(): string } | undefined
  /** Failed authentications per address and minute. */
  readonly failureLimit: number
  /** Requests per caller and minute. */
  readonly apiRateLimit: number
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
}

export interface Authentication {
  readonly authenticate: Authenticate
  readonly recallMember: RecallMember
}

export function createAuthentication(options: AuthenticateOptions): Authentication {
  const { tokens, memberships } = options
  const limits = createLimits(options)
  const present = createPresent(options, limits)

  return {
    async authenticate(req, res, address, identified = () => {}) {
      const principal = await present(req, res).catch((error) => {
        if (error instanceof Problem && countsAsFailure(error))
          setRateLimitHeaders(limits.countFailure(address), res)
        throw error
      })
      identified(principal)
      setRateLimitHeaders(limits.countRequest(principal.caller), res)
      return principal
    },
    recallMember({ authorization = '', 'service-api-key': key }, companyId) {
      const [, token] = bearer.exec(authorization) ?? []
      const caller = token && key === undefined ? tokens.recall(token) : undefined
      const roles = caller && memberships.recall(caller.id, companyId)
      return roles && { caller, roles, countRequest: () => limits.requests.count(caller.id) }
    },
  }
}

/** The cookie of an ended session is no guess. Its page may send it many times before the person notices. */
function countsAsFailure({ status, code }: Problem): boolean {
  return status === 401 && code !== 'session-ended'
}

interface Limits {
  /** By id of the caller. */
  readonly requests: RateLimiter
  /** @throws Problem 429 */
  countFailure(address: string): RateLimitStatus
  /** @throws Problem 429 */
  countRequest(caller: Caller): RateLimitStatus
}

function createLimits({ failureLimit, apiRateLimit, clock }: AuthenticateOptions): Limits {
  const failures = createRateLimiter('authentication-failures', failureLimit, clock)
  const requests = createRateLimiter('requests', apiRateLimit, clock)

  return {
    requests,
    /**
     * Good and bad credentials may come from the same address, so the limit applies only to failed
     * checks.
     */
    countFailure(address) {
      const rateLimit = failures.count(addressGroup(address))
      if (rateLimit.exceeded)
        throw tooManyRequests(rateLimit, 'Too many failed authentications from this address.')
      return rateLimit
    },
    countRequest({ id }) {
      const rateLimit = requests.count(id)
      if (rateLimit.exceeded) throw tooManyRequests(rateLimit, 'Too many requests.')
      return rateLimit
    },
  }
}

function setRateLimitHeaders({ headers }: RateLimitStatus, res: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

type Verified = Omit<Principal, 'verifyAgain'>

/** Return a function that identifies the caller by the credentials of a request. It throws Problem 401, 503. */
function createPresent(
  { tokens, apiKeys, memberships, portal }: AuthenticateOptions,
  { countRequest }: Limits,
): (req: IncomingMessage, res: ServerResponse) => Promise<Principal> {
  const ofPerson = (caller: Caller): Verified => ({
    caller,
    apiKey: undefined,
    rolesIn: (companyId) => memberships.rolesIn(caller.id, companyId),
    memberships: () => memberships.all(caller.id),
    countRequest: () => void countRequest(caller),
  })

  const byToken = async (header: string | undefined): Promise<Verified> =>
    ofPerson(await tokens.verify(bearerToken(header)))

  const bySession = async (
    cookie: string,
    headers: IncomingHttpHeaders,
    res: ServerResponse,
  ): Promise<Verified> => {
    requireOwnPage(headers)
    const { caller, ends, endsFor } = await portal!.sessions.verify(cookie, !isPoll(headers))
    requirePerson(headers, caller)
    tellEnds(ends, res)
    return whileUsed(ofPerson(caller), endsFor, res)
  }

  const byKey = async (key: string): Promise<Verified> => {
    const { keyId, caller, snapshot } = await apiKeys.verify(key)
    return {
      caller,
      apiKey: { keyId, snapshot },
      rolesIn: async (companyId) => snapshot.find((one) => one.companyId === companyId)?.roles ?? [],
      memberships: async () => snapshot,
      countRequest: () => void countRequest(caller),
    }
  }

  /** If both credentials are sent, both must be valid and belong to one account. The token then decides the permissions. */
  const verify = async (headers: IncomingHttpHeaders, res: ServerResponse): Promise<Verified> => {
    const { authorization, 'service-api-key': key } = headers
    if (key === undefined) {
      const cookie = portal && sessionCookieIn(headers, portal)
      return cookie === undefined ? byToken(authorization) : bySession(cookie, headers, res)
    }
    const holder = await byKey(String(key))
    if (authorization === undefined) return holder
    const bearer = await byToken(authorization)
    if (bearer.caller.id === holder.caller.id) return bearer
    throw unauthorised('credentials-differ', 'The token and the API key are of different accounts.')
  }

  const present = async (req: IncomingMessage, res: ServerResponse): Promise<Principal> => {
    const verified = await verify(req.headers, res).catch((error) => {
      throw authenticationProblem(error)
    })
    return { ...verified, verifyAgain: () => present(req, res) }
  }
  return present
}

/** A browser adds the cookie by itself, so it never adds rights to other credentials. */
function sessionCookieIn(
  headers: IncomingHttpHeaders,
  portal: NonNullable<AuthenticateOptions['portal']>,
): string | undefined {
  return headers.authorization === undefined ? cookieIn(headers, portal.sessionCookie()) : undefined
}

/** A session that was not used for too long ends for a company, although it goes on elsewhere. */
function whileUsed(person: Verified, endsFor: VerifiedSession['endsFor'], res: ServerResponse): Verified {
  const requireUse = (companyId?: string) =>
    endsFor(companyId).catch((error) => {
      throw authenticationProblem(error)
    })
  return {
    ...person,
    async rolesIn(companyId) {
      const roles = await person.rolesIn(companyId)
      if (roles.length > 0) tellEnds(await requireUse(companyId), res)
      return roles
    },
    requireRecentUse: async () => void (await requireUse()),
  }
}

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** @throws Problem 401 unless the header is `Bearer`, a space and a token */
function bearerToken(header: string | undefined): string {
  if (header === undefined)
    throw unauthorised(
      'credentials-missing',
      'The Authorization header is missing, and so is its alternative, Service-Api-Key.',
    )
  const [, token] = bearer.exec(header) ?? []
  if (token && !isWellFormed(token)) return token
  throw unauthorised(
    'authorization-malformed',
    token
      ? 'The Authorization header holds an API key. Send it in the header Service-Api-Key.'
      : 'The Authorization header must be the word Bearer, one space and the token.',
    `${realm}, error="invalid_request", error_description="expected: Bearer <token>"`,
  )
}
