import { type OpenedBar, productionPlanBar, productionPlanBarKey } from '../../domain/bars/bar.ts'
import { blockKeys, type Judgement, refuseUnknownKeys } from '../../domain/bars/barApproval.ts'
import type { OverrideRequest } from '../../domain/bars/keptJudgement.ts'
import { type PlanRef, productionPlan, productionPlanKey } from '../../domain/bars/plan.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Check, checkOn, type Workflow } from '../executor/command.ts'
import {
  contextsOnSeen,
  type DecisionOnOne,
  decideOnMany,
  findEarlierDecision,
  type Seen,
} from '../executor/decideOnMany.ts'
import { streamsAtOnce } from './barChecks.ts'
import { approveOneOfMany } from './bars.ts'
import { judgeTogether, type LookUps } from './judging.ts'

/**
 * Approving many bars of a plan: each is judged and approved by itself. A repeat completes a request that broke off, and
 * has the first answer for what was done.
 */

interface ApprovalRequest extends Seen {
  /** Undefined for all Draft bars of the plan. */
  readonly barIds?: readonly string[] | undefined
  readonly override?: OverrideRequest | undefined
}

export function approvePlan(
  ref: PlanRef,
  request: ApprovalRequest,
  lookUps: LookUps,
): Workflow<readonly DecisionOnOne[]> {
  return {
    aggregate: productionPlan,
    async run(tools, { ifMatchRequired, ...context }) {
      const { body: plan, position } = await tools.check(checkPlan(ref, request, lookUps), context)
      const done = await findEarlierDecision(
        tools.check,
        request.barIds ?? plan.barIds,
        (barId) => ({ aggregate: productionPlanBar, id: productionPlanBarKey(ref.companyId, barId) }),
        context,
      )
      // The first request has recorded something, so its keys were known then.
      if (done.size === 0)
        refuseUnknownKeys(request.override?.findings ?? [], plan.knownKeys, {
          path: '/override/findings',
          says: (key) => `None of the bars has a Block finding with the key ${key}.`,
          detail: 'The override names findings that do not block any of the bars.',
        })
      const barIds =
        request.barIds ?? plan.barIds.filter((barId) => plan.drafts.has(barId) || done.has(barId))
      const isInPlan = new Set(plan.barIds)
      return decideOnMany(
        barIds,
        (barId) => {
          if (!isInPlan.has(barId)) throw notFound('bar-not-found', barId, `in production plan ${ref.planId}`)
          const address = { companyId: ref.companyId, barId }
          return approveOneOfMany(address, (_load, bar) => plan.judgementOf(bar), request.override)
        },
        tools.execute,
        contextsOnSeen({ ...context, ...(ifMatchRequired && { ifMatchRequired }) }, request.revisions),
        position,
      )
    },
  }
}
approvePlan.refuses = refusals('plan-not-found')

interface FoundPlan {
  /** In the order of the plan. */
  readonly barIds: readonly string[]
  readonly drafts: ReadonlySet<string>
  /** The keys of the override that a Block finding has, on a bar that is asked for. */
  readonly knownKeys: ReadonlySet<string>
  /** Load what a bar is judged from, as of the request. A fact that changes later brings a review of its own. */
  judgementOf(bar: OpenedBar): Promise<Judgement>
}

/** Look at the bars that are asked for, several at a time. None is kept, because a plan may have any number. */
function checkPlan(
  { companyId, planId }: PlanRef,
  { barIds: named, override }: ApprovalRequest,
  lookUps: LookUps,
): Check<FoundPlan> {
  return checkOn({
    aggregate: productionPlan,
    id: productionPlanKey(companyId, planId),
    record: { missing: 'plan-not-found', id: planId, find: (plan) => plan },
    dependencies: async (load, plan) => {
      const barIds = [...plan.plannedAt.keys()]
      const drafts = new Set<string>()
      const knownKeys = new Set<string>()
      const judged = judgeTogether(lookUps)
      const judgementOf = (bar: OpenedBar) => judged(load, bar)
      if (named && !override) return { barIds, drafts, knownKeys, judgementOf }
      const wanted = named?.filter((barId) => plan.plannedAt.has(barId)) ?? barIds
      await concurrently(streamsAtOnce, wanted, async (barId) => {
        const { state: bar } = await load(productionPlanBar, productionPlanBarKey(companyId, barId))
        if (!bar) return
        if (bar.status === 'Draft') drafts.add(barId)
        else if (!named) return
        if (!override) return
        const keys = blockKeys((await judgementOf(bar)).verdictOn(bar))
        for (const key of override.findings) if (keys.has(key)) knownKeys.add(key)
      })
      return { barIds, drafts, knownKeys, judgementOf }
    },
    refuse: () => {},
    answer: (_plan, _recorded, found) => ({ body: found }),
  })
}
