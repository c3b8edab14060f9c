import type { Idempotency } from '../domain/event.ts'
import { derivedId } from '../domain/identifiers.ts'
import {
  type CreatedPlan,
  createPlan as decideCreate,
  planBars as decidePlan,
  type PlanRef,
  type ProductionPlan,
  type ProductionPlanEvent,
  productionPlan,
  productionPlanKey,
} from '../domain/productionPlan.ts'
import { type BarRequest, isContentOf, type OpenedBar } from '../domain/productionPlanBar.ts'
import { conflict } from '../domain/refusal.ts'
import {
  type AskedBar,
  loadBars,
  loadReferences,
  type References,
  refuseFaults,
  refuseTaken,
  streamsAtOnce,
} from './barChecks.ts'
import type { Answered, Command, CommandContext, Outcome, Process, ProcessMeans } from './command.ts'
import { concurrently } from './concurrently.ts'
import { type BarRecord, barRecord, openBar } from './productionPlanBars.ts'

/**
 * Planning bars spans streams: each bar's own is opened first, which reserves its id for its content; one
 * append to the plan's stream then names them all, and with that they are there. What breaks off before it
 * leaves nothing to see, and the same request again completes it.
 */

/** A bar as it is asked for: an id is made for one that has none. */
export interface NewBar extends BarRequest {
  readonly barId?: string | undefined
}

export interface NewPlan {
  readonly planId?: string | undefined
  readonly name: string
  readonly bars: readonly NewBar[]
}

/** A plan as it is answered. */
export interface PlanRecord extends PlanRef {
  readonly name: string
  readonly createdAt: string
  readonly createdBy: string
  readonly barCount: number
}

export interface PlanWithBars extends PlanRecord {
  readonly bars: readonly BarRecord[]
}

type PlanCommand<Answer, Consulted = undefined> = Command<
  ProductionPlan,
  ProductionPlanEvent,
  Answer,
  Consulted
>

interface Consulted {
  readonly references: References
  readonly existing: ReadonlyMap<string, OpenedBar>
}

const planRecord = ({ planId, companyId, name, createdAt, createdBy, barIds }: CreatedPlan): PlanRecord => ({
  planId,
  companyId,
  name,
  createdAt,
  createdBy,
  barCount: barIds.size,
})

/** These bars of the plan as they are answered, in the order given. */
const recordsOf = ({ barIds }: CreatedPlan, bars: Iterable<OpenedBar>): BarRecord[] => {
  const ordinals = new Map([...barIds].map((barId, index) => [barId, index + 1]))
  return [...bars].map((bar) => barRecord(bar, ordinals.get(bar.barId)!))
}

const planWithBars = (plan: CreatedPlan, bars: Iterable<OpenedBar>): Answered<PlanWithBars> => ({
  body: { ...planRecord(plan), bars: recordsOf(plan, bars) },
  etag: plan.revision,
})

const those = (barIds: Iterable<string>, existing: Consulted['existing']): OpenedBar[] =>
  [...barIds].map((barId) => existing.get(barId)!)

/** The same request under the same key leads to the same ids, however far the first one came. */
const idUnderKey = (companyId: string, { caller, request, key }: Idempotency, ...what: unknown[]): string =>
  derivedId(companyId, ...what, caller, request, key)

const withIds = (
  { newId }: ProcessMeans,
  { companyId, planId }: PlanRef,
  bars: readonly NewBar[],
  { idempotency }: CommandContext,
): AskedBar[] =>
  bars.map((bar, index) => ({
    ...bar,
    isNamed: bar.barId !== undefined,
    barId: bar.barId ?? (idempotency ? idUnderKey(companyId, idempotency, 'bar', planId, index) : newId()),
  }))

const openBars = (
  { execute }: ProcessMeans,
  plan: PlanRef,
  bars: readonly AskedBar[],
  context: CommandContext,
): Promise<OpenedBar[]> =>
  concurrently(streamsAtOnce, bars, async (bar) => {
    const { body } = await execute(openBar({ ...plan, barId: bar.barId }, bar), context)
    return body
  })

/** Everything that can be known before anything is recorded; it records nothing itself. */
const check = <Answer>(
  { companyId, planId }: PlanRef,
  bars: readonly AskedBar[],
  parts: {
    /** Further bars to load. */
    readonly barsOf?: (plan: ProductionPlan) => Iterable<string>
    readonly refuse: (plan: ProductionPlan, existing: Consulted['existing']) => void
    readonly answer: PlanCommand<Answer, Consulted>['answer']
  },
): PlanCommand<Answer, Consulted> => ({
  aggregate: productionPlan,
  id: productionPlanKey(companyId, planId),
  consult: async (load, plan) => ({
    references: await loadReferences(load, companyId, bars),
    existing: await loadBars(load, companyId, [
      ...bars.flatMap(({ barId, isNamed }) => (isNamed || plan?.barIds.has(barId) ? [barId] : [])),
      ...(parts.barsOf?.(plan) ?? []),
    ]),
  }),
  decide: (plan, _context, { references, existing }) => {
    refuseFaults(bars, references)
    parts.refuse(plan, existing)
    return []
  },
  answer: parts.answer,
})

/** Whether this request is what the plan was created with. */
const isPlan = (plan: CreatedPlan, { name, bars }: NewPlan, existing: Consulted['existing']): boolean =>
  plan.name === name &&
  plan.createdWith.length === bars.length &&
  plan.createdWith.every((barId, index) => {
    const { barId: asked = barId, ...content } = bars[index]!
    return asked === barId && isContentOf(existing.get(barId)!.opened, content)
  })

const checkNewPlan = (ref: PlanRef, asked: NewPlan, bars: readonly AskedBar[]) =>
  check<PlanWithBars | undefined>(ref, bars, {
    barsOf: (plan) => plan?.barIds ?? [],
    refuse: (plan, existing) => {
      if (!plan) refuseTaken(ref.planId, bars, existing)
      else if (!isPlan(plan, asked, existing))
        throw conflict('plan-already-exists', `Plan ${ref.planId} exists with another content.`, {
          planId: ref.planId,
        })
    },
    answer: (plan, _recorded, { existing }) =>
      plan ? planWithBars(plan, those(plan.barIds, existing)) : { body: undefined },
  })

/**
 * Creates a plan with its bars, all at once. A plan that exists with this content is answered as it is, and
 * nothing is recorded.
 */
export const createPlan = (companyId: string, asked: NewPlan): Process<PlanWithBars> => ({
  aggregate: productionPlan,
  async carryOut(means, context) {
    const { execute, newId } = means
    const { idempotency } = context
    const madeId = () => (idempotency ? idUnderKey(companyId, idempotency, 'productionPlan') : newId())
    const ref = { companyId, planId: asked.planId ?? madeId() }
    const bars = withIds(means, ref, asked.bars, context)
    const present = () => execute(checkNewPlan(ref, asked, bars), context)

    const checked = await present()
    if (isPresent(checked)) return checked
    const opened = await openBars(means, ref, bars, context)
    const created = await execute<PlanWithBars>(recordPlan(ref, asked.name, opened), context)
    if (created.recorded.length > 0) return created
    // Somebody else has created it meanwhile: it is the plan that was asked for, or it is another one.
    const other = await present()
    return isPresent(other) ? other : created
  },
})

const recordPlan = (ref: PlanRef, name: string, opened: readonly OpenedBar[]): PlanCommand<PlanWithBars> => ({
  aggregate: productionPlan,
  id: productionPlanKey(ref.companyId, ref.planId),
  decide: (plan) => decideCreate(plan, ref, name, opened),
  answer: (plan) => planWithBars(plan!, opened),
})

const isPresent = (outcome: Outcome<PlanWithBars | undefined>): outcome is Outcome<PlanWithBars> =>
  outcome.body !== undefined

const theirPlan = ({ planId }: PlanRef) => ({
  target: (plan: ProductionPlan) => plan,
  addressed: { what: 'production plan', id: planId },
})

const checkBars = (ref: PlanRef, bars: readonly AskedBar[]) => ({
  ...check<readonly BarRecord[]>(ref, bars, {
    refuse: (_plan, existing) => refuseTaken(ref.planId, bars, existing),
    // Only a repeat is answered from here; when there was none, the bars may not exist yet.
    answer: (plan, recorded, { existing }): Answered<readonly BarRecord[]> => {
      const asked = bars.map(({ barId }) => barId)
      return { body: recorded.length > 0 ? recordsOf(plan!, those(asked, existing)) : [] }
    },
  }),
  ...theirPlan(ref),
})

/** Adds bars to a plan, all at once. Those that it has already with the same content stay as they are. */
export const addBars = (ref: PlanRef, asked: readonly NewBar[]): Process<readonly BarRecord[]> => ({
  aggregate: productionPlan,
  async carryOut(means, context) {
    const bars = withIds(means, ref, asked, context)
    const checked = await means.execute(checkBars(ref, bars), context)
    if (checked.replayed) return checked
    const opened = await openBars(means, ref, bars, context)
    return means.execute<readonly BarRecord[]>(recordBars(ref, opened), context)
  },
})

const recordBars = (ref: PlanRef, opened: readonly OpenedBar[]): PlanCommand<readonly BarRecord[]> => ({
  aggregate: productionPlan,
  id: productionPlanKey(ref.companyId, ref.planId),
  ...theirPlan(ref),
  decide: (plan) => decidePlan(plan!, opened),
  answer: (plan) => ({ body: recordsOf(plan!, opened) }),
})
