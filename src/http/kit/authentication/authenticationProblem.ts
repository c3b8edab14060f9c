import { KeyRefused } from '../../../identity/apiKeys.ts'
import { ProviderUnavailable } from '../../../identity/provider.ts'
import { SessionEnded, SessionUnknown } from '../../../identity/sessions/ending.ts'
import { TokenRefused } from '../../../identity/tokens.ts'
import type { CodeOf } from '../../../problems/catalogue.ts'
import { Problem, unavailable } from '../problem.ts'

/** Problems of requests whose credentials are missing, invalid or cannot be checked. */

/** Turn an error of identity into a problem, and return any other error as it is. */
export function authenticationProblem(error: unknown): unknown {
  if (error instanceof TokenRefused) return invalidToken(error.message)
  if (error instanceof KeyRefused) return unauthorised('invalid-api-key', error.message)
  if (error instanceof SessionEnded) return unauthorised('session-ended', error.message)
  if (error instanceof SessionUnknown) return unauthorised('session-unknown', error.message)
  if (error instanceof ProviderUnavailable)
    return unavailable(
      'identity-provider-unavailable',
      'The identity provider cannot be reached. Try again later.',
      error,
    )
  return error
}

export const realm = 'Bearer realm="heatmark"'

function invalidToken(detail: string): Problem {
  return unauthorised(
    'invalid-token',
    detail,
    `${realm}, error="invalid_token", error_description="${detail.replaceAll('"', "'")}"`,
  )
}

/** @param challenge the value of `WWW-Authenticate` */
export function unauthorised(code: CodeOf<401>, detail: string, challenge = realm): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': challenge } })
}
