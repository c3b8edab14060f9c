import { Refusal } from '../../../domain/kernel/refusal.ts'
import { isFailure } from '../../../lib/failure.ts'
import type { CodeOf } from '../../../problems/catalogue.ts'
import { Problem, unavailable } from '../problem.ts'

/** Problems of requests whose credentials are missing, invalid or cannot be checked. */

/** Turn an error of identity into a problem, and return any other error as it is. */
export function authenticationProblem(error: unknown): unknown {
  if (error instanceof Refusal && error.status === 401)
    return unauthorised(error.code as CodeOf<401>, error.message)
  if (isFailure(error, 'provider-unavailable'))
    return unavailable(
      'identity-provider-unavailable',
      'The identity provider cannot be reached. Try again later.',
      error,
    )
  return error
}

export const realm = 'Bearer realm="heatmark"'

/** @param challenge the value of `WWW-Authenticate` */
export function unauthorised(
  code: CodeOf<401>,
  detail: string,
  challenge = code === 'invalid-token' ? `${realm}, error="invalid_token", ${describe(detail)}` : realm,
): Problem {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': challenge } })
}

function describe(detail: string): string {
  return `error_description="${detail.replaceAll('"', "'")}"`
}
