import type { Recorded } from '../../domain/kernel/event.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { latest } from '../../domain/kernel/times.ts'
import { entryOf } from '../../proofs/merkleLog/entry.ts'
import { emptyFrontier, leafHash, tileWidth, withLeaf } from '../../proofs/merkleLog/tree.ts'
import {
  bigint,
  defineProjection,
  integer,
  json,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/**
 * The Merkle log of each company: the hashes of its events, in the order of the store. A stream belongs to a company by
 * its name, so events of unknown types and events that are not JSON count, too. See docs/decisions/signed-history.md.
 */

const tables = {
  leaf: table({
    columns: {
      companyId: uuid,
      leafIndex: bigint,
      eventId: uuid,
      position: bigint,
      hash: text,
      /** The latest time of this event and of those before it. Of each, the store's time counts if it is earlier. */
      latestAt: timestamptz,
    },
    key: ['companyId', 'leafIndex'],
    indexes: [
      ['companyId', 'eventId'],
      ['companyId', 'position'],
      ['companyId', 'latestAt', 'leafIndex'],
    ],
    appendOnly: true,
  }),
  /** The heads of complete subtrees at every eighth level: a tile is 256 hashes of a level. Level 0 is `leaf`. */
  node: table({
    columns: { companyId: uuid, tileLevel: integer, nodeIndex: bigint, hash: text },
    key: ['companyId', 'tileLevel', 'nodeIndex'],
    appendOnly: true,
  }),
  head: table({
    columns: { companyId: uuid, size: bigint, subtrees: json<readonly string[]>(), latestAt: timestamptz },
    key: ['companyId'],
  }),
}

export const log = defineProjection<never>()({
  name: 'log',
  version: 1,
  tables,
  isBackground: true,
  // Exports and proofs need every event.
  skippable: [],
  handlers: {},
  anyEvent: {
    touches: ({ streamName }) => {
      const companyId = companyOfStream(streamName)
      return companyId === undefined ? {} : { head: [[companyId]] }
    },
    apply: (rows, event) => {
      const companyId = companyOfStream(event.streamName)
      if (companyId === undefined) return
      const before = rows.head.get([companyId]) ?? { ...emptyFrontier, latestAt: noTime }
      const latestAt = latest(before.latestAt, timeOf(event))
      const after = withLeaf(before, leafHash(entryOf(event)), (tileLevel, bytes) => {
        const hash = bytes.toString('base64')
        if (tileLevel === 0) {
          const { id: eventId, position } = event
          rows.leaf.put({ companyId, leafIndex: before.size, eventId, position, hash, latestAt })
        } else {
          const nodeIndex = Math.floor(before.size / tileWidth ** tileLevel)
          rows.node.put({ companyId, tileLevel, nodeIndex, hash })
        }
      })
      rows.head.put({ companyId, ...after, latestAt })
    },
  },
})

const noTime = new Date(0).toISOString()

/** Return an event's own time, or the store's if that is earlier. */
function timeOf({ metadata: { occurredAt }, created }: Recorded): string {
  return created !== undefined && created < occurredAt ? created : occurredAt
}

/** The number of entries of a company's log; no row while it has none. */
export function findSize(reading: Reading, companyId: string): ListQuery {
  return singleQuery({
    select: { size: 'size' },
    from: reading.table(log, 'head'),
    where: 'company_id = $1',
    values: [companyId],
  })
}

/** The companies with entries that their last checkpoint does not cover. */
export function listUnsigned(reading: Reading, storeId: string): ListQuery {
  return {
    text: `SELECT head.company_id AS "companyId" FROM ${reading.table(log, 'head')} head
           LEFT JOIN heatmark_local.log_checkpoint kept
             ON kept.store_id = $1 AND kept.company_id = head.company_id
           WHERE kept.size IS DISTINCT FROM head.size ORDER BY head.company_id`,
    values: [storeId],
  }
}

/**
 * The places and hashes of some events in the log of a company, each with the size of the log; events that it does not
 * have are left out.
 */
export function listLeaves(reading: Reading, companyId: string, eventIds: readonly string[]): ListQuery {
  return {
    text: `SELECT event_id AS "eventId", leaf_index AS index, hash,
                  (SELECT size FROM ${reading.table(log, 'head')} WHERE company_id = $1) AS size
           FROM ${reading.table(log, 'leaf')} WHERE company_id = $1 AND event_id = ANY($2::uuid[])`,
    values: [companyId, eventIds],
  }
}

/** The positions of some entries, in order. */
export function listLeafPositions(
  reading: Reading,
  companyId: string,
  { first, count }: { readonly first: number; readonly count: number },
): ListQuery {
  return {
    text: `SELECT position FROM ${reading.table(log, 'leaf')}
           WHERE company_id = $1 AND leaf_index >= $2 AND leaf_index < $3 ORDER BY leaf_index`,
    values: [companyId, first, first + count],
  }
}

/**
 * Runs of hashes in their order, the hashes of each joined by commas. A run may have fewer hashes than asked for. Any
 * number of runs is one text, which the connection keeps prepared: planning it took longer than running it.
 */
export function listHashes(
  reading: Reading,
  companyId: string,
  runs: readonly { readonly tileLevel: number; readonly first: number; readonly count: number }[],
): ListQuery {
  return {
    text: `SELECT string_agg(found.hash, ',' ORDER BY found.place) AS hashes
           FROM unnest($2::int[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS run (tile_level, first, past, ordinal)
           LEFT JOIN LATERAL (
             SELECT leaf_index AS place, hash FROM ${reading.table(log, 'leaf')}
             WHERE run.tile_level = 0
               AND company_id = $1 AND leaf_index >= run.first AND leaf_index < run.past
             UNION ALL
             SELECT node_index, hash FROM ${reading.table(log, 'node')}
             WHERE run.tile_level > 0 AND company_id = $1 AND tile_level = run.tile_level
               AND node_index >= run.first AND node_index < run.past
           ) found ON true
           GROUP BY run.ordinal ORDER BY run.ordinal`,
    values: [
      companyId,
      runs.map(({ tileLevel }) => tileLevel),
      runs.map(({ first }) => first),
      runs.map(({ first, count }) => first + count),
    ],
  }
}
