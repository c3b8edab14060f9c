import type { SessionRow } from './sessionRows.ts'

/** When a session ends, and why. */

export interface SessionEnds {
  /** When the session ends if nobody uses it until then. */
  readonly idleAt: Date
  /** When it ends even if it is used. */
  readonly latestAt: Date
}

export const minuteMs = 60_000
export const longestMs = 12 * 3_600_000

export const ended = 'The session has ended. Log in again.'
export const unusedFor = (minutes: number) => `The session was not used for ${minutes} minutes. Log in again.`

/** Return why a session has ended, in words for the person; undefined while it lives. */
export function endOf(
  { endedAt, endsAt, usedAt }: SessionRow,
  now: Date,
  idleMinutes: number,
): string | undefined {
  if (endedAt !== null) return ended
  if (now.getTime() >= Date.parse(endsAt)) return 'The session is older than 12 hours. Log in again.'
  if (now.getTime() >= Date.parse(usedAt) + idleMinutes * minuteMs) return unusedFor(idleMinutes)
  return undefined
}

/** @param idleMinutes how long the session may be without use */
export function endsOf(
  { endsAt }: Pick<SessionRow, 'endsAt'>,
  usedAt: string,
  idleMinutes: number,
): SessionEnds {
  return { idleAt: new Date(Date.parse(usedAt) + idleMinutes * minuteMs), latestAt: new Date(endsAt) }
}
