import type { Line } from './lines.ts'
import type { Box } from './page.ts'

/** The columns of a table, by the places of its values. */

export interface Column {
  readonly left: number
  readonly right: number
}

/** A gap between columns may be crossed by this share of the cells beside it: by texts that were read as one. */
const mostCrossing = 0.25

interface Stretch extends Column {
  /** The number of cells that reach over it. */
  readonly cells: number
}

/** Return the columns: cells of all lines that stand above each other. */
export function columnsOf(block: readonly Line[]): readonly Column[] {
  const boxes = block.flatMap((line) => line.cells.map(({ box }) => box))
  const edges = [...new Set(boxes.flatMap(([left, , right]) => [left, right]))].toSorted(
    (one, other) => one - other,
  )
  const stretches = edges.slice(1).map((right, index): Stretch => {
    const left = edges[index]!
    return { left, right, cells: boxes.filter((box) => box[0] <= left && box[2] >= right).length }
  })
  return [...partedAtGaps(stretches)].map((parts) => ({ left: parts[0]!.left, right: parts.at(-1)!.right }))
}

function* partedAtGaps(stretches: readonly Stretch[]): Generator<readonly Stretch[]> {
  const mostCells = (parts: readonly Stretch[]) => Math.max(0, ...parts.map(({ cells }) => cells))
  const gap = stretches.findIndex(
    ({ cells }, index) =>
      cells <=
      mostCrossing * Math.min(mostCells(stretches.slice(0, index)), mostCells(stretches.slice(index + 1))),
  )
  if (gap < 0) {
    if (mostCells(stretches) > 0) yield stretches
    return
  }
  yield* partedAtGaps(stretches.slice(0, gap))
  yield* partedAtGaps(stretches.slice(gap + 1))
}

/** Return the room of a column: up to the middle of the gaps beside it. */
export function slotOf(columns: readonly Column[], index: number): Column {
  const [before, here, next] = [columns[index - 1], columns[index]!, columns[index + 1]]
  const width = here.right - here.left
  return {
    left: before ? (before.right + here.left) / 2 : here.left - width,
    right: next ? (here.right + next.left) / 2 : here.right + width,
  }
}

/** A text that reaches over several columns belongs to none of them. */
const leastInside = 0.8

export function isIn([left, , right]: Box, slot: Column): boolean {
  const inside = Math.min(right, slot.right) - Math.max(left, slot.left)
  return inside >= leastInside * (right - left)
}

/** Whether a text stands above the values of a column. */
export function isAbove([left, , right]: Box, column: Column): boolean {
  return left < column.right && column.left < right
}
