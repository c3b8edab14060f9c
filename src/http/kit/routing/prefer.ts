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
export function preferred({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  for (const [, stated, quoted, plain] of String(prefer ?? '').matchAll(preference))
    if (stated?.toLowerCase() === name) return quoted ?? plain ?? ''
  return undefined
}

/** A name, perhaps with a value, perhaps with parameters, which are skipped; or a member that is none of that. */
const preference =
  /\s*(?:([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?)?(?:[^,"]|"(?:[^"\\]|\\.)*")*(?:,|$)/g

/** Whether the caller wants its answer as soon as its change is recorded, before the read models show it. */
export function prefersAsync(headers: IncomingHttpHeaders): boolean {
  return preferred(headers, 'respond-async') !== undefined
}

/** Whether the caller wants the record for an answer that has none by itself. */
export function prefersRecord(headers: IncomingHttpHeaders): boolean {
  return preferred(headers, 'return') === 'representation'
}
