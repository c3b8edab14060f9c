import { OrderedMap } from 'immutable'
import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { sentence } from '../verdict/sentence.ts'
import { type AcceptedCuts, type BarContent, countAcceptedCuts } from './barContent.ts'

/** A plan and the ids of its bars. A bar is visible once its plan names it. */
export function productionPlanStream(id: string): string {
  return `productionPlan-${id}`
}
/** The aggregate's id. */
export function productionPlanKey(companyId: string, planId: string): string {
  return `${companyId}_${planId}`
}

export interface PlanRef {
  readonly companyId: string
  readonly planId: string
}

export type ProductionPlanCreated = DomainEvent<
  'ProductionPlanCreated',
  PlanRef & {
    readonly name: string
    /** The bars that the plan was created with, in their order; BarsPlanned follows. */
    readonly barIds: readonly string[]
  }
>
export type BarsPlanned = DomainEvent<
  'BarsPlanned',
  PlanRef & {
    /** Ids of the bars that are new in this plan. Their content is in their own streams, which were opened before. */
    readonly barIds: readonly string[]
    /** The Accepted cuts of these bars. */
    readonly lineItems: readonly AcceptedCuts[]
  }
>
export type ProductionPlanEvent = ProductionPlanCreated | BarsPlanned

export interface CreatedPlan extends PlanRef {
  readonly name: string
  readonly createdWith: readonly string[]
  readonly createdAt: string
  readonly createdBy: string
  /** Its bars in their order, each with the time at which it was planned. */
  readonly plannedAt: OrderedMap<string, string>
  /** Revision of the plan's last event. */
  readonly revision: number
}

export type ProductionPlan = CreatedPlan | undefined

function evolve(state: ProductionPlan, event: Stored<ProductionPlanEvent>): ProductionPlan {
  const { metadata, revision } = event
  if (event.type === 'ProductionPlanCreated') {
    const { companyId, planId, name, barIds } = event.data
    return {
      companyId,
      planId,
      name,
      createdWith: barIds,
      createdAt: metadata.occurredAt,
      createdBy: metadata.actor.id,
      plannedAt: OrderedMap(),
      revision,
    }
  }
  if (!state) return state
  switch (event.type) {
    case 'BarsPlanned':
      return {
        ...state,
        plannedAt: state.plannedAt.withMutations((planned) => {
          for (const barId of event.data.barIds) planned.set(barId, metadata.occurredAt)
        }),
        revision,
      }
    default:
      return state
  }
}

export const productionPlan: AuditedAggregate<ProductionPlan, ProductionPlanEvent> = {
  name: 'productionPlan',
  streamName: productionPlanStream,
  initial: undefined,
  evolve,
  events: eventsAbout('plan', 'planId', {
    ProductionPlanCreated: {
      bound: 'day',
      tell: ({ name, barIds }) => sentence('ProductionPlanCreated', { name, bars: barIds.length }),
    },
    BarsPlanned: {
      bound: 'day',
      tell: ({ barIds }) => sentence('BarsPlanned', { bars: barIds.length }),
    },
  }),
}

/** A bar whose stream has been opened for this plan. */
export interface BarToPlan extends Pick<BarContent, 'cuts'> {
  readonly barId: string
}

/** Add the bars that the plan does not have yet. They appear together. */
export function planBars(
  { companyId, planId, plannedAt }: Pick<CreatedPlan, 'companyId' | 'planId' | 'plannedAt'>,
  bars: readonly BarToPlan[],
): readonly ProductionPlanEvent[] {
  const added = bars.filter(({ barId }) => !plannedAt.has(barId))
  if (added.length === 0) return []
  return [
    {
      type: 'BarsPlanned',
      data: {
        companyId,
        planId,
        barIds: added.map(({ barId }) => barId),
        lineItems: countAcceptedCuts(added.flatMap(({ cuts }) => cuts)),
      },
    },
  ]
}

/** Create a plan. An existing plan records nothing; the caller compares whether it is the one that was meant. */
export function createPlan(
  state: ProductionPlan,
  ref: PlanRef,
  name: string,
  bars: readonly BarToPlan[],
): readonly ProductionPlanEvent[] {
  if (state) return []
  const barIds = bars.map(({ barId }) => barId)
  return [
    { type: 'ProductionPlanCreated', data: { ...ref, name, barIds } },
    ...planBars({ ...ref, plannedAt: OrderedMap() }, bars),
  ]
}
