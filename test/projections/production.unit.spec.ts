import { describe, expect, it } from 'vitest'
import { production } from '../../src/projections/production.ts'
import { lineItemIds, orderIdentity } from '../domain/facts.ts'
import {
  accepted,
  bar,
  barApproved,
  barCompleted,
  barContent,
  barId,
  barOpened,
  barStarted,
  barsPlanned,
  cut,
  cutStatusChanged,
  plan,
  planCreated,
} from '../domain/productionFacts.ts'
import { alice, companyId, id, rowsOf, timeOf } from '../support/given.ts'

const [first, second] = [cut(id(701)), cut(id(702), { status: 'Proposed' })]
const opened = barOpened(2_000, { cuts: [first, second] })
const planned = [opened, planCreated('Week 17', barId), barsPlanned([barId], accepted(10, 1))]
const { orderId } = orderIdentity
const lineItem = (counts: { accepted: number; begun: number; completed: number }, status: string) => ({
  ...{ companyId, orderId, lineItemId: lineItemIds[10]! },
  ...counts,
  status,
})

describe('a plan', () => {
  it('counts its bars', () =>
    expect(rowsOf(production, ...planned, barsPlanned([id(601), id(602)])).plan).toStrictEqual([
      {
        ...plan,
        name: 'Week 17',
        barCount: 3,
        createdAt: timeOf(1),
        createdBy: alice.id,
        revision: expect.any(Number),
      },
    ]))
})

describe('a bar', () => {
  const { cuts: _, ...content } = barContent()
  const row = {
    ...bar,
    ...content,
    ...{ planCreatedAt: timeOf(1), ordinal: 1, status: 'Draft', remnantMm: 2_000 },
    revision: expect.any(Number),
    ...{ createdAt: timeOf(0), approvedAt: null, startedAt: null, completedAt: null },
  }

  it('is there for nobody, and counts for no line item, before its plan names it', () => {
    const rows = rowsOf(production, opened)
    expect(rows.bar).toStrictEqual([{ ...row, planCreatedAt: null, ordinal: null }])
    expect(rows.lineItemProgress).toStrictEqual([])
  })

  it('has the place in its plan in which it was planned, whichever was opened first', () => {
    const [other, later] = [id(601), id(602)]
    const openedAs = (barId: string) => ({ ...opened, data: { ...opened.data, barId } })
    const rows = rowsOf(
      production,
      ...[openedAs(later), openedAs(barId), openedAs(other)],
      ...[planCreated('Week 17', other, barId), barsPlanned([other, barId]), barsPlanned([later])],
    )
    const places = rows.bar!.map(({ barId, planCreatedAt, ordinal }) => [ordinal, barId, planCreatedAt])
    expect(places.sort()).toStrictEqual([
      [1, other, timeOf(3)],
      [2, barId, timeOf(3)],
      [3, later, timeOf(3)],
    ])
  })

  it('goes through its states', () => {
    const started = [barApproved, barStarted(accepted(10, 1))]
    expect(rowsOf(production, ...planned).bar).toStrictEqual([row])
    expect(rowsOf(production, ...planned, ...started).bar).toStrictEqual([
      { ...row, status: 'Started', approvedAt: timeOf(3), startedAt: timeOf(4) },
    ])
    expect(rowsOf(production, ...planned, ...started, barCompleted(accepted(10, 1))).bar).toStrictEqual([
      {
        ...row,
        ...{ status: 'Completed', approvedAt: timeOf(3), startedAt: timeOf(4), completedAt: timeOf(5) },
      },
    ])
  })

  it('says what is left of it when a cut changes', () => {
    const rows = rowsOf(production, ...planned, cutStatusChanged(second, 'Rejected', 'Draft', 4_000))
    expect(rows.bar).toStrictEqual([{ ...row, remnantMm: 4_000 }])
    expect(rows.cut).toStrictEqual(
      [first, { ...second, status: 'Rejected' }].map((one, ordinal) => ({
        ...{ companyId, barId, ordinal },
        ...one,
        revision: expect.any(Number),
      })),
    )
  })
})

describe('a line item', () => {
  const started = [...planned, barApproved, barStarted(accepted(10, 1))]
  const itemAfter = (...events: Parameters<typeof rowsOf> extends [unknown, ...infer E] ? E : never) =>
    rowsOf(production, ...events).lineItemProgress

  it('counts its Accepted cuts by how far their bars are', () => {
    expect(itemAfter(...planned)).toStrictEqual([lineItem({ accepted: 1, begun: 0, completed: 0 }, 'Open')])
    expect(itemAfter(...started)).toStrictEqual([
      lineItem({ accepted: 1, begun: 1, completed: 0 }, 'In Progress'),
    ])
    expect(itemAfter(...started, barCompleted(accepted(10, 1)))).toStrictEqual([
      lineItem({ accepted: 1, begun: 1, completed: 1 }, 'Completed'),
    ])
  })

  it('follows a cut that becomes Accepted, or is no more, on a bar that is not started', () => {
    const more = cutStatusChanged(second, 'Accepted', 'Draft', 2_000)
    expect(itemAfter(...planned, more)).toStrictEqual([
      lineItem({ accepted: 2, begun: 0, completed: 0 }, 'Open'),
    ])
    expect(itemAfter(...planned, cutStatusChanged(first, 'Rejected', 'Approved', 4_000))).toStrictEqual([
      lineItem({ accepted: 0, begun: 0, completed: 0 }, 'Open'),
    ])
  })

  it('follows a cut that becomes Accepted, or is no more, on a started bar', () => {
    expect(itemAfter(...started, cutStatusChanged(second, 'Accepted', 'Started', 2_000))).toStrictEqual([
      lineItem({ accepted: 2, begun: 2, completed: 0 }, 'In Progress'),
    ])
    expect(itemAfter(...started, cutStatusChanged(first, 'Proposed', 'Started', 2_000))).toStrictEqual([
      lineItem({ accepted: 0, begun: 0, completed: 0 }, 'Open'),
    ])
  })

  it('is left alone by a cut that neither was nor becomes Accepted', () =>
    expect(itemAfter(...started, cutStatusChanged(second, 'Rejected', 'Started', 4_000))).toStrictEqual([
      lineItem({ accepted: 1, begun: 1, completed: 0 }, 'In Progress'),
    ]))
})
