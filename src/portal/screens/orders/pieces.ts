import type { Dispatch, Traceability } from '../../api/generated.ts'

/** A piece of an order, with the number of its line. */
export type Piece = Traceability['lineItems'][number]['cuts'][number] & { readonly lineNumber: number }

export function piecesOf({ lineItems }: Traceability): readonly Piece[] {
  return lineItems.flatMap(({ lineNumber, cuts }) => cuts.map((cut) => ({ ...cut, lineNumber })))
}

/** Return the cut pieces that are still in the workshop and are not held. */
export function piecesToLeave(traced: Traceability, dispatches: readonly Dispatch[]): readonly Piece[] {
  const key = ({ barId, cutId }: { readonly barId: string; readonly cutId: string }) => `${barId} ${cutId}`
  const gone = new Set(dispatches.flatMap(({ cuts }) => cuts.map(key)))
  return piecesOf(traced).filter(
    (piece) => piece.barStatus === 'Completed' && !piece.held && !gone.has(key(piece)),
  )
}
