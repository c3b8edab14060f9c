import type { IncomingMessage } from 'node:http'

/** W3C Trace Context: version 00, trace id, parent id, flags; an id of zeros is none. */
const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Return the trace id of a request: the caller's or a new one. It is the correlation id of the recorded events. */
export function traceIdOf(req: IncomingMessage, newId: () => string): string {
  return traceparent.exec(String(req.headers.traceparent ?? ''))?.[1] ?? newId().replaceAll('-', '')
}
