import { describe, expect, it } from 'vitest'
import { empty, prepare } from '../../src/commands/executor/loaded.ts'
import { aggregates, domainEvents } from '../../src/domain/aggregates.ts'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import { newestVersion } from '../../src/domain/kernel/versions.ts'
import { projections } from '../../src/projections/all.ts'
import { storedEvents } from '../golden/golden.ts'
import { foldInMemory } from './foldInMemory.ts'

/** Another program may write an event of a known type in its own way. It must not stop what every company reads. */

// Such an event says nothing of its version, so it counts as one of version 1.
const golden = storedEvents()
  .map(({ event }) => event)
  .filter(({ metadata }) => metadata.schemaVersion === 1)
const created = '2026-03-01T10:00:00.000Z'

const odd: Readonly<Record<string, unknown>> = {
  none: undefined,
  null: null,
  'a number': 7,
  'a text': 'x',
  'a list': [],
  bytes: { base64: 'AA==' },
  'an actor of null': { actor: null },
  'an actor that is a text': { actor: 'u1', occurredAt: created },
  'members of wrong types': {
    actor: { id: 7, name: {}, kind: 'cat', nameHash: 7 },
    occurredAt: 7,
    performedAt: {},
    correlationId: [],
    schemaVersion: '1',
    idempotency: 7,
    rulesAsOf: 'x',
  },
  'texts that PostgreSQL cannot store': {
    actor: { id: '\0', name: '\ud800', kind: 'user' },
    occurredAt: '0000-01-01T00:00:00Z',
    correlationId: '\0'.repeat(9_000),
    idempotency: { key: '\0', caller: '', request: '', requestHash: '' },
  },
}

const storable = (rows: unknown) => !/\\u0000|\\ud[89a-f]/.test(JSON.stringify(rows))

describe.each(Object.entries(odd))('with %s for metadata', (_, metadata) => {
  const events = golden.map((event) => ({ ...event, created, metadata }) as unknown as Recorded)

  it.each(projections)('the projection $name folds an event of each type', (projection) => {
    const usual = foldInMemory(
      projection,
      golden.map((event) => ({ ...event, created })),
    )
    const rows = foldInMemory(projection, events)
    for (const [table, { length }] of Object.entries(usual))
      if (!['idempotency', 'actors'].includes(projection.name))
        expect(rows[table], table).toHaveLength(length)
    expect(storable(rows)).toBe(true)
  })

  it.each(aggregates)('the state of $name takes an event of each type', (aggregate) => {
    for (const event of events) {
      if (!Object.hasOwn(aggregate.events, event.type)) continue
      const { metadata, isJson } = prepare(domainEvents, empty(aggregate.initial), event)
      expect(isJson).toBeUndefined()
      const schemaVersion = newestVersion(domainEvents, event.type)
      expect(metadata).toMatchObject({ actor: { kind: expect.any(String) }, schemaVersion })
    }
  })
})

it('an event that is no JSON is folded by no handler of its type', () => {
  const events = golden.map((event): Recorded => ({ ...event, data: { base64: 'AA==' }, isJson: false }))
  for (const projection of projections) expect(() => foldInMemory(projection, events)).not.toThrow()
})
