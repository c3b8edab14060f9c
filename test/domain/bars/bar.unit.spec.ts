import { describe, expect, it } from 'vitest'
import { type ProductionPlanBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import { type BarRequest, type Cut, remnantMm } from '../../../src/domain/bars/barContent.ts'
import { openBar } from '../../../src/domain/bars/barWork.ts'
import type { DecisionContext } from '../../../src/domain/kernel/aggregate.ts'
import { given, id, timeOf } from '../../support/given.ts'
import { lineItemIds } from '../verdict/facts.ts'
import {
  accepted,
  approve,
  bar,
  barApproved,
  barCompleted,
  barContent,
  barId,
  barOpened,
  barStarted,
  complete,
  cut,
  cutStatusChanged,
  start,
} from './productionFacts.ts'

const [first, second, third] = [id(701), id(702), id(703)]
const open =
  (request: BarRequest, ref = bar) =>
  (state: ProductionPlanBar, context: DecisionContext) =>
    openBar(state, ref, request, context)
const withoutPieceMark = ({ pieceMark: _, ...cut }: Cut): Cut => cut as Cut

describe('opening a bar', () => {
  const cuts = [cut(first), cut(second, { status: 'Proposed' }), cut(third, { status: 'Rejected' })]

  it('records its plan, its content and its remnant', () =>
    given(productionPlanBar)
      .when(open(barContent({ cuts })))
      .records(barOpened(2_000, { cuts })))

  it('makes ids for the cuts that have none', () => {
    const request = cuts.map((one, n) => (n === 1 ? one : { ...one, cutId: undefined }))
    given(productionPlanBar)
      .when(open(barContent({ cuts: request as typeof cuts })))
      .records(
        barOpened(2_000, { cuts: [{ ...cuts[0]!, cutId: id(1) }, cuts[1]!, { ...cuts[2]!, cutId: id(2) }] }),
      )
  })

  it('records the certificate, the heat read and the profile of the bar whose remnant it is', () => {
    const [millCertificationId, fromBarId] = [id(800), id(601)]
    const heatRead = { heatNumber: 'H 4711', marked: true, by: 'alice', at: timeOf(1) }
    const profile = 'HEA 200'
    const request = barContent({ fromBarId })
    const openFrom =
      (source: Parameters<typeof openBar>[4]) => (state: ProductionPlanBar, context: DecisionContext) =>
        openBar(state, bar, request, context, source)
    const opened = barOpened(6_000, { ...request, millCertificationId, profile, heatRead })
    given(productionPlanBar)
      .when(openFrom({ millCertificationId, profile, heatRead, markTransferred: true }))
      .records(opened)
    given(productionPlanBar, opened)
      .when(openFrom({ millCertificationId: null, profile: null, heatRead: null, markTransferred: false }))
      .recordsNothing()
    expect(given(productionPlanBar, opened).state).toMatchObject({ heatRead, millCertificationId })
    given(productionPlanBar)
      .when(openFrom({ millCertificationId, profile, heatRead, markTransferred: false }))
      .records(
        barOpened(6_000, {
          ...request,
          millCertificationId,
          profile,
          heatRead: { ...heatRead, marked: false },
        }),
      )
    given(productionPlanBar)
      .when(openFrom({ millCertificationId, profile, heatRead: null, markTransferred: false }))
      .records(barOpened(6_000, { ...request, millCertificationId, profile }))
  })

  it('records nothing for a repeat with the same content, whatever its state is by then', () => {
    const since = given(
      productionPlanBar,
      barOpened(2_000, { cuts }),
      cutStatusChanged(cuts[1]!, 'Accepted', 'Draft', 2_000),
      barApproved,
    )
    since.when(open(barContent({ cuts }))).recordsNothing()
    since.when(open({ ...barContent(), cuts: cuts.map(({ cutId: _, ...one }) => one) })).recordsNothing()
  })

  it('records nothing for a repeat that leaves out piece marks, which the cuts do not have', () =>
    given(productionPlanBar, barOpened(2_000, { cuts }))
      .when(open(barContent({ cuts: cuts.map(withoutPieceMark) })))
      .recordsNothing())

  it('is refused when the bar has other content or another plan', () => {
    const known = given(productionPlanBar, barOpened(2_000, { cuts }))
    const taken = ['bar-already-planned', { barIds: [barId] }] as const
    known.when(open(barContent({ cuts, grade: 'S235JR' }))).refuses(...taken)
    known.when(open(barContent({ cuts: cuts.slice(1) }))).refuses(...taken)
    const marked = cuts.map((one) => ({ ...one, pieceMark: 'B-17' }))
    known.when(open(barContent({ cuts: marked }))).refuses(...taken)
    known.when(open(barContent({ cuts: [...cuts, cut(id(704))] }))).refuses(...taken)
    known.when(open(barContent({ cuts: [cut(id(704)), ...cuts.slice(1)] }))).refuses(...taken)
    known.when(open(barContent({ cuts }), { ...bar, planId: id(999) })).refuses(...taken)
  })
})

describe('the remnant of a bar', () => {
  it('is the stock length less the Accepted and Proposed cuts, without rounding errors', () => {
    const tenths = [0.1, 0.2, 0.3].map((lengthMm) => ({ lengthMm, status: 'Accepted' as const }))
    expect(remnantMm({ stockLengthMm: 0.6, cuts: tenths })).toBe(0)
    expect(remnantMm({ stockLengthMm: 6_000, cuts: tenths })).toBe(5_999.4)
    expect(remnantMm({ stockLengthMm: 0.5, cuts: tenths })).toBe(-0.1)
  })
})

describe('approving, starting and completing a bar', () => {
  const cuts = [
    cut(first),
    cut(second, { lineItemId: lineItemIds[20]! }),
    cut(third),
    cut(id(704), { status: 'Rejected' }),
  ]
  const opened = barOpened(0, { cuts })
  const counts = [accepted(10, 2), accepted(20, 1)]
  const draft = given(productionPlanBar, opened)
  const approved = given(productionPlanBar, opened, barApproved)
  const started = given(productionPlanBar, opened, barApproved, barStarted(...counts))
  const completed = given(
    productionPlanBar,
    opened,
    barApproved,
    barStarted(...counts),
    barCompleted(...counts),
  )

  it('takes a bar from Draft to Approved', () => {
    draft.when(approve).records(barApproved)
    approved.when(approve).refuses('bar-not-draft', { state: 'Approved' })
    started.when(approve).refuses('bar-not-draft', { state: 'Started' })
    completed.when(approve).refuses('bar-not-draft', { state: 'Completed' })
  })

  it('takes a bar from Approved to Started, with the line items of its Accepted cuts', () => {
    approved.when(start).records(barStarted(...counts))
    draft.when(start).refuses('bar-not-approved', { state: 'Draft' })
    started.when(start).refuses('bar-not-approved', { state: 'Started' })
    completed.when(start).refuses('bar-not-approved', { state: 'Completed' })
  })

  it('takes a bar from Started to Completed, with the line items of its Accepted cuts', () => {
    started.when(complete).records(barCompleted(...counts))
    draft.when(complete).refuses('bar-not-started', { state: 'Draft' })
    approved.when(complete).refuses('bar-not-started', { state: 'Approved' })
    completed.when(complete).refuses('bar-not-started', { state: 'Completed' })
  })

  it('counts the cuts that are Accepted at that moment', () =>
    given(
      productionPlanBar,
      opened,
      barApproved,
      barStarted(...counts),
      cutStatusChanged(cuts[0]!, 'Rejected', 'Started', 2_000),
    )
      .when(complete)
      .records(barCompleted(accepted(20, 1), accepted(10, 1))))

  it('keeps the time of each step', () =>
    expect(completed.state).toMatchObject({
      status: 'Completed',
      createdAt: timeOf(0),
      approvedAt: timeOf(1),
      startedAt: timeOf(2),
      completedAt: timeOf(3),
      revision: 3,
    }))
})

describe('a fact from a newer release', () => {
  it('folds only the fields that this release knows', () => {
    const opened = barOpened(4_000, { cuts: [cut(first)] })
    const data = { ...opened.data, colour: 'red', cuts: [{ ...cut(first), angle: 45 }] }
    const newer = { ...opened, data } as typeof opened
    expect(given(productionPlanBar, newer).state).toStrictEqual(given(productionPlanBar, opened).state)
  })
})
