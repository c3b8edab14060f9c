import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { useBarById } from './openBars.ts'

/**
 * Find a bar on the board, or else ask the service for it: the pages of the board have no Cancelled bars, and none that
 * were completed long ago. Ask only after the board has read its lists, because a list that another screen has read may
 * lack a new bar, and the card of that bar would then move while the person looks at it. The bar is undefined while it
 * is read, and if it does not exist.
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
