import { Failure } from '../../lib/failure.ts'
import {
  type CodeOf,
  declarationOf,
  type MemberArguments,
  type MembersOf,
  type ProblemCode,
} from '../../problems/catalogue.ts'
import type { FaultCode } from '../../problems/faults.ts'
import { type MissingRecordCode, nounOf } from '../../problems/records.ts'

/** One fault of a request. */
export interface Fault {
  /** A JSON Pointer into the body, or the name of a parameter. */
  readonly path: string
  readonly code: FaultCode
  readonly message: string
  /** The name of the parameter, unless the fault is one of the body. */
  readonly parameter?: string
  /** Id of the record that the fault is about, under the name that it has in the interface, such as `tagId`. */
  readonly record?: Readonly<Record<string, string>>
  /** The place in an expression, from 1. */
  readonly line?: number
  readonly column?: number
}

/** The reason why a command is refused: a code of the catalogue and a sentence for the caller. */
export class Refusal<Code extends ProblemCode = ProblemCode> extends Failure<Code> {
  override readonly name = 'Refusal'
  /** The status that the catalogue gives the code. 503 means that a later try may succeed. */
  readonly status: number
  /** Members that the problem document carries besides the standard ones, e.g. `tagId`, `state`. */
  readonly details: MembersOf<Code>

  constructor(code: Code, message: string, ...[details]: MemberArguments<Code>) {
    super(code, message)
    this.status = declarationOf(code).status
    this.details = details ?? ({} as MembersOf<Code>)
  }
}

export function isRefusal<Code extends ProblemCode>(
  error: unknown,
  ...codes: Code[]
): error is Refusal<Code> {
  return error instanceof Refusal && (codes as ProblemCode[]).includes(error.code)
}

export function notFound(code: MissingRecordCode, id: string, where = 'in this company'): Refusal {
  return new Refusal(code, `There is no ${nounOf(code)} ${id} ${where}.`)
}

/** It is said in the same words whether or not there is such a company. */
const noRoleAllows =
  'None of your roles allows this, so nothing was done. Ask an Admin of the company for a role that does.'

export function forbidden(message = noRoleAllows): Refusal {
  return new Refusal('forbidden', message)
}

export function conflict<Code extends CodeOf<409>>(
  code: Code,
  message: string,
  ...details: MemberArguments<Code>
): Refusal<Code> {
  return new Refusal(code, message, ...details)
}

/** Refuse a number or name that has letters of another script than the one that it looks like. */
export function looksLikeAnother(
  sent: string,
  other: string,
  ids: Omit<MembersOf<'looks-like-another'>, 'other'>,
): Refusal {
  return conflict(
    'looks-like-another',
    `“${sent}” looks like “${other}”, which exists, but has letters of another script, so nothing was recorded. Type it again.`,
    { other, ...ids },
  )
}

export function invalid(
  faults: readonly Fault[],
  message = 'The request has faults, so nothing was done.',
): Refusal {
  return new Refusal('validation-failed', message, { errors: faults })
}
