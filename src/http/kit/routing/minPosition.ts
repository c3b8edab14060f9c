import { z } from 'zod'
import type { Named } from '../../../projections/engine/reading/waitFor.ts'
import { unavailable } from '../problem.ts'
import type { Services } from '../services.ts'

/** The header Min-Position: reads wait for the read models. */

const notAPosition = 'must be a position from Commit-Position'

export const minPosition = z
  .string()
  .regex(/^\d{1,16}$/, notAPosition)
  .transform(Number)
  .pipe(z.number().max(Number.MAX_SAFE_INTEGER, notAPosition))
  .optional()
  .describe('Answer only from read models that have reached this position.')

/** @throws Problem 503 `read-model-behind` */
export async function waitUntilReached(
  { positions, minPositionWithinMs }: Services,
  reads: readonly Named[],
  position: unknown,
): Promise<void> {
  if (position === undefined) return
  if (await positions.waitFor(reads, position as number, minPositionWithinMs)) return
  throw unavailable(
    'read-model-behind',
    `The read models have not reached position ${position} yet, so nothing is answered. Try again later.`,
  )
}
