import { nearKey } from '../../../domain/kernel/spellings.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'

type Searched = Pick<
  ListedProductionPlanBar,
  'planName' | 'certificate' | 'heatRead' | 'orders' | 'profile'
> & {
  readonly cuts: readonly Pick<ListedProductionPlanBar['cuts'][number], 'pieceMark'>[]
}

/** Whether the plan, the heat, the profile, an order or a piece mark of a bar has the text, however it is spelled. */
export function isFound(bar: Searched, text: string): boolean {
  const wanted = nearKey(text)
  const { planName, certificate, heatRead, orders = [], profile, cuts } = bar
  return [
    planName,
    certificate?.heatNumber,
    heatRead?.heatNumber,
    profile,
    ...orders.map(({ orderNumber }) => orderNumber),
    ...cuts.map(({ pieceMark }) => pieceMark),
  ].some((value) => value && nearKey(value).includes(wanted))
}
