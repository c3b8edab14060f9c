import {
  type CreatedPlan,
  type PlanRef,
  type ProductionPlan,
  type ProductionPlanEvent,
  productionPlan,
  productionPlanKey,
} from '../domain/productionPlan.ts'
import {
  type AskedOverride,
  blockKeys,
  productionPlanBar,
  productionPlanBarKey,
} from '../domain/productionPlanBar.ts'
import { type Fault, invalid, notFound } from '../domain/refusal.ts'
import type { ProblemCode } from '../problems/catalogue.ts'
import { loadBars, streamsAtOnce } from './barChecks.ts'
import { type Check, type CommandContext, checkOn, type Workflow, type WorkflowTools } from './command.ts'
import { concurrently } from './concurrently.ts'
import { type DecisionOnOne, decideOnMany } from './decideOnMany.ts'
import { type FindBlockedOfSameHeat, judgeTogether } from './judging.ts'
import { approveOneOfMany } from './productionPlanBars.ts'

/**
 * Approving many bars of a plan: each is judged and approved by itself. A repeat completes a request that broke off, and
 * has the first answer for what was done.
 */

export interface AskedApproval {
  /** Undefined for all Draft bars of the plan. */
  readonly barIds?: readonly string[] | undefined
  readonly override?: AskedOverride | undefined
}

export function approvePlan(
  ref: PlanRef,
  asked: AskedApproval,
  findBlockedOfSameHeat: FindBlockedOfSameHeat,
): Workflow<readonly DecisionOnOne[]> {
  return {
    aggregate: productionPlan,
    async run(tools, context) {
      const { body: plan, position } = await tools.check(
        checkPlan(ref, asked, findBlockedOfSameHeat),
        context,
      )
      const done = await approvedBefore(tools, ref, asked.barIds ?? plan.barIds, context)
      // The first request has recorded something, so its keys were known then.
      if (done.size === 0) refuseUnknownKeys(asked.override, plan.keys)
      const drafts = new Set(plan.drafts)
      const barIds = asked.barIds ?? plan.barIds.filter((barId) => drafts.has(barId) || done.has(barId))
      const isInPlan = new Set(plan.barIds)
      return decideOnMany(
        barIds,
        (barId) => {
          if (!isInPlan.has(barId)) throw notFound('bar-not-found', barId, `in production plan ${ref.planId}`)
          const address = { companyId: ref.companyId, barId }
          return approveOneOfMany(address, findBlockedOfSameHeat, asked.override)
        },
        tools.execute,
        context,
        position,
      )
    },
  }
}
approvePlan.refuses = ['plan-not-found'] as const satisfies readonly ProblemCode[]

interface FoundPlan {
  /** In the order of the plan. */
  readonly barIds: readonly string[]
  readonly drafts: readonly string[]
  /** The keys that an override may name: those of the Block findings of the bars that are asked for. */
  readonly keys: ReadonlySet<string>
}

function checkPlan(
  { companyId, planId }: PlanRef,
  { barIds: named, override }: AskedApproval,
  findBlockedOfSameHeat: FindBlockedOfSameHeat,
): Check<FoundPlan> {
  return checkOn<ProductionPlan, ProductionPlanEvent, CreatedPlan, FoundPlan, FoundPlan>({
    aggregate: productionPlan,
    id: productionPlanKey(companyId, planId),
    record: { missing: 'plan-not-found', id: planId, find: (plan) => plan },
    dependencies: async (load, plan) => {
      const barIds = [...plan.barIds]
      if (named && !override) return { barIds, drafts: [], keys: new Set() }
      const wanted = named?.filter((barId) => plan.barIds.has(barId)) ?? barIds
      const bars = [...(await loadBars(load, companyId, wanted)).values()]
      const drafts = bars.filter(({ status }) => status === 'Draft').map(({ barId }) => barId)
      if (!override) return { barIds, drafts, keys: new Set() }
      const judged = named ? bars : bars.filter(({ status }) => status === 'Draft')
      const judgementOf = judgeTogether(findBlockedOfSameHeat)
      const keys = await concurrently(streamsAtOnce, judged, async (bar) => [
        ...blockKeys((await judgementOf(load, bar)).verdictOn(bar)),
      ])
      return { barIds, drafts, keys: new Set(keys.flat()) }
    },
    refuse: () => {},
    answer: (_plan, _recorded, found) => ({ body: found }),
  })
}

/** Return the bars that an earlier request under the same Idempotency-Key has approved. */
async function approvedBefore(
  { check }: WorkflowTools,
  { companyId }: PlanRef,
  barIds: readonly string[],
  context: CommandContext,
): Promise<ReadonlySet<string>> {
  if (!context.idempotency) return new Set()
  const done = await concurrently(streamsAtOnce, barIds, async (barId) => {
    const { replayed } = await check(
      checkOn({
        aggregate: productionPlanBar,
        id: productionPlanBarKey(companyId, barId),
        refuse: () => {},
      }),
      context,
    )
    return replayed ? [barId] : []
  })
  return new Set(done.flat())
}

/** @throws Refusal 400 for a key that none of the bars has */
function refuseUnknownKeys(override: AskedOverride | undefined, known: ReadonlySet<string>): void {
  const faults = (override?.findings ?? []).flatMap((key, index): Fault[] =>
    known.has(key)
      ? []
      : [
          {
            path: `/override/findings/${index}`,
            code: 'unknown-record',
            message: `None of the bars has a Block finding with the key ${key}.`,
          },
        ],
  )
  if (faults.length > 0)
    throw invalid(faults, 'The override names findings that do not block any of the bars.')
}
