import { concurrently } from '../commands/concurrently.ts'
import type { Recorded } from '../domain/event.ts'
import type { Family } from '../domain/tag.ts'
import type { RulePackEvent } from '../domain/tagCatalogue.ts'
import { TermOver } from '../leading/leading.ts'
import { heldSql, type Lease } from '../leading/lease.ts'
import type { Postgres } from '../postgres.ts'
import { certificates } from '../projections/certificates.ts'
import { orders } from '../projections/orders.ts'
import type { Reader } from '../projections/reading/reader.ts'
import { countSubjects, listSubjectIds } from '../projections/subjects.ts'

/**
 * Evaluates every subject of a company after a decision on one of its rule packs. How far it is stands in
 * `heatmark_local`, so that whoever takes over goes on from there.
 */

export interface EvaluationOptions {
  readonly postgres: Postgres
  readonly reader: Reader
  readonly lease: Lease
  /** Brings what rules say of a subject in line with the packs in force. */
  readonly evaluate: (companyId: string, family: Family, subjectId: string) => Promise<void>
  /** Until the read models show what was evaluated, or that takes too long. */
  readonly shown: () => Promise<unknown>
}

interface Progress {
  readonly family: Family
  readonly after: string | null
  readonly done: number
  readonly total: number
  readonly finished: boolean
}

/** Subjects between two looks at the clock of progress: what is done again after a crash, at most. */
const portion = 200
/** Evaluations under way at once. */
const atOnce = 16

const load = async ({ postgres }: EvaluationOptions, eventId: string): Promise<Progress | undefined> => {
  const [row] = await postgres.query<Progress>(
    'SELECT family, after, done, total, finished FROM heatmark_local.rule_evaluation WHERE event_id = $1',
    [eventId],
  )
  return row
}

const save = async (
  { postgres, lease }: EvaluationOptions,
  { id, data: { companyId, rulePackId } }: Recorded<RulePackEvent>,
  { family, after, done, total, finished }: Progress,
): Promise<void> => {
  const saved = await postgres.query(
    `WITH held AS (${heldSql('$1', '$2')}),
       former AS (DELETE FROM heatmark_local.rule_evaluation
                  WHERE company_id = $4 AND rule_pack_id = $5 AND event_id <> $3 AND EXISTS (SELECT FROM held))
     INSERT INTO heatmark_local.rule_evaluation AS e
       (event_id, company_id, rule_pack_id, family, after, done, total, finished)
     SELECT $3, $4, $5, $6, $7, $8, $9, $10 FROM held
     ON CONFLICT (event_id) DO UPDATE
     SET family = $6, after = $7, done = $8, total = $9, finished = $10, updated_at = now()
     RETURNING 1`,
    [lease.name, lease.fencing, id, companyId, rulePackId, family, after, done, total, finished],
  )
  if (saved.length === 0) throw new TermOver('somebody else holds the lease of the rule packs')
}

/**
 * Goes on with what an event asks for, from where it was left, until all subjects are evaluated or
 * `stopping`; false in the latter case. The read models must have reached the event; what comes after it is
 * evaluated as it comes.
 * @throws TermOver, PostgresUnavailable, Refusal
 */
export const evaluateAll = async (
  options: EvaluationOptions,
  event: Recorded<RulePackEvent>,
  stopping: AbortSignal,
): Promise<boolean> => {
  const { reader, evaluate } = options
  const { companyId } = event.data
  const begin = async (): Promise<Progress> => {
    const { value } = await reader.read([certificates, orders], (reading) =>
      reading.query<{ total: number }>(countSubjects(reading, companyId)),
    )
    return { family: 'millCert', after: null, done: 0, total: value[0]!.total, finished: false }
  }
  const next = async ({ family, after }: Progress): Promise<string[]> => {
    const { value } = await reader.read([certificates, orders], (reading) =>
      reading.query<{ subjectId: string }>(listSubjectIds(reading, { companyId, family, after }, portion)),
    )
    return value.map(({ subjectId }) => subjectId)
  }

  let progress = (await load(options, event.id)) ?? (await begin())
  while (!progress.finished && !stopping.aborted) {
    const ids = await next(progress)
    await concurrently(atOnce, ids, (subjectId) => evaluate(companyId, progress.family, subjectId))
    const done = progress.done + ids.length
    progress = {
      ...progress,
      after: ids.at(-1) ?? progress.after,
      done,
      total: Math.max(done, progress.total),
    }
    if (ids.length < portion)
      progress =
        progress.family === 'millCert'
          ? { ...progress, family: 'order', after: null }
          : { ...progress, finished: true }
    if (progress.finished) await options.shown()
    await save(options, event, progress)
  }
  return progress.finished
}
