import type { Queries } from '../../postgres.ts'
import type { StreamSnapshot, StreamSnapshots } from './streamSnapshots.ts'

/** Snapshots of streams as rows of `heatmark_local.stream_snapshot`. */

/** As long as Idempotency-Keys count. */
const keptFor = "interval '24 hours'"

export function createSnapshotRows({ query }: Queries, storeId: string): StreamSnapshots {
  return {
    async find(stream, stateVersion, { untilPosition, beforeRevision }) {
      const [row] = await query<StreamSnapshot>(
        `SELECT state_version AS "stateVersion", revision, event_id AS "eventId", position,
           occurred_at AS "occurredAt", content, sha256
         FROM heatmark_local.stream_snapshot
         WHERE store_id = $1 AND stream = $2 AND state_version = $3 AND position <= $4 AND revision < $5
         ORDER BY revision DESC LIMIT 1`,
        [storeId, stream, stateVersion, untilPosition, beforeRevision],
      )
      return row
    },

    async keep(stream, { stateVersion, revision, eventId, position, occurredAt, content, sha256 }) {
      await query(
        `INSERT INTO heatmark_local.stream_snapshot
           (store_id, stream, revision, state_version, event_id, position, occurred_at, content, sha256)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (store_id, stream, revision) DO UPDATE SET
           state_version = EXCLUDED.state_version, event_id = EXCLUDED.event_id, position = EXCLUDED.position,
           occurred_at = EXCLUDED.occurred_at, content = EXCLUDED.content, sha256 = EXCLUDED.sha256, kept_at = now()`,
        [storeId, stream, revision, stateVersion, eventId, position, occurredAt, content, sha256],
      )
      await query(
        `DELETE FROM heatmark_local.stream_snapshot AS old
         WHERE store_id = $1 AND kept_at < now() - ${keptFor} AND EXISTS (
           SELECT FROM heatmark_local.stream_snapshot AS newer
           WHERE newer.store_id = old.store_id AND newer.stream = old.stream
             AND newer.revision > old.revision AND newer.kept_at < now() - ${keptFor}
         )`,
        [storeId],
      )
    },

    async drop(stream) {
      await query('DELETE FROM heatmark_local.stream_snapshot WHERE store_id = $1 AND stream = $2', [
        storeId,
        stream,
      ])
    },
  }
}
