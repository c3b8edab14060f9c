import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { z } from 'zod'
import { canonicalJson } from '../../../canonicalJson.ts'
import { isCurrent } from '../../../commands/loaded.ts'
import type { Idempotency } from '../../../domain/event.ts'
import { bareKey, isSameRequest, type RequestHashes } from '../../../domain/idempotencyKey.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { findIdempotencyKey, idempotency } from '../../../projections/idempotency.ts'
import { parseJson } from '../body/json.ts'
import type { Services } from '../services.ts'
import type { Exchange } from './route.ts'

export const idempotencyKey = z
  .string()
  .refine((key) => /^[\x21-\x7e]{1,255}$/.test(bareKey(key)), 'must be 1 to 255 visible ASCII characters')
  .optional()
  .describe(
    'Makes a repeat of this request safe: for 24 hours, the repeat gets the first answer. `"abc"` is the same key as `abc`.',
  )

/** Return the hashes that tell a repeat from another request: of the bytes as sent, and of the parsed values. */
export function hashesOf(req: Request, bytes: Buffer | undefined): ReturnType<Exchange['requestHashes']> {
  const query = req.url.indexOf('?')
  return {
    requestHash: createHash('sha256')
      .update(bytes ?? '')
      .update(query < 0 ? '' : req.url.slice(query))
      .digest('hex'),
    contentHash: createHash('sha256')
      .update(canonicalJson([query < 0 ? {} : req.query, bytes && parseJson(bytes)]))
      .digest('base64url'),
  }
}

/**
 * Refuse an idempotency key that another request used, in any stream. The stream itself detects this only for
 * two requests that write to it. Return the use with the key as it was sent first, because ids are derived from it.
 * @throws Refusal `idempotency-key-reused`
 */
export async function refuseReusedKey(use: Idempotency, { reader, now }: Services): Promise<Idempotency> {
  const { value: known } = await reader.read([idempotency], async (reading) => {
    const [row] = await reading.query<RequestHashes & { sentKey: string; recordedAt: string }>(
      findIdempotencyKey(reading, use),
    )
    return row
  })
  if (!known || !isCurrent(known, now().toISOString())) return use
  if (isSameRequest(known, use)) return { ...use, key: known.sentKey }
  throw new Refusal(
    'idempotency-key-reused',
    'This Idempotency-Key belongs to another request. Use a new key for a new request.',
  )
}
