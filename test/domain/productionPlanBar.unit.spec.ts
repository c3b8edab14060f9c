import { describe, expect, it } from 'vitest'
import type { DecisionContext } from '../../src/domain/aggregate.ts'
import {
  approveBar,
  type BarRequest,
  type Cut,
  type CutStatus,
  changeCutStatus,
  completeBar,
  findCut,
  type OpenedBar,
  openBar,
  type ProductionPlanBar,
  productionPlanBar,
  remnantMm,
  startBar,
} from '../../src/domain/productionPlanBar.ts'
import { given, id, timeOf } from '../support/given.ts'
import { lineItemIds } from './facts.ts'
import {
  accepted,
  bar,
  barApproved,
  barCompleted,
  barContent,
  barId,
  barOpened,
  barStarted,
  cut,
  cutStatusChanged,
} from './productionFacts.ts'

const [first, second, third] = [id(701), id(702), id(703)]
const open =
  (asked: BarRequest, ref = bar) =>
  (state: ProductionPlanBar, context: DecisionContext) =>
    openBar(state, ref, asked, context)
const withoutPieceMark = ({ pieceMark: _, ...older }: Cut): Cut => older as Cut
function change(cutId: string, to: CutStatus) {
  return (state: OpenedBar) => changeCutStatus(state, findCut(state, cutId)!, to)
}

describe('opening a bar', () => {
  const cuts = [cut(first), cut(second, { status: 'Proposed' }), cut(third, { status: 'Rejected' })]

  it('records its plan, its content and its remnant', () =>
    given(productionPlanBar)
      .when(open(barContent({ cuts })))
      .records(barOpened(2_000, { cuts })))

  it('makes ids for the cuts that have none', () => {
    const asked = cuts.map((one, n) => (n === 1 ? one : { ...one, cutId: undefined }))
    given(productionPlanBar)
      .when(open(barContent({ cuts: asked as typeof cuts })))
      .records(
        barOpened(2_000, { cuts: [{ ...cuts[0]!, cutId: id(1) }, cuts[1]!, { ...cuts[2]!, cutId: id(2) }] }),
      )
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

  it('records nothing for a repeat when an older release opened the bar, without piece marks', () =>
    given(productionPlanBar, barOpened(2_000, { cuts: cuts.map(withoutPieceMark) }))
      .when(open(barContent({ cuts })))
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
    draft.when(approveBar).records(barApproved)
    approved.when(approveBar).refuses('bar-not-draft', { state: 'Approved' })
    started.when(approveBar).refuses('bar-not-draft', { state: 'Started' })
    completed.when(approveBar).refuses('bar-not-draft', { state: 'Completed' })
  })

  it('takes a bar from Approved to Started, with the line items of its Accepted cuts', () => {
    approved.when(startBar).records(barStarted(...counts))
    draft.when(startBar).refuses('bar-not-approved', { state: 'Draft' })
    started.when(startBar).refuses('bar-not-approved', { state: 'Started' })
    completed.when(startBar).refuses('bar-not-approved', { state: 'Completed' })
  })

  it('takes a bar from Started to Completed, with the line items of its Accepted cuts', () => {
    started.when(completeBar).records(barCompleted(...counts))
    draft.when(completeBar).refuses('bar-not-started', { state: 'Draft' })
    approved.when(completeBar).refuses('bar-not-started', { state: 'Approved' })
    completed.when(completeBar).refuses('bar-not-started', { state: 'Completed' })
  })

  it('counts the cuts that are Accepted at that moment', () =>
    given(
      productionPlanBar,
      opened,
      barApproved,
      barStarted(...counts),
      cutStatusChanged(cuts[0]!, 'Rejected', 'Started', 2_000),
    )
      .when(completeBar)
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

describe('changing the status of a cut', () => {
  const cuts = [cut(first), cut(second, { status: 'Proposed' }), cut(third, { status: 'Rejected' })]
  const opened = barOpened(2_000, { cuts })

  it('records the change, the status of the bar and its remnant', () => {
    const draft = given(productionPlanBar, opened)
    draft.when(change(second, 'Accepted')).records(cutStatusChanged(cuts[1]!, 'Accepted', 'Draft', 2_000))
    draft.when(change(second, 'Rejected')).records(cutStatusChanged(cuts[1]!, 'Rejected', 'Draft', 4_000))
    draft.when(change(third, 'Accepted')).records(cutStatusChanged(cuts[2]!, 'Accepted', 'Draft', 0))
    given(productionPlanBar, opened, barApproved, barStarted(accepted(10, 1)))
      .when(change(first, 'Rejected'))
      .records(cutStatusChanged(cuts[0]!, 'Rejected', 'Started', 4_000))
  })

  it('records nothing when the cut has that status already', () =>
    given(productionPlanBar, opened).when(change(first, 'Accepted')).recordsNothing())

  it('is refused when the cuts would need more than the stock length', () => {
    const long = [...cuts, cut(id(704), { lengthMm: 2_000.1, status: 'Rejected' })]
    given(productionPlanBar, barOpened(2_000, { cuts: long }))
      .when(change(id(704), 'Proposed'))
      .refuses('bar-overfull')
  })

  it('is refused on a Completed bar, whatever the status', () => {
    const done = given(
      productionPlanBar,
      opened,
      barApproved,
      barStarted(accepted(10, 1)),
      barCompleted(accepted(10, 1)),
    )
    done.when(change(first, 'Rejected')).refuses('bar-completed', { state: 'Completed' })
    done.when(change(first, 'Accepted')).refuses('bar-completed', { state: 'Completed' })
  })

  it('leaves the other cuts and their revisions unchanged', () => {
    const { state } = given(
      productionPlanBar,
      opened,
      cutStatusChanged(cuts[1]!, 'Rejected', 'Draft', 4_000),
      cutStatusChanged(cuts[0]!, 'Proposed', 'Draft', 4_000),
    )
    expect(state).toMatchObject({ remnantMm: 4_000, revision: 2 })
    expect(state?.cuts.map(({ status, revision }) => [status, revision])).toStrictEqual([
      ['Proposed', 2],
      ['Rejected', 1],
      ['Rejected', 0],
    ])
  })
})

describe('a fact from a newer release', () => {
  it('folds only the fields that this release knows', () => {
    const opened = barOpened(4_000, { cuts: [cut(first)] })
    const data = { ...opened.data, colour: 'red', cuts: [{ ...cut(first), angle: 45 }] }
    const newer = { ...opened, data } as typeof opened
    expect(given(productionPlanBar, newer).state).toStrictEqual(given(productionPlanBar, opened).state)
  })
})
