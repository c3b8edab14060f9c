import type { Idempotency, Recorded } from '../../domain/kernel/event.ts'
import { defineProjection, type RowOf, table, text, timestamptz } from './projection.ts'
import { type ListQuery, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'

/**
 * Which request each Idempotency-Key belongs to, across all streams. A command finds a repeat in its own stream. This
 * index finds a key that comes back with another request.
 */

const tables = {
  idempotencyKey: table({
    columns: { caller: text, request: text, key: text, requestHash: text, recordedAt: timestamptz },
    key: ['caller', 'request', 'key'],
    indexes: [['recordedAt']],
    // A key counts for a day; clocks may differ by some minutes.
    retention: { column: 'recordedAt', milliseconds: 25 * 3_600_000 },
  }),
}

type KeyUse = RowOf<typeof tables.idempotencyKey.columns>

export const idempotency = defineProjection<never>()({
  name: 'idempotency',
  version: 1,
  tables,
  handlers: {},
  // A newer release may record keys with events that this one does not know.
  anyEvent: {
    touches: (event) => {
      const use = keyUseOf(event)
      return use ? { idempotencyKey: [[use.caller, use.request, use.key]] } : {}
    },
    apply: (rows, event) => {
      const use = keyUseOf(event)
      if (use) rows.idempotencyKey.put(use)
    },
  },
})

/** The hash of the last request under this key, and the time at which the store recorded it. */
export function findIdempotencyKey(
  reading: Reading,
  { caller, request, key }: Pick<Idempotency, 'caller' | 'request' | 'key'>,
): ListQuery {
  return singleQuery({
    select: { requestHash: 'request_hash', recordedAt: 'recorded_at' },
    from: reading.table(idempotency, 'idempotencyKey'),
    where: 'caller = $1 AND request = $2 AND key = $3',
    values: [caller, request, key],
  })
}

/** Undefined for an event without a key. */
function keyUseOf(event: Recorded): KeyUse | undefined {
  const { idempotency, occurredAt } = event.metadata
  if (!idempotency) return undefined
  const { caller, request, key, requestHash } = idempotency
  return { caller, request, key, requestHash, recordedAt: event.created ?? occurredAt }
}
