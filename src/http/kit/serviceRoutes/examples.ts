import type { Route } from '../routing/route.ts'
import examples from './examples.json' with { type: 'json' }

/** Real requests and answers, as `npm run examples` has taken them from a running service. */

interface Example {
  readonly request?: unknown
  /** By status. */
  readonly answers: Readonly<Record<string, unknown>>
}

const byOperation: Readonly<Record<string, Example>> = examples

/** Return the member `example` of the body that a request sends, if there is one. */
export function requestExample({ operationId }: Pick<Route, 'operationId'>): object {
  const request = byOperation[operationId]?.request
  return request === undefined ? {} : { example: request }
}

/** Return the member `example` of an answer with this status, if there is one. */
export function exampleOf({ operationId }: Pick<Route, 'operationId'>, status: string | number): object {
  const answer = byOperation[operationId]?.answers[status]
  return answer === undefined ? {} : { example: answer }
}
