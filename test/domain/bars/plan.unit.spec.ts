import { describe, expect, it } from 'vitest'
import { createPlan, type ProductionPlan, planBars, productionPlan } from '../../../src/domain/bars/plan.ts'
import { alice, given, id, timeOf } from '../../support/given.ts'
import { lineItemIds } from '../verdict/facts.ts'
import { accepted, barsPlanned, cut, plan, planCreated } from './productionFacts.ts'

const [one, two, three] = [id(601), id(602), id(603)]
const bars = [
  { barId: one, cuts: [cut(id(1)), cut(id(2), { status: 'Proposed' })] },
  { barId: two, cuts: [cut(id(1)), cut(id(2), { lineItemId: lineItemIds[20]! }), cut(id(3))] },
]
const create =
  (name: string, asked = bars) =>
  (state: ProductionPlan) =>
    createPlan(state, plan, name, asked)

describe('creating a plan', () => {
  it('records it together with its bars and their Accepted cuts', () =>
    given(productionPlan)
      .when(create('Week 17'))
      .records(planCreated('Week 17', one, two), barsPlanned([one, two], accepted(10, 3), accepted(20, 1))))

  it('records it alone when it has no bars', () =>
    given(productionPlan).when(create('Week 17', [])).records(planCreated('Week 17')))

  it('records nothing when it exists', () =>
    given(productionPlan, planCreated('Week 17')).when(create('Week 18')).recordsNothing())
})

describe('planning bars', () => {
  const created = [planCreated('Week 17', one), barsPlanned([one], accepted(10, 1))]

  it('records only the bars that the plan does not have yet', () => {
    const known = given(productionPlan, ...created)
    known.when((state) => planBars(state, bars)).records(barsPlanned([two], accepted(10, 2), accepted(20, 1)))
    known.when((state) => planBars(state, [{ barId: three, cuts: [] }])).records(barsPlanned([three]))
    known.when((state) => planBars(state, bars.slice(0, 1))).recordsNothing()
  })

  it('adds to the bars that the plan was created with', () =>
    expect(given(productionPlan, ...created, barsPlanned([three, two])).state).toMatchObject({
      ...plan,
      name: 'Week 17',
      createdWith: [one],
      createdAt: timeOf(0),
      createdBy: alice.id,
      revision: 2,
    }))

  it('keeps the bars in the order in which they were planned', () =>
    expect([
      ...given(productionPlan, ...created, barsPlanned([three, two])).state!.plannedAt.keys(),
    ]).toStrictEqual([one, three, two]))
})
