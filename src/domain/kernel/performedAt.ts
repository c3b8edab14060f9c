import { invalid } from './refusal.ts'

/** The time at which work was done on the floor. A request sends it when it could not be sent at once. */

const mostHours = 24

/** @param now the clock of the service @throws Refusal 400 for a time in the future, or of more than 24 hours ago */
export function refusePerformedAt(performedAt: string, now: string): void {
  const ago = Date.parse(now) - Date.parse(performedAt)
  if (ago >= 0 && ago <= mostHours * 3_600_000) return
  throw invalid(
    [
      {
        path: '/performedAt',
        code: 'out-of-bounds',
        message: `must be at most ${mostHours} hours before now, and not after it; the service's clock says ${now}`,
      },
    ],
    'The time in performedAt is out of bounds, so nothing was recorded.',
  )
}
