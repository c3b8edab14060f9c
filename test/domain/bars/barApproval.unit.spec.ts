import { describe, expect, it } from 'vitest'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import {
  approveBar,
  type Judgement,
  overrideFindings,
  withdrawApproval,
} from '../../../src/domain/bars/barApproval.ts'
import { countAcceptedCuts } from '../../../src/domain/bars/barContent.ts'
import type { ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import { holdingStop } from '../../../src/domain/bars/barStop.ts'
import { completeBar, startBar } from '../../../src/domain/bars/barWork.ts'
import { inWords, type OverrideRequest } from '../../../src/domain/bars/keptJudgement.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import type { Finding } from '../../../src/domain/verdict/verdict.ts'
import { alice, bob, type Given, given, id, timeOf } from '../../support/given.ts'
import { block, finding, overridden, rejected, request } from './barJudgements.ts'
import { accepted, bar, barApproved, barOpened, barStarted, cut } from './productionFacts.ts'

const unsure: Finding = { ...block, key: 'unsure', code: 'demand-unstated', severity: 'Flag' }
const opened = barOpened(4_000, { cuts: [cut(id(701)), cut(id(702), { status: 'Proposed' })] })
const withdrawn = { type: 'BarApprovalWithdrawn', data: { ...bar, findings: [block], judgedBy } } as const
const approving = (judgement: Judgement, override?: OverrideRequest) => (state: OpenedBar) =>
  approveBar(state, judgement, override, { actor: alice, occurredAt: timeOf(9) })

describe('the judgement', () => {
  it('refuses to approve a bar that a Block stands against, and says so', () =>
    given(productionPlanBar, opened)
      .when(approving(finding(block, unsure)))
      .refuses('bar-may-not-be-cut', { findings: [block, unsure] }))

  it('tells three findings, and counts the others', () => {
    const many = (count: number) => inWords(Array.from({ length: count }, (_, n) => ({ message: `${n}.` })))
    expect([3, 4, 5].map(many)).toEqual([
      '0. 1. 2.',
      '0. 1. 2. 1 more finding blocks it.',
      '0. 1. 2. 2 more findings block it.',
    ])
  })

  it('approves a bar whose Blocks are all overridden, and keeps what was found', () =>
    given(productionPlanBar, opened)
      .when(approving(finding(block, unsure), request))
      .records({
        type: 'BarApproved',
        data: { ...bar, findings: [block, unsure], judgedBy, override: request },
      }))

  it('takes no override of a finding that is unknown, or is no Block, or is final', () => {
    const draft = given(productionPlanBar, opened)
    const naming = (key: string) => ({ ...request, findings: [key] })
    for (const key of ['unknown', unsure.key])
      expect(() => approving(finding(block, unsure), naming(key))(draft.state!)).toThrow(
        expect.objectContaining({ code: 'validation-failed' }),
      )
    expect(() => approving(finding(rejected), naming(rejected.key))(draft.state!)).toThrow(
      expect.objectContaining({ code: 'bar-may-not-be-cut' }),
    )
  })

  it('with four eyes takes no override from the person who has planned the bar', () => {
    const judgement = { ...finding(block), policy: { fourEyes: true } }
    const planned = given(productionPlanBar, { ...opened, metadata: { actor: bob } })
    planned
      .when((state) => approveBar(state, judgement, request, { actor: bob, occurredAt: timeOf(9) }))
      .refuses('four-eyes')
    expect(approving(judgement, request)(planned.state!)).toHaveLength(1)
  })

  it('holds the pieces of a bar that is completed in spite of a Block, until all of it is overridden', () => {
    const started = given(productionPlanBar, opened, barApproved, barStarted())
    started
      .when((state) => completeBar(state, finding(block, unsure), { reason: 'Cut before the Block came.' }))
      .records({
        type: 'BarCompleted',
        data: {
          ...bar,
          lineItems: countAcceptedCuts(started.state!.cuts),
          uncovered: [block],
          reason: 'Cut before the Block came.',
        },
      })
    const stopped = {
      type: 'BarCompleted',
      data: { ...bar, lineItems: [], uncovered: [block, rejected] },
    } as const
    const stoppedThen = (...events: Given<ProductionPlanBarEvent>[]) =>
      given(productionPlanBar, opened, barApproved, barStarted(), stopped, ...events)
    expect(stoppedThen().state!.stop).toMatchObject({ reason: null, findings: [block, rejected] })
    // The fact behind the finding has gone, and the pieces are held all the same.
    stoppedThen()
      .when((state) => overrideFindings(state, finding(), request, { actor: alice, occurredAt: timeOf(9) }))
      .records(overridden)
    expect(stoppedThen(overridden).state!.stop).toMatchObject({ findings: [rejected] })
    const both = { ...overridden, data: { ...overridden.data, findings: [block.key, rejected.key] } }
    expect(stoppedThen(both).state!.stop).toBeNull()
    const scrapped = started.state!.cuts.map(({ cutId, orderId, lineItemId }) => ({
      type: 'CutScrapped' as const,
      data: { ...bar, cutId, orderId, lineItemId, barStatus: 'Completed' as const, reason: 'r' },
    }))
    expect(holdingStop(stoppedThen(...scrapped).state!)).toBeNull()
  })

  it('withdraws the approval instead of starting a bar that a Block stands against', () => {
    const approved = given(productionPlanBar, opened, barApproved)
    approved.when((state) => startBar(state, finding(block, unsure))).records(withdrawn)
    expect(given(productionPlanBar, opened, barApproved, withdrawn).state).toMatchObject({
      status: 'Draft',
      approvedAt: null,
      approval: null,
      overrides: [],
      withdrawal: { at: timeOf(2), findings: [block] },
    })
  })

  it('withdraws nothing from a bar that is not approved, or that nothing stands against', () => {
    given(productionPlanBar, opened)
      .when((state) => withdrawApproval(state, finding(block)))
      .recordsNothing()
    given(productionPlanBar, opened, barApproved)
      .when((state) => withdrawApproval(state, finding(unsure)))
      .recordsNothing()
  })

  it('withdraws nothing for a missing certificate, with which a bar may be approved but not cut', () => {
    const missing: Finding = { ...block, code: 'no-certificate' }
    const judgement = {
      ...finding(),
      verdictOn: () => ({ mayBeApproved: true, mayBeCut: false, findings: [missing] }),
    }
    const approved = given(productionPlanBar, opened, barApproved)
    approved.when((state) => withdrawApproval(state, judgement)).recordsNothing()
    approved
      .when((state) => startBar(state, judgement))
      .refuses('bar-may-not-be-cut', { findings: [missing] })
  })

  it('lets an override stand until the approval is withdrawn', () => {
    const approvedBar = {
      type: 'BarApproved',
      data: { ...bar, findings: [block], judgedBy, override: request },
    } as const
    const approved = given(productionPlanBar, opened, approvedBar)
    approved.when((state) => startBar(state, finding(block))).records(barStarted(accepted(10, 1)))
    given(productionPlanBar, opened, approvedBar, withdrawn)
      .when(approving(finding(block)))
      .refuses('bar-may-not-be-cut', { findings: [block] })
  })

  it('overrides findings in any status, and once', () => {
    const overriding = (state: OpenedBar) =>
      overrideFindings(state, finding(block), request, { actor: alice, occurredAt: timeOf(9) })
    const started = [opened, barApproved, barStarted(accepted(10, 1))]
    given(productionPlanBar, opened).when(overriding).records(overridden)
    given(productionPlanBar, ...started)
      .when(overriding)
      .records(overridden)
    given(productionPlanBar, ...started, overridden)
      .when(overriding)
      .recordsNothing()
  })
})
