import type { Model } from './models.ts'
import { type Picture, type PixelBox, shadeAt } from './picture.ts'

/** Find the places of texts on a page. */

/** The longer side of the page as the network sees it, in pixels: letters of 6 points are then 9 pixels high. */
const longestSide = 1_600
/** The network looks at strips of this height, because its memory grows with the area, and at this much of the next strip. */
const stripHeight = 448
const overlap = 64
/** The network takes sides that are multiples of this. */
const multiple = 32
/** The means and deviations of the colours that the network was trained with. */
const [means, deviations] = [
  [0.485, 0.456, 0.406],
  [0.229, 0.224, 0.225],
]
/** A pixel this likely belongs to a text; a text whose pixels are less likely on average is none. */
const likely = 0.3
const likelyOnAverage = 0.5
/** The network marks the core of a text. The text reaches further by this share of area to circumference. */
const reach = 1.6

/** Return the boxes of texts, each a word or a few. Boxes that cross an upright line are cut there. */
export async function findTexts(
  picture: Picture,
  uprightLines: readonly PixelBox[],
  finder: Model,
): Promise<readonly PixelBox[]> {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const width = roundUp(picture.width * scale)
  const height = roundUp(picture.height * scale)
  const boxes: PixelBox[] = []
  for (let top = 0; top < height; top += stripHeight) {
    const from = Math.max(0, top - overlap)
    const to = Math.min(height, top + stripHeight + overlap)
    const strip = { width, height: to - from, from, scale }
    const { data } = await finder({ data: colours(picture, strip), dims: [1, 3, strip.height, width] })
    for (const [left, upper, right, lower] of textsIn(data, width, strip.height)) {
      const middle = from + (upper + lower) / 2
      const belongsHere = middle >= top && middle < top + stripHeight
      if (belongsHere)
        boxes.push([left / scale, (from + upper) / scale, right / scale, (from + lower) / scale])
    }
  }
  return boxes.flatMap((box) => cut(box, uprightLines))
}

function roundUp(pixels: number): number {
  return Math.max(multiple, Math.ceil(pixels / multiple) * multiple)
}

interface Strip {
  readonly width: number
  readonly height: number
  readonly from: number
  readonly scale: number
}

/** Return the strip as the network takes it: each colour after the other. */
function colours(picture: Picture, { width, height, from, scale }: Strip): Float32Array {
  const input = new Float32Array(3 * width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const shade = shadeAt(picture, (x + 0.5) / scale - 0.5, (from + y + 0.5) / scale - 0.5) / 255
      for (let colour = 0; colour < 3; colour += 1)
        input[(colour * height + y) * width + x] = (shade - means![colour]!) / deviations![colour]!
    }
  return input
}

/** Return the boxes of pixels that hang together and belong to a text. */
function* textsIn(likelihood: Float32Array, width: number, height: number): Generator<PixelBox> {
  const visited = new Uint8Array(likelihood.length)
  for (let start = 0; start < likelihood.length; start += 1) {
    if (visited[start] || likelihood[start]! <= likely) continue
    const { box, average } = spread(likelihood, visited, start, width)
    const [left, top, right, bottom] = box
    const [wide, high] = [right - left, bottom - top]
    if (average < likelyOnAverage || wide < 3 || high < 3) continue
    const more = (wide * high * reach) / (2 * (wide + high))
    yield [
      Math.max(0, left - more),
      Math.max(0, top - more),
      Math.min(width, right + more),
      Math.min(height, bottom + more),
    ]
  }
}

function spread(likelihood: Float32Array, visited: Uint8Array, start: number, width: number) {
  const open = [start]
  visited[start] = 1
  let [left, top, right, bottom, sum, count] = [width, likelihood.length, 0, 0, 0, 0]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + 1)
    sum += likelihood[at]!
    count += 1
    const near = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]
    for (const next of near)
      if (next >= 0 && next < likelihood.length && !visited[next] && likelihood[next]! > likely) {
        visited[next] = 1
        open.push(next)
      }
  }
  return { box: [left, top, right, bottom] as PixelBox, average: sum / count }
}

/** The part of a text that a line of a table leaves on one side is at least this wide, as a share of its height. */
const narrowest = 0.2

/** The grey edge of a line, in pixels. */
const edgeOfLine = 2

function cut([left, top, right, bottom]: PixelBox, uprightLines: readonly PixelBox[]): PixelBox[] {
  const middle = (top + bottom) / 2
  const crossing = uprightLines
    .filter(([from, upper, to, lower]) => to > left && from < right && upper <= middle && lower >= middle)
    .toSorted((one, other) => one[0] - other[0])
  const starts = [left, ...crossing.map(([, , to]) => to + edgeOfLine)]
  const ends = [...crossing.map(([from]) => from - edgeOfLine), right]
  return starts
    .map((from, index): PixelBox => [from, top, ends[index]!, bottom])
    .filter(([from, , to]) => to - from > narrowest * (bottom - top))
}
