import type { AuditedRecord } from '../../domain/audit/audited.ts'
import type { ListQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { entries } from './entries.ts'

/** The events of a company in the order of the store, for those who follow its changes. */

export interface FoundChange extends AuditedRecord {
  readonly position: number
  readonly eventId: string
  readonly occurredAt: string
  /** The type of the event. */
  readonly kind: string
  readonly further: readonly AuditedRecord[] | null
}

/** The next events after a position, up to the position that the reading shows. */
export function listChanges(
  reading: Reading,
  companyId: string,
  { after, most }: { readonly after: number; readonly most: number },
): ListQuery {
  return {
    // The index holds the negated position.
    text: `SELECT position, event_id AS "eventId", occurred_at AS "occurredAt", kind,
                  subject_type AS "subjectType", subject_id AS "subjectId", further
           FROM ${reading.table(entries, 'entry')}
           WHERE company_id = $1 AND (-position) < (-$2::bigint) AND (-position) >= (-$3::bigint)
           ORDER BY (-position) DESC LIMIT $4`,
    values: [companyId, after, reading.position, most],
  }
}
