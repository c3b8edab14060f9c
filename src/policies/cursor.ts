import type { Recorded } from '../domain/event.ts'
import { TermOver } from '../leading/leading.ts'
import { heldSql, type Lease } from '../leading/lease.ts'
import type { Queries } from '../postgres.ts'
import type { KeptPosition } from '../projections/projector/feed.ts'

/** How far the policy has got, kept beside the lease of whoever moves it, for every process to see. */

export const policy = 'ruleTagging'

export const leaseNameOf = (storeId: string): string => `${policy}/${storeId}`

export const loadCursor = async (postgres: Queries, storeId: string): Promise<KeptPosition> => {
  const [row] = await postgres.query<KeptPosition>(
    'SELECT position, event_id AS "eventId" FROM heatmark_local.policy_cursor WHERE store_id = $1 AND policy = $2',
    [storeId, policy],
  )
  return row ?? { position: 0, eventId: null }
}

/** @throws TermOver, PostgresUnavailable */
export const saveCursor = async (
  postgres: Queries,
  storeId: string,
  lease: Lease,
  { position, id }: Recorded,
): Promise<void> => {
  const saved = await postgres.query(
    `WITH held AS (${heldSql('$1', '$2')})
     INSERT INTO heatmark_local.policy_cursor (store_id, policy, position, event_id)
     SELECT $3, $4, $5, $6 FROM held
     ON CONFLICT (store_id, policy) DO UPDATE SET position = $5, event_id = $6
     RETURNING 1`,
    [lease.name, lease.fencing, storeId, policy, position, id],
  )
  if (saved.length === 0) throw new TermOver('somebody else holds the lease of the rule packs')
}

/** The policy as every process sees it, whether or not it has that role. */
export interface PolicyStanding {
  /** Whether any process holds the lease. */
  readonly held: boolean
  /** What keeps the holder, or whoever tried last, from its work. */
  readonly trouble: string | null
  /** Of the last event that it has dealt with; 0 before the first. */
  readonly position: number
  /** Another text whenever the evaluation under way has got further; null when there is none. */
  readonly evaluation: string | null
}

/** @throws PostgresUnavailable */
export const lookAtPolicy = async (postgres: Queries, storeId: string): Promise<PolicyStanding> => {
  const [row] = await postgres.query<PolicyStanding>(
    `SELECT coalesce(l.expires_at > clock_timestamp(), false) AS held, l.trouble,
       coalesce(c.position, 0) AS position,
       (SELECT max(updated_at)::text FROM heatmark_local.rule_evaluation WHERE NOT finished) AS evaluation
     FROM (SELECT) one
     LEFT JOIN heatmark_local.lease l ON l.name = $1
     LEFT JOIN heatmark_local.policy_cursor c ON c.store_id = $2 AND c.policy = $3`,
    [leaseNameOf(storeId), storeId, policy],
  )
  return row!
}
