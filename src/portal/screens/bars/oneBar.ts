import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { useBarById } from './openBars.ts'

/**
 * Find a bar on the board, or else ask the service for it: the pages of the board have no Cancelled bars, and none that
 * were completed long ago. The bar is undefined while it is read.
 */
export function useOneBar(
  barId: string,
  lists: readonly ListState<ListedProductionPlanBar>[],
): ListedProductionPlanBar | undefined {
  const isIt = (bar: ListedProductionPlanBar) => bar.barId === barId
  const onBoard = lists.flatMap(({ rows }) => rows ?? []).find(isIt)
  const enabled = !onBoard && lists.every(({ rows, isReadHere }) => rows !== undefined && isReadHere)
  const { rows } = useBarById(barId, { enabled })
  return onBoard ?? rows?.find(isIt)
}
