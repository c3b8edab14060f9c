import type { Input } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { TextName } from '../../texts/texts.ts'
import { type BarStep, mayHaveToStop } from './barSteps.ts'

/** Why a bar needs somebody. The overview counts such bars, and the board shows them alone. */

export type BarQuery = NonNullable<Input<'listProductionPlanBars'>['query']>

export interface BarNeed {
  readonly title: TextName
  readonly state: BarStep
  readonly query: BarQuery
  /** Which of the bars that the query finds need somebody; undefined for all of them. */
  readonly isOne?: (bar: ListedProductionPlanBar) => boolean
}

export const barNeeds = {
  // The query finds every Started bar: one without a verdict lacks an event, and may have to stop as well.
  toStop: { title: 'barsToStop', state: 'Started', query: { status: ['Started'] }, isOne: mayHaveToStop },
  held: { title: 'completedInSpite', state: 'Completed', query: { held: true } },
  withdrawn: { title: 'approvalsWithdrawn', state: 'Draft', query: { status: ['Draft'], withdrawn: true } },
  toApprove: { title: 'barsToApprove', state: 'Draft', query: { status: ['Draft'] } },
  toSaw: { title: 'barsToSaw', state: 'Approved', query: { status: ['Approved'] } },
} as const satisfies Record<string, BarNeed>

export type BarNeedName = keyof typeof barNeeds

/** Return the address of the board that shows these bars alone. */
export function boardOf(name: BarNeedName): string {
  return `/bars?show=${name}`
}

/** Return the need that an address names; undefined for none. */
export function needOf(name: string): BarNeed | undefined {
  return Object.hasOwn(barNeeds, name) ? barNeeds[name as BarNeedName] : undefined
}
