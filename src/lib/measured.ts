import { createHash } from 'node:crypto'

export interface Measures {
  /** In lower-case hexadecimal. */
  readonly sha256: string
  readonly bytes: number
}

/** Content that is hashed and counted while it passes. */
export interface Measured<Piece extends Uint8Array> {
  readonly content: AsyncIterable<Piece>
  /** Return the measures of all content, once it has passed. */
  measures(): Measures
}

export function measure<Piece extends Uint8Array>(content: AsyncIterable<Piece>): Measured<Piece> {
  const hash = createHash('sha256')
  let bytes = 0
  const passOn = async function* () {
    for await (const piece of content) {
      bytes += piece.length
      hash.update(piece)
      yield piece
    }
  }
  return { content: passOn(), measures: () => ({ sha256: hash.digest('hex'), bytes }) }
}
