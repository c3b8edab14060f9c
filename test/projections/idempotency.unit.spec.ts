import { expect, it } from 'vitest'
import type { EventMetadata, Recorded } from '../../src/domain/event.ts'
import { idempotency } from '../../src/projections/idempotency.ts'
import { foldInMemory } from '../../src/projections/rows/fold.ts'
import { alice, now } from '../support/given.ts'

const key = { key: 'k', caller: alice.id, request: 'POST /somewhere', requestHash: 'h' }
const recorded = (type: string, metadata: unknown, position = 1): Recorded => ({
  ...{ id: 'e', type, data: {}, streamName: 's', revision: 0, position },
  metadata: metadata as EventMetadata,
})
const rowsOf = (...events: Recorded[]) => foldInMemory(idempotency, events).idempotencyKey

it('knows a key from an event of any type and version, as a newer release records them', () => {
  const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 7, idempotency: key }
  expect(rowsOf(recorded('TagCreated', metadata))).toEqual([{ ...key, occurredAt: now }])
  expect(rowsOf(recorded('NotHeardOf', metadata))).toEqual([{ ...key, occurredAt: now }])
})

it('has one row for a key, of the request that used it last', () => {
  const use = (requestHash: string) => ({ occurredAt: now, idempotency: { ...key, requestHash } })
  const events = [recorded('TagCreated', use('first'), 1), recorded('NotHeardOf', use('last'), 2)]
  expect(rowsOf(...events)).toEqual([{ ...key, requestHash: 'last', occurredAt: now }])
})

it.each([
  ['no metadata', undefined],
  ['null', null],
  ['a number', 7],
  ['no key', { occurredAt: now }],
  ['a key in another form', { occurredAt: now, idempotency: 'k' }],
  ['a part of a key', { occurredAt: now, idempotency: { ...key, requestHash: undefined } }],
  ['a key of numbers', { occurredAt: now, idempotency: { ...key, key: 5 } }],
  ['a key and no time', { idempotency: key }],
])('passes over an event of another program with %s', (_, metadata) => {
  expect(rowsOf(recorded('TheirEvent', metadata))).toEqual([])
})
