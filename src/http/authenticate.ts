import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Role } from '../domain/company.ts'
import type { Caller } from '../identity/caller.ts'
import { ProviderUnavailable } from '../identity/jwks.ts'
import { TokenRefused, type Tokens } from '../identity/tokens.ts'
import { Problem, unavailable } from './problem.ts'
import { createRateLimiter, tooManyRequests } from './rateLimit.ts'
import type { Authenticate, Principal } from './services.ts'

/** Which credentials a request brings, and whether they are good. */

export interface AuthenticateOptions {
  readonly tokens: Tokens
  /** An account's roles in a company: none for those who are no members. */
  readonly membershipsOf: (userId: string, companyId: string) => Promise<readonly Role[]>
  /** Failed authentications an address and minute. */
  readonly failureLimit: number
  /** Requests a caller and minute. */
  readonly apiRateLimit: number
  readonly now: () => Date
}

const realm = 'Bearer realm="heatmark"'

const unauthorised = (code: string, detail: string, challenge = realm): Problem =>
  new Problem(401, code, detail, { headers: { 'WWW-Authenticate': challenge } })

const invalidToken = (detail: string): Problem =>
  unauthorised(
    'invalid-token',
    detail,
    `${realm}, error="invalid_token", error_description="${detail.replaceAll('"', "'")}"`,
  )

/** @throws Problem 401 unless the header is `Bearer`, a space and a token */
const bearerToken = (header: string | undefined): string => {
  if (header === undefined) throw unauthorised('credentials-missing', 'The Authorization header is missing.')
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header) ?? []
  if (token) return token
  throw unauthorised(
    'authorization-malformed',
    'The Authorization header must be the word Bearer, one space and the token.',
    `${realm}, error="invalid_request", error_description="expected: Bearer <token>"`,
  )
}

export const createAuthenticate = ({
  tokens,
  membershipsOf,
  failureLimit,
  apiRateLimit,
  now,
}: AuthenticateOptions): Authenticate => {
  const clock = () => now().getTime()
  const failures = createRateLimiter('authentication-failures', failureLimit, clock)
  const requests = createRateLimiter('requests', apiRateLimit, clock)

  const principalOf = (caller: Caller): Principal => ({
    caller,
    rolesIn: (companyId) => membershipsOf(caller.id, companyId),
  })

  const present = async (req: IncomingMessage, address: string): Promise<Principal> => {
    // No key has ever been issued, so any is unknown, also beside a good token.
    if (req.headers['service-api-key'] !== undefined)
      throw unauthorised('invalid-api-key', 'The API key is unknown.')
    const token = bearerToken(req.headers.authorization)
    const known = tokens.known(token)
    if (known) return principalOf(known)
    refuseAfterFailures(address)
    return principalOf(await tokens.verify(token))
  }

  /** Whoever guesses is stopped before a guess costs a signature check. */
  const refuseAfterFailures = (address: string): void => {
    const standing = failures.look(address)
    if (standing.exceeded)
      throw tooManyRequests(standing, 'Too many failed authentications from this address.')
  }

  const limitRequests = (caller: Caller, res: ServerResponse): void => {
    const standing = requests.count(caller.id)
    if (standing.exceeded) throw tooManyRequests(standing, 'Too many requests.')
    for (const [name, value] of Object.entries(standing.headers)) res.setHeader(name, value)
  }

  return async (req, res, address) => {
    try {
      const principal = await present(req, address)
      limitRequests(principal.caller, res)
      return principal
    } catch (error) {
      const problem = problemOf(error)
      if (!(problem instanceof Problem) || problem.status !== 401) throw problem
      refuseAfterFailures(address)
      failures.count(address)
      throw problem
    }
  }
}

const problemOf = (error: unknown): unknown => {
  if (error instanceof TokenRefused) return invalidToken(error.message)
  if (error instanceof ProviderUnavailable)
    return unavailable('identity-provider-unavailable', 'The identity provider cannot be reached.', error)
  return error
}
