/** A page of a document with its texts, whether they come from the text layer of a PDF or were read from a picture. */

/** Left, bottom, right, top: points from the lower left corner of the page. */
export type Box = readonly [number, number, number, number]

/** A text that stands together: what a file draws at once, or what was read at once. */
export interface Run {
  readonly text: string
  readonly box: Box
  /** The size of the letters, in points. */
  readonly size: number
  readonly font: string
}

export interface Page {
  /** From 1. */
  readonly page: number
  readonly box: Box
  /** The horizontal texts. */
  readonly runs: readonly Run[]
  /** All texts of the page, a line for each line. */
  readonly text: string
  /** The ruled lines that part rows; none are known of a text layer. */
  readonly levelRules: readonly Box[]
}

/** Round to tenths of a point. */
export function rounded(points: number): number {
  return Math.round(points * 10) / 10
}
