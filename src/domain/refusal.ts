/** Why a command was not carried out, in the words of the interface: a stable code and a sentence. */

export type RefusalKind =
  /** The request names something wrong: `faults` say what. */
  | 'invalid'
  /** What it addresses does not exist in this company. */
  | 'not-found'
  /** It does not go with the facts as they stand. */
  | 'conflict'
  /** The record has changed since the caller read it. */
  | 'stale'
  /** The Idempotency-Key belongs to another request. */
  | 'key-reused'
  /** What would be recorded does not fit into one append. */
  | 'too-large'
  /** It may well work in a moment. */
  | 'unavailable'

/** One fault of a request: a JSON Pointer into the body, or a parameter's name, and what is wrong there. */
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

export const notFound = (what: string, id: string, where = 'in this company'): Refusal =>
  new Refusal('not-found', 'not-found', `There is no ${what} ${id} ${where}.`)

export const conflict = (code: string, message: string, details?: Record<string, unknown>): Refusal =>
  new Refusal('conflict', code, message, details)

export const invalid = (
  faults: readonly Fault[],
  message = 'The request names what does not exist.',
): Refusal => new Refusal('invalid', 'validation-failed', message, { errors: faults })
