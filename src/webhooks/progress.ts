import type { Told } from '../domain/verdict/sentence.ts'
import { Failure } from '../lib/failure.ts'
import { heldSql, type Lease } from '../stores/leading/lease.ts'
import type { Queries } from '../stores/postgres/postgres.ts'
import type { Place } from './place.ts'

/** The places of endpoints and the requests to them, as the holder of the lease writes them. */

interface Attempt {
  readonly at: Date
  readonly isPing: boolean
  /** The number of changes in the request, and the position that they follow. */
  readonly changes: number
  readonly after: number
  readonly status: number | undefined
  readonly failure: Told | undefined
}

export interface Progress {
  /** Save a place, with the request that led there. @throws Failure `term-over`, PostgresUnavailable */
  save(webhookId: string, place: Place, attempt?: Attempt): Promise<void>
  /** Forget requests that are older than this. */
  forget(before: Date): Promise<void>
}

/** Requests are kept for this long. */
export const attemptDays = 30

export function openProgress(postgres: Queries, lease: Lease): Progress {
  return {
    async save(webhookId, place, attempt) {
      const { position, startedAt, pingedUrl, tries, nextTryAt, failure, disabled } = place
      const values = [webhookId, position, startedAt, pingedUrl, tries, nextTryAt, failure, disabled]
      const made = attempt && [
        attempt.at,
        attempt.isPing,
        attempt.changes,
        attempt.after,
        attempt.status,
        attempt.failure,
      ]
      const held = await postgres.query(
        made ? `${placeSql}, ${attemptSql} ${fromHeld}` : `${placeSql} ${fromHeld}`,
        [lease.name, lease.fencing, ...values, ...(made ?? [])],
      )
      if (held.length === 0) throw new Failure('term-over', `another process holds the lease ${lease.name}`)
    },
    async forget(before) {
      await postgres.query(
        `WITH held AS (${heldSql('$1', '$2')})
         DELETE FROM heatmark_local.webhook_attempt WHERE attempted_at < $3 AND EXISTS (SELECT FROM held)`,
        [lease.name, lease.fencing, before],
      )
    },
  }
}

/** The secret of a webhook is deleted with it, and nothing is kept of a request that was under way. */
const placeSql = `
  WITH held AS (${heldSql('$1', '$2')}), known AS (
    SELECT FROM heatmark_local.webhook_secret WHERE webhook_id = $3::uuid FOR KEY SHARE
  ), place AS (
    INSERT INTO heatmark_local.webhook_place AS p
      (webhook_id, position, started_at, pinged_url, tries, next_try_at, failure, disabled)
    SELECT $3::uuid, $4::bigint, $5::bigint, $6::text, $7::integer, $8::timestamptz, $9::jsonb, $10::jsonb FROM held, known
    ON CONFLICT (webhook_id) DO UPDATE
    SET position = EXCLUDED.position, started_at = EXCLUDED.started_at, pinged_url = EXCLUDED.pinged_url,
        tries = EXCLUDED.tries, next_try_at = EXCLUDED.next_try_at, failure = EXCLUDED.failure,
        disabled = EXCLUDED.disabled
  )`
const attemptSql = `attempt AS (
    INSERT INTO heatmark_local.webhook_attempt (webhook_id, attempted_at, is_ping, changes, after, status, failure)
    SELECT $3::uuid, $11::timestamptz, $12::boolean, $13::integer, $14::bigint, $15::integer, $16::jsonb FROM held, known
  )`
const fromHeld = 'SELECT 1 FROM held'
