import { invalid } from './refusal.ts'

/** The time at which something was done on the floor, when it was recorded only later, for want of a network. */

const mostHours = 24

/** @param now the clock of the service @throws Refusal 400 for a time in the future, or of more than 24 hours ago */
export function refusePerformedAt(performedAt: string, now: string): void {
  const ago = Date.parse(now) - Date.parse(performedAt)
  if (ago >= 0 && ago <= mostHours * 3_600_000) return
  throw invalid(
    [
      {
        ...{ path: '/performedAt', code: 'out-of-bounds' },
        message: `must not be in the future, and at most ${mostHours} hours ago; it is ${now} now`,
      },
    ],
    'The time at which it was done is out of bounds, so nothing was recorded.',
  )
}
