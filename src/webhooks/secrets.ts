import type { Postgres } from '../stores/postgres/postgres.ts'
import { newSecret } from './signature.ts'

/** The secrets of webhooks. They are in no event, and each is shown once. */

export function createSecrets(postgres: Pick<Postgres, 'query'>, now: () => Date) {
  return {
    /**
     * Keep a new secret as of the event at a position, beside the one before, which signs as well for `overlapHours`. Return
     * the secret, or null if the event has one already.
     */
    async keep(webhookId: string, position: number, overlapHours: number): Promise<string | null> {
      const secret = newSecret()
      const formerUntil = new Date(now().getTime() + overlapHours * 3_600_000)
      const rows = await postgres.query(
        `INSERT INTO heatmark_local.webhook_secret AS s (webhook_id, secret, made_at)
         VALUES ($1, $2, $3)
         ON CONFLICT (webhook_id) DO UPDATE
         SET secret = EXCLUDED.secret, made_at = EXCLUDED.made_at, former = s.secret, former_until = $4
         WHERE s.made_at < EXCLUDED.made_at
         RETURNING 1`,
        [webhookId, secret, position, formerUntil],
      )
      return rows.length > 0 ? secret : null
    },
    /** Delete what is kept of a webhook. The secret comes first: without it, the sender keeps nothing. */
    async forget(webhookId: string): Promise<void> {
      for (const table of ['webhook_secret', 'webhook_place', 'webhook_attempt'])
        await postgres.query(`DELETE FROM heatmark_local.${table} WHERE webhook_id = $1`, [webhookId])
    },
  }
}
