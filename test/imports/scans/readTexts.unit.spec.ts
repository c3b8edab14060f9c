import { expect, it } from 'vitest'
import type { Models } from '../../../src/imports/scans/models.ts'
import type { Picture } from '../../../src/imports/scans/picture.ts'
import { readText } from '../../../src/imports/scans/readTexts.ts'

const [ink, paper] = [0, 255]

/** A picture of upright strokes, each 8 pixels wide, side by side. */
function strokes(count: number): Picture {
  const [width, height] = [count * 16 + 8, 40]
  const grey = new Uint8Array(width * height).fill(paper)
  for (let y = 8; y < 32; y += 1)
    for (let stroke = 0; stroke < count; stroke += 1)
      grey.fill(ink, y * width + 8 + stroke * 16, y * width + 16 + stroke * 16)
  return { width, height, grey }
}

/** A network that reads this text, whatever it sees, and is sure of it. */
function reading(text: string): Pick<Models, 'reader' | 'letters'> {
  const letters = ['', ...new Set(text)]
  // A step without a letter parts letters that are the same.
  const steps = [...text].flatMap((letter) => [letters.indexOf(letter), 0])
  const data = new Float32Array(steps.length * letters.length)
  for (const [step, letter] of steps.entries()) data[step * letters.length + letter] = 0.9
  return { letters, reader: async () => ({ data, dims: [1, steps.length, letters.length] }) }
}

function read(text: string, pieces: number) {
  const picture = strokes(pieces)
  return readText(picture, [0, 0, picture.width, picture.height], 128, reading(text))
}

it('doubts a number with more digits than pieces of ink, if one of them may be read twice', async () => {
  expect((await read('355', 3))!.confidence).toBeCloseTo(0.9)
  expect((await read('355', 2))!.confidence).toBeCloseTo(0.3)
  expect((await read('345', 2))!.confidence).toBeCloseTo(0.9)
})

it('doubts a number that begins with its decimal point', async () => {
  expect((await read('.35', 3))!.confidence).toBeCloseTo(0.3)
})

it('doubts a number that something crosses', async () => {
  const picture = strokes(3)
  for (const [top, bottom] of [
    [10, 40],
    [0, 30],
  ] as const) {
    const crossed = await readText(picture, [0, top, picture.width, bottom], 128, reading('345'))
    expect(crossed!.confidence).toBeCloseTo(0.3)
  }
})

it('finds no text where there is no ink', async () => {
  expect(await read('355', 0)).toBeUndefined()
})
