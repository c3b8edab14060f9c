/** The reason why a command is refused: a stable code and a sentence for the caller. */

export type RefusalKind =
  /** The request is wrong; `faults` name each fault. */
  | 'invalid'
  /** The addressed record does not exist in this company. */
  | 'not-found'
  /** The caller may not do this any more. */
  | 'forbidden'
  /** The request conflicts with the current state. */
  | 'conflict'
  /** The record has changed since the caller read it. */
  | 'stale'
  /** The Idempotency-Key belongs to another request. */
  | 'key-reused'
  /** The events do not fit into one append. */
  | 'too-large'
  /** A store cannot be reached or is behind; a later try may succeed. */
  | 'unavailable'

/** One fault of a request. `path` is a JSON Pointer into the body, or the name of a parameter. */
export interface Fault {
  readonly path: string
  readonly message: string
  /** Id of the record that the fault is about, under the name that it has in the interface, such as `tagId`. */
  readonly record?: Readonly<Record<string, string>>
}

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  readonly code: string
  /** Members that the problem document carries besides the standard ones, e.g. `tagId`, `state`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(kind: RefusalKind, code: string, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.kind = kind
    this.code = code
    this.details = details
  }
}

export function notFound(what: string, id: string, where = 'in this company'): Refusal {
  return new Refusal('not-found', 'not-found', `There is no ${what} ${id} ${where}.`)
}

export function forbidden(): Refusal {
  return new Refusal('forbidden', 'forbidden', 'You may not do this.')
}

export function conflict(code: string, message: string, details?: Record<string, unknown>): Refusal {
  return new Refusal('conflict', code, message, details)
}

export function invalid(
  faults: readonly Fault[],
  message = 'The request names what does not exist.',
): Refusal {
  return new Refusal('invalid', 'validation-failed', message, { errors: faults })
}
