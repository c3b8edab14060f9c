import type { ProblemCode } from './generated.ts'

/** The error of every request that the service refused or did not answer. Its `code` says what to do. */

/** A problem document (RFC 9457). Some codes have more members. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly traceId: string
  readonly errors?: readonly {
    readonly pointer?: string
    readonly parameter?: string
    readonly code: string
    readonly message: string
  }[]
  readonly [member: string]: unknown
}

/**
 * The code of a problem of the service, or one of this client: `no-answer` when nothing came, `not-a-problem` when the
 * answer came from somebody else, such as a proxy, and `not-authentic` for a webhook that nobody may trust.
 */
export type ErrorCode = ProblemCode | 'no-answer' | 'not-a-problem' | 'not-authentic'

interface Details {
  readonly code: ErrorCode
  /** The HTTP status; 0 without an answer. */
  readonly status?: number
  readonly problem?: Problem | undefined
  readonly cause?: unknown
}

export class HeatmarkError extends Error {
  override readonly name = 'HeatmarkError'
  readonly code: ErrorCode
  readonly status: number
  /** Undefined when the answer was no problem document. */
  readonly problem: Problem | undefined

  constructor(message: string, { code, status = 0, problem, cause }: Details) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.problem = problem
  }

  /** The same request may succeed later. */
  get isTemporary(): boolean {
    return this.code === 'no-answer' || temporary.has(this.status)
  }
}

/** Statuses after which the same request is sent again. */
export const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Read the error of a refused request. */
export async function errorOf(request: string, response: Response): Promise<HeatmarkError> {
  const text = await response.text().catch(() => '')
  const { status } = response
  const problem = problemIn(text)
  if (!problem)
    return new HeatmarkError(`${request}: ${status} ${text.slice(0, 200)}`, { code: 'not-a-problem', status })
  const faults = (problem.errors ?? []).map(
    ({ pointer, parameter, message }) => `\n  ${pointer ?? parameter}: ${message}`,
  )
  const message = `${request}: ${status} ${problem.detail} (${problem.code}, trace ${problem.traceId})${faults.join('')}`
  return new HeatmarkError(message, { code: problem.code as ErrorCode, status, problem })
}

function problemIn(text: string): Problem | undefined {
  try {
    const parsed = JSON.parse(text)
    return typeof parsed?.code === 'string' ? parsed : undefined
  } catch {
    return undefined
  }
}
