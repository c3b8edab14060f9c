import type { Picture, PixelBox } from './picture.ts'

/** The ruled lines of forms and tables: they part the cells, and are taken away before the letters are read. */

export interface Rules {
  /** The picture without its ruled lines. */
  readonly picture: Picture
  /** The lines between columns, and the lines between rows. */
  readonly upright: readonly PixelBox[]
  readonly level: readonly PixelBox[]
}

/** A ruled line is longer than this share of the longer side of the page, so that no letter is one. */
const shortest = 1 / 45
/** Ruled lines are thinner than this share of the longer side. */
const thickest = 1 / 200

/** @param threshold ink is no lighter */
export function withoutRules(picture: Picture, threshold: number): Rules {
  const { width, height, grey } = picture
  const along = { lines: height, length: width, line: width, step: 1 }
  const down = { lines: width, length: height, line: 1, step: width }
  const level = marksOf(picture, threshold, along)
  const upright = marksOf(picture, threshold, down)
  const clean = grey.slice()
  for (let at = 0; at < grey.length; at += 1) if (level[at] || upright[at]) whiten(clean, width, at)
  return {
    picture: { width, height, grey: clean },
    level: boxesOf(level, along).map(([top, left, bottom, right]): PixelBox => [left, top, right, bottom]),
    upright: boxesOf(upright, down),
  }
}

interface Direction {
  readonly lines: number
  readonly length: number
  /** The distance between two lines of the picture, and between two pixels of a line. */
  readonly line: number
  readonly step: number
}

/** Return marks on long runs of ink that are thin. A gap of one pixel does not end a run. */
function marksOf(
  { width, height, grey }: Picture,
  threshold: number,
  { lines, length, line, step }: Direction,
): Uint8Array {
  const side = Math.max(width, height)
  const [least, most] = [Math.round(side * shortest), Math.round(side * thickest)]
  const marks = new Uint8Array(grey.length)
  for (let index = 0; index < lines; index += 1)
    for (const [from, to] of runsOf((along) => grey[index * line + along * step]! <= threshold, length)) {
      if (to - from < least) continue
      for (let along = from; along < to; along += 1) {
        const at = index * line + along * step
        if (measureThickness(grey, threshold, at, line, most) <= most) marks[at] = 1
      }
    }
  return marks
}

/** Yield the runs of ink, each from its first place to the one behind its last. */
function* runsOf(isInk: (along: number) => boolean, length: number): Generator<readonly [number, number]> {
  let [from, end] = [0, -1]
  for (let along = 0; along < length; along += 1) {
    if (!isInk(along)) continue
    if (end >= 0 && along > end + 1) yield [from, end]
    if (end < 0 || along > end + 1) from = along
    end = along + 1
  }
  if (end >= 0) yield [from, end]
}

/** Return how much ink lies side by side across a line, or more than `most`. */
function measureThickness(
  grey: Uint8Array,
  threshold: number,
  at: number,
  across: number,
  most: number,
): number {
  let count = 1
  for (let next = at - across; count <= most && next >= 0 && grey[next]! <= threshold; next -= across)
    count += 1
  for (
    let next = at + across;
    count <= most && next < grey.length && grey[next]! <= threshold;
    next += across
  )
    count += 1
  return count
}

/** The grey edge of a line belongs to it. */
function whiten(grey: Uint8Array, width: number, at: number): void {
  for (const near of [at, at - 1, at + 1, at - 2, at + 2, at - width, at + width])
    if (near >= 0 && near < grey.length) grey[near] = 255
}

/**
 * Return the ruled lines as boxes of an upright picture: marks side by side are one line. Of a level line, x and y are
 * exchanged.
 */
function boxesOf(marks: Uint8Array, { lines, length, line, step }: Direction): readonly PixelBox[] {
  const boxes: [number, number, number, number][] = []
  for (let index = 0; index < lines; index += 1)
    for (const [from, to] of runsOf((along) => marks[index * line + along * step] === 1, length)) {
      const near = boxes.findLast((box) => index - box[2] <= 2 && from <= box[3] && to >= box[1])
      if (near) {
        near[1] = Math.min(near[1], from)
        near[2] = index
        near[3] = Math.max(near[3], to)
      } else boxes.push([index, from, index, to])
    }
  return boxes
}
