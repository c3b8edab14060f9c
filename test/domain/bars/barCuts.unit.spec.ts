import { describe, expect, it } from 'vitest'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import type { CutStatus } from '../../../src/domain/bars/barContent.ts'
import { changeCutStatus, findCut } from '../../../src/domain/bars/barCuts.ts'
import type { CutStatusChanged } from '../../../src/domain/bars/barEvents.ts'
import type { OverrideRequest } from '../../../src/domain/bars/keptJudgement.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import { alice, given, id, timeOf } from '../../support/given.ts'
import { block, finding, overridden, request } from './barJudgements.ts'
import {
  accepted,
  barApproved,
  barCompleted,
  barOpened,
  barStarted,
  cut,
  cutStatusChanged,
} from './productionFacts.ts'

const [first, second, third] = [id(701), id(702), id(703)]
function change(cutId: string, to: Exclude<CutStatus, 'Scrapped'>) {
  return (state: OpenedBar) => changeCutStatus(state, findCut(state, cutId)!, to)
}

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

  it('judges a cut that becomes Accepted on a bar beyond Draft', () => {
    const accepting = (override?: OverrideRequest) => (state: OpenedBar) =>
      changeCutStatus(state, findCut(state, second)!, 'Accepted', {
        judgement: finding(block),
        request: override,
        context: { actor: alice, occurredAt: timeOf(9) },
      })
    const changed = (status: 'Draft' | 'Approved') => cutStatusChanged(cuts[1]!, 'Accepted', status, 2_000)
    const kept = { findings: [block], judgedBy }
    const judged = {
      ...changed('Approved'),
      data: { ...changed('Approved').data, ...kept },
    } as CutStatusChanged
    given(productionPlanBar, opened).when(accepting()).records(changed('Draft'))
    const approved = given(productionPlanBar, opened, barApproved)
    approved.when(accepting()).refuses('bar-may-not-be-cut', { findings: [block] })
    approved.when(accepting(request)).records(overridden, judged)
    given(productionPlanBar, opened, barApproved, barStarted(accepted(10, 1)))
      .when(accepting())
      .refuses('bar-may-not-be-cut', { findings: [block] })
  })
})
