import { findTexts } from './findTexts.ts'
import type { Models } from './models.ts'
import { inkThreshold, type Picture, type PixelBox, straighten, type Turn } from './picture.ts'
import { readText } from './readTexts.ts'
import { withoutRules } from './rules.ts'
import { skewOf } from './skew.ts'

/** A page with its texts upright: a scanner may have turned it by a quarter, upside down, or askew. */
export interface UprightPage {
  /** Without ruled lines. */
  readonly picture: Picture
  readonly turn: Turn
  /** Ink is no lighter. */
  readonly threshold: number
  /** The places of the texts. */
  readonly boxes: readonly PixelBox[]
  /** The ruled lines that part rows. */
  readonly levelRules: readonly PixelBox[]
}

export async function standUpright(page: Picture, models: Models): Promise<UprightPage> {
  const threshold = inkThreshold(page)
  const angle = skewOf(page, threshold)
  const asScanned = await turnPage(page, threshold, { quarters: 0, angle }, models)
  const isSideways = isMostlyHigh(asScanned.boxes)
  const level = isSideways ? await turnPage(page, threshold, { quarters: 1, angle }, models) : asScanned
  const certainty = await certaintyOf(level, models)
  if (certainty > certainlyUpright) return level
  const opposite = await turnPage(page, threshold, { quarters: isSideways ? 3 : 2, angle }, models)
  return (await certaintyOf(opposite, models)) > certainty ? opposite : level
}

async function turnPage(page: Picture, threshold: number, turn: Turn, models: Models): Promise<UprightPage> {
  const { picture, upright, level } = withoutRules(straighten(page, turn), threshold)
  const boxes = await findTexts(picture, upright, models.finder)
  return { picture, turn, threshold, boxes, levelRules: level }
}

/** Whether most texts are higher than wide. Single letters and digits do not tell. */
function isMostlyHigh(boxes: readonly PixelBox[]): boolean {
  const high = boxes.filter(([left, top, right, bottom]) => bottom - top > 2 * (right - left)).length
  const wide = boxes.filter(([left, top, right, bottom]) => right - left > 2 * (bottom - top)).length
  return high > wide
}

/** This many of the widest texts are read to see whether the page is upside down. */
const samples = 6
/** Texts upside down are never read with more certainty than this on average. Faint texts are read with less, too. */
const certainlyUpright = 0.9

async function certaintyOf({ picture, boxes, threshold }: UprightPage, models: Models): Promise<number> {
  const widest = boxes.toSorted((one, other) => other[2] - other[0] - (one[2] - one[0])).slice(0, samples)
  const texts = await Promise.all(widest.map((box) => readText(picture, box, threshold, models)))
  const certainties = texts.flatMap((text) => text?.certainty ?? [])
  if (certainties.length === 0) return 1
  return certainties.reduce((sum, one) => sum + one, 0) / certainties.length
}
