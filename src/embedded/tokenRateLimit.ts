const minuteMs = 60_000

/**
 * Counts token requests by client and minute. The minute of a client begins with its first request. The caller
 * counts registered clients only, which bounds the number of entries.
 * @param limit requests that a client may make in a minute
 * @param clock milliseconds that never run backwards
 * @returns 0 when the request may go on, else the whole seconds to wait
 */
export function tokenRateLimit(limit: number, clock: () => number): (clientId: string) => number {
  const minutes = new Map<string, { began: number; requests: number }>()
  return (clientId) => {
    const known = minutes.get(clientId)
    const minute = known && clock() - known.began < minuteMs ? known : { began: clock(), requests: 0 }
    if (minute.requests >= limit) return Math.ceil((minute.began + minuteMs - clock()) / 1000)
    minute.requests++
    minutes.set(clientId, minute)
    return 0
  }
}
