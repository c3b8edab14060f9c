import type { IncomingMessage, ServerResponse } from 'node:http'
import { isWellFormed } from '../identity/apiKeyFormat.ts'
import { type ApiKeys, KeyRefused } from '../identity/apiKeys.ts'
import type { Caller } from '../identity/caller.ts'
import type { Memberships } from '../identity/memberships.ts'
import { ProviderUnavailable } from '../identity/provider.ts'
import { TokenRefused, type Tokens } from '../identity/tokens.ts'
import { Problem, unavailable } from './problem.ts'
import { addressGroup, createRateLimiter, type Standing, tooManyRequests } from './rateLimit.ts'
import type { Authenticate, Principal } from './services.ts'

/** Which credentials a request brings, and whether they are good. */

export interface AuthenticateOptions {
  readonly tokens: Tokens
  readonly apiKeys: ApiKeys
  readonly memberships: Memberships
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
      ? 'This is an API key: it is sent in the header Service-Api-Key.'
      : 'The Authorization header must be the word Bearer, one space and the token.',
    `${realm}, error="invalid_request", error_description="expected: Bearer <token>"`,
  )
}

export const createAuthenticate = ({
  tokens,
  apiKeys,
  memberships,
  failureLimit,
  apiRateLimit,
  now,
}: AuthenticateOptions): Authenticate => {
  const clock = () => now().getTime()
  const failures = createRateLimiter('authentication-failures', failureLimit, clock)
  const requests = createRateLimiter('requests', apiRateLimit, clock)

  /** @throws Problem 429 */
  const countRequest = ({ id }: Caller): Standing => {
    const standing = requests.count(id)
    if (standing.exceeded) throw tooManyRequests(standing, 'Too many requests.')
    return standing
  }

  const byToken = async (header: string | undefined): Promise<Principal> => {
    const caller = await tokens.verify(bearerToken(header))
    const { id } = caller
    return {
      caller,
      apiKey: undefined,
      rolesIn: (companyId) => memberships.rolesIn(id, companyId),
      memberships: () => memberships.all(id),
      countRequest: () => void countRequest(caller),
    }
  }

  const byKey = async (key: string): Promise<Principal> => {
    const { keyId, caller, snapshot } = await apiKeys.verify(key)
    return {
      caller,
      apiKey: { keyId, snapshot },
      rolesIn: async (companyId) => snapshot.find((one) => one.companyId === companyId)?.roles ?? [],
      memberships: async () => snapshot,
      countRequest: () => void countRequest(caller),
    }
  }

  /** Of two credentials both must be good, and of one account; then the token's permissions count. */
  const present = async ({ headers }: IncomingMessage): Promise<Principal> => {
    const { authorization, 'service-api-key': key } = headers
    if (key === undefined) return byToken(authorization)
    const holder = await byKey(String(key))
    if (authorization === undefined) return holder
    const bearer = await byToken(authorization)
    if (bearer.caller.id === holder.caller.id) return bearer
    throw unauthorised('credentials-differ', 'The token and the API key are of different accounts.')
  }

  /**
   * Nobody knows whether credentials are bad before they have been checked, and good ones may come from the same
   * address: so the limit changes the answer to bad ones, and nothing else.
   * @throws Problem 429 above the limit
   */
  const countFailure = (address: string, res: ServerResponse): void => {
    const standing = failures.count(addressGroup(address))
    if (standing.exceeded)
      throw tooManyRequests(standing, 'Too many failed authentications from this address.')
    tellStanding(standing, res)
  }

  return async (req, res, address, identified = () => {}) => {
    const principal = await present(req).catch((error) => {
      const problem = problemOf(error)
      if (problem instanceof Problem && problem.status === 401) countFailure(address, res)
      throw problem
    })
    identified(principal)
    tellStanding(countRequest(principal.caller), res)
    return principal
  }
}

function tellStanding({ headers }: Standing, res: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

const problemOf = (error: unknown): unknown => {
  if (error instanceof TokenRefused) return invalidToken(error.message)
  if (error instanceof KeyRefused) return unauthorised('invalid-api-key', error.message)
  if (error instanceof ProviderUnavailable)
    return unavailable('identity-provider-unavailable', 'The identity provider cannot be reached.', error)
  return error
}
