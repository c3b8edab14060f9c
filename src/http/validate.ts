import type { z } from 'zod'
import type { Fault } from '../domain/refusal.ts'
import { pointerStep } from './json.ts'

/** How a part of a request names its faults: a JSON Pointer into the body, or a parameter's name. */
export type Naming = (path: readonly PropertyKey[]) => string

export const asPointer: Naming = (path) => path.map(pointerStep).join('')
export const asParameter: Naming = (path) => String(path[0] ?? '')
export const asHeader: Naming = (path) => headerName(String(path[0] ?? ''))

/** Node hands headers over in lower case; people know them as `If-Match`. */
export const headerName = (name: string): string =>
  name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** The faults of a value as problem documents list them, or the value as its schema makes it. */
export const checked = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  naming: Naming,
): { value: z.output<Schema>; faults: readonly Fault[] } => {
  const parsed = schema.safeParse(value, { error: wording })
  if (parsed.success) return { value: parsed.data, faults: [] }
  return {
    value: undefined as never,
    faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, naming)),
  }
}

const wording = (issue: { code?: string | undefined; input?: unknown }): string | undefined =>
  issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined

const faultsOf = (issue: z.core.$ZodIssue, naming: Naming): Fault[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: naming([...issue.path, key]), message: 'is not known here' }))
  return [{ path: naming(issue.path), message: issue.message }]
}
