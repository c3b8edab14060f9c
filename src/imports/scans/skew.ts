import type { Picture } from './picture.ts'

/** The angle by which the lines of a page are askew, as a scanner with a feeder makes it. */

/** The largest angle that is looked for, and the steps of two looks, in degrees. */
const largestDegrees = 6
const coarseDegrees = 0.5
const fineDegrees = 0.1
/** Pixels of ink beyond this number tell nothing more. */
const mostPoints = 40_000

const radians = Math.PI / 180

/**
 * Return the angle of the lines, clockwise, in radians: the one at which the rows of the page are the most uneven, because
 * lines of text and gaps between them then fall into different rows. @param threshold ink is no lighter
 */
export function skewOf(picture: Picture, threshold: number): number {
  const points = inkOf(picture, threshold)
  if (points.length === 0) return 0
  const evenness = (degrees: number) => unevennessOf(points, picture, degrees)
  const coarse = findBest(-largestDegrees, largestDegrees, coarseDegrees, evenness)
  const fine = findBest(coarse - coarseDegrees, coarse + coarseDegrees, fineDegrees, evenness)
  return Math.abs(fine) < fineDegrees / 2 ? 0 : fine * radians
}

/** Return the places of ink that ends below: the lower edges of letters and rules, each as x and y. */
function inkOf({ width, height, grey }: Picture, threshold: number): Float32Array {
  const places: number[] = []
  for (let at = 0; at < grey.length - width; at += 1)
    if (grey[at]! <= threshold && grey[at + width]! > threshold) places.push(at)
  const step = Math.max(1, Math.ceil(places.length / mostPoints))
  const points = new Float32Array(2 * Math.ceil(places.length / step))
  for (let index = 0; index * step < places.length; index += 1) {
    const at = places[index * step]!
    points[2 * index] = (at % width) - width / 2
    points[2 * index + 1] = Math.floor(at / width) - height / 2
  }
  return points
}

function findBest(from: number, to: number, step: number, value: (degrees: number) => number): number {
  let [most, degreesOfMost] = [-1, 0]
  for (let index = 0; index <= Math.round((to - from) / step); index += 1) {
    const degrees = from + index * step
    const here = value(degrees)
    if (here > most) [most, degreesOfMost] = [here, degrees]
  }
  return degreesOfMost
}

function unevennessOf(points: Float32Array, { width, height }: Picture, degrees: number): number {
  const slope = Math.tan(degrees * radians)
  const rows = new Uint32Array(height + 2 * Math.ceil(width * Math.tan(largestDegrees * radians * 2)) + 2)
  const middle = rows.length / 2
  for (let index = 0; index < points.length; index += 2)
    rows[Math.floor(points[index + 1]! - points[index]! * slope + middle)]! += 1
  return rows.reduce((sum, count) => sum + count * count, 0)
}
