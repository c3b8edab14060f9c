import { setTimeout as pause } from 'node:timers/promises'
import { membershipsEndWithinMs } from '../../../identity/memberships.ts'
import { access } from '../../../projections/access.ts'
import { unavailable } from '../problem.ts'
import type { Services } from '../services.ts'

/**
 * Whoever is told that access was taken away may rely on it, on every node of this release. While two releases
 * run side by side the nodes of the other one go by read models of their own: there it is in force once their
 * projector has shown it.
 */

/** Keys are looked up on every request; memberships are kept in memory for a moment. */
export type Revoked = 'keys' | 'memberships'

const withinMs = 10_000

/** Waits until nobody gets in any more by what was revoked. @throws Problem 503 `revocation-pending` */
export async function untilInForce(
  revoked: Revoked,
  { position }: { readonly position: number },
  { positions }: Services,
): Promise<true> {
  if (!(await positions.waitFor([access], position, withinMs)))
    throw unavailable(
      'revocation-pending',
      'This is recorded, but not in force yet: repeat the request to find out when it is.',
    )
  if (revoked === 'memberships') await pause(membershipsEndWithinMs)
  return true
}
