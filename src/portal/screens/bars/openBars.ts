import { pollEvery, useList, useWhole } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import type { BarQuery } from './barNeeds.ts'

interface Options {
  readonly every: number | false
  readonly isKept?: boolean
}

/** Read bars with their verdicts. */
export function useBars(query: BarQuery, options: Options) {
  const params = { companyId: useCompanyId() }
  return useList('listProductionPlanBars', { params, query: { ...query, include: ['verdict'] } }, options)
}

/** Count the bars that a query finds; undefined until they are counted. */
export function useBarCount(
  query: BarQuery,
  options: { readonly every: number; readonly enabled: boolean },
): number | undefined {
  const params = { companyId: useCompanyId() }
  const countQuery = { ...query, limit: 1, count: true }
  return useList('listProductionPlanBars', { params, query: countQuery }, options).total
}

/** Ask for one bar with its verdict, whatever its state: the lists do not show each bar. */
export function useBarById(
  barId: string | undefined,
  options: { readonly enabled?: boolean; readonly isKept?: boolean } = {},
) {
  const params = { companyId: useCompanyId() }
  const query = { barId, include: ['verdict' as const] }
  return useList('listProductionPlanBars', { params, query }, { every: pollEvery.bars, ...options })
}

/** Bars of the board that are read without being asked for. */
const onBoardAtFirst = 2_000

/**
 * Read bars as one list, whatever their states: a bar that changes its state never is in two columns, or in none.
 * @param atFirst bars that are read without being asked for
 */
export function useManyBars(
  query: BarQuery,
  { atFirst = onBoardAtFirst, ...options }: Options & { readonly atFirst?: number },
) {
  const { isWhole, ...list } = useWhole(useBars(query, options), atFirst)
  return { ...list, isReadHere: list.isReadHere && isWhole, isComplete: isWhole }
}
