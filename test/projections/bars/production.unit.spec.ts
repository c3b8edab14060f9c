import { describe, expect, it } from 'vitest'
import type { BarStep, ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import type { KeptFinding, KeptJudgement } from '../../../src/domain/bars/keptJudgement.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import { production } from '../../../src/projections/bars/production.ts'
import { storedWords } from '../../../src/projections/engine/wordFilter.ts'
import { block } from '../../domain/bars/barJudgements.ts'
import {
  accepted,
  bar,
  barApproved,
  barCompleted,
  barContent,
  barId,
  barOpened,
  barReverted,
  barStarted,
  barsPlanned,
  cut,
  cutStatusChanged,
  plan,
  planCreated,
} from '../../domain/bars/productionFacts.ts'
import { alice, companyId, id, rowsOf, timeOf } from '../../support/given.ts'

const [first, second] = [cut(id(701)), cut(id(702), { status: 'Proposed' })]
const opened = barOpened(2_000, { cuts: [first, second] })
const planned = [opened, planCreated('Week 17', barId), barsPlanned([barId], accepted(10, 1))]
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
    planCreatedAt: timeOf(1),
    ordinal: 1,
    status: 'Draft',
    remnantMm: 2_000,
    revision: expect.any(Number),
    updatedAt: timeOf(2),
    createdAt: timeOf(0),
    approvedAt: null,
    startedAt: null,
    completedAt: null,
    approval: null,
    withdrawal: null,
    heatRead: null,
    markTransferred: false,
    heatKey: null,
    heatNearKey: null,
    judgement: null,
    stop: null,
    isStopped: false,
    overrides: [],
    words: storedWords(companyId, 'Week 17'),
  }

  it('has the words of its plan, its profile and its pieces', () => {
    const marked = barOpened(2_000, { profile: 'HEA 200', cuts: [{ ...first, pieceMark: 'B-1' }] })
    const [one] = rowsOf(production, marked, ...planned.slice(1)).bar!
    const words = [storedWords(companyId, 'Week 17'), storedWords(companyId, 'HEA 200', 'B-1')]
    expect(one!.words).toBe(words.join(' '))
  })

  it('is shown to nobody before its plan names it', () => {
    const rows = rowsOf(production, opened)
    expect(rows.bar).toStrictEqual([
      { ...row, words: '', planCreatedAt: null, ordinal: null, updatedAt: timeOf(0) },
    ])
  })

  it('has the heat as it was read, and in the form in which heats are compared', () => {
    const read = (heatNumber: string | null) =>
      ({ type: 'BarHeatRead', data: { ...bar, heatNumber, formerHeatNumber: null } }) as const
    expect(rowsOf(production, ...planned, read(' h  47')).bar).toMatchObject([
      {
        heatRead: { heatNumber: ' h  47', marked: true, by: alice.id, at: timeOf(3) },
        heatKey: 'H 47',
        heatNearKey: 'H47',
      },
    ])
    expect(rowsOf(production, ...planned, read('H 47'), read(null)).bar).toMatchObject([
      { heatRead: null, heatKey: null, heatNearKey: null },
    ])
  })

  it('has the heat that was read off the bar whose remnant it is', () => {
    const heatRead = { heatNumber: ' h  47', marked: true, by: alice.id, at: timeOf(1) }
    const remnant = barOpened(6_000, { fromBarId: id(601), heatRead })
    expect(rowsOf(production, remnant).bar).toMatchObject([{ heatRead, heatKey: 'H 47' }])
  })

  it('keeps the latest time of its streams, whose clocks may differ', () => {
    const at = (occurredAt: string) => ({ metadata: { occurredAt } })
    const late = { ...barsPlanned([barId]), ...at(timeOf(30)) }
    const rows = rowsOf(production, opened, planCreated('Week 17', barId), late, barApproved)
    expect(rows.bar).toMatchObject([{ approvedAt: timeOf(3), updatedAt: timeOf(30) }])
  })

  it('has the place in its plan in which it was planned, whichever was opened first', () => {
    const [other, later] = [id(601), id(602)]
    const openedAs = (barId: string) => ({ ...opened, data: { ...opened.data, barId } })
    const rows = rowsOf(
      production,
      openedAs(later),
      openedAs(barId),
      openedAs(other),
      planCreated('Week 17', other, barId),
      barsPlanned([other, barId]),
      barsPlanned([later]),
    )
    const places = rows.bar!.map(({ barId, planCreatedAt, ordinal }) => [ordinal, barId, planCreatedAt])
    expect(places.sort()).toStrictEqual([
      [1, other, timeOf(3)],
      [2, barId, timeOf(3)],
      [3, later, timeOf(3)],
    ])
  })

  it('goes through its states', () => {
    const approval = { by: alice.id, at: timeOf(3), override: null }
    const judgement = { at: timeOf(3), judgedBy, findings: [] }
    const started = [barApproved, barStarted(accepted(10, 1))]
    expect(rowsOf(production, ...planned).bar).toStrictEqual([row])
    expect(rowsOf(production, ...planned, ...started).bar).toStrictEqual([
      {
        ...row,
        approval,
        judgement,
        status: 'Started',
        approvedAt: timeOf(3),
        startedAt: timeOf(4),
        updatedAt: timeOf(4),
      },
    ])
    expect(rowsOf(production, ...planned, ...started, barCompleted(accepted(10, 1))).bar).toStrictEqual([
      {
        ...row,
        approval,
        judgement,
        status: 'Completed',
        approvedAt: timeOf(3),
        startedAt: timeOf(4),
        completedAt: timeOf(5),
        updatedAt: timeOf(5),
      },
    ])
  })

  it('keeps the last judgement while it is approved', () => {
    const unsure: KeptFinding = {
      key: 'k',
      code: 'demand-unstated',
      severity: 'Flag',
      message: 'The line states no grade.',
      sentence: { text: 'demand-unstated' },
    }
    const judgementAfter = (...events: ProductionPlanBarEvent[]) =>
      rowsOf(production, ...planned, barApproved, ...events).bar![0]!.judgement
    const set = (more: Partial<KeptJudgement>): ProductionPlanBarEvent => ({
      type: 'BarCertificateSet',
      data: {
        ...bar,
        barStatus: 'Approved',
        ...more,
        millCertificationId: id(1),
        formerMillCertificationId: null,
      },
    })
    const reverted = (to: BarStep, more: Partial<KeptJudgement> = {}): ProductionPlanBarEvent => ({
      type: 'BarReverted',
      data: { ...bar, from: 'Completed', to, reason: 'Wrong', lineItems: [], ...more },
    })
    const first = { at: timeOf(3), judgedBy, findings: [] }
    expect(judgementAfter(set({ findings: [unsure], judgedBy }))).toEqual({
      at: timeOf(4),
      judgedBy,
      findings: [unsure],
    })
    expect(judgementAfter(set({}))).toEqual(first)
    expect(judgementAfter(reverted('Started'))).toEqual(first)
    expect(judgementAfter(reverted('Approved', { findings: [unsure], judgedBy }))).toEqual({
      at: timeOf(4),
      judgedBy,
      findings: [unsure],
    })
    expect(judgementAfter(reverted('Draft'))).toBeNull()
    const withdrawn = { type: 'BarApprovalWithdrawn', data: { ...bar, findings: [], judgedBy } } as const
    expect(judgementAfter(withdrawn)).toBeNull()
    const cancelled = { from: 'Approved', reason: 'Wrong', lineItems: [] } as const
    expect(judgementAfter({ type: 'BarCancelled', data: { ...bar, ...cancelled } })).toBeNull()
  })

  it('keeps its stop when the completion is taken back', () => {
    const stopped = { type: 'BarCompleted', data: { ...bar, lineItems: [], uncovered: [block] } } as const
    const back = barReverted('Completed', 'Started')
    expect(rowsOf(production, opened, barApproved, barStarted(), stopped, back).bar).toMatchObject([
      { status: 'Started', isStopped: true, stop: { findings: [block] } },
    ])
  })

  it('says what is left of it when a cut changes', () => {
    const rows = rowsOf(production, ...planned, cutStatusChanged(second, 'Rejected', 'Draft', 4_000))
    expect(rows.bar).toStrictEqual([{ ...row, remnantMm: 4_000, updatedAt: timeOf(3) }])
    expect(rows.cut).toStrictEqual(
      [first, { ...second, status: 'Rejected' }].map((one, ordinal) => ({
        companyId,
        barId,
        ordinal,
        ...one,
        pieceMarkKey: null,
        dispatchId: null,
        revision: expect.any(Number),
      })),
    )
  })
})

describe('a dispatch', () => {
  it('is kept with its pieces, and known by each of their cuts', () => {
    const { orderId } = first
    const dispatch = { dispatchId: id(801), date: '2026-03-01', reference: 'DN 17' }
    const cuts = [{ barId, cutId: first.cutId }]
    const rows = rowsOf(production, ...planned, {
      type: 'OrderDispatched',
      data: { companyId, orderId, ...dispatch, cuts },
    })
    expect(rows.cut).toMatchObject([{ dispatchId: id(801) }, { dispatchId: null }])
    expect(rows.dispatch).toStrictEqual([
      {
        companyId,
        orderId,
        ...dispatch,
        cuts,
        override: null,
        createdAt: timeOf(3),
        createdBy: alice.id,
        revision: expect.any(Number),
      },
    ])
  })
})
