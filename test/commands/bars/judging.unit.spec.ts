import { expect, it } from 'vitest'
import { loadJudgement } from '../../../src/commands/bars/judging.ts'
import type { Load } from '../../../src/commands/executor/command.ts'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import { order } from '../../../src/domain/orders/order.ts'
import { barOpened, cut } from '../../domain/bars/productionFacts.ts'
import { lineItem, lineItemIds, orderIdentity, orderRegistered } from '../../domain/verdict/facts.ts'
import { given, id } from '../../support/given.ts'
import { emptyLookUps } from './lookUps.ts'

/** A bar is judged from the read models and from cuts that they do not show yet. */

const { orderId } = orderIdentity
const ofLine = { orderId, lineItemId: lineItemIds[10]! }
const opened = barOpened(2_000, {
  cuts: [cut(id(701), ofLine), cut(id(702), { ...ofLine, status: 'Proposed' })],
})

it('counts the cuts of a line as they are once the cuts of the bar have changed', async () => {
  const registered = given(order, orderRegistered(lineItem(10, { quantity: 4 }))).state
  const load: Load = async (aggregate) => ({
    state: (aggregate.name === order.name ? registered : given(aggregate).state) as never,
    revision: 0,
  })
  const bar = given(productionPlanBar, opened).state as OpenedBar
  const lookUps = { ...emptyLookUps, acceptedCuts: async () => new Map([[ofLine.lineItemId, 4]]) }
  const { verdictOn } = await loadJudgement(load, lookUps, bar)
  const overplanned = (cuts: OpenedBar['cuts']) =>
    verdictOn({ ...bar, cuts }).findings.filter(({ code }) => code === 'line-overplanned')
  expect(overplanned(bar.cuts)).toEqual([])
  const cuts = bar.cuts.map((one) => ({ ...one, status: 'Accepted' as const }))
  expect(overplanned(cuts)).toMatchObject([{ expected: '4', actual: '5' }])
})
