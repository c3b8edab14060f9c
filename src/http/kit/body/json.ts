import type { Fault } from '../../../domain/refusal.ts'
import { Problem, quoted } from '../problem.ts'

/** Accepted JSON: UTF-8, bounded in depth, and only values that can be stored. Numbers are doubles. */
const maxDepth = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * @param what the word for the bytes in a message to the caller
 * @throws Problem 400 `malformed-json`
 */
export function parseJson(bytes: Uint8Array, what: 'body' | 'line' = 'body'): unknown {
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
    throw malformed(`The ${what} is not JSON.`)
  }
}

/** Return one step of a JSON Pointer (RFC 6901). A long name is cut off, because every fault below it repeats the name. */
export function pointerStep(key: PropertyKey): string {
  return `/${quoted(String(key)).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * NUL and unpaired surrogates anywhere, keys included, numbers that no double holds (they are read as infinite,
 * and would be written as null), and nesting that is too deep.
 */
export function faultsOfJson(value: unknown): Fault[] {
  const faults: Fault[] = []
  const look = (part: unknown, path: string, depth: number): void => {
    if (typeof part === 'string') {
      const fault = textFault(part)
      if (fault) faults.push({ path, code: 'not-storable', message: fault })
      return
    }
    if (typeof part === 'number' && !Number.isFinite(part))
      faults.push({ path, code: 'out-of-bounds', message: 'must be within ±1.8e308' })
    if (typeof part !== 'object' || part === null) return
    if (depth > maxDepth) {
      faults.push({ path, code: 'out-of-bounds', message: `must not be nested deeper than ${maxDepth}` })
      return
    }
    for (const [key, member] of Object.entries(part)) {
      const keyFault = textFault(key)
      const at = path + pointerStep(key)
      if (keyFault) faults.push({ path: at, code: 'not-storable', message: `its name ${keyFault}` })
      look(member, at, depth + 1)
    }
  }
  look(value, '', 1)
  return faults
}

function malformed(detail: string): Problem {
  return new Problem('malformed-json', detail)
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL'
  if (!text.isWellFormed()) return 'must not contain unpaired surrogates'
  return undefined
}
