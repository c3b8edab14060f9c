import { describe, expect, it } from 'vitest'
import { aggregates } from '../../src/domain/aggregates.ts'
import type { Recorded } from '../../src/domain/event.ts'
import { entries } from '../../src/projections/entries.ts'
import { foldInMemory } from '../../src/projections/rows/fold.ts'
import { companyId, id } from '../support/given.ts'

describe('entries', () => {
  it('has a handler for each type of event that a company may have', () => {
    const types = aggregates
      .filter(({ name }) => name !== 'account')
      .flatMap(({ eventVersions }) => Object.keys(eventVersions))
    expect(Object.keys(entries.handlers).sort()).toEqual([...new Set(types)].sort())
  })

  const odd = (more: Partial<Recorded>): Recorded => ({
    ...{
      id: id(1),
      type: 'Scanned',
      position: 10,
      revision: 0,
      data: {},
      created: '2026-03-01T10:00:00.000Z',
    },
    ...{ streamName: `scans-${companyId}_7`, metadata: undefined as never },
    ...more,
  })
  const entryOf = (event: Recorded) => foldInMemory(entries, [event]).entry![0]

  it('tells of an event that this release does not know', () => {
    expect(entryOf(odd({}))).toEqual({
      ...{ companyId, subjectType: 'other', subjectId: `scans-${companyId}_7` },
      ...{ position: 10, eventId: id(1), kind: 'Scanned', correlationId: '', changes: [] },
      ...{ occurredAt: '2026-03-01T10:00:00.000Z', performedAt: null },
      ...{ actorId: '', actorKind: 'service', actorName: '', actorIsPerson: false, actorNameHash: null },
      sentence: 'An event of the type "Scanned" was recorded, which this release does not know.',
    })
    expect(entryOf(odd({ type: 'TagCreated', isJson: false, data: { base64: 'AA==' } }))).toMatchObject({
      ...{ subjectType: 'other', kind: 'TagCreated' },
    })
  })

  it('leaves out events of accounts and of the store', () => {
    for (const streamName of [`account-${companyId}`, 'heatmark', 'scans-7'])
      expect(entryOf(odd({ streamName })), streamName).toBeUndefined()
  })

  it('keeps the author and the time that another program wrote', () => {
    const actor = { id: 'u1', name: '', kind: 'user', nameHash: 'ab' }
    const metadata = { actor, occurredAt: '2026-03-01T12:00:00+02:00', correlationId: 'c' }
    expect(entryOf(odd({ metadata: metadata as never }))).toMatchObject({
      ...{ actorId: 'u1', actorKind: 'user', actorIsPerson: true, actorNameHash: 'ab' },
      ...{ occurredAt: '2026-03-01T10:00:00.000Z', correlationId: 'c' },
    })
  })

  it('stores whatever another program wrote in the place of a text or a time', () => {
    for (const wrong of [
      null,
      7,
      'x',
      [],
      { actor: null },
      { actor: 'u1' },
      { actor: { id: 7, kind: 'cat' } },
    ])
      expect(entryOf(odd({ metadata: wrong as never })), JSON.stringify(wrong)).toMatchObject({
        ...{ actorId: '', actorKind: 'service', occurredAt: '2026-03-01T10:00:00.000Z' },
      })
    for (const occurredAt of ['never', '0000-01-01T00:00:00Z', '+012026-01-01T00:00:00Z', 7])
      expect(entryOf(odd({ metadata: { occurredAt } as never })), String(occurredAt)).toMatchObject({
        occurredAt: '2026-03-01T10:00:00.000Z',
      })
    const type = `\0\ud800${'x'.repeat(10_000)}`
    expect(entryOf(odd({ type }))).toMatchObject({ kind: `\ufffd\ufffd${'x'.repeat(198)}` })
    expect(entryOf(odd({ created: undefined as never }))).toMatchObject({
      occurredAt: '1970-01-01T00:00:00.000Z',
    })
  })
})
