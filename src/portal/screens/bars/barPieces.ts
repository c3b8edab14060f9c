import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useTexts } from '../../texts/texts.ts'

/** Return a function that names the accepted pieces of a bar: as many as there are of each length and mark. */
export function usePieces(): (bar: Pick<ListedProductionPlanBar, 'cuts'>) => string {
  const { t, number } = useTexts()
  return ({ cuts }) => {
    const accepted = cuts.filter(({ status }) => status === 'Accepted')
    const groups = Map.groupBy(accepted, ({ lengthMm, pieceMark }) => `${lengthMm} ${pieceMark ?? ''}`)
    return [...groups.values()]
      .map((same) => {
        const { lengthMm, pieceMark } = same[0]!
        const pieces = t('pieces', { n: number(same.length), length: number(lengthMm) })
        return pieceMark === null ? pieces : `${pieces} ${pieceMark}`
      })
      .join(', ')
  }
}
