import type { At } from '../readRow.ts'
import type { Box, Page, Run } from './page.ts'

/** The lines of a page, and the cells on each: texts with a gap between them, or in different fonts. */

export interface Cell {
  readonly text: string
  readonly box: Box
  readonly size: number
}

export interface Line {
  readonly page: number
  readonly bottom: number
  /** From left to right. */
  readonly runs: readonly Run[]
  readonly cells: readonly Cell[]
}

/** The lines of a page, from its top to its bottom. */
export function linesOf({ page, runs }: Page): readonly Line[] {
  const lines: { bottom: number; size: number; runs: Run[] }[] = []
  for (const run of runs.toSorted((one, other) => other.box[1] - one.box[1])) {
    const line = lines.at(-1)
    if (line && line.bottom - run.box[1] <= 0.35 * Math.min(line.size, run.size)) line.runs.push(run)
    else lines.push({ bottom: run.box[1], size: run.size, runs: [run] })
  }
  return lines.map((line) => {
    const inOrder = line.runs.toSorted((one, other) => one.box[0] - other.box[0])
    return { page, bottom: line.bottom, runs: inOrder, cells: cellsOf(inOrder) }
  })
}

function cellsOf(runs: readonly Run[]): readonly Cell[] {
  const cells: (Cell & { readonly font: string })[] = []
  for (const run of runs) {
    const before = cells.at(-1)
    const gap = before ? run.box[0] - before.box[2] : Number.POSITIVE_INFINITY
    if (before?.font === run.font && gap <= 0.5 * run.size) {
      const text = `${before.text}${gap > 0.15 * run.size ? ' ' : ''}${run.text}`
      const [left, bottom, right, top] = before.box
      const box: Box = [
        left,
        Math.min(bottom, run.box[1]),
        Math.max(right, run.box[2]),
        Math.max(top, run.box[3]),
      ]
      cells[cells.length - 1] = { ...before, text, box }
    } else cells.push({ text: run.text, box: run.box, size: run.size, font: run.font })
  }
  return cells.map(({ text, box, size }) => ({ text, box, size }))
}

export function placeOf({ page }: Pick<Line, 'page'>, { box }: Pick<Cell, 'box'>): At {
  return { page, box }
}

/** Whether two cells stand above each other. */
export function overlap({ box: [left, , right] }: Cell, { box: [otherLeft, , otherRight] }: Cell): boolean {
  return left < otherRight && otherLeft < right
}
