import { type Sentence, sentence } from './sentence.ts'

/** The steel that is left of a certificate. */

export interface Amount {
  readonly pieces: number
  /** null when a length is not known. */
  readonly metres: number | null
}

export interface Stock {
  /** The sum of all deliveries that are not voided. */
  readonly delivered: Amount
  /** Bars of new stock that are not Completed yet. */
  readonly planned: Amount
  /** Completed bars of new stock. */
  readonly cut: Amount
  /** Pieces that were cut wrong, which are a part of `cut`. */
  readonly scrapped: Amount
  /** May be negative. */
  readonly remaining: Amount
}

/** Half a millimetre comes from the arithmetic of a nesting program. */
const leastMetres = 0.0005

/** Say how much more is planned and cut than was delivered; undefined when it is not more. */
export function excessOf({ delivered, planned, cut, remaining }: Stock) {
  const isExceeded = remaining.metres === null ? remaining.pieces < 0 : remaining.metres < -leastMetres
  if (!isExceeded) return undefined
  const used = {
    pieces: planned.pieces + cut.pieces,
    metres: planned.metres === null || cut.metres === null ? null : planned.metres + cut.metres,
  }
  return { delivered: inWords(delivered), used: inWords(used) }
}

export function piecesInWords(count: number): Sentence {
  return sentence('pieces', { count })
}

function inWords({ pieces, metres }: Amount): Sentence {
  const count = piecesInWords(pieces)
  return metres === null ? count : sentence('metres', { count, metres: Number(metres.toFixed(3)) })
}
