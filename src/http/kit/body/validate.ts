import type { z } from 'zod'
import type { Fault } from '../../../domain/refusal.ts'
import { faultsOfJson, parseJson, pointerStep } from './json.ts'

interface Issue {
  readonly code?: string | undefined
  readonly expected?: unknown
  readonly input?: unknown
}

/** How to report the faults of one part of a request. */
export interface Telling {
  /** A JSON Pointer into the body, or a parameter's name. */
  place(path: readonly PropertyKey[]): string
  wording(issue: Issue): string | undefined
}

/** Node gives header names in lower case; faults name them as in `If-Match`. */
export const headerName = (name: string): string =>
  name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

export interface Checked<Schema extends z.ZodType> {
  /** Valid only when there are no faults. */
  readonly value: z.output<Schema>
  readonly faults: readonly Fault[]
}

/** Return the parsed value, or its faults as problem documents list them. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  telling: Telling,
): Checked<Schema> {
  const parsed = schema.safeParse(value, { error: telling.wording })
  if (parsed.success) return { value: parsed.data, faults: [] }
  return {
    value: undefined as never,
    faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, telling)),
  }
}

/** Return the parsed JSON body, or its faults. @throws Problem 400 `malformed-json` */
export function checkedBody<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  bodyFaults: (body: unknown) => readonly Fault[] = () => [],
): Checked<Schema> {
  const json = parseJson(bytes)
  const { value, faults } = checked(schema, json, asPointer)
  return { value, faults: [...faultsOfJson(json), ...faults, ...bodyFaults(json)] }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

/** The default message for a value of the wrong type. */
function wording({ code, expected, input }: Issue): string | undefined {
  if (code !== 'invalid_type') return undefined
  if (input === undefined) return 'is required'
  const kind = kinds[String(expected)]
  return kind && `must be ${kind}`
}

/** A parameter is text; an array means that it was sent more than once. */
function wordingOfParameter(issue: Issue): string | undefined {
  return Array.isArray(issue.input) ? 'must be given only once' : wording(issue)
}

const asPointer: Telling = { place: (path) => path.map(pointerStep).join(''), wording }
export const asParameter: Telling = { place: (path) => String(path[0] ?? ''), wording: wordingOfParameter }
export const asHeader: Telling = {
  place: (path) => headerName(String(path[0] ?? '')),
  wording: wordingOfParameter,
}

function faultsOf(issue: z.core.$ZodIssue, { place }: Telling): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: place([...issue.path, key]), message: 'is not known here' }))
  return [{ path: place(issue.path), message: issue.message }]
}
