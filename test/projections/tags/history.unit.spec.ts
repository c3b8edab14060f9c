import { describe, expect, it } from 'vitest'
import { history } from '../../../src/projections/tags/history.ts'
import {
  assignment,
  assignmentsReplaced,
  certificateIdentity,
  tagContent,
  tagCreated,
  tagRestored,
  tagSoftDeleted,
} from '../../domain/verdict/facts.ts'
import { alice, bob, companyId, id, rowsOf, timeOf } from '../../support/given.ts'

const [hold, retest] = [id(101), id(102)]
const ref = { companyId, family: 'millCert', tagId: hold } as const
/** The entry of the n-th event. */
const entry = (
  n: number,
  changeType: string,
  { by = alice, ...more }: Record<string, unknown> & { by?: typeof alice } = {},
) => ({
  ...ref,
  position: 10 * (n + 1),
  ordinal: 0,
  changedAt: timeOf(n),
  changedById: by.id,
  changedByName: '',
  changedByPerson: true,
  changedByNameHash: null,
  changeType,
  entityType: 'MillCertTag',
  entityId: hold,
  entityLabel: 'Hold',
  changes: [],
  eventId: id(1_000 + n),
  assignedByRuleId: null,
  ...more,
})

describe("a tag's own changes", () => {
  it('begin with the content that it was created with', () =>
    expect(rowsOf(history, tagCreated(hold, { severity: 'Block' })).tagHistory).toStrictEqual([
      entry(0, 'Created', {
        changes: [
          { field: 'name', from: null, to: 'Hold' },
          { field: 'color', from: null, to: '#FF0000' },
          { field: 'severity', from: null, to: 'Block' },
        ],
      }),
    ]))

  it('have the name after the change as label, the actor and the changed fields', () => {
    const changes = [{ field: 'name', from: 'Hold', to: 'Quarantine' }]
    const data = { ...ref, ...tagContent({ name: 'Quarantine' }), changes }
    const rows = rowsOf(
      history,
      tagCreated(hold),
      { type: 'TagUpdated', data, metadata: { actor: bob } },
      tagSoftDeleted(hold, 'Quarantine'),
      tagRestored(hold, 'Quarantine'),
    )
    expect(rows.tagHistory!.slice(1)).toStrictEqual([
      entry(1, 'Updated', { by: bob, entityLabel: 'Quarantine', changes }),
      entry(2, 'Deleted', {
        entityLabel: 'Quarantine',
        changes: [{ field: 'active', from: true, to: false }],
      }),
      entry(3, 'Restored', {
        entityLabel: 'Quarantine',
        changes: [{ field: 'active', from: false, to: true }],
      }),
    ])
  })

  it('name the family', () =>
    expect(rowsOf(history, tagCreated(hold, { family: 'order' })).tagHistory).toMatchObject([
      { family: 'order', entityType: 'OrderTag' },
    ]))
})

describe("a tag's assignments", () => {
  const { millCertificationId: entityId, certificateNumber: entityLabel } = certificateIdentity
  const subject = { entityType: 'MillCertification', entityId, entityLabel }

  it('give an entry to every tag that came or went, with the certificate number as label', () => {
    const [first, second] = [assignment(id(1), hold, timeOf(0)), assignment(id(2), retest, timeOf(1))]
    const rows = rowsOf(history, assignmentsReplaced([], [first]), assignmentsReplaced([first], [second]))
    expect(rows.tagHistory).toStrictEqual([
      entry(0, 'Assigned', subject),
      entry(1, 'Assigned', { ...subject, tagId: retest }),
      entry(1, 'Unassigned', { ...subject, ordinal: 1 }),
    ])
  })

  it('name the order', () => {
    const { data } = assignmentsReplaced([], [assignment(id(1), hold, timeOf(0))])
    const ofOrder = { type: 'ManualAssignmentsReplaced', data: { ...data, family: 'order' } }
    expect(rowsOf(history, ofOrder).tagHistory).toMatchObject([{ family: 'order', entityType: 'Order' }])
  })
})
