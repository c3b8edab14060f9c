import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Certificate,
  certificateSubject,
  millCertificate,
} from '../../../src/domain/certificates/certificate.ts'
import type { DecisionContext } from '../../../src/domain/kernel/aggregate.ts'
import { order, orderSubject, type RegisteredOrder } from '../../../src/domain/orders/order.ts'
import {
  type Assignments,
  type ManualAssignment,
  noAssignments,
  replaceAssignments,
  replaceManualAssignments,
} from '../../../src/domain/tags/assignments.ts'
import { assignTags } from '../../../src/domain/tags/subject.ts'
import { companyId, contextOf, given, id, now, stored } from '../../support/given.ts'
import {
  assignment,
  assignmentsReplaced,
  certificateIdentity,
  certificateRegistered,
  orderIdentity,
  orderRegistered,
} from '../verdict/facts.ts'

const [hold, retest, release] = [id(101), id(102), id(103)]
const before = [
  assignment(id(51), hold, '2026-01-01T08:00:00.000Z'),
  assignment(id(52), retest, '2026-01-02T08:00:00.000Z'),
]
const assigned = [certificateRegistered(), assignmentsReplaced([], before)] as const
const assign =
  (...tagIds: string[]) =>
  (state: Certificate, context: DecisionContext) =>
    assignTags(certificateSubject, state, tagIds, context)

describe('replacing the manual assignments', () => {
  it('assigns under new ids, at the time of the decision, in the order given', () => {
    const made = [assignment(id(1), retest, now), assignment(id(2), hold, now)]
    given(millCertificate, certificateRegistered())
      .when(assign(retest, hold))
      .records(assignmentsReplaced([], made))
  })

  it('leaves an unchanged assignment as it is, and names the added and the removed ones', () => {
    const after = [assignment(id(1), release, now), before[1]!]
    given(millCertificate, ...assigned)
      .when(assign(release, retest))
      .records(assignmentsReplaced(before, after))
  })

  it('clears all with an empty list', () =>
    given(millCertificate, ...assigned)
      .when(assign())
      .records(assignmentsReplaced(before, [])))

  it('records nothing for the same set, in any order and with repetitions', () => {
    given(millCertificate, ...assigned)
      .when(assign(retest, hold))
      .recordsNothing()
    given(millCertificate, ...assigned)
      .when(assign(hold, retest, hold))
      .recordsNothing()
    given(millCertificate, certificateRegistered()).when(assign()).recordsNothing()
  })

  it('names the order by its number', () =>
    given(order, orderRegistered())
      .when((state: RegisteredOrder, context) => assignTags(orderSubject, state, [hold], context))
      .records({
        type: 'ManualAssignmentsReplaced',
        data: {
          companyId,
          family: 'order',
          subjectId: orderIdentity.orderId,
          subjectLabel: orderIdentity.orderNumber,
          assignments: [assignment(id(1), hold, now)],
          added: [assignment(id(1), hold, now)],
          removed: [],
          usage: { gained: [hold], lost: [] },
        },
      }))
})

it('folds to the set and its revision, and leaves the record itself unchanged', () => {
  const { state } = given(millCertificate, ...assigned)
  const manual = before.map((one) => ({ ...one, revision: 1 }))
  expect(state?.assignments).toStrictEqual({ manual, manualRevision: 1, byRules: {} })
  expect(state?.revision).toBe(0)
  expect(state?.facts).toMatchObject(certificateIdentity)
})

it('keeps the id and the time of an assignment that stays', () => {
  const tagIds = fc.subarray([hold, retest, release, id(104), id(105)])
  const subject = { companyId, family: 'millCert', subjectId: id(1), subjectLabel: 'MC' } as const
  fc.assert(
    fc.property(fc.array(tagIds, { maxLength: 20 }), (sets) => {
      let [state, ids]: [Assignments, number] = [noAssignments, 0]
      let naive = new Map<string, ManualAssignment>()
      for (const [turn, wanted] of sets.entries()) {
        const context = { ...contextOf(), occurredAt: `turn ${turn}`, newId: () => id(++ids) }
        const events = replaceManualAssignments(state, subject, wanted, context)
        for (const event of stored(events)) state = replaceAssignments(state, event)
        const kept = new Map(wanted.map((tagId) => [tagId, naive.get(tagId)]))
        naive = new Map(state.manual.map((one) => [one.tagId, one]))
        expect([...naive.keys()].sort()).toStrictEqual([...wanted].sort())
        for (const [tagId, one] of kept)
          if (one) expect(naive.get(tagId)).toStrictEqual(one)
          else expect(naive.get(tagId)?.assignedAt).toBe(`turn ${turn}`)
        expect(new Set(state.manual.map(({ assignmentId }) => assignmentId)).size).toBe(wanted.length)
      }
    }),
  )
})
