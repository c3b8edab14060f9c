import type { ReadRow } from './readRow.ts'

/** Long rows are handed over in pieces, because the service can do nothing else while it takes one. */

/** A part of the values, the undecided fields and the faults of a row. */
export interface RowPiece extends ReadRow {
  readonly isLast: boolean
}

/** A piece has at most this many values. */
const valuesOfPiece = 2_000

export function* piecesOf(row: ReadRow): Generator<RowPiece> {
  const { values, undecided, faults } = row
  const most = Math.max(values.length, undecided.length, faults.length)
  for (let from = 0, isLast = false; !isLast; from += valuesOfPiece) {
    const to = from + valuesOfPiece
    isLast = to >= most
    yield {
      ...row,
      values: values.slice(from, to),
      undecided: undecided.slice(from, to),
      faults: faults.slice(from, to),
      isLast,
    }
  }
}

/** Put the rows together again. */
export async function* joinRows(pieces: AsyncIterable<RowPiece>): AsyncIterable<ReadRow> {
  let before: RowPiece[] = []
  for await (const piece of pieces) {
    before.push(piece)
    if (!piece.isLast) continue
    yield joinPieces(before)
    before = []
  }
}

function joinPieces([first, ...others]: readonly RowPiece[]): ReadRow {
  const { isLast: _, ...row } = first!
  if (others.length === 0) return row
  return {
    ...row,
    values: [row, ...others].flatMap(({ values }) => values),
    undecided: [row, ...others].flatMap(({ undecided }) => undecided),
    faults: [row, ...others].flatMap(({ faults }) => faults),
  }
}
