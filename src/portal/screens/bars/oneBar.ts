import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { useBarById } from './openBars.ts'

/**
 * Find a bar on the board, or else ask for it: a bar that was completed long ago or is Cancelled is on none of the pages
 * that the board has read. A list that another screen has read may lack a bar that was planned since; if this asked for
 * it at once, its card would move to the board under the person's hands. The bar is undefined while it is read, and if
 * it does not exist.
 */
export function useOneBar(barId: string, lists: readonly ListState<ListedProductionPlanBar>[]) {
  const isIt = (bar: ListedProductionPlanBar) => bar.barId === barId
  const onBoard = lists.flatMap(({ rows }) => rows ?? []).find(isIt)
  const enabled = !onBoard && lists.every(({ rows, isReadHere }) => rows !== undefined && isReadHere)
  const { rows, error } = useBarById(barId, { enabled })
  return {
    bar: onBoard ?? rows?.find(isIt),
    isOnBoard: onBoard !== undefined,
    isRead: rows !== undefined,
    error,
  }
}
