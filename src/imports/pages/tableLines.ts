import { numbersIn } from '../numbers.ts'
import { recogniseCertificateHeading } from '../tables/certificates.ts'
import type { Cell, Line } from './lines.ts'

/** The lines of tables: values, what the values must be, and headings. */

/** A line of values has at least this many numbers, and a line of headings this many that are known. */
const leastNumbers = 3
const leastHeadings = 3
/** Lines further apart than this many sizes of their letters are not of one table. */
export const widestGap = 5

/** Return the lines of each table: lines of values that follow each other, and lines of fewer cells between them. */
export function blocksOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const blocks: Line[][] = []
  let between: Line[] = []
  let isOpen = false
  for (const line of lines) {
    const block = isOpen ? blocks.at(-1) : undefined
    const last = between.at(-1) ?? block?.at(-1)
    const isNear = last !== undefined && last.bottom - line.bottom <= widestGap * sizeOf(line)
    if (isOfHeadings(line) || countsColumns(line)) {
      isOpen = false
      between = []
    } else if (isOfLimits(line)) continue
    else if (line.cells.filter(isNumber).length >= leastNumbers) {
      if (block && isNear) block.push(...between, line)
      else blocks.push([line])
      isOpen = true
      between = []
    } else if (isNear && line.cells.some(isNumber)) between.push(line)
    else between = []
  }
  return blocks
}

export function sizeOf(line: Line): number {
  return Math.max(...line.runs.map(({ size }) => size))
}

function isNumber({ text }: Pick<Cell, 'text'>): boolean {
  return numbersIn(text.replace(/^[<>≤≥]=?\s*/, '')).length > 0
}

/** Words that say what a value must be. */
const limits =
  /(?<!\p{L})(?:min|max)(?!\p{L})|(?<!\p{L})(?:mini|maxi|spec(?!im)|soll|limit|req|grenz|nominal|guarant|garant)|(?<!\p{L})(?:von|bis)(?!\p{L})/iu

export function namesLimit(text: string): boolean {
  return limits.test(text)
}

/** Whether a line says before its first number that it has limits, and so no values of a heat. */
export function isOfLimits({ cells }: Line): boolean {
  const first = cells.findIndex(isNumber)
  return cells.slice(0, first < 0 ? cells.length : first).some(({ text }) => namesLimit(text))
}

function isOfHeadings({ cells }: Line): boolean {
  const headings = cells.filter((cell) => !isNumber(cell) && recogniseCertificateHeading(cell.text))
  return headings.length >= leastHeadings
}

/** Whether the numbers of a line count columns or test pieces: 1, 2, 3. */
function countsColumns({ cells }: Line): boolean {
  const numbers = cells.filter(isNumber)
  return numbers.length >= leastNumbers && numbers.every(({ text }, index) => text === String(index + 1))
}
