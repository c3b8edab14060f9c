/**
 * Return the latest of these times of events: RFC 3339 in UTC with milliseconds. The clocks of two nodes may differ, so
 * of two streams the event that was recorded later may have the earlier time.
 */
export function latest(first: string, ...others: readonly string[]): string {
  return others.reduce((late, other) => (other > late ? other : late), first)
}

/** Return a time as events have it, which PostgreSQL can store; undefined for any other value. */
export function storableTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  const utc = Number.isFinite(time) ? new Date(time).toISOString() : ''
  // PostgreSQL's calendar has no year 0, and a year beyond 9999 begins with a sign.
  return /^(?!0000)\d/.test(utc) ? utc : undefined
}
