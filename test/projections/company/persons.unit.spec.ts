import { describe, expect, it } from 'vitest'
import type { Actor, EventMetadata, Recorded } from '../../../src/domain/kernel/event.ts'
import { actors } from '../../../src/projections/audit/actors.ts'
import { persons } from '../../../src/projections/company/persons.ts'
import { memberRemoved, memberRolesSet, personErased } from '../../domain/verdict/facts.ts'
import { alice, bob, companyId, id, rowsOf } from '../../support/given.ts'
import { foldInMemory } from '../foldInMemory.ts'

describe('persons', () => {
  const row = (event: number, readmittedAt: number | null) => ({
    companyId,
    userId: 'bob',
    eventId: id(1_000 + event),
    readmittedAt,
  })

  it('knows the last erasure of a person', () => {
    const events = [memberRolesSet('bob', 'Viewer'), memberRemoved('bob'), personErased('bob')]
    expect(rowsOf(persons, ...events).erasure).toEqual([row(2, null)])
    expect(rowsOf(persons, ...events, personErased('bob')).erasure).toEqual([row(3, null)])
  })

  it('knows the first admission after the last erasure', () => {
    const events = [personErased('bob'), memberRolesSet('bob', 'Viewer'), memberRolesSet('bob', 'Editor')]
    expect(rowsOf(persons, ...events).erasure).toEqual([row(0, 20)])
    expect(rowsOf(persons, ...events, personErased('bob')).erasure).toEqual([row(3, null)])
    expect(rowsOf(persons, personErased('bob'), memberRolesSet('eve', 'Viewer')).erasure).toEqual([
      row(0, null),
    ])
  })
})

describe('actors', () => {
  const unnamed: Actor = { ...alice, name: '', nameHash: 'a' }
  const happened = (type: string, position: number, more: Partial<Recorded> = {}): Recorded => ({
    id: id(position),
    type,
    position,
    data: {},
    revision: 0,
    streamName: `tags-${companyId}`,
    metadata: metadata(unnamed),
    ...more,
  })
  const metadata = (actor: unknown, occurredAt: unknown = '2026-03-01T23:59:59.999Z') =>
    ({ actor, occurredAt, correlationId: 'c', schemaVersion: 1 }) as EventMetadata
  const fold = (...events: Recorded[]) => foldInMemory(actors, events)

  it('counts the acts of responsibility of each person by day', () => {
    const next = { metadata: metadata(unnamed, '2026-03-02T00:00:00.000Z') }
    const ofBob = { metadata: metadata(bob) }
    expect(
      fold(
        happened('BarApproved', 10),
        happened('BarApproved', 20),
        happened('BarApproved', 30, next),
        happened('BarApproved', 40, ofBob),
        happened('BarStarted', 50),
      ).responsibleAct,
    ).toEqual([
      { companyId, userId: 'alice', day: '2026-03-01', count: 2 },
      { companyId, userId: 'alice', day: '2026-03-02', count: 1 },
      { companyId, userId: 'bob', day: '2026-03-01', count: 1 },
    ])
  })

  it.each([
    ['of an account', { streamName: 'account-alice' }],
    ['of a rule pack', { metadata: metadata({ id: 'en10025', name: 'EN 10025', kind: 'rulePack' }) }],
    ['without metadata', { metadata: undefined as never }],
    ['whose author is null', { metadata: metadata(null) }],
    ['whose author has an id that is no text', { metadata: metadata({ ...alice, id: 7 }) }],
    ['whose author has an id that PostgreSQL refuses', { metadata: metadata({ ...alice, id: 'a\0' }) }],
  ])('passes over an event %s', (_, more) => {
    expect(fold(happened('BarApproved', 10, more)).responsibleAct).toEqual([])
  })

  it.each([null, 'yesterday', 7])('counts an act at the time %s on the day of the store', (occurredAt) => {
    const act = happened('BarApproved', 10, { metadata: metadata(unnamed, occurredAt) })
    const rows = fold({ ...act, created: '2026-03-09T10:00:00.000Z' })
    expect(rows.responsibleAct).toMatchObject([{ day: '2026-03-09', count: 1 }])
  })
})
