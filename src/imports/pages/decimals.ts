import type { Doubt } from '../../domain/certificates/readingDoubts.ts'
import type { Cell } from './lines.ts'

/** The numbers of a column are printed with the same decimals, so one with others may lack a digit or its decimal sign. */

const leastNumbers = 3

/** Return the cells whose numbers have other decimals than more than half of the column. */
export function unevenCells(cells: readonly Cell[]): readonly (readonly [Cell, Doubt])[] {
  const numbers = cells.flatMap((cell) => {
    const [number, decimals = ''] = /^\d+(?:[.,](\d+))?$/.exec(cell.text.replaceAll(' ', '')) ?? []
    return number === undefined ? [] : [{ cell, decimals: decimals.length }]
  })
  if (numbers.length < leastNumbers) return []
  const usual = [...Map.groupBy(numbers, ({ decimals }) => decimals)].find(
    ([, same]) => 2 * same.length > numbers.length,
  )
  if (!usual) return []
  const [others] = usual
  return numbers
    .filter(({ decimals }) => decimals !== others)
    .map(({ cell, decimals }) => [cell, { text: 'decimals-differ', values: { decimals, others } }])
}
