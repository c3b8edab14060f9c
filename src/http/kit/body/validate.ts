import type { z } from 'zod'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import { atOnce } from '../../../lib/inTurns.ts'
import type { FaultCode } from '../../../problems/faults.ts'
import { maxListedFaults } from '../../../problems/requests.ts'
import { faultsOfJson, parseJson, pointerStep } from './json.ts'

interface Issue {
  readonly code?: string | undefined
  readonly expected?: unknown
  readonly input?: unknown
}

/** How to report the faults of one part of a request. */
interface Telling {
  /** The place of a fault: a JSON Pointer into the body, or a parameter's name. */
  place(path: readonly PropertyKey[]): Pick<Fault, 'path' | 'parameter'>
  /** The kind of a fault that no schema declares. */
  readonly unknown: FaultCode
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

/** Return the parsed value, or its first faults as problem documents list them. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  telling: Telling,
): Checked<Schema> {
  const parsed = schema.safeParse(value, { error: telling.wording, reportInput: true })
  if (parsed.success)
    return {
      value: parsed.data,
      faults: findDroppedMembers(value, parsed.data).map((path) => unknownMember(path, telling, schema)),
    }
  const issues = parsed.error.issues.slice(0, maxListedFaults)
  return { value: undefined as never, faults: issues.flatMap((issue) => faultsOf(issue, telling, schema)) }
}

/**
 * Return the paths of the members named `__proto__`. Zod's records drop them without an issue, so the service would carry
 * out the request without them and not say so.
 */
function findDroppedMembers(sent: unknown, parsed: unknown): PropertyKey[][] {
  if (sent === parsed || !isObject(sent) || !isObject(parsed)) return []
  const dropped: PropertyKey[][] = []
  for (const [name, member] of Object.entries(sent)) {
    if (!Object.hasOwn(parsed, name)) {
      if (name === '__proto__') dropped.push([name])
    } else if (member !== parsed[name])
      for (const path of findDroppedMembers(member, parsed[name])) dropped.push([name, ...path])
  }
  return dropped
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/**
 * Return the parsed JSON of a body, or of one of its lines, or its faults.
 * @throws Problem 400 `malformed-json`, 413 `too-many-values`
 */
export function checkBody<Schema extends z.ZodType>(...body: CheckedBody<Schema>): Checked<Schema> {
  return atOnce(checkInSteps(...body))
}

type CheckedBody<Schema extends z.ZodType> = [
  schema: Schema,
  bytes: Uint8Array,
  bodyFaults?: ((body: unknown) => readonly Fault[]) | undefined,
  what?: 'body' | 'line',
]

/** Do the same in steps. Each takes up to 30 ms for the largest body. */
export function* checkInSteps<Schema extends z.ZodType>(
  ...[schema, bytes, bodyFaults = () => [], what]: CheckedBody<Schema>
): Generator<void, Checked<Schema>> {
  const json = parseJson(bytes, what)
  yield
  const faultsOfValues = faultsOfJson(json)
  yield
  const { value, faults } = check(schema, json, asPointer)
  return { value, faults: [...faultsOfValues, ...faults, ...bodyFaults(json)] }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

export const asPointer: Telling = {
  place: (path) => ({ path: path.map(pointerStep).join('') }),
  unknown: 'unknown-member',
  wording: wordingOf,
}
export const asParameter: Telling = {
  place: ([name = '']) => parameterPlace(String(name)),
  unknown: 'unknown-parameter',
  wording: wordingOfParameter,
}
export const asHeader: Telling = {
  ...asParameter,
  place: ([name = '']) => parameterPlace(headerName(String(name))),
}

/** The place of a fault in a parameter. */
export function parameterPlace(name: string): Pick<Fault, 'path' | 'parameter'> {
  return { path: name, parameter: name }
}

/** The kinds of faults by the codes of zod's issues. A custom rule without a kind is one about how a text is written. */
const kindOf: Readonly<Partial<Record<z.core.$ZodIssue['code'], FaultCode>>> = {
  invalid_type: 'wrong-type',
  invalid_value: 'not-one-of',
  invalid_union: 'not-one-of',
  too_big: 'out-of-bounds',
  too_small: 'out-of-bounds',
}

/** The default message for a value of the wrong type. */
function wordingOf({ code, expected, input }: Issue): string | undefined {
  if (code !== 'invalid_type') return undefined
  if (input === undefined) return 'is required'
  const kind = typeNames[String(expected)]
  return kind && `must be ${kind}`
}

/** A parameter is text; an array means that it was sent more than once. */
function wordingOfParameter(issue: Issue): string | undefined {
  return Array.isArray(issue.input) ? 'must be given only once' : wordingOf(issue)
}

function unknownMember(path: readonly PropertyKey[], { place, unknown }: Telling, schema: z.ZodType): Fault {
  const names =
    unknown === 'unknown-parameter' && 'shape' in schema ? Object.keys(schema.shape as object) : []
  const others = names.length > 0 ? `: known are ${names.join(', ')}` : ''
  return { ...place(path), code: unknown, message: `is not known here${others}` }
}

function faultsOf(issue: z.core.$ZodIssue, telling: Telling, schema: z.ZodType): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, maxListedFaults)
      .map((key) => unknownMember([...issue.path, key], telling, schema))
  const { parameter, path } = telling.place(issue.path)
  const isRepeated = parameter !== undefined && Array.isArray(issue.input)
  const code = isRepeated ? 'repeated-parameter' : faultCode(issue)
  return [{ ...(parameter === undefined ? { path } : { path, parameter }), code, message: issue.message }]
}

function faultCode(issue: z.core.$ZodIssue): FaultCode {
  if (issue.input === undefined) return 'required'
  if (issue.code === 'custom' && issue.params?.fault) return issue.params.fault as FaultCode
  return kindOf[issue.code] ?? 'wrong-format'
}
