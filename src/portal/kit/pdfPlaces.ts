/** Where the values of a record stand on the pages of a PDF. */

/** A text on a page, with its left, top, width and height as shares of the page, from 0 to 1. */
export interface PdfText {
  /** From 1. */
  readonly page: number
  readonly text: string
  readonly box: readonly [number, number, number, number]
}

/** A value that is looked for. */
export interface Wanted {
  readonly path: string
  readonly value: string
  /** The heading of its column, if it is one: a table states the same number in several columns. */
  readonly heading?: string
}

/** Return the texts that state each value, by its path. A value that is not found has none. */
export function placesOf(
  texts: readonly PdfText[],
  wanted: readonly Wanted[],
): ReadonlyMap<string, readonly PdfText[]> {
  return new Map(
    wanted.flatMap(({ path, value, heading }) => {
      if (value.trim() === '') return []
      const stating = texts.filter(({ text }) => statesValue(text, value))
      const headings = texts.filter(({ text }) => heading !== undefined && text.trim() === heading)
      const below = stating.filter((one) => headings.some((above) => isBelow(one, above)))
      const matches = heading === undefined ? stating : below
      return matches.length === 0 ? [] : [[path, matches]]
    }),
  )
}

function statesValue(text: string, value: string): boolean {
  const wanted = value.trim().toUpperCase()
  const words = [text.trim(), ...text.trim().split(/[\s:;]+/)]
  const number = numberOf(wanted)
  if (number === undefined) return words.some((word) => word.toUpperCase() === wanted)
  return words.some((word) => numberOf(word) === number)
}

function numberOf(text: string): number | undefined {
  return /^-?\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined
}

function isBelow(one: PdfText, above: PdfText): boolean {
  const [left, top, width] = one.box
  const [headingLeft, headingTop, headingWidth] = above.box
  const isInColumn = left < headingLeft + headingWidth && headingLeft < left + width
  return one.page === above.page && top > headingTop && isInColumn
}
