import { type ProblemCode, problemCodes } from '../../../problems/catalogue.ts'
import { needsToken, type Route } from './route.ts'

/** The problem codes that a route may answer, as they follow from its declaration. */

/** Any request may be refused with these before its route sees it. */
export const codesBeforeRoutes = [
  'malformed-request',
  'https-required',
  'request-timeout',
  'headers-too-large',
] as const satisfies readonly ProblemCode[]

/** Every request is answered with this while the service waits for its stores. */
export const codeBeforeService = 'not-ready' satisfies ProblemCode

/** The problem codes that belong to no route, but to a connection, a path or a method. */
export const codesOutsideRoutes = [
  ...codesBeforeRoutes,
  codeBeforeService,
  'not-found',
  'method-not-allowed',
  'range-not-satisfiable',
  'portal-not-built',
  // Only the access log shows it, because the client has disconnected.
  'body-incomplete',
] as const satisfies readonly ProblemCode[]

export const authenticated = [
  'credentials-missing',
  'authorization-malformed',
  'invalid-token',
  'invalid-api-key',
  'credentials-differ',
  'session-ended',
  'session-unknown',
  'rate-limit-exceeded',
  'identity-provider-unavailable',
  'database-unavailable',
  'too-busy',
  'internal-error',
] as const satisfies readonly ProblemCode[]

export const withBody = [
  'malformed-json',
  'body-too-large',
  'too-many-values',
  'unsupported-media-type',
] as const satisfies readonly ProblemCode[]

/** Every command and workflow may be refused for these reasons, whatever it decides. */
export const commandCodes = [
  'company-too-large',
  'idempotency-key-reused',
  'store-unavailable',
  'store-full',
  'event-damaged',
  'outcome-unknown',
  'facts-incomplete',
  'newer-release-running',
  'event-store-went-back',
  'clocks-differ',
] as const satisfies readonly ProblemCode[]

/** These codes follow from the kind of a request, and not from the operation that it addresses. */
export const generalCodes: ReadonlySet<ProblemCode> = new Set([
  ...authenticated,
  ...withBody,
  ...commandCodes,
  'validation-failed',
  'token-required',
  'forbidden',
  'read-model-behind',
  'precondition-required',
  'too-large-to-record',
  'too-many-large-reads',
])

/** Return every code that the route may answer, in the order of the catalogue. */
export function codesOf(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    ...(route.access === 'open' ? [] : authenticated),
    ...codesOfAccess(route),
    ...(needsReadModels(route) ? (['read-model-behind'] as const) : []),
    ...(takesInput(route) ? (['validation-failed'] as const) : []),
    ...(route.body ? withBody : []),
    ...route.problems,
  ])
  return problemCodes.filter((code) => codes.has(code))
}

/** Every route needs the read models, even to identify the caller, except open routes and those of operators. */
export function needsReadModels({ access }: Pick<Route, 'access'>): boolean {
  return (
    access !== 'open' &&
    !(typeof access === 'object' && 'platform' in access && access.platform === 'Operator')
  )
}

function codesOfAccess(route: Route): ProblemCode[] {
  return [
    ...(needsToken(route) || route.access === 'ownKey' ? (['token-required'] as const) : []),
    ...(typeof route.access === 'string' ? [] : (['forbidden'] as const)),
  ]
}

/** A strict query refuses unknown parameters even if it knows none. */
function takesInput({ body, params, query, headers }: Route): boolean {
  const isStrict = !query.safeParse({ '': '' }).success
  return (
    body !== undefined || isStrict || [params, headers].some(({ shape }) => Object.keys(shape).length > 0)
  )
}
