import { type OpenedBar, productionPlanBar, productionPlanBarKey } from '../../src/domain/bars/bar.ts'
import { approveBar, type Judgement } from '../../src/domain/bars/barApproval.ts'
import { changeCutStatus } from '../../src/domain/bars/barCuts.ts'
import { completeBar, openBar, startBar } from '../../src/domain/bars/barWork.ts'
import { createPlan, productionPlan, productionPlanKey } from '../../src/domain/bars/plan.ts'
import type { DecisionContext } from '../../src/domain/kernel/aggregate.ts'
import { createStream, type Past, type PastEvent } from './stream.ts'

/** Records a plan of some bars, and cuts most of them. */

interface Work {
  readonly companyId: string
  readonly millCertificationId: string
  readonly lineItems: readonly { orderId: string; lineItemId: string; lengthMm: number }[]
}

export function planAndCut(
  past: Past,
  record: (event: PastEvent) => void,
  { companyId, millCertificationId, lineItems }: Work,
): void {
  const { chance } = past
  const planId = chance.uuid()
  const cuts = () =>
    Array.from({ length: chance.between(2, 6) }, () => {
      const { orderId, lineItemId, lengthMm } = chance.pick(lineItems)
      const status = chance.of(0.8) ? ('Accepted' as const) : ('Proposed' as const)
      return { cutId: chance.uuid(), orderId, lineItemId, lengthMm, status }
    })
  const bars = Array.from({ length: chance.between(4, 20) }, () => {
    const ref = { companyId, planId, barId: chance.uuid() }
    const stream = createStream(past, record, productionPlanBar, productionPlanBarKey(companyId, ref.barId))
    const content = { stockLengthMm: 18_000, grade: 'S355J2', millCertificationId, cuts: cuts() }
    stream.decide((state, context) => openBar(state, ref, content, context))
    return stream
  })
  createStream(past, record, productionPlan, productionPlanKey(companyId, planId)).decide((state) =>
    createPlan(
      state,
      { companyId, planId },
      'Week',
      bars.map(({ state }) => state!),
    ),
  )
  for (const bar of bars) {
    if (chance.of(0.3)) bar.decide((state) => changeCutStatus(state!, chance.pick(state!.cuts), 'Rejected'))
    for (const decide of steps)
      if (chance.of(0.95)) bar.decide((state, context) => decide(state!, context))
      else break
  }
}

/** Nothing stands against any bar. */
const judgement: Judgement = {
  policy: { fourEyes: false },
  verdictOn: () => ({ mayBeApproved: true, mayBeCut: true, findings: [] }),
}

const steps = [
  (bar: OpenedBar, context: DecisionContext) => approveBar(bar, judgement, undefined, context),
  (bar: OpenedBar) => startBar(bar, judgement),
  (bar: OpenedBar) => completeBar(bar, judgement),
]
