import { heldSql, type Lease } from '../stores/leading/lease.ts'
import type { Queries } from '../stores/postgres/postgres.ts'
import type { Progress } from './policy.ts'

/**
 * The progress of evaluating the subjects that a decision on a rule pack concerns, as `evaluation` of a rule pack shows
 * it.
 */
export interface Evaluation extends Progress {
  /** Id of the decision's event. */
  readonly eventId: string
  readonly companyId: string
  readonly rulePackId: string
}

/** Replaces what was saved of an earlier decision on the pack. @throws PostgresUnavailable */
export async function saveEvaluation(
  postgres: Queries,
  lease: Lease,
  { eventId, companyId, rulePackId, done, total, finished }: Evaluation,
): Promise<void> {
  await postgres.query(
    `WITH held AS (${heldSql('$1', '$2')}),
       former AS (DELETE FROM heatmark_local.rule_evaluation
                  WHERE company_id = $4 AND rule_pack_id = $5 AND event_id <> $3 AND EXISTS (SELECT FROM held))
     INSERT INTO heatmark_local.rule_evaluation (event_id, company_id, rule_pack_id, done, total, finished)
     SELECT $3, $4, $5, $6, $7, $8 FROM held
     ON CONFLICT (event_id) DO UPDATE SET done = $6, total = $7, finished = $8, updated_at = now()`,
    [lease.name, lease.fencing, eventId, companyId, rulePackId, done, total, finished],
  )
}
