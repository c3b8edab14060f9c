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
  /** Only a page of a picture has it. */
  readonly scan?: Scan
}

/** How a page was read from a picture. */
export interface Scan {
  readonly texts: readonly ScannedText[]
  /** Return where a box of the upright page is on the page as it was scanned. */
  placeOf(box: Box): { readonly box: Box; readonly turned?: Turned }
}

/** Degrees by which a scanned page has to be turned clockwise to stand upright. */
export type Turned = 90 | 180 | 270

export interface ScannedText {
  readonly box: Box
  /** The certainty of the least certain letter, from 0 to 1. */
  readonly confidence: number
}

/** Round to tenths of a point. */
export function roundPoints(points: number): number {
  return Math.round(points * 10) / 10
}
