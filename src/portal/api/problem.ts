/** The reasons why a call fails. */

/** A problem document of the service (RFC 9457). */
export interface ProblemDocument {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly traceId?: string
  readonly errors?: readonly {
    readonly pointer?: string
    readonly code?: string
    readonly message: string
    /** The place in an expression, from 1. */
    readonly line?: number
    readonly column?: number
  }[]
  readonly [member: string]: unknown
}

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly problem: ProblemDocument

  constructor(problem: ProblemDocument) {
    super(problem.detail)
    this.problem = problem
  }
}

/** The service could not be reached. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}
