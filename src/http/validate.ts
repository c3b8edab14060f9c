import type { z } from 'zod'
import type { Fault } from '../domain/refusal.ts'
import { faultsOfJson, parseJson, pointerStep } from './json.ts'

/** How a part of a request names its faults: a JSON Pointer into the body, or a parameter's name. */
export type Naming = (path: readonly PropertyKey[]) => string

export const asPointer: Naming = (path) => path.map(pointerStep).join('')
export const asParameter: Naming = (path) => String(path[0] ?? '')
export const asHeader: Naming = (path) => headerName(String(path[0] ?? ''))

/** Node hands headers over in lower case; people know them as `If-Match`. */
export const headerName = (name: string): string =>
  name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

export interface Checked<Schema extends z.ZodType> {
  /** Of use only when there are no faults. */
  readonly value: z.output<Schema>
  readonly faults: readonly Fault[]
}

/** The faults of a value as problem documents list them, or the value as its schema makes it. */
export const checked = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  naming: Naming,
): Checked<Schema> => {
  const parsed = schema.safeParse(value, { error: naming === asPointer ? wording : wordingOfParameter })
  if (parsed.success) return { value: parsed.data, faults: [] }
  return {
    value: undefined as never,
    faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, naming)),
  }
}

/** A JSON body as its schema makes it, or its faults. @throws Problem 400 `malformed-json` */
export const checkedBody = <Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  bodyFaults: (body: unknown) => readonly Fault[] = () => [],
): Checked<Schema> => {
  const json = parseJson(bytes)
  const { value, faults } = checked(schema, json, asPointer)
  return { value, faults: [...faultsOfJson(json), ...faults, ...bodyFaults(json)] }
}

interface Issue {
  readonly code?: string | undefined
  readonly expected?: unknown
  readonly input?: unknown
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

/** What a schema that says nothing of its own has to say of a value of the wrong kind. */
const wording = ({ code, expected, input }: Issue): string | undefined => {
  if (code !== 'invalid_type') return undefined
  if (input === undefined) return 'is required'
  const kind = kinds[String(expected)]
  return kind && `must be ${kind}`
}

/** A parameter is text: one of another kind was given more than once. */
const wordingOfParameter = (issue: Issue): string | undefined =>
  Array.isArray(issue.input) ? 'must be given only once' : wording(issue)

const faultsOf = (issue: z.core.$ZodIssue, naming: Naming): Fault[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: naming([...issue.path, key]), message: 'is not known here' }))
  return [{ path: naming(issue.path), message: issue.message }]
}
