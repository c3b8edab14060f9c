import type { OpenedBar } from '../../domain/bars/bar.ts'
import { type BarRequest, isContentOf } from '../../domain/bars/barContent.ts'
import {
  type CreatedPlan,
  createPlan as decideToCreatePlan,
  type PlanRef,
  type ProductionPlan,
  planBars,
  productionPlan,
  productionPlanKey,
} from '../../domain/bars/plan.ts'
import type { Idempotency } from '../../domain/kernel/event.ts'
import { derivedId } from '../../domain/kernel/identifiers.ts'
import { conflict } from '../../domain/kernel/refusal.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { refusals } from '../../problems/catalogue.ts'
import {
  type AddressedRecord,
  type Answered,
  type Check,
  type Command,
  type CommandContext,
  checkOn,
  type Load,
  type Outcome,
  onRecord,
  onStream,
  type Workflow,
  type WorkflowTools,
} from '../executor/command.ts'
import {
  type BarToPlan,
  loadBars,
  loadReferences,
  type References,
  refuseFaults,
  refuseTaken,
  streamsAtOnce,
} from './barChecks.ts'
import { openBar, takeRemnant } from './bars.ts'
import { type BarRecord, barRecord } from './plannedBar.ts'

/**
 * Planning bars spans streams. Each bar's own stream is opened first, which reserves its id for its content. One append
 * to the plan's stream then names them all, and makes them visible. A request that breaks off before that leaves
 * nothing to see, and the same request again completes it.
 */

/** A bar as a request gives it. One without an id gets a derived one. */
export interface NewBar extends BarRequest {
  readonly barId?: string | undefined
}

export interface NewPlan {
  readonly planId?: string | undefined
  readonly name: string
  readonly bars: readonly NewBar[]
}

/** A plan as it is answered. */
interface PlanRecord extends PlanRef {
  readonly name: string
  readonly createdAt: string
  readonly createdBy: string
  readonly barCount: number
}

export interface PlanWithBars extends PlanRecord {
  readonly bars: readonly BarRecord[]
}

/**
 * Create a plan with its bars, all at once. A plan that exists with this content is answered as it is, and nothing is
 * recorded.
 */
export function createPlan(companyId: string, newPlan: NewPlan): Workflow<PlanWithBars> {
  return {
    aggregate: productionPlan,
    async run(tools, context) {
      const { execute, check, newId } = tools
      const { idempotency } = context
      const makeId = () => (idempotency ? idUnderKey(companyId, idempotency, 'productionPlan') : newId())
      const ref = { companyId, planId: newPlan.planId ?? makeId() }
      const bars = withIds(tools, ref, newPlan.bars, context)
      const present = () => check(checkNewPlan(ref, newPlan, bars), context)

      const checked = await present()
      if (isPresent(checked)) return checked
      const opened = await openBars(tools, ref, bars, context)
      const created = await execute(recordPlan(ref, newPlan.name, opened), context)
      if (created.recorded.length > 0) return created
      // Another caller has created the plan meanwhile: compare it with what was asked for.
      const other = await present()
      return isPresent(other) ? other : created
    },
  }
}
createPlan.refuses = refusals(
  'plan-already-exists',
  'bar-already-planned',
  'remnant-used',
  'too-large-to-record',
)

/** Refuse a plan that `createPlan` would refuse, and record nothing. The answer is the plan, if it exists already. */
export function checkPlan(
  companyId: string,
  newPlan: NewPlan & { readonly planId: string },
): Workflow<PlanWithBars | undefined> {
  const ref = { companyId, planId: newPlan.planId }
  return {
    aggregate: productionPlan,
    run: (tools, context) =>
      tools.check(checkNewPlan(ref, newPlan, withIds(tools, ref, newPlan.bars, context)), context),
  }
}

/** Add bars to a plan, all at once. Bars that it has already with the same content stay as they are. */
export function addBars(ref: PlanRef, newBars: readonly NewBar[]): Workflow<readonly BarRecord[]> {
  return {
    aggregate: productionPlan,
    async run(tools, context) {
      const bars = withIds(tools, ref, newBars, context)
      const checked = await tools.check(checkBars(ref, bars), context)
      if (checked.replayed) return checked
      const opened = await openBars(tools, ref, bars, context)
      return tools.execute(recordBars(ref, opened), context)
    },
  }
}
addBars.refuses = refusals('plan-not-found', 'bar-already-planned', 'remnant-used', 'too-large-to-record')

/** The records that a request to plan bars is checked against. */
interface Dependencies {
  readonly references: References
  readonly existing: ReadonlyMap<string, OpenedBar>
}

function checkNewPlan(
  ref: PlanRef,
  newPlan: NewPlan,
  bars: readonly BarToPlan[],
): Check<PlanWithBars | undefined> {
  return checkOn({
    ...planStream(ref),
    dependencies: (load, plan) => loadDependencies(load, ref, bars, plan, plan?.plannedAt.keys()),
    refuse: (plan, { references, existing }) => {
      refuseFaults(bars, references)
      if (!plan) refuseTaken(ref.planId, bars, existing)
      else if (!isPlan(plan, newPlan, existing))
        throw conflict(
          'plan-already-exists',
          `Plan ${ref.planId} exists with another content, so nothing was recorded. Choose another id, or add bars to the plan.`,
          {
            planId: ref.planId,
          },
        )
    },
    answer: (plan, _recorded, { existing }) =>
      plan ? planWithBars(plan, pickBars(plan.plannedAt.keys(), existing)) : { body: undefined },
  })
}

function checkBars(ref: PlanRef, bars: readonly BarToPlan[]): Check<readonly BarRecord[]> {
  return checkOn({
    ...planStream(ref),
    record: planAt(ref),
    dependencies: (load, plan) => loadDependencies(load, ref, bars, plan),
    refuse: (_plan, { references, existing }) => {
      refuseFaults(bars, references)
      refuseTaken(ref.planId, bars, existing)
    },
    // Answer only a repeat from here, because the bars of a first request may not exist yet.
    answer: (plan, recorded, { existing }) => {
      const barIds = bars.map(({ barId }) => barId)
      return { body: recorded.length > 0 ? recordsOf(plan, pickBars(barIds, existing)) : [] }
    },
  })
}

/** Load what the bars name, the bars that may be another plan's, and `more` bars. */
async function loadDependencies(
  load: Load,
  { companyId }: PlanRef,
  bars: readonly BarToPlan[],
  plan: ProductionPlan,
  more: Iterable<string> = [],
): Promise<Dependencies> {
  const visible = bars.filter(({ barId, isNamed }) => isNamed || plan?.plannedAt.has(barId))
  return {
    references: await loadReferences(load, companyId, bars),
    existing: await loadBars(load, companyId, [...visible.map(({ barId }) => barId), ...more]),
  }
}

function recordPlan(ref: PlanRef, name: string, opened: readonly OpenedBar[]): Command<PlanWithBars> {
  return onStream({
    ...planStream(ref),
    decide: (plan) => decideToCreatePlan(plan, ref, name, opened),
    answer: (plan) => planWithBars(plan, opened),
  })
}

function recordBars(ref: PlanRef, opened: readonly OpenedBar[]): Command<readonly BarRecord[]> {
  return onRecord({
    ...planStream(ref),
    record: planAt(ref),
    decide: (plan) => planBars(plan, opened),
    answer: (plan) => ({ body: recordsOf(plan, opened) }),
  })
}

function planStream({ companyId, planId }: PlanRef) {
  return { aggregate: productionPlan, id: productionPlanKey(companyId, planId) }
}

function planAt({ planId }: PlanRef): AddressedRecord<ProductionPlan, CreatedPlan> {
  return { missing: 'plan-not-found', id: planId, find: (plan) => plan }
}

function openBars(
  { execute }: WorkflowTools,
  plan: PlanRef,
  bars: readonly BarToPlan[],
  context: CommandContext,
): Promise<OpenedBar[]> {
  // The condition is on the plan.
  const { ifMatch: _, ifMatchRequired: __, ...ofBars } = context
  const { idempotency: ___, ...afresh } = ofBars
  return concurrently(streamsAtOnce, bars, async (bar) => {
    const { body } = await execute(openBar({ ...plan, barId: bar.barId }, bar), ofBars)
    // A repeat decides afresh, because another plan may have the remnant by now.
    if (body.fromBarId !== null) await execute(takeRemnant(body), afresh)
    return body
  })
}

function withIds(
  { newId }: WorkflowTools,
  { companyId, planId }: PlanRef,
  bars: readonly NewBar[],
  { idempotency }: CommandContext,
): BarToPlan[] {
  return bars.map((bar, index) => ({
    ...bar,
    isNamed: bar.barId !== undefined,
    barId: bar.barId ?? (idempotency ? idUnderKey(companyId, idempotency, 'bar', planId, index) : newId()),
  }))
}

/** Derive an id from the Idempotency-Key, so that a repeat leads to the same one. */
function idUnderKey(
  companyId: string,
  { caller, request, key }: Idempotency,
  ...name: readonly unknown[]
): string {
  return derivedId(companyId, ...name, caller, request, key)
}

/** Whether the plan was created by this request. */
function isPlan(plan: CreatedPlan, { name, bars }: NewPlan, existing: Dependencies['existing']): boolean {
  return (
    plan.name === name &&
    plan.createdWith.length === bars.length &&
    plan.createdWith.every((barId, index) => {
      const { barId: wantedId = barId, ...content } = bars[index]!
      return wantedId === barId && isContentOf(existing.get(barId)!.opened, content)
    })
  )
}

function isPresent(outcome: Outcome<PlanWithBars | undefined>): outcome is Outcome<PlanWithBars> {
  return outcome.body !== undefined
}

function planWithBars(plan: CreatedPlan, bars: Iterable<OpenedBar>): Answered<PlanWithBars> {
  return { body: { ...planRecord(plan), bars: recordsOf(plan, bars) }, etag: plan.revision }
}

function planRecord({ planId, companyId, name, createdAt, createdBy, plannedAt }: CreatedPlan): PlanRecord {
  return { companyId, planId, name, barCount: plannedAt.size, createdAt, createdBy }
}

/** Return those of the bars that the plan names as they are answered, in the order given. */
function recordsOf({ plannedAt }: CreatedPlan, bars: Iterable<OpenedBar>): BarRecord[] {
  const places = new Map(
    [...plannedAt].map(([barId, plannedAt], index) => [barId, { ordinal: index + 1, plannedAt }]),
  )
  return [...bars].flatMap((bar) => {
    const place = places.get(bar.barId)
    return place ? [barRecord(bar, place)] : []
  })
}

function pickBars(barIds: Iterable<string>, existing: Dependencies['existing']): OpenedBar[] {
  return [...barIds].map((barId) => existing.get(barId)!)
}
