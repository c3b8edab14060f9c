import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'

/** The header Prefer (RFC 7240). Preferences that the service does not know are ignored. */

export const prefer = z
  .string()
  .optional()
  .describe(
    '`respond-async`: answer once the change is recorded, and do not wait until reads show it (RFC 7240).',
  )

/** Return the value of a preference: empty if it is stated without one, undefined if it is not stated. */
export function preferenceOf({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  for (const [member] of String(prefer ?? '').matchAll(members)) {
    const [, stated, quoted, plain] = preference.exec(member) ?? []
    if (stated?.toLowerCase() === name) return quoted ?? plain ?? ''
  }
  return undefined
}

/**
 * The members between commas. A quote that is not closed reaches to the end. This pattern matches at every place, so it
 * never goes back: the time that a header takes grows with its length alone.
 */
const members = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g

/** A name, perhaps with a value. Parameters behind it do not count. */
const preference = /^\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/

/** Whether the caller wants its answer as soon as its change is recorded, before the read models show it. */
export function prefersAsync(headers: IncomingHttpHeaders): boolean {
  return preferenceOf(headers, 'respond-async') !== undefined
}

/** Whether the caller wants the record for an answer that has none by itself. */
export function prefersRecord(headers: IncomingHttpHeaders): boolean {
  return preferenceOf(headers, 'return') === 'representation'
}
