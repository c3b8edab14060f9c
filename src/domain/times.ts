/**
 * Return the latest of these times of events: RFC 3339 in UTC with milliseconds. The clocks of two nodes may differ, so
 * of two streams the event that was recorded later may have the earlier time.
 */
export function latest(first: string, ...others: readonly string[]): string {
  return others.reduce((late, other) => (other > late ? other : late), first)
}
