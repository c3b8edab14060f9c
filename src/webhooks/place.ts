import { type Told, tell } from '../domain/verdict/sentence.ts'
import type { Answer } from './post.ts'

/** How far an endpoint has got, and when it is asked next. */
export interface Place {
  /** The position of the last change that it has accepted. */
  readonly position: number
  /** The position of the event by which an Admin last let sending begin or go on. */
  readonly startedAt: number
  /** The address that has accepted a ping; null before the first. */
  readonly pingedUrl: string | null
  /** Failures since the last success. */
  readonly tries: number
  readonly nextTryAt: Date | null
  /** Why the last request failed; null after a success. */
  readonly failure: Told | null
  /** Why nothing is sent until an Admin lets it go on. */
  readonly disabled: Told | null
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pauses after each failure in a row. */
export const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** An endpoint cannot ask to be left alone for longer. */
const longestPauseMs = 24 * hour

/** Where an Admin has let sending begin or go on, if that was later than the place. */
export function begin(
  place: Place | undefined,
  { startedAt, startAfter }: { readonly startedAt: number; readonly startAfter: number | null },
): Place {
  if (place?.startedAt === startedAt) return place
  const position = startAfter ?? place?.position ?? startedAt
  const pingedUrl = place?.pingedUrl ?? null
  return { position, startedAt, pingedUrl, tries: 0, nextTryAt: null, failure: null, disabled: null }
}

export const webhookOutcomes = ['accepted', 'refused', 'unanswered'] as const
export type WebhookOutcome = (typeof webhookOutcomes)[number]

export function outcomeOf({ status }: Answer): WebhookOutcome {
  if (status === undefined) return 'unanswered'
  return status >= 200 && status < 300 ? 'accepted' : 'refused'
}

export function accept(place: Place, reached: Pick<Place, 'position'> | Pick<Place, 'pingedUrl'>): Place {
  return { ...place, ...reached, tries: 0, nextTryAt: null, failure: null }
}

export function fail(place: Place, answer: Answer, now: Date): Place {
  const failure = failureOf(answer)
  const pause = pauses[place.tries]
  if (answer.status === 410) return stop(place, tell('WebhookGone'))
  if (pause === undefined)
    return stop(place, tell('WebhookGivenUp', { tries: pauses.length + 1, why: failure.sentence }))
  const retryAfterMs = Math.min(longestPauseMs, msOf(answer.retryAfter, now))
  const nextTryAt = new Date(now.getTime() + Math.max(pause, retryAfterMs))
  return { ...place, tries: place.tries + 1, nextTryAt, failure }
}

export function stop(place: Place, why: Told): Place {
  return { ...place, nextTryAt: null, disabled: why }
}

export function failureOf({ status, error }: Answer): Told {
  if (status === undefined) return error!
  return tell(status >= 300 && status < 400 ? 'WebhookRedirected' : 'WebhookAnswered', { status })
}

/** Seconds, or a date of HTTP. */
function msOf(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  const ms = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * second
    : Date.parse(retryAfter) - now.getTime()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
