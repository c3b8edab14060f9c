import { isCurrent } from '../../../commands/states.ts'
import type { Idempotency } from '../../../domain/event.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { findIdempotencyKey, idempotency } from '../../../projections/idempotency.ts'
import type { Services } from '../services.ts'

/**
 * Refuse an idempotency key that another request used, in any stream. The stream itself detects this only for
 * two requests that write to it.
 * @throws Refusal `idempotency-key-reused`
 */
export async function refuseReusedKey(use: Idempotency, { reader, now }: Services): Promise<void> {
  const { value: known } = await reader.read([idempotency], async (reading) => {
    const [row] = await reading.query<{ requestHash: string; recordedAt: string }>(
      findIdempotencyKey(reading, use),
    )
    return row
  })
  if (known && isCurrent(known, now().toISOString()) && known.requestHash !== use.requestHash)
    throw new Refusal(
      'key-reused',
      'idempotency-key-reused',
      'This Idempotency-Key belongs to another request. Use a new key for a new request.',
    )
}
