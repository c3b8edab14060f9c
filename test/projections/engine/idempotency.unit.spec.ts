import { expect, it } from 'vitest'
import type { EventMetadata, Recorded } from '../../../src/domain/kernel/event.ts'
import { idempotency } from '../../../src/projections/engine/idempotency.ts'
import { alice, now, timeOf } from '../../support/given.ts'
import { foldInMemory } from '../foldInMemory.ts'

const key = { key: 'k', caller: alice.id, request: 'POST /somewhere', requestHash: 'h' }
/** The store's clock when it recorded an event. */
const created = timeOf(0)
const recorded = (type: string, metadata: unknown, position = 1): Recorded => ({
  id: 'e',
  type,
  data: {},
  streamName: 's',
  revision: 0,
  position,
  created,
  metadata: metadata as EventMetadata,
})
const rowsOf = (...events: Recorded[]) => foldInMemory(idempotency, events).idempotencyKey

it('knows a key from an event of any type and version, and when the store recorded it', () => {
  const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 7, idempotency: key }
  expect(rowsOf(recorded('TagCreated', metadata))).toEqual([{ ...key, recordedAt: created }])
  expect(rowsOf(recorded('NotHeardOf', metadata))).toEqual([{ ...key, recordedAt: created }])
})

it('has one row for a key, of the request that used it last', () => {
  const use = (requestHash: string) => ({ occurredAt: now, idempotency: { ...key, requestHash } })
  const events = [recorded('TagCreated', use('first'), 1), recorded('NotHeardOf', use('last'), 2)]
  expect(rowsOf(...events)).toEqual([{ ...key, requestHash: 'last', recordedAt: created }])
})

it.each([
  ['no metadata', undefined],
  ['null', null],
  ['a number', 7],
  ['no key', { occurredAt: now }],
  ['a key in another form', { occurredAt: now, idempotency: 'k' }],
  ['a part of a key', { occurredAt: now, idempotency: { ...key, requestHash: undefined } }],
  ['a hash of numbers', { occurredAt: now, idempotency: { ...key, requestHash: 5 } }],
  ['a key of numbers', { occurredAt: now, idempotency: { ...key, key: 5 } }],
])('passes over an event of another program with %s', (_, metadata) => {
  expect(rowsOf(recorded('TheirEvent', metadata))).toEqual([])
})
