import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { z } from 'zod'
import { isCurrent } from '../../../commands/executor/loaded.ts'
import type { Idempotency } from '../../../domain/kernel/event.ts'
import { Refusal } from '../../../domain/kernel/refusal.ts'
import { canonicalJson } from '../../../lib/canonicalJson.ts'
import { findIdempotencyKey, idempotency } from '../../../projections/engine/idempotency.ts'
import { parseJson } from '../body/json.ts'
import type { Services } from '../services.ts'
import type { Exchange } from './route.ts'

/** A key as a string of RFC 9651: in double quotes, where only a quote and a backslash are escaped. */
const quotedKey = /^"(?:[^"\\]|\\["\\])*"$/

/** Return the key without the quotes of the draft standard, so that `"abc"` and `abc` are one key. */
export function bareKey(key: string): string {
  return quotedKey.test(key) ? key.slice(1, -1).replace(/\\(.)/g, '$1') : key
}

/** Return the key of a request, without quotes. */
export function keyIn(headers: Exchange['headers']): string | undefined {
  const key = headers['idempotency-key'] as string | undefined
  return key === undefined ? undefined : bareKey(key)
}

export const idempotencyKey = z
  .string()
  .refine((key) => /^[\x21-\x7e]{1,255}$/.test(bareKey(key)), 'must be 1 to 255 visible ASCII characters')
  .optional()
  .describe(
    'Makes a repeat of this request safe: for 24 hours, the repeat gets the first answer, with `Idempotent-Replayed: true`. `"abc"` is the same key as `abc`.',
  )

/** Return the hash of the parsed values, which tells a repeat from another request. */
export function requestHashOf(req: Request, bytes: Buffer | undefined): string {
  const query = req.url.includes('?') ? req.query : {}
  return createHash('sha256')
    .update(canonicalJson([query, bytes && parseJson(bytes)]))
    .digest('base64url')
}

/**
 * Refuse an idempotency key that another request used, in any stream. The stream itself detects this only for
 * two requests that write to it.
 * @throws Refusal `idempotency-key-reused`
 */
export async function refuseReusedKey(use: Idempotency, { reader, now }: Services): Promise<void> {
  const { value: known } = await reader.read([idempotency], async (reading) => {
    const [row] = await reading.query<Pick<Idempotency, 'requestHash'> & { recordedAt: string }>(
      findIdempotencyKey(reading, use),
    )
    return row
  })
  if (!known || !isCurrent(known, now().toISOString()) || known.requestHash === use.requestHash) return
  throw new Refusal(
    'idempotency-key-reused',
    'This Idempotency-Key belongs to another request, so nothing was done. Use a new key for a new request.',
  )
}
