import { parsedBody, readBody } from './bodies.ts'
import { type Operations, operations } from './generated.ts'
import { ApiProblem, NoConnection, type ProblemDocument } from './problem.ts'

/** Calls the API as the person who is logged in. */

export type OperationId = keyof Operations

type Optional<Key extends string, Value> = { readonly [Name in Key]?: Value }
type Required<Key extends string, Value> = { readonly [Name in Key]: Value }
type Part<Key extends string, Value> =
  Record<never, never> extends Value
    ? Optional<Key, Value>
    : null extends Value
      ? Optional<Key, Value>
      : Required<Key, Value>

export type Input<Id extends OperationId> = Part<'params', Operations[Id]['params']> &
  Part<'body', Operations[Id]['body']> & {
    readonly query?: Operations[Id]['query']
    /** The ETag of the record that the person saw. */
    readonly ifMatch?: string | undefined
    /** For a command that is kept before it is sent: the Idempotency-Key of its attempts, and the person who gave it. */
    readonly kept?: { readonly key: string; readonly userId: string }
    readonly signal?: AbortSignal
  }

/** Return the condition (If-Match) that nobody has changed a record since it was listed. */
export function asSeen({ revision }: { readonly revision: number }): { readonly ifMatch: string } {
  return { ifMatch: `"${revision}"` }
}

/** Return the condition that nobody has changed the record since one event after the state that the person has seen. */
export function asLeft({ revision }: { readonly revision: number }): { readonly ifMatch: string } {
  return asSeen({ revision: revision + 1 })
}

export type Answer<Id extends OperationId> = Operations[Id]['answer']

export interface Reply<Data> {
  readonly data: Data
  readonly etag: string | undefined
  /** The parameters of the next page of a list. As of a time of the past, all pages show the same position. */
  readonly next: { readonly cursor: string; readonly asOf?: string } | undefined
  /** How many records all pages of a list have, if the request asks for it. */
  readonly total: number | undefined
  /** The last event of the company that the answer shows, if it is as of an earlier time. */
  readonly asOf: LastEvent | undefined
}

export interface LastEvent {
  /** 0 before the first event. */
  readonly position: number
  /** RFC 3339; undefined before the first event. */
  readonly time: string | undefined
}

interface State {
  /** The person whom this page shows. */
  userId: string | undefined
  /** A write that the read models have not applied yet. */
  minPosition: string | undefined
  /** The person has done something since the last request. Requests of an idle page do not keep the session alive. */
  isActive: boolean
  /** How many milliseconds the clock of the service is ahead of this device's. */
  aheadMs: number
  /** By company, and under '' for answers that concern none: each company has a limit of its own. */
  readonly sessionEnds: Map<string, SessionEnds>
  /** When the person touched this page last, in milliseconds of this device. */
  touchedAtMs: number
  /** When the service heard of a use by this page last, in milliseconds of this device. */
  usedAtMs: number
  onSessionEnd: () => void
}

/** When the session ends, in milliseconds of this device. */
export interface SessionEnds {
  /** When the session ends, unless the person does something before. */
  readonly idleAtMs: number
  /** How long the person may do nothing. */
  readonly idleForMs: number
  /** When the session ends, even if the person uses it. */
  readonly latestAtMs: number
}

const state: State = {
  userId: undefined,
  minPosition: undefined,
  isActive: true,
  aheadMs: 0,
  sessionEnds: new Map(),
  touchedAtMs: Date.now(),
  usedAtMs: Date.now(),
  onSessionEnd: () => {},
}

/** Name the person of this page: a session of somebody else is then refused. */
export function actFor(userId: string | undefined): void {
  state.userId = userId
}

export function whenSessionEnds(listener: () => void): void {
  state.onSessionEnd = listener
}

/** Return when the session ends, as the last answer told it. */
export function sessionEnds(): SessionEnds | undefined {
  return state.sessionEnds.get(companyIn(location.pathname)) ?? state.sessionEnds.get('')
}

/** Return the company that an address of the portal or of the API names; empty for none. */
function companyIn(address: string): string {
  return /^\/(?:portal\/c|api\/company)\/([^/?]+)/.exec(address)?.[1] ?? ''
}

/** Go on with the session of the page before. */
export function setSessionEnds(ends: SessionEnds): void {
  state.sessionEnds.set(companyIn(location.pathname), ends)
}

/**
 * Return when the session ends as far as this device knows, also without a network. Without one, the service does not
 * hear of touches, so this device counts them.
 */
export function sessionEndHere(): number {
  const ends = sessionEnds()
  if (!ends) return Number.POSITIVE_INFINITY
  const { idleAtMs, idleForMs, latestAtMs } = ends
  return Math.min(latestAtMs, Math.max(idleAtMs, state.touchedAtMs + idleForMs))
}

/** Return the time by the clock of the service, as its last answer told it. It is at most a second or two late. */
export function serviceTime(): string {
  return new Date(Date.now() + state.aheadMs).toISOString()
}

/** Return how many milliseconds the clock of the service is ahead of this device's, as far as this page knows. */
export function aheadOfDevice(): number {
  return state.aheadMs
}

export function setAheadOfDevice(aheadMs: number): void {
  state.aheadMs = aheadMs
}

// In the capture phase, because buttons stop the propagation of presses.
for (const type of ['pointerdown', 'keydown'])
  addEventListener(
    type,
    () => {
      state.isActive = true
      state.touchedAtMs = Date.now()
    },
    { capture: true },
  )

/**
 * @param file is sent as it is, in place of a body in JSON
 * @throws ApiProblem, NoConnection
 */
export async function call<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  file?: File,
): Promise<Reply<Answer<Id>>> {
  const { method, path, takesKey = false } = operations[id]
  const { params, query, body, ifMatch, kept, signal } = input as {
    params?: Record<string, string>
    query?: Record<string, unknown>
    body?: unknown
    ifMatch?: string
    kept?: Input<OperationId>['kept']
    signal?: AbortSignal
  }
  const response = await send(addressOf(path, params, query), {
    method,
    headers: {
      ...(method === 'GET' && state.minPosition && { 'Min-Position': state.minPosition }),
      ...(takesKey && { 'Idempotency-Key': kept?.key ?? crypto.randomUUID() }),
      ...(kept && { 'Heatmark-User': kept.userId }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...(body !== undefined && {
        'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      }),
      ...(file && { 'Content-Type': file.type }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file && { body: file }),
    ...(signal && { signal }),
  })
  state.minPosition =
    response.headers.get('Projection-Status') === 'pending'
      ? (response.headers.get('Commit-Position') ?? undefined)
      : method === 'GET'
        ? state.minPosition
        : undefined
  return {
    data: (await (method === 'GET' ? readBody(response) : parsedBody(response))) as Answer<Id>,
    etag: response.headers.get('ETag') ?? undefined,
    next: nextPage(response.headers),
    total: readTotal(response.headers),
    asOf: readAsOf(response.headers),
  }
}

function nextPage(headers: Headers): Reply<unknown>['next'] {
  const query = /\?([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1]
  const parameters = new URLSearchParams(query)
  const [cursor, asOf] = [parameters.get('cursor'), parameters.get('asOf')]
  return cursor === null ? undefined : { cursor, ...(asOf !== null && { asOf }) }
}

function readTotal(headers: Headers): number | undefined {
  const total = headers.get('Total-Count')
  return total === null ? undefined : Number(total)
}

function readAsOf(headers: Headers): LastEvent | undefined {
  const position = headers.get('As-Of-Position')
  if (position === null) return undefined
  return { position: Number(position), time: headers.get('As-Of-Time') ?? undefined }
}

/** End the session, and return the address at which the identity provider ends its own. */
export async function endSession(): Promise<string> {
  const response = await send('/portal/logout', { method: 'POST', headers: {} })
  return ((await response.json()) as { location: string }).location
}

export function logIn(): void {
  location.assign(`/portal/login?${new URLSearchParams({ returnTo: location.pathname + location.search })}`)
}

/** @throws ApiProblem, NoConnection */
export async function send(address: string, init: RequestInit): Promise<Response> {
  const isPoll = !state.isActive
  state.isActive = false
  const response = await fetch(address, {
    ...init,
    headers: {
      'Heatmark-Portal': '1',
      // The pages tell findings in the chosen language themselves.
      'Accept-Language': 'en',
      ...(state.userId !== undefined && { 'Heatmark-User': state.userId }),
      ...(isPoll && { 'Heatmark-Poll': '1' }),
      ...init.headers,
    },
  }).catch((error: Error) => {
    // The next request tells the service that the person was active.
    if (!isPoll) state.isActive = true
    if (error.name === 'AbortError') throw error
    throw new NoConnection(error.message)
  })
  noteTimes(response.headers, companyIn(address), isPoll)
  if (response.ok) return response
  const problem = await problemIn(response)
  if (response.status === 401) state.onSessionEnd()
  throw new ApiProblem(problem)
}

function noteTimes(headers: Headers, companyId: string, isPoll: boolean): void {
  const date = headers.get('Date')
  if (date !== null) state.aheadMs = Date.parse(date) - Date.now()
  const [, idle, latest] = /^idle=@(\d+), latest=@(\d+)$/.exec(headers.get('Session-Ends') ?? '') ?? []
  if (idle === undefined) return
  const byDevice = (seconds: string | undefined) => Number(seconds) * 1_000 - state.aheadMs
  const idleAtMs = byDevice(idle)
  // The service notes a use at most a minute late. Another tab may have caused the use that a poll hears of.
  if (!isPoll) state.usedAtMs = Date.now()
  const sessionEnd = isPoll ? state.sessionEnds.get(companyId)?.idleForMs : undefined
  const idleForMs = sessionEnd ?? idleAtMs - state.usedAtMs
  state.sessionEnds.set(companyId, { idleAtMs, idleForMs, latestAtMs: byDevice(latest) })
}

async function problemIn(response: Response): Promise<ProblemDocument> {
  const { status, statusText } = response
  try {
    return (await response.json()) as ProblemDocument
  } catch {
    // A proxy in between answers in its own way.
    return { status, code: 'unknown', title: statusText || String(status), detail: '' }
  }
}

export function addressOf(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [value].flat().map((one) => [name, String(one)]),
    ),
  ).toString()
  return search ? `${filled}?${search}` : filled
}
