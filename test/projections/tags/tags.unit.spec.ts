import { describe, expect, it } from 'vitest'
import { tags } from '../../../src/projections/tags/tags.ts'
import {
  assignment,
  assignmentsReplaced,
  certificateIdentity,
  tagContent,
  tagCreated,
  tagRestored,
  tagSoftDeleted,
} from '../../domain/verdict/facts.ts'
import { alice, bob, companyId, id, recorded, rowsOf, timeOf } from '../../support/given.ts'

const [hold, retest] = [id(101), id(102)]
const ref = { companyId, family: 'millCert', tagId: hold } as const
const row = {
  ...ref,
  ...tagContent(),
  nameKey: 'HOLD',
  active: true,
  isSystemTag: false,
  lastModifiedBy: alice.id,
  createdAt: timeOf(0),
  updatedAt: timeOf(0),
  revision: 0,
}
const assigned = (tagId: string, n: number) => assignment(id(n), tagId, timeOf(n))

describe('tags', () => {
  it('show what was created', () =>
    expect(rowsOf(tags, tagCreated(hold, { severity: 'Block' })).tag).toStrictEqual([
      { ...row, severity: 'Block' },
    ]))

  it('show every change, who made it, when, and the revision of it', () => {
    const by = { metadata: { actor: bob } }
    const recoloured = { ...ref, ...tagContent({ name: 'Quarantäne', color: '#00F' }), changes: [] }
    const changed = [tagCreated(hold), { type: 'TagUpdated', data: recoloured, ...by }]
    const renamed = { ...row, name: 'Quarantäne', nameKey: 'QUARANTÄNE', color: '#00F' }
    const touched = (n: number) => ({ lastModifiedBy: bob.id, updatedAt: timeOf(n), revision: n })
    expect(rowsOf(tags, ...changed).tag).toStrictEqual([{ ...renamed, ...touched(1) }])
    const deleted = [...changed, { ...tagSoftDeleted(hold), ...by }]
    expect(rowsOf(tags, ...deleted).tag).toStrictEqual([{ ...renamed, active: false, ...touched(2) }])
    const restored = [...deleted, { ...tagRestored(hold), ...by }]
    expect(rowsOf(tags, ...restored).tag).toStrictEqual([{ ...renamed, active: true, ...touched(3) }])
  })

  it('count the subjects that have them, deleted or not, without being changed by that', () => {
    const use = [assigned(hold, 1), assigned(retest, 2)]
    const events = [
      tagCreated(hold),
      tagCreated(retest, { name: 'Retest' }),
      assignmentsReplaced([], use),
      tagSoftDeleted(hold),
    ]
    const counted = (...more: Parameters<typeof rowsOf>[1][]) => {
      const { tag, tagUsage } = rowsOf(tags, ...events, ...more)
      expect(tag!.map(({ updatedAt }) => updatedAt)).toStrictEqual([timeOf(3), timeOf(1)])
      return tagUsage!.map(({ usageCount }) => usageCount)
    }
    expect(counted()).toStrictEqual([1, 1])
    expect(counted(assignmentsReplaced(use, [assigned(retest, 2)]))).toStrictEqual([0, 1])
  })
})

describe('assignments', () => {
  const of = (tagId: string, n: number, revision = 0) => ({
    companyId,
    family: 'millCert',
    subjectId: certificateIdentity.millCertificationId,
    tagId,
    ruleId: '',
    assignmentId: id(n),
    assignedAt: timeOf(n),
    revision,
  })

  it('come and go, and stay as they were made', () => {
    const [first, second, third] = [assigned(hold, 1), assigned(retest, 2), assigned(id(103), 3)]
    const events = [
      assignmentsReplaced([], [first, second]),
      assignmentsReplaced([first, second], [third, second]),
    ]
    expect(rowsOf(tags, events[0]!).assignment).toStrictEqual([of(hold, 1), of(retest, 2)])
    const rows = rowsOf(tags, ...events)
    expect(rows.assignment).toStrictEqual([of(retest, 2), of(id(103), 3, 1)])
    const { millCertificationId: subjectId } = certificateIdentity
    expect(rows.manualSet).toStrictEqual([{ companyId, family: 'millCert', subjectId, revision: 1 }])
  })

  it('outlive the deletion of their tag', () =>
    expect(
      rowsOf(tags, tagCreated(hold), assignmentsReplaced([], [assigned(hold, 1)]), tagSoftDeleted(hold))
        .assignment,
    ).toStrictEqual([of(hold, 1)]))
})

it('leaves alone what it never saw created', () => {
  const rows = rowsOf(tags, tagSoftDeleted(hold), assignmentsReplaced([assigned(hold, 1)], []))
  expect(rows).toMatchObject({ tag: [], assignment: [] })
})

it('declares every row that it changes, and no others', () => {
  const [event] = recorded([assignmentsReplaced([assigned(hold, 1)], [assigned(retest, 2)])])
  const subjectId = certificateIdentity.millCertificationId
  expect(tags.handlers.ManualAssignmentsReplaced!.touches(event!)).toStrictEqual({
    tagUsage: [
      [companyId, 'millCert', retest],
      [companyId, 'millCert', hold],
    ],
    assignment: [
      [companyId, 'millCert', subjectId, retest, ''],
      [companyId, 'millCert', subjectId, hold, ''],
    ],
    manualSet: [[companyId, 'millCert', subjectId]],
  })
})
