import { type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { log } from './log.ts'

/** The last event of a company by a time or a position. */

/** A row of the queries. */
export interface FoundLastEvent {
  /** null when the company had no event yet. */
  readonly last: {
    readonly position: number
    readonly eventId: string
    /** The earliest time that stands for this event, in ISO 8601. */
    readonly time: string
  } | null
  /** Whether a later event is known. Then no event to come can count. */
  readonly isOver: boolean
}

/** Find the last event of the company at a position or before it. */
export function findLastEventAt(reading: Reading, companyId: string, position: number): ListQuery {
  return lastEventQuery(reading, companyId, { value: position, column: 'position', type: 'bigint' })
}

/**
 * Find the last event of the company that was recorded by this time together with all events before it. An event with a
 * time in the future does not hide later events: the time of the store counts, if it is earlier.
 */
export function findLastEventBy(reading: Reading, companyId: string, time: string): ListQuery {
  return lastEventQuery(reading, companyId, { value: time, column: 'latest_at', type: 'timestamptz' })
}

function lastEventQuery(
  reading: Reading,
  companyId: string,
  { value, column, type }: { readonly value: unknown; readonly column: string; readonly type: string },
): ListQuery {
  const leaves = `${reading.table(log, 'leaf')} l WHERE l.company_id = $1 AND l.${column}`
  return singleQuery({
    select: {
      last: `(SELECT json_build_object('position', l.position, 'eventId', l.event_id, 'time', l.latest_at)
        FROM ${leaves} <= $2::${type} ORDER BY l.${column} DESC, l.leaf_index DESC LIMIT 1)`,
      isOver: `EXISTS (SELECT FROM ${leaves} > $2::${type})`,
    } satisfies Record<keyof FoundLastEvent, string>,
    from: '(SELECT) AS nothing',
    where: 'true',
    values: [companyId, value],
  })
}
