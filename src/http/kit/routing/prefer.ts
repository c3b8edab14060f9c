import type { IncomingHttpHeaders } from 'node:http'

/** The header Prefer (RFC 7240). Preferences that the service does not know are ignored. */

/** Whether the caller wants its answer as soon as its change is recorded, before the read models show it. */
export function prefersAsync({ prefer }: IncomingHttpHeaders): boolean {
  const preferences = (prefer as string | undefined)?.replace(/"(?:[^"\\]|\\.)*"/g, '""').split(',') ?? []
  return preferences.some((one) => /^\s*respond-async\s*(;|$)/i.test(one))
}
