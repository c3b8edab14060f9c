import type { At, NotTaken, ReadRow } from '../readRow.ts'
import { isUnitAlone } from '../units.ts'
import { isLabel } from './labels.ts'
import type { Cell, Line } from './lines.ts'
import type { Box } from './page.ts'
import type { PageParts } from './pageTables.ts'

/** Pages may hold values that no field takes. They are listed, so that none disappears without a word. */

/** The most that is listed. The rest is counted in one last entry. */
const mostListed = 200
const longestHeading = 100

/** Return the values that no row has: columns of tables, and numbers and labelled values beside them. */
export function notTakenOf(parts: readonly PageParts[], rows: readonly ReadRow[]): readonly NotTaken[] {
  const placesByPage = Map.groupBy(rows.flatMap(placesOf), ({ page }) => page)
  const leftValues = parts.flatMap(({ page, tables, others }): NotTaken[] => {
    const boxes = (placesByPage.get(page.page) ?? []).map(({ box }) => box)
    const place = ({ box }: Cell): At => ({ page: page.page, ...(page.scan?.placeOf(box) ?? { box }) })
    return [
      ...others.flatMap((line) =>
        valuesBesideTables(line, boxes).map((one) => ({ ...one, at: place(one.cell) })),
      ),
      ...tables.flatMap((table) =>
        valuesOfColumns(table.others).map((one) => ({ ...one, at: place(one.cell) })),
      ),
    ].map(({ heading, values, at }) => ({
      heading: heading.slice(0, longestHeading).toWellFormed(),
      values,
      at,
    }))
  })
  if (leftValues.length <= mostListed) return leftValues
  const rest = leftValues.slice(mostListed - 1)
  const values = rest.reduce((sum, one) => sum + one.values, 0)
  return [...leftValues.slice(0, mostListed - 1), { heading: '…', values, at: rest[0]!.at }]
}

function placesOf({ values, undecided, faults }: ReadRow): readonly { page: number; box: Box }[] {
  // A field that was not found has the place of the whole page.
  const open = undecided.filter(({ candidates, text }) => candidates.length > 0 || text !== undefined)
  return [...values, ...open, ...faults].flatMap(({ at }) => ('page' in at ? [at] : []))
}

interface Left {
  readonly heading: string
  readonly values: number
  readonly cell: Cell
}

/** Return the values of a line outside of tables, each with the text before it. */
function valuesBesideTables(line: Line, boxes: readonly Box[]): readonly Left[] {
  return line.cells.flatMap((cell, index): Left[] => {
    const before = line.cells.slice(0, index).findLast(({ text }) => text !== ':')
    const isNamed = line.cells[index - 1]?.text === ':' || /^[^:]{2,60}:\s+\S/.test(cell.text)
    const isValue = (isNamed || /\d/.test(cell.text)) && cell.text !== ':'
    if (!isValue || isUnitAlone(cell.text) || isLabel(cell) || boxes.some((box) => meet(box, cell.box)))
      return []
    return [{ heading: before ? `${before.text}: ${cell.text}` : cell.text, values: 1, cell }]
  })
}

function valuesOfColumns(cells: readonly { heading: string; cell: Cell }[]): readonly Left[] {
  return [...Map.groupBy(cells, ({ heading }) => heading)].map(([heading, own]) => ({
    heading,
    values: own.length,
    cell: own[0]!.cell,
  }))
}

/** Whether the middle of one box is in the other. */
function meet(one: Box, other: Box): boolean {
  return hasMiddleOf(one, other) || hasMiddleOf(other, one)
}

function hasMiddleOf(outer: Box, [left, bottom, right, top]: Box): boolean {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  return x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3]
}
