import type { WebhookEvent, WebhookRef } from '../../domain/company/webhooks.ts'
import { entries } from '../audit/entries.ts'
import {
  bigint,
  boolean,
  defineProjection,
  json,
  type Key,
  nullable,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { columnsOf, type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reader, Reading } from '../engine/reading/reader.ts'

/** The webhooks of companies, as their Admins have set them. */

const webhook = table({
  columns: {
    companyId: uuid,
    webhookId: uuid,
    url: text,
    types: json<readonly string[]>(),
    active: boolean,
    createdAt: timestamptz,
    updatedAt: timestamptz,
    revision: bigint,
    /** The position of the event that last said where sending begins, or that it goes on. */
    startedAt: bigint,
    /** Sending begins after this position of the feed; null: where it stopped. */
    startAfter: nullable(bigint),
  },
  key: ['companyId', 'webhookId'],
})

export const webhooks = defineProjection<WebhookEvent>()({
  name: 'webhooks',
  version: 1,
  tables: { webhook },
  handlers: {
    WebhookAdded: {
      touches,
      apply: (rows, { data, metadata, revision, position }) =>
        rows.webhook.put({
          ...data,
          createdAt: metadata.occurredAt,
          updatedAt: metadata.occurredAt,
          revision,
          startedAt: position,
          startAfter: position,
        }),
    },
    WebhookChanged: {
      touches,
      apply: (rows, { data, metadata, revision }) => {
        const { url, types, active } = data
        rows.webhook.update(keyOf(data), { url, types, active, updatedAt: metadata.occurredAt, revision })
      },
    },
    WebhookResumed: {
      touches,
      apply: (rows, { data, metadata, revision, position }) =>
        rows.webhook.update(keyOf(data), {
          active: true,
          updatedAt: metadata.occurredAt,
          revision,
          startedAt: position,
          startAfter: data.after,
        }),
    },
    WebhookSecretRolled: {
      touches,
      apply: (rows, { data, metadata, revision }) =>
        rows.webhook.update(keyOf(data), { updatedAt: metadata.occurredAt, revision }),
    },
    WebhookDeleted: { touches, apply: (rows, { data }) => rows.webhook.delete(keyOf(data)) },
  },
})

export const webhookStates = ['pending', 'active', 'failing', 'paused', 'disabled'] as const

/** How sending goes. Without a row for it, the endpoint has not been asked yet. */
const state = {
  state: `CASE WHEN NOT w.active THEN 'paused' WHEN p.disabled IS NOT NULL AND p.started_at = w.started_at THEN 'disabled'
          WHEN p.tries > 0 THEN 'failing' WHEN p.pinged_url = w.url THEN 'active' ELSE 'pending' END`,
  condition: 'coalesce(p.disabled, p.failure)',
  after: 'p.position',
  nextTryAt: 'CASE WHEN w.active AND p.disabled IS NULL THEN p.next_try_at END',
}

function partsOf(reading: Reading) {
  return {
    select: { ...columnsOf(webhook, 'w', ['revision', 'startedAt', 'startAfter']), ...state },
    from: `${reading.table(webhooks, 'webhook')} w LEFT JOIN heatmark_local.webhook_place p USING (webhook_id)`,
  }
}

export function listWebhooks(reading: Reading, companyId: string, page?: Page): ListQuery {
  const order = ['w.created_at', 'w.webhook_id']
  return listQuery({ ...partsOf(reading), where: 'w.company_id = $1', values: [companyId], order }, page)
}

/** One webhook, with its `revision`. */
export function findWebhook(reading: Reading, { companyId, webhookId }: WebhookRef): ListQuery {
  const { select, from } = partsOf(reading)
  return singleQuery({
    select: { ...select, revision: 'w.revision' },
    from,
    where: 'w.company_id = $1 AND w.webhook_id = $2',
    values: [companyId, webhookId],
  })
}

export interface EndpointsOfState {
  readonly state: (typeof webhookStates)[number]
  readonly endpoints: number
  /** The age of the oldest change that one of them has not accepted; null for none. */
  readonly lagSeconds: number | null
}

/** Count the webhooks of all companies. @throws PostgresUnavailable */
export async function countEndpoints(reader: Pick<Reader, 'read'>): Promise<readonly EndpointsOfState[]> {
  const { value } = await reader.read([webhooks, entries], (reading) =>
    reading.query<EndpointsOfState>({
      text: `SELECT ${state.state} AS state, count(*)::int AS endpoints,
               greatest(0, extract(epoch FROM now() - min(waiting.since)))::float8 AS "lagSeconds"
             FROM ${partsOf(reading).from}
             LEFT JOIN LATERAL (
               SELECT e.occurred_at AS since FROM ${reading.table(entries, 'entry')} e
               WHERE e.company_id = w.company_id AND (-e.position) < -(${placeSql})
               ORDER BY (-e.position) DESC LIMIT 1
             ) waiting ON true
             GROUP BY 1`,
      values: [],
    }),
  )
  return value
}

/** SQL of the place after which sending goes on. */
const placeSql = `CASE WHEN p.started_at = w.started_at THEN p.position
  ELSE coalesce(w.start_after, p.position, w.started_at) END`

/** The requests that were sent to a webhook, newest first. */
export function listAttempts(reading: Reading, { companyId, webhookId }: WebhookRef, page?: Page): ListQuery {
  return listQuery(
    {
      select: {
        attemptedAt: 'a.attempted_at',
        isPing: 'a.is_ping',
        changes: 'a.changes',
        after: 'a.after',
        status: 'a.status',
        failure: 'a.failure',
      },
      from: `heatmark_local.webhook_attempt a JOIN ${reading.table(webhooks, 'webhook')} w USING (webhook_id)`,
      where: 'w.company_id = $1 AND w.webhook_id = $2',
      values: [companyId, webhookId],
      order: ['(-a.attempt_id)'],
    },
    page,
  )
}

/** Every webhook to which something may have to be sent, with its place and its secrets. */
export function listSendable(reading: Reading): ListQuery {
  return {
    text: `SELECT w.company_id AS "companyId", w.webhook_id AS "webhookId", w.url, w.types, w.revision,
                  w.started_at AS "startedAt", w.start_after AS "startAfter",
                  CASE WHEN p.webhook_id IS NOT NULL THEN json_build_object(
                    'position', p.position, 'startedAt', p.started_at, 'pingedUrl', p.pinged_url, 'tries', p.tries,
                    'nextTryAt', p.next_try_at, 'failure', p.failure, 'disabled', p.disabled) END AS place,
                  s.secret, s.former, s.former_until AS "formerUntil"
           FROM ${reading.table(webhooks, 'webhook')} w
           JOIN heatmark_local.webhook_secret s USING (webhook_id)
           LEFT JOIN heatmark_local.webhook_place p USING (webhook_id)
           WHERE w.active AND (p.disabled IS NULL OR p.started_at <> w.started_at)`,
    values: [],
  }
}

function keyOf({ companyId, webhookId }: WebhookRef): Key {
  return [companyId, webhookId]
}

function touches({ data }: { readonly data: WebhookRef }) {
  return { webhook: [keyOf(data)] }
}
