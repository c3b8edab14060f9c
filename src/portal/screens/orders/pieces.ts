import type { Dispatch, Finding, LineItem, Traceability } from '../../api/generated.ts'

/** A piece of an order, with the number of its line and what people call the line. */
export type Piece = Traceability['lineItems'][number]['cuts'][number] & {
  readonly lineNumber: number
  readonly about: string
}

type NamedLine = Pick<LineItem, 'lineItemId' | 'profile' | 'pieceMark' | 'description'>

export function piecesOf({ lineItems }: Traceability, ordered: readonly NamedLine[] = []): readonly Piece[] {
  const orderedWith = new Map(ordered.map((line) => [line.lineItemId, line]))
  return lineItems.flatMap(({ lineItemId, lineNumber, cuts }) => {
    const { profile, pieceMark, description } = orderedWith.get(lineItemId) ?? {}
    const about = [profile, pieceMark, description].filter(Boolean).join(' · ')
    return cuts.map((cut) => ({ ...cut, lineNumber, about }))
  })
}

/** Return the cut pieces that are still in the workshop and are not held. */
export function piecesToLeave(
  traced: Traceability,
  dispatches: readonly Dispatch[],
  ordered: readonly NamedLine[],
): readonly Piece[] {
  const key = ({ barId, cutId }: { readonly barId: string; readonly cutId: string }) => `${barId} ${cutId}`
  const dispatchedKeys = new Set(dispatches.flatMap(({ cuts }) => cuts.map(key)))
  return piecesOf(traced, ordered).filter(
    (piece) => piece.barStatus === 'Completed' && !piece.held && !dispatchedKeys.has(key(piece)),
  )
}

/** Return the Block findings on a piece that nobody has overridden. */
export function objectionsTo({ findings }: Pick<Piece, 'findings'>): readonly Finding[] {
  return findings.filter(({ severity, override }) => severity === 'Block' && !override)
}

/** Whether the service lets the piece leave without a decision. */
export function isCleared(piece: Pick<Piece, 'findings' | 'millCertificationId'>): boolean {
  return piece.millCertificationId !== null && objectionsTo(piece).length === 0
}

/** Return the ids of the first cleared pieces, as many as these. */
export function withCount(
  pieces: readonly Pick<Piece, 'cutId' | 'findings' | 'millCertificationId'>[],
  count: number,
): string[] {
  return pieces
    .filter(isCleared)
    .slice(0, count)
    .map(({ cutId }) => cutId)
}
