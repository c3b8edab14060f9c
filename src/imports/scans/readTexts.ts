import type { Models } from './models.ts'
import { type Picture, type PixelBox, shadeAt } from './picture.ts'

/** Read the texts of boxes. */

export interface ReadText {
  readonly text: string
  /** The certainty of the least certain letter, from 0 to 1. */
  readonly confidence: number
  /** The mean certainty of the letters. */
  readonly certainty: number
  /** Closely around the ink. */
  readonly box: PixelBox
}

/** The height of a text as the network takes it, and the pixels of each of its steps. */
const textHeight = 48
const stepWidth = 8
/** The longest text, in pixels of that height. */
const longestText = 3_200

/** Return the text in a box; undefined if there is none. @param threshold ink is no lighter */
export async function readText(
  picture: Picture,
  box: PixelBox,
  threshold: number,
  models: Pick<Models, 'reader' | 'letters'>,
): Promise<ReadText | undefined> {
  const ink = inkIn(picture, box, threshold)
  if (!ink) return undefined
  if (ink.isColon) return { text: ':', confidence: 1, certainty: 1, box: ink.box }
  const inkText = await readInk(picture, ink, models)
  if (inkText.text === '') return undefined
  return isNumber(inkText.text) ? doubtDigits(inkText, ink) : inkText
}

function isNumber(text: string): boolean {
  return text.length <= 14 && /\d/.test(text)
}

/** A number whose digits may be one too many or one too few, or that is crossed, is no more certain than this. */
const doubtful = 0.3

/**
 * One digit is read as two at times, where a step of the network falls between its halves. There are then more letters
 * than pieces of ink, as there are where two digits touch. The digit before a decimal point may be lost.
 */
function doubtDigits(read: ReadText, { pieces, isCrossed }: Ink): ReadText {
  const letters = read.text.replaceAll(' ', '').length
  const mayBeDoubled = letters > pieces && /([0-9])\1/.test(read.text)
  const mayLackDigit = /^[.,]/.test(read.text)
  return mayBeDoubled || mayLackDigit || isCrossed
    ? { ...read, confidence: Math.min(doubtful, read.confidence) }
    : read
}

async function readInk(
  picture: Picture,
  ink: Ink,
  { reader, letters }: Pick<Models, 'reader' | 'letters'>,
): Promise<ReadText> {
  const frame = addMargin(ink.box)
  const scale = textHeight / (frame[3] - frame[1])
  const width = Math.min(longestText, Math.ceil(((frame[2] - frame[0]) * scale) / stepWidth) * stepWidth)
  const { data, dims } = await reader({
    data: enlarge(picture, frame, width),
    dims: [1, 3, textHeight, width],
  })
  const [, steps, kinds] = dims as [number, number, number]
  const pixelsPerStep = (frame[2] - frame[0]) / steps
  const lettersOfText = lettersIn(data, steps, kinds).map(({ letter, step, likelihood }) => ({
    text: letters[letter]!,
    likelihood,
    x: frame[0] + (step + 0.5) * pixelsPerStep,
  }))
  const likelihoods = lettersOfText.map(({ likelihood }) => likelihood)
  return {
    text: joinLetters(lettersOfText, ink.gaps),
    confidence: Math.min(1, ...likelihoods),
    certainty: likelihoods.reduce((sum, one) => sum + one, 0) / Math.max(1, likelihoods.length),
    box: ink.box,
  }
}

/** Leave out texts whose ink lies mostly in another one: a text at the edge of a strip is found twice, once in part. */
export function withoutParts(texts: readonly ReadText[]): readonly ReadText[] {
  const largestFirst = texts.toSorted((one, other) => areaOf(other.box) - areaOf(one.box))
  const wholeTexts: ReadText[] = []
  for (const text of largestFirst)
    if (!wholeTexts.some(({ box }) => areaOf(intersect(text.box, box)) > areaOf(text.box) / 2))
      wholeTexts.push(text)
  return wholeTexts
}

function areaOf([left, top, right, bottom]: PixelBox): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}

function intersect(one: PixelBox, other: PixelBox): PixelBox {
  return [
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ]
}

interface Ink {
  readonly box: PixelBox
  /** Gaps that may part words: the middle of each, and its width as a share of the height of the letters. */
  readonly gaps: readonly { readonly x: number; readonly wide: number }[]
  /** The number of pieces side by side: of letters that do not touch, their number. */
  readonly pieces: number
  readonly isColon: boolean
  /** Whether ink reaches over the box: a stamp or a line of a pen crosses the text. */
  readonly isCrossed: boolean
}

/** A gap between words is wider than this share of the height of the letters. Between digits, a 1 has a wide gap. */
const gapOfWords = 0.24
const gapOfNumbers = 0.6
/** In a heading with wide lettering, a gap between words is wider than this many of its usual gaps. */
const gapsOfLetters = 2.2

function inkIn({ width, height, grey }: Picture, box: PixelBox, threshold: number): Ink | undefined {
  const left = Math.max(0, Math.floor(box[0]))
  const top = Math.max(0, Math.floor(box[1]))
  const right = Math.min(width, Math.ceil(box[2]))
  const bottom = Math.min(height, Math.ceil(box[3]))
  const columns = new Uint32Array(Math.max(0, right - left))
  const rows = new Uint32Array(Math.max(0, bottom - top))
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1)
      if (grey[y * width + x]! <= threshold) {
        columns[x - left]! += 1
        rows[y - top]! += 1
      }
  const inkColumns = [...columns.keys()].filter((x) => columns[x]! > 0)
  const inkRows = [...rows.keys()].filter((y) => rows[y]! > 0)
  if (inkColumns.length < 2 || inkRows.length < 2) return undefined
  const high = inkRows.at(-1)! - inkRows[0]! + 1
  const all = inkColumns
    .slice(1)
    .map((to, index) => ({
      x: left + (inkColumns[index]! + to) / 2,
      wide: (to - inkColumns[index]! - 1) / high,
    }))
    .filter(({ wide }) => wide > 0)
  const usual =
    all.map(({ wide }) => wide).toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
  const gaps = all.filter(({ wide }) => wide > Math.max(gapOfWords, gapsOfLetters * usual))
  return {
    box: [left + inkColumns[0]!, top + inkRows[0]!, left + inkColumns.at(-1)! + 1, top + inkRows.at(-1)! + 1],
    gaps,
    pieces: all.length + 1,
    isCrossed: rows[0]! > 0 || rows.at(-1)! > 0,
    isColon: isColon(inkRows, inkColumns.at(-1)! - inkColumns[0]! + 1),
  }
}

/** Whether the ink is two dots above each other, which the network takes for a digit. */
function isColon(inkRows: readonly number[], width: number): boolean {
  const gap = inkRows.findIndex((row, index) => row - (inkRows[index - 1] ?? row) > 1)
  const high = inkRows.at(-1)! - inkRows[0]! + 1
  if (gap < 0 || 2 * width > high) return false
  const [upper, lower] = [inkRows[gap - 1]! - inkRows[0]! + 1, inkRows.at(-1)! - inkRows[gap]! + 1]
  return Math.max(upper, lower) < 0.4 * high && Math.abs(upper - lower) <= 0.15 * high
}

/** The margin around a text, as a share of its height, as the network was trained with it. */
const margin = 0.2

/** Return the box with a margin, and more above and below a dash. */
function addMargin([left, top, right, bottom]: PixelBox): PixelBox {
  const high = Math.max(bottom - top, Math.min(24, (right - left) / 2))
  const middle = (top + bottom) / 2
  const around = margin * high
  return [left - around, middle - high / 2 - around, right + around, middle + high / 2 + around]
}

function enlarge(picture: Picture, [left, top, right, bottom]: PixelBox, width: number): Float32Array {
  const input = new Float32Array(3 * textHeight * width)
  const colour = textHeight * width
  for (let y = 0; y < textHeight; y += 1)
    for (let x = 0; x < width; x += 1) {
      const fromX = left + ((x + 0.5) * (right - left)) / width - 0.5
      const fromY = top + ((y + 0.5) * (bottom - top)) / textHeight - 0.5
      const shade = shadeAt(picture, fromX, fromY) / 127.5 - 1
      const at = y * width + x
      input[at] = shade
      input[colour + at] = shade
      input[2 * colour + at] = shade
    }
  return input
}

interface Letter {
  readonly letter: number
  readonly step: number
  readonly likelihood: number
}

/** Return the letters: the likeliest at each step, where a repeat without a gap is the same letter (CTC). */
function lettersIn(likelihoods: Float32Array, steps: number, kinds: number): readonly Letter[] {
  const letters: Letter[] = []
  let before = 0
  for (let step = 0; step < steps; step += 1) {
    let [letter, likelihood] = [0, 0]
    for (let kind = 0; kind < kinds; kind += 1) {
      const here = likelihoods[step * kinds + kind]!
      if (here > likelihood) [letter, likelihood] = [kind, here]
    }
    if (letter !== 0 && letter !== before) letters.push({ letter, step, likelihood })
    before = letter
  }
  return letters
}

/** Signs of full width, as the network writes them at times. */
const narrow: Readonly<Record<string, string>> = {
  '（': '(',
  '）': ')',
  '：': ':',
  '，': ',',
  '％': '%',
  '。': '.',
}

/** Put the letters together. The network drops most spaces, so they come from the gaps between the letters. */
function joinLetters(letters: readonly { text: string; x: number }[], gaps: Ink['gaps']): string {
  let text = ''
  for (const [index, { text: letter, x }] of letters.entries()) {
    const before = letters[index - 1]
    const least = /^[\d.,]$/.test(letter) && /^[\d.,]$/.test(before?.text ?? '') ? gapOfNumbers : gapOfWords
    const isParted = gaps.some((gap) => before && gap.x > before.x && gap.x < x && gap.wide > least)
    if (isParted) text += ' '
    text += narrow[letter] ?? letter
  }
  return text.replaceAll(/\s+/g, ' ').trim()
}
