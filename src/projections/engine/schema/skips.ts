import type { Recorded } from '../../../domain/kernel/event.ts'
import type { Queries } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from './readModels.ts'

/** Events that operators have projections pass over, whatever the release: kept in `heatmark_local` by store. */
export interface Skip {
  readonly projection: string
  readonly eventId: string
  readonly eventType: string
  readonly streamName: string
  readonly position: number
  readonly reason: string
  /** RFC 3339. */
  readonly skippedAt: string
}

/** In the order of their positions. @throws PostgresUnavailable */
export function readSkips(queries: Queries, { storeId }: ReadModels): Promise<Skip[]> {
  return queries.query<Skip>(
    `SELECT projection, event_id AS "eventId", event_type AS "eventType", stream_name AS "streamName", position,
       reason, skipped_at AS "skippedAt"
     FROM heatmark_local.projection_skip WHERE store_id = $1 ORDER BY position, projection`,
    [storeId],
  )
}

/** @throws PostgresUnavailable */
export async function recordSkip(
  queries: Queries,
  { storeId }: ReadModels,
  { projection, eventId, eventType, streamName, position, reason }: Omit<Skip, 'skippedAt'>,
): Promise<void> {
  await queries.query(
    `INSERT INTO heatmark_local.projection_skip
       (store_id, projection, event_id, event_type, stream_name, position, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (store_id, projection, event_id) DO UPDATE SET reason = $7, skipped_at = now()`,
    [storeId, projection, eventId, eventType, streamName, position, reason],
  )
}

/** Ids of the events that one projection passes over. */
export type SkippedEvents = ReadonlySet<string>

export const nothingSkipped: SkippedEvents = new Set()

export function skippedBy(skips: readonly Skip[], projection: string): SkippedEvents {
  return new Set(skips.filter((skip) => skip.projection === projection).map(({ eventId }) => eventId))
}

/** The events without those that are passed over. */
export function passOver(events: readonly Recorded[], skipped: SkippedEvents): readonly Recorded[] {
  return skipped.size === 0 ? events : events.filter(({ id }) => !skipped.has(id))
}
