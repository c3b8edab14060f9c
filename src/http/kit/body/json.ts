import type { Fault } from '../../../domain/kernel/refusal.ts'
import { maxListedFaults, maxValues } from '../../../problems/requests.ts'
import { excerptOf, Problem } from '../problem.ts'
import { faultOfSyntax } from './jsonSyntax.ts'

/** Accepted JSON: UTF-8, bounded in depth and count, and only values that can be stored. Numbers are doubles. */
const maxDepth = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * @param what the word for the bytes in a message to the caller
 * @throws Problem 400 `malformed-json`, 413 `too-many-values`
 */
export function parseJson(bytes: Uint8Array, what: 'body' | 'line' = 'body'): unknown {
  if (hasTooManyValues(bytes))
    throw new Problem(
      'too-many-values',
      `The ${what} has more than ${maxValues} values, so nothing was done. Send it in parts.`,
    )
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw malformed(`The ${what} is not UTF-8.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    // The engine's message quotes the body, which may hold anything.
    throw malformed(`The ${what} is not JSON: ${faultOfSyntax(text)}.`)
  }
}

/** Return one step of a JSON Pointer (RFC 6901). A long name is cut off, because every fault below it repeats the name. */
export function pointerStep(key: PropertyKey): string {
  return `/${excerptOf(String(key)).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * NUL and unpaired surrogates anywhere, keys included, numbers that no double holds (they are read as infinite,
 * and would be written as null), and nesting that is too deep. The search ends at `maxListedFaults`.
 */
export function faultsOfJson(value: unknown): Fault[] {
  const faults: Fault[] = []
  const steps: PropertyKey[] = []
  const note = (code: Fault['code'], message: string) =>
    faults.push({ path: steps.map(pointerStep).join(''), code, message })
  const look = (part: unknown): void => {
    if (typeof part === 'string') {
      const fault = textFault(part)
      if (fault) note('not-storable', fault)
    } else if (typeof part === 'number' && !Number.isFinite(part))
      note('out-of-bounds', 'must be within ±1.8e308')
    if (typeof part !== 'object' || part === null) return
    if (steps.length >= maxDepth) {
      note('out-of-bounds', `must not be nested deeper than ${maxDepth}`)
      return
    }
    for (const key of Array.isArray(part) ? part.keys() : Object.keys(part)) {
      if (faults.length >= maxListedFaults) return
      steps.push(key)
      const keyFault = typeof key === 'string' && textFault(key)
      if (keyFault) note('not-storable', `its name ${keyFault}`)
      look((part as Readonly<Record<PropertyKey, unknown>>)[key])
      steps.pop()
    }
  }
  look(value)
  return faults
}

const [quote, comma, backslash, space] = [0x22, 0x2c, 0x5c, 0x20]
const openings: readonly (number | undefined)[] = [0x5b, 0x7b]
const closings: readonly (number | undefined)[] = [0x5d, 0x7d]

/** Count the values before they become objects: making the objects takes a hundred times as long. */
function hasTooManyValues(bytes: Uint8Array): boolean {
  if (bytes.length < 2 * maxValues) return false
  let values = 1
  let last: number | undefined
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte <= space) continue
    if (byte === quote) at = endOfText(bytes, at)
    // The first value within a container has no comma before it, and an empty container has none.
    else if (byte === comma || openings.includes(byte)) values += 1
    else if (closings.includes(byte) && openings.includes(last)) values -= 1
    if (values > maxValues + maxDepth) return true
    last = byte
  }
  return values > maxValues
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

function malformed(detail: string): Problem {
  return new Problem('malformed-json', detail)
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL'
  if (!text.isWellFormed()) return 'must not contain unpaired surrogates'
  return undefined
}
