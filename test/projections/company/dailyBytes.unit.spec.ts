import { expect, it } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { dailyBytes } from '../../../src/projections/company/dailyBytes.ts'
import { alice, companyId, id } from '../../support/given.ts'
import { foldInMemory } from '../foldInMemory.ts'

const happened = (position: number, occurredAt: string, more: Partial<Recorded> = {}): Recorded => ({
  id: id(position),
  type: 'SomethingNew',
  position,
  data: { text: 'é' },
  revision: 0,
  streamName: `order-${companyId}_${id(1)}`,
  metadata: { actor: alice, occurredAt, correlationId: 'c', schemaVersion: 1 },
  ...more,
})
const byRules = {
  actor: { id: 'en10025', name: 'EN 10025', kind: 'rulePack' },
  correlationId: 'c',
  schemaVersion: 1,
} as const
const bytesOf = ({ data, metadata }: Recorded) =>
  Buffer.byteLength(JSON.stringify(data) + JSON.stringify(metadata))

it('adds the bytes of each company by the day of the event, those of persons apart', () => {
  const last = happened(1, '2026-03-01T23:59:59.999Z')
  const first = happened(2, '2026-03-02T00:00:00.000Z')
  const other = happened(3, '2026-03-02T10:00:00.000Z', {
    streamName: `company-${id(9)}`,
    metadata: { ...byRules, occurredAt: '2026-03-02T10:00:00.000Z' },
  })
  const nobodys = happened(4, '2026-03-02T10:00:00.000Z', { streamName: `account-${companyId}` })
  const day = '2026-03-02T00:00:00.000Z'
  expect(foldInMemory(dailyBytes, [last, first, first, other, nobodys]).dailyBytes).toEqual([
    { companyId, day: '2026-03-01T00:00:00.000Z', persons: bytesOf(last), others: 0 },
    { companyId, day, persons: 2 * bytesOf(first), others: 0 },
    { companyId: id(9), day, persons: 0, others: bytesOf(other) },
  ])
})

it('takes the day of the store for an event without metadata', () => {
  const created = '2026-03-02T10:00:00.000Z'
  const event = happened(1, '', { metadata: undefined as never, created })
  expect(foldInMemory(dailyBytes, [event]).dailyBytes).toMatchObject([{ day: '2026-03-02T00:00:00.000Z' }])
})
