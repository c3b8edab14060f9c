import type { Recorded } from '../../../domain/kernel/event.ts'
import type { Queries } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from './readModels.ts'

/**
 * Events that projections pass over, kept in `heatmark_local` by store: because an operator said so, whatever the
 * release, or because this release cannot fold them. The schema of another release tries them again.
 */
export interface Skip {
  readonly projection: string
  readonly eventId: string
  readonly eventType: string
  readonly streamName: string
  readonly position: number
  /** The companies whose rows lack the event: that of its stream, and that of its data. */
  readonly companyIds: readonly string[]
  readonly reason: string
  /** True if the projection passed over it by itself, without an operator. */
  readonly automatic: boolean
  /** RFC 3339. */
  readonly skippedAt: string
}

/** In the order of their positions. @throws PostgresUnavailable */
export function readSkips(queries: Queries, { storeId, schema }: ReadModels): Promise<Skip[]> {
  return queries.query<Skip>(
    `SELECT projection, event_id AS "eventId", event_type AS "eventType", stream_name AS "streamName", position,
       company_ids AS "companyIds", reason, schema <> '' AS automatic, skipped_at AS "skippedAt"
     FROM heatmark_local.projection_skip WHERE store_id = $1 AND schema IN ('', $2) ORDER BY position, projection`,
    [storeId, schema],
  )
}

/** @throws PostgresUnavailable */
export async function recordSkip(
  queries: Queries,
  { storeId, schema }: ReadModels,
  skip: Omit<Skip, 'skippedAt'>,
): Promise<void> {
  const { projection, eventId, eventType, streamName, position, companyIds, reason } = skip
  const ofSchema = skip.automatic ? schema : ''
  await queries.query(
    `INSERT INTO heatmark_local.projection_skip
       (store_id, projection, event_id, event_type, stream_name, position, company_ids, reason, schema)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (store_id, projection, event_id, schema) DO UPDATE SET reason = $8, skipped_at = now()`,
    [storeId, projection, eventId, eventType, streamName, position, companyIds, reason, ofSchema],
  )
}

/** Drop the skip that no operator has decided on. @throws PostgresUnavailable */
export async function dropAutomaticSkip(
  queries: Queries,
  { storeId }: ReadModels,
  { projection, eventId }: Pick<Skip, 'projection' | 'eventId'>,
): Promise<void> {
  await queries.query(
    `DELETE FROM heatmark_local.projection_skip
     WHERE store_id = $1 AND projection = $2 AND event_id = $3 AND schema <> ''`,
    [storeId, projection, eventId],
  )
}

/** Find one of these projections whose rows lack an event of the company, although no operator said so. */
export function findIncomplete(
  { storeId, schema }: Pick<ReadModels, 'storeId' | 'schema'>,
  companyId: string,
  projections: readonly string[],
): { readonly text: string; readonly values: readonly unknown[] } {
  return {
    text: `SELECT projection FROM heatmark_local.projection_skip
      WHERE store_id = $1 AND schema = $2 AND projection = ANY($3::text[]) AND lower($4) = ANY(company_ids)
      ORDER BY position LIMIT 1`,
    values: [storeId, schema, projections, companyId],
  }
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
