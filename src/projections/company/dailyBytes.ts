import { isPerson, type Recorded } from '../../domain/kernel/event.ts'
import { storedMetadata } from '../../domain/kernel/metadata.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { bigint, defineProjection, table, timestamptz, uuid } from '../engine/projection.ts'
import type { ListQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/** The bytes of the events that each company has recorded on a day (UTC), by author, for the bound of a day. */

const tables = {
  dailyBytes: table({
    columns: {
      companyId: uuid,
      /** The beginning of the day. */
      day: timestamptz,
      persons: bigint,
      /** By rule packs and by the service itself. */
      others: bigint,
    },
    key: ['companyId', 'day'],
    indexes: [['day']],
    retention: { column: 'day', milliseconds: 7 * 86_400_000 },
  }),
}

export const dailyBytes = defineProjection<never>()({
  name: 'dailyBytes',
  version: 1,
  tables,
  isBackground: true,
  handlers: {},
  anyEvent: {
    touches: (event) => {
      const companyId = companyOfStream(event.streamName)
      return companyId === undefined ? {} : { dailyBytes: [[companyId, dayOf(event)]] }
    },
    apply: (rows, event) => {
      const companyId = companyOfStream(event.streamName)
      if (companyId === undefined) return
      const day = dayOf(event)
      const { persons = 0, others = 0 } = rows.dailyBytes.get([companyId, day]) ?? {}
      const row = { companyId, day, persons, others }
      row[isPerson(event.metadata.actor) ? 'persons' : 'others'] += bytesOf(event)
      rows.dailyBytes.put(row)
    },
  },
})

function dayOf(event: Recorded): string {
  return beginningOf(event.metadata.occurredAt.slice(0, 10))
}

function beginningOf(day: string): string {
  return `${day}T00:00:00.000Z`
}

function bytesOf(event: Recorded): number {
  // An event of another program may have no metadata.
  const metadata = JSON.stringify(storedMetadata(event)) ?? ''
  return Buffer.byteLength(JSON.stringify(event.data)) + Buffer.byteLength(metadata)
}

/** The bytes of a company on a day, such as 2026-03-01; no row while there are none. */
export function findDailyBytes(reading: Reading, companyId: string, day: string): ListQuery {
  return {
    text: `SELECT persons, others FROM ${reading.table(dailyBytes, 'dailyBytes')} WHERE company_id = $1 AND day = $2`,
    values: [companyId, beginningOf(day)],
  }
}

export interface BytesOfAll {
  readonly bytes: number
  /** Companies that have recorded the limit or more. */
  readonly companiesAtBound: number
}

/** The bytes of all companies on a day. */
export function sumDailyBytes(reading: Reading, day: string, limit: number): ListQuery {
  return {
    text: `SELECT coalesce(sum(persons + others), 0)::float8 AS bytes,
                  count(*) FILTER (WHERE greatest(persons, others) >= $2)::integer AS "companiesAtBound"
           FROM ${reading.table(dailyBytes, 'dailyBytes')} WHERE day = $1`,
    values: [beginningOf(day), limit],
  }
}
