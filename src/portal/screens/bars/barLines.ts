import type { ListedProductionPlanBar } from '../../api/generated.ts'

/** The lines of orders that a bar is cut for. */

export type Planned = Pick<ListedProductionPlanBar, 'cuts' | 'orders' | 'profile'>
type Line = NonNullable<ListedProductionPlanBar['orders']>[number]['lines'][number]

/** Return the line of an order that a cut is for; undefined while the lines of the bar are not read. */
export function lineOf(
  { orders = [] }: Pick<Planned, 'orders'>,
  { lineItemId }: Pick<Planned['cuts'][number], 'lineItemId'>,
): Line | undefined {
  return orders.flatMap(({ lines }) => lines).find((line) => line.lineItemId === lineItemId)
}

/** Return the profile of a bar, or else the profiles that its lines demand. */
export function profileOf(bar: Planned): string {
  const demanded = bar.cuts
    .filter(({ status }) => status !== 'Rejected')
    .map((cut) => lineOf(bar, cut)?.profile)
  return bar.profile ?? [...new Set(demanded.filter(Boolean))].join(' / ')
}
