import { useEffect } from 'react'
import { pollEvery, useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import type { BarStep } from './barSteps.ts'

interface Options {
  readonly every: number | false
  readonly isKept?: boolean
}

/** Read bars with their verdicts. */
export function useBars(status: BarStep[], options: Options) {
  const params = { companyId: useCompanyId() }
  return useList('listProductionPlanBars', { params, query: { status, include: ['verdict'] } }, options)
}

/** Ask for one bar with its verdict, whatever its state: the lists do not show each bar. */
export function useBarById(
  barId: string | undefined,
  options: { readonly enabled: boolean; readonly isKept?: boolean },
) {
  const params = { companyId: useCompanyId() }
  const query = { barId, include: ['verdict' as const] }
  return useList('listProductionPlanBars', { params, query }, { every: pollEvery.bars, ...options })
}

/** Bars of the board that are read without being asked for. */
const onBoardAtFirst = 2_000

/**
 * Read bars of several states as one list: a bar that changes its state never is in two columns, or in none.
 * @param atFirst bars that are read without being asked for
 */
export function useManyBars(
  status: BarStep[],
  { atFirst = onBoardAtFirst, ...options }: Options & { readonly atFirst?: number },
) {
  const list = useBars(status, options)
  const { rows, error, hasMore, readMore, isReadingMore } = list
  const isShort = rows !== undefined && rows.length < atFirst && hasMore && !error
  useEffect(() => {
    if (isShort && !isReadingMore) readMore()
  })
  return { ...list, isReadHere: list.isReadHere && !isShort, isComplete: rows !== undefined && !isShort }
}
