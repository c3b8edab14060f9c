/**
 * Errors that a caller tells from others, each by a stable code. Those of the interface have codes of the catalogue of
 * problems (`Refusal`, `Problem`). The codes here stay inside the service, its log, and the conditions of doctor.
 */
type FailureCode =
  /** Another writer appended first: the stream is not at the expected revision. */
  | 'wrong-revision'
  /** The same, when the store has not answered an earlier attempt of this append, which may have been recorded. */
  | 'wrong-revision-after-silence'
  /** The events do not fit into one append of the store. */
  | 'append-too-large'
  /** The store lacks an event that was read from it before: it is another store, or an older copy. */
  | 'event-store-went-back'
  /** The process no longer leads. Another one does, or will. */
  | 'term-over'
  /** An upcaster cannot read the data of an event. */
  | 'upcast-failed'
  /** An event has a newer version than this release knows. */
  | 'newer-release-running'
  /** A handler used a row that it had not declared. */
  | 'undeclared-row'
  /** A handler put a row that its table cannot hold. */
  | 'misshapen-row'
  /** A text holds an unpaired surrogate, which PostgreSQL cannot store. */
  | 'unstorable-text'
  /** A projection cannot fold an event of a rebuild or verify. */
  | 'fold-failed'
  /** A projection lacks tables or columns, so it cannot be compared. */
  | 'tables-missing'
  /** There is no event that the projection may pass over. */
  | 'nothing-to-skip'
  /** A file to import cannot be read at all. */
  | 'unreadable'
  /** The store of documents cannot be reached, or refuses. */
  | 'objects-unavailable'
  /** A setting is missing, so there is no store of documents. It never becomes available by itself. */
  | 'objects-not-set'
  /** The store of documents has no room. */
  | 'objects-full'
  /** The documents belong to another event store. */
  | 'objects-of-another-store'
  /** The place takes no checkpoint of this company. It may take those of the others. */
  | 'company-not-anchored'
  /** Own rules could not be evaluated now. */
  | 'rules-not-evaluated'
  /** Another Heatmark uses the data directory. */
  | 'data-directory-in-use'
  /** The identity provider gives no more tokens for a session. */
  | 'grant-ended'
  /** The identity provider cannot be reached or used, so it is unknown whether a token is valid. */
  | 'provider-unavailable'

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

/** Return the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
