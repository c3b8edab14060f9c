import { useTexts } from '../../texts/texts.ts'
import { lineOf, type Planned } from './barLines.ts'

/** Return a function that names the accepted pieces of a bar: as many as there are of each length, mark and line. */
export function usePieces(): (bar: Planned) => string {
  const { t, number } = useTexts()
  return (bar) => {
    const accepted = bar.cuts.filter(({ status }) => status === 'Accepted')
    const pieces = accepted.map((cut) => {
      const line = lineOf(bar, cut)
      return { ...cut, name: [cut.pieceMark ?? line?.pieceMark, line?.description].filter(Boolean).join(' ') }
    })
    return [...Map.groupBy(pieces, ({ lengthMm, name }) => `${lengthMm} ${name}`).values()]
      .map((same) => {
        const { lengthMm, name } = same[0]!
        return [t('pieces', { n: number(same.length), length: number(lengthMm) }), name]
          .filter(Boolean)
          .join(' ')
      })
      .join(', ')
  }
}
