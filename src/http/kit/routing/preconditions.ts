import type { IncomingMessage } from 'node:http'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import { headerName, parameter } from '../body/validate.ts'
import type { Route } from './route.ts'

/**
 * Headers by which a caller says that a request must not be carried out if the state is another one (RFC 9110, 13.1).
 * If-Modified-Since and, for a read, If-None-Match only save an answer, so a route may leave them unread.
 */
const preconditions = ['if-match', 'if-unmodified-since', 'if-none-match'] as const

/** Return a fault for each condition that the route does not heed: to ignore it would do what the caller has forbidden. */
export function preconditionFaults(
  { method, headers: read }: Pick<Route, 'method' | 'headers'>,
  { headers: sent }: Pick<IncomingMessage, 'headers'>,
): readonly Fault[] {
  return preconditions
    .filter((name) => sent[name] !== undefined && !(name in read.shape))
    .filter((name) => name !== 'if-none-match' || method !== 'get')
    .map((name) => ({
      ...parameter(headerName(name)),
      code: 'unknown-parameter',
      message: 'is a condition that this operation cannot honour, so nothing was done',
    }))
}
