import { describe, expect, it } from 'vitest'
import { barTransitions, type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import { overrideFindings, withdrawApproval } from '../../../src/domain/bars/barApproval.ts'
import { readHeat, setBarCertificate } from '../../../src/domain/bars/barCertificate.ts'
import { revertBar, scrapCut } from '../../../src/domain/bars/barCorrections.ts'
import { changeCutStatus } from '../../../src/domain/bars/barCuts.ts'
import { barStatuses, type ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import { cancelBar } from '../../../src/domain/bars/barWork.ts'
import { takeRemnant } from '../../../src/domain/bars/remnants.ts'
import { Refusal } from '../../../src/domain/kernel/refusal.ts'
import { alice, contextOf, given, id, now } from '../../support/given.ts'
import { block, finding, request } from './barJudgements.ts'
import {
  approve,
  barApproved,
  barCancelled,
  barCompleted,
  barOpened,
  barStarted,
  complete,
  cut,
  start,
  unblocked,
} from './productionFacts.ts'

const [first, second] = [cut(id(701)), cut(id(702), { status: 'Proposed' })]
const opened = barOpened(2_000, { cuts: [first, second] })
const history = [opened, barApproved, barStarted(), barCompleted()]
const bars = [
  ...history.map((_, n) => given(productionPlanBar, ...history.slice(0, n + 1)).state!),
  given(productionPlanBar, opened, barCancelled('Draft')).state!,
]

const [judgement, context, reason] = [unblocked, contextOf(), 'The wrong bar.']
const deciding = { judgement, context, isQuality: true, isPlanner: true }
const decisions: Readonly<
  Record<
    Exclude<ProductionPlanBarEvent['type'], 'BarOpened'>,
    (bar: OpenedBar) => readonly ProductionPlanBarEvent[]
  >
> = {
  BarApproved: (bar) => approve(bar, context),
  BarApprovalWithdrawn: (bar) => withdrawApproval(bar, finding(block)),
  BarStarted: start,
  BarCompleted: complete,
  BarCancelled: (bar) => cancelBar(bar, reason, []),
  BarReverted: (bar) => revertBar(bar, { to: 'Draft', reason }, { ...deciding, dispatchedCuts: [] }),
  BarCertificateSet: (bar) =>
    setBarCertificate(bar, { millCertificationId: id(800), reason }, { ...deciding, isKnown: true }),
  BarHeatRead: (bar) => readHeat(bar, { heatNumber: 'H 1', reason }, { ...deciding, linked: null }),
  FindingsOverridden: (bar) => overrideFindings(bar, finding(block), request, context),
  CutStatusChanged: (bar) => changeCutStatus(bar, second, 'Rejected'),
  CutScrapped: (bar) => scrapCut(bar, first, reason),
  RemnantTaken: (bar) =>
    takeRemnant(bar, { ...bar, barId: id(602), fromBarId: bar.barId, stockLengthMm: 1_000 }, undefined, {
      now,
    }),
}

function decided(decide: (bar: OpenedBar) => readonly ProductionPlanBarEvent[], bar: OpenedBar) {
  try {
    return decide(bar)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

describe.each(Object.entries(decisions))('%s', (type, decide) => {
  const { from, to }: { readonly from: readonly string[]; readonly to?: string } =
    barTransitions[type as keyof typeof decisions]

  it('is recorded in the statuses of the table alone', () => {
    expect(bars.map(({ status }) => status)).toStrictEqual(barStatuses)
    const recording = bars.filter((bar) => decided(decide, bar).some((event) => event.type === type))
    expect(recording.map(({ status }) => status)).toStrictEqual(from)
  })

  it('leads to the status of the table', () => {
    const bar = bars.find(({ status }) => status === from[0])!
    const [event] = decide(bar).filter((one) => one.type === type)
    const after = productionPlanBar.evolve(bar, {
      ...event!,
      revision: 9,
      position: 9,
      metadata: { actor: alice },
    } as never)
    expect(after!.status).toBe(type === 'BarReverted' ? 'Draft' : (to ?? bar.status))
  })
})
