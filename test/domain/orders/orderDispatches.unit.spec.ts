import { describe, expect, it } from 'vitest'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import type { Cut } from '../../../src/domain/bars/barContent.ts'
import type { DecisionContext } from '../../../src/domain/kernel/aggregate.ts'
import {
  type DispatchRequest,
  dispatchPieces,
  isDispatched,
  type OrderDispatched,
  type OrderDispatches,
  orderDispatches,
} from '../../../src/domain/orders/orderDispatches.ts'
import type { Clearance } from '../../../src/domain/orders/orderTrace.ts'
import { tell } from '../../../src/domain/verdict/sentence.ts'
import type { Finding } from '../../../src/domain/verdict/verdict.ts'
import { companyId, contextOf, given, id } from '../../support/given.ts'
import { accepted, barApproved, barCompleted, barOpened, barStarted, cut } from '../bars/productionFacts.ts'
import { orderIdentity } from '../verdict/facts.ts'

const { orderId } = orderIdentity
const [first, second, third, rejected] = [id(701), id(702), id(703), id(704)]

/** A bar that is cut to the end, unless told otherwise. */
function bar(barId: string, cuts: readonly Cut[], isCompleted = true): OpenedBar {
  const events = [barOpened(0, { cuts }, { barId }), barApproved, barStarted(accepted(10, 1))]
  return given(productionPlanBar, ...events, ...(isCompleted ? [barCompleted(accepted(10, 1))] : [])).state!
}
const bars = [
  bar(id(601), [cut(first), cut(second), cut(rejected, { status: 'Rejected' })]),
  bar(id(602), [cut(third), cut(id(705), { orderId: id(9) })], false),
]
const cleared: Clearance = { findings: [], missing: [] }
const block = (more: Partial<Finding> = {}): Finding => ({
  key: 'k1',
  code: 'order-tag',
  severity: 'Block',
  message: 'The order has the tag Hold.',
  sentence: { text: 'order-tag' },
  ...more,
})

const dispatching =
  (cutIds: readonly string[], clearance = cleared, override?: DispatchRequest['override']) =>
  (state: OrderDispatches, context: DecisionContext) =>
    dispatchPieces(
      state,
      { date: '2026-03-01', reference: 'DN 17', cutIds, override },
      { companyId, orderId, bars, clearance },
      context,
    )
const dispatched = (cutIds: readonly string[], more: object = {}): OrderDispatched => ({
  type: 'OrderDispatched',
  data: {
    companyId,
    orderId,
    dispatchId: id(1),
    date: '2026-03-01',
    reference: 'DN 17',
    cuts: cutIds.map((cutId) => ({ barId: id(601), cutId })),
    ...more,
  },
})

describe('a dispatch', () => {
  it('records the pieces with their bars, and knows them afterwards', () => {
    given(orderDispatches)
      .when(dispatching([second, first]))
      .records(dispatched([second, first]))
    const { state } = given(orderDispatches, dispatched([first]))
    expect(isDispatched(state, { barId: id(601), cutId: first })).toBe(true)
    expect(isDispatched(state, { barId: id(602), cutId: first })).toBe(false)
  })

  it('names every piece that cannot leave', () =>
    given(orderDispatches, dispatched([first]))
      .when(dispatching([first, second, second, third, rejected, id(705), id(799)]))
      .refuses('validation-failed', {
        errors: (
          [
            [0, first, 'wrong-status', 'dispatched already'],
            [2, second, 'not-unique', 'in this request already'],
            [3, third, 'wrong-status', 'Started, not Completed'],
            [4, rejected, 'wrong-status', 'Rejected, not Accepted'],
            [5, id(705), 'unknown-record', 'The order has no cut'],
            [6, id(799), 'unknown-record', 'The order has no cut'],
          ] as const
        ).map(([index, cutId, code, message]) => ({
          path: `/cutIds/${index}`,
          code,
          message: expect.stringContaining(message),
          record: { cutId },
        })),
      }))

  it('is ambiguous for an id that two bars have', () => {
    const twice = [bars[0]!, bar(id(603), [cut(first)])]
    given(orderDispatches)
      .when((state, context) =>
        dispatchPieces(
          state,
          { date: '2026-03-01', reference: 'DN 17', cutIds: [first] },
          { companyId, orderId, bars: twice, clearance: cleared },
          context,
        ),
      )
      .refuses('validation-failed', { errors: [expect.objectContaining({ code: 'wrong-status' })] })
  })
})

describe('a piece that is planned once more under its id', () => {
  const again = bar(id(604), [cut(first)])
  const opened = given(productionPlanBar, barOpened(0, { cuts: [cut(first)] }, { barId: id(603) })).state!
  const dispatchingOn = (found: readonly OpenedBar[]) => (state: OrderDispatches, context: DecisionContext) =>
    dispatchPieces(
      state,
      { date: '2026-03-01', reference: 'DN 17', cutIds: [first] },
      { companyId, orderId, bars: found, clearance: cleared },
      context,
    )

  it.each<[string, OpenedBar]>([
    ['cancelled', { ...opened, status: 'Cancelled' }],
    ['scrapped', bar(id(603), [cut(first, { status: 'Scrapped' })])],
    ['rejected', bar(id(603), [cut(first, { status: 'Rejected' })])],
  ])('leaves from the bar on which it is not %s', (_, former) => {
    const record = dispatched([first], { cuts: [{ barId: again.barId, cutId: first }] })
    given(orderDispatches)
      .when(dispatchingOn([former, again]))
      .records(record)
    expect(() => dispatchingOn([former])(given(orderDispatches).state, contextOf())).toThrow(
      expect.objectContaining({ code: 'validation-failed' }),
    )
  })
})

describe('a dispatch of pieces that are not cleared', () => {
  const held: Clearance = {
    findings: [block(), block({ key: 'k2', severity: 'Flag' })],
    missing: [tell('gap-certificate', { plan: 'Week 17', bar: 1 })],
  }
  const override = (...findings: string[]) => ({ reason: 'The site waits.', reference: null, findings })
  const refusal = { findings: held.findings, missing: held.missing }

  it('is refused with the findings and the gaps', () => {
    given(orderDispatches)
      .when(dispatching([first], held))
      .refuses('pieces-not-cleared', refusal)
    given(orderDispatches)
      .when(dispatching([first], held, override()))
      .refuses('pieces-not-cleared', refusal)
  })

  it('is recorded with an override of every Block, and with what the override covers', () => {
    given(orderDispatches)
      .when(dispatching([first], held, override('k1')))
      .records(dispatched([first], { override: override('k1'), overridden: [block()], gaps: 1 }))
    const overridden = block({ override: { reason: 'Agreed.', by: 'quality' } as Finding['override'] })
    given(orderDispatches)
      .when(dispatching([first], { findings: [overridden], missing: [] }))
      .records(dispatched([first]))
    const gap = { ...held, findings: [] }
    given(orderDispatches)
      .when(dispatching([first], gap, override()))
      .records(dispatched([first], { override: override(), overridden: [], gaps: 1 }))
  })

  it('is never overridden for a voided certificate', () => {
    const findings = [block({ code: 'certificate-voided' })]
    given(orderDispatches)
      .when(dispatching([first], { ...held, findings }, override('k1')))
      .refuses('pieces-not-cleared', { ...refusal, findings })
  })

  it('is refused for a key that names no standing Block', () =>
    given(orderDispatches)
      .when(dispatching([first], held, override('k1', 'k2')))
      .refuses('validation-failed', {
        errors: [expect.objectContaining({ path: '/override/findings/1', code: 'unknown-record' })],
      }))
})
