import type { z } from 'zod'
import { accessProblems } from './access.ts'
import { companyConflicts } from './companyConflicts.ts'
import type { ProblemDeclaration } from './declaration.ts'
import { productionConflicts } from './productionConflicts.ts'
import { recordProblems } from './records.ts'
import { requestProblems } from './requests.ts'
import { serviceProblems } from './service.ts'
import { subjectConflicts } from './subjectConflicts.ts'
import { tagConflicts } from './tagConflicts.ts'

/** Every problem that the service answers, by its stable code. Codes are only ever added. */
const problems = {
  ...requestProblems,
  ...accessProblems,
  ...recordProblems,
  ...tagConflicts,
  ...subjectConflicts,
  ...productionConflicts,
  ...companyConflicts,
  ...serviceProblems,
}

export type ProblemCode = keyof typeof problems

/** The codes that are answered with this status. */
export type CodeOf<Status extends number> = {
  [Code in ProblemCode]: (typeof problems)[Code]['status'] extends Status ? Code : never
}[ProblemCode]

/** The members of the answer besides the standard ones. */
export type MembersOf<Code extends ProblemCode> = Code extends ProblemCode
  ? (typeof problems)[Code] extends { readonly members: infer Members extends z.ZodObject }
    ? Immutable<z.input<Members>>
    : Record<never, never>
  : never

/** A code that needs no members may be given without them. */
export type MemberArguments<Code extends ProblemCode> =
  Record<never, never> extends MembersOf<Code> ? [members?: MembersOf<Code>] : [members: MembersOf<Code>]

/** Name the problems by which a use case may refuse. */
export function refusals<const Codes extends readonly ProblemCode[]>(...codes: Codes): Codes {
  return codes
}

export const problemCodes = Object.keys(problems) as readonly ProblemCode[]

export function declarationOf(code: ProblemCode): ProblemDeclaration {
  return problems[code]
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}

type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value
