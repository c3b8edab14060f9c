/**
 * Errors that a caller tells from others, each by a stable code. Those of the interface have codes of the catalogue of
 * problems (`Refusal`, `Problem`). The codes here stay inside the service, in its logs and in the conditions of doctor.
 */
export type FailureCode = 'grant-ended' | 'provider-unavailable'

export class Failure<Code extends string = FailureCode> extends Error {
  override readonly name: string = 'Failure'
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function isFailure<Code extends FailureCode>(
  error: unknown,
  ...codes: Code[]
): error is Failure<Code> {
  return error instanceof Failure && (codes as string[]).includes(error.code)
}
