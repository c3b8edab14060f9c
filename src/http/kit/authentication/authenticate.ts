import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isWellFormed } from '../../../identity/apiKeyFormat.ts'
import { type ApiKeys, KeyRefused } from '../../../identity/apiKeys.ts'
import type { Caller } from '../../../identity/caller.ts'
import type { Memberships } from '../../../identity/memberships.ts'
import { ProviderUnavailable } from '../../../identity/provider.ts'
import { TokenRefused, type Tokens } from '../../../identity/tokens.ts'
import { addressGroup, createRateLimiter, type Standing, tooManyRequests } from '../limits/rateLimit.ts'
import { Problem, unavailable } from '../problem.ts'
import type { Authenticate, Principal } from '../services.ts'

/** Authenticates requests by access token or API key, and counts them against the limits of callers and addresses. */

export interface AuthenticateOptions {
  readonly tokens: Tokens
  readonly apiKeys: ApiKeys
  readonly memberships: Memberships
  /** Failed authentications per address and minute. */
  readonly failureLimit: number
  /** Requests per caller and minute. */
  readonly apiRateLimit: number
  readonly now: () => Date
}

export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const limits = createLimits(options)
  const present = createPresent(options, limits)

  return async (req, res, address, identified = () => {}) => {
    const principal = await present(req).catch((error) => {
      if (error instanceof Problem && error.status === 401) tellStanding(limits.countFailure(address), res)
      throw error
    })
    identified(principal)
    tellStanding(limits.countRequest(principal.caller), res)
    return principal
  }
}

/** Each throws Problem 429 above its limit. */
interface Limits {
  countFailure(address: string): Standing
  countRequest(caller: Caller): Standing
}

function createLimits({ failureLimit, apiRateLimit, now }: AuthenticateOptions): Limits {
  const clock = () => now().getTime()
  const failures = createRateLimiter('authentication-failures', failureLimit, clock)
  const requests = createRateLimiter('requests', apiRateLimit, clock)

  return {
    /**
     * Good and bad credentials may come from the same address, so the limit applies only to failed
     * checks.
     */
    countFailure(address) {
      const standing = failures.count(addressGroup(address))
      if (standing.exceeded)
        throw tooManyRequests(standing, 'Too many failed authentications from this address.')
      return standing
    },
    countRequest({ id }) {
      const standing = requests.count(id)
      if (standing.exceeded) throw tooManyRequests(standing, 'Too many requests.')
      return standing
    },
  }
}

function tellStanding({ headers }: Standing, res: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

type Verified = Omit<Principal, 'verifyAgain'>

/** Return a function that identifies the caller by the credentials of a request. It throws Problem 401, 503. */
function createPresent(
  { tokens, apiKeys, memberships }: AuthenticateOptions,
  { countRequest }: Limits,
): (req: IncomingMessage) => Promise<Principal> {
  const byToken = async (header: string | undefined): Promise<Verified> => {
    const caller = await tokens.verify(bearerToken(header))
    return {
      caller,
      apiKey: undefined,
      rolesIn: (companyId) => memberships.rolesIn(caller.id, companyId),
      memberships: () => memberships.all(caller.id),
      countRequest: () => void countRequest(caller),
    }
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
  const verify = async ({
    authorization,
    'service-api-key': key,
  }: IncomingHttpHeaders): Promise<Verified> => {
    if (key === undefined) return byToken(authorization)
    const holder = await byKey(String(key))
    if (authorization === undefined) return holder
    const bearer = await byToken(authorization)
    if (bearer.caller.id === holder.caller.id) return bearer
    throw unauthorised('credentials-differ', 'The token and the API key are of different accounts.')
  }

  const present = async (req: IncomingMessage): Promise<Principal> => {
    const verified = await verify(req.headers).catch((error) => {
      throw problemOf(error)
    })
    return { ...verified, verifyAgain: () => present(req) }
  }
  return present
}

/** @throws Problem 401 unless the header is `Bearer`, a space and a token */
function bearerToken(header: string | undefined): string {
  if (header === undefined)
    throw unauthorised(
      'credentials-missing',
      'The Authorization header is missing, and so is its alternative, Service-Api-Key.',
    )
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header) ?? []
  if (token && !isWellFormed(token)) return token
  throw unauthorised(
    'authorization-malformed',
    token
      ? 'The Authorization header holds an API key. Send it in the header Service-Api-Key.'
      : 'The Authorization header must be the word Bearer, one space and the token.',
    `${realm}, error="invalid_request", error_description="expected: Bearer <token>"`,
  )
}

/** Turn an error of identity into a problem. */
function problemOf(error: unknown): unknown {
  if (error instanceof TokenRefused) return invalidToken(error.message)
  if (error instanceof KeyRefused) return unauthorised('invalid-api-key', error.message)
  if (error instanceof ProviderUnavailable)
    return unavailable(
      'identity-provider-unavailable',
      'The identity provider cannot be reached. Try again later.',
      error,
    )
  return error
}

const realm = 'Bearer realm="heatmark"'

function invalidToken(detail: string): Problem {
  return unauthorised(
    'invalid-token',
    detail,
    `${realm}, error="invalid_token", error_description="${detail.replaceAll('"', "'")}"`,
  )
}

function unauthorised(code: string, detail: string, challenge = realm): Problem {
  return new Problem(401, code, detail, { headers: { 'WWW-Authenticate': challenge } })
}
