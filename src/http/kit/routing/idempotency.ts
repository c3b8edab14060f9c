import { isCurrent } from '../../../commands/states.ts'
import type { Idempotency } from '../../../domain/event.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { findIdempotencyKey, idempotency } from '../../../projections/idempotency.ts'
import type { Services } from '../services.ts'

/**
 * Refuses a key that belongs to another request, wherever that recorded its events. The stream itself tells
 * a repeat from another request too, but only if both are decided in the same stream.
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
