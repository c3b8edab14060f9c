import type { Dispatch, Traceability } from '../../api/generated.ts'

/** A cut piece of an order, with the number of its line. */
export type Piece = Traceability['lineItems'][number]['cuts'][number] & { readonly lineNumber: number }

/** Return the cut pieces that are still in the workshop. */
export function piecesToLeave(
  { lineItems }: Traceability,
  dispatches: readonly Dispatch[],
): readonly Piece[] {
  const key = ({ barId, cutId }: { readonly barId: string; readonly cutId: string }) => `${barId} ${cutId}`
  const gone = new Set(dispatches.flatMap(({ cuts }) => cuts.map(key)))
  return lineItems.flatMap(({ lineNumber, cuts }) =>
    cuts
      .filter((cut) => cut.barStatus === 'Completed' && !gone.has(key(cut)))
      .map((cut) => ({ ...cut, lineNumber })),
  )
}
