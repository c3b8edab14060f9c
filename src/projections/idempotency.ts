import { domainEvents } from '../domain/aggregates.ts'
import type { DomainEvent, Idempotency } from '../domain/event.ts'
import { defineProjection, type Handler, type Key, table, text, timestamptz } from './projection.ts'
import { type ListQuery, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'

/**
 * Which request each Idempotency-Key belongs to, whatever stream its events are in. A repeat is found in the
 * stream itself; this index tells that a key comes back with another request.
 */

const tables = {
  idempotencyKey: table({
    columns: { caller: text, request: text, key: text, requestHash: text, occurredAt: timestamptz },
    key: ['caller', 'request', 'key'],
    indexes: [['occurredAt']],
    // A key counts for a day; clocks may differ by some minutes.
    outlived: { column: 'occurredAt', afterMs: 25 * 3_600_000 },
  }),
}

const keyOf = ({ caller, request, key }: Idempotency): Key => [caller, request, key]

const handler: Handler<typeof tables, DomainEvent> = {
  touches: ({ metadata: { idempotency } }) => (idempotency ? { idempotencyKey: [keyOf(idempotency)] } : {}),
  apply: (rows, { metadata: { idempotency, occurredAt } }) => {
    if (idempotency) rows.idempotencyKey.put({ ...idempotency, occurredAt })
  },
}

export const idempotency = defineProjection<DomainEvent>()({
  name: 'idempotency',
  version: 1,
  tables,
  handlers: Object.fromEntries(Object.keys(domainEvents.eventVersions).map((type) => [type, handler])),
})

/** The request that a key was used for last: its `requestHash`, and when it `occurredAt`. */
export const findIdempotencyKey = (
  reading: Reading,
  { caller, request, key }: Pick<Idempotency, 'caller' | 'request' | 'key'>,
): ListQuery =>
  singleQuery({
    select: { requestHash: 'request_hash', occurredAt: 'occurred_at' },
    from: reading.table(idempotency, 'idempotencyKey'),
    where: 'caller = $1 AND request = $2 AND key = $3',
    values: [caller, request, key],
  })
