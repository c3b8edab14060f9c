import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../domain/kernel/refusal.ts'
import { access } from '../projections/company/access.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'
import { membershipsEndWithinMs as usualMs } from './memberships.ts'

/**
 * The answer to a revocation promises that it is in force on every node of this release. Nodes of another release
 * have read models of their own: there it is in force once their projector has applied it.
 */

/** Keys are looked up on every request; memberships are kept in memory for a moment. */
export type Revoked = 'keys' | 'memberships'

const usualWithinMs = 10_000

interface Means {
  readonly positions: Pick<Positions, 'waitFor'>
  readonly revokedWithinMs?: number | undefined
  readonly membershipsEndWithinMs?: number | undefined
}

/** Wait until the revoked access is refused on every node. @throws Refusal `revocation-pending` */
export async function untilInForce(
  revoked: Revoked,
  { position }: { readonly position: number },
  { positions, revokedWithinMs = usualWithinMs, membershipsEndWithinMs = usualMs }: Means,
): Promise<true> {
  if (!(await positions.waitFor([access], position, revokedWithinMs)))
    throw new Refusal(
      'revocation-pending',
      'The revocation is recorded but not yet in force on every node. Repeat the request until it succeeds.',
    )
  if (revoked === 'memberships') await pause(membershipsEndWithinMs)
  return true
}
