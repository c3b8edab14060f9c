import tiff from 'utif2'
import { expect, it } from 'vitest'
import { extractTiffPages } from '../../../src/imports/scans/tiffPages.ts'

/** A TIFF of pages of one shade each, in either order of bytes, with two strips. */
function tiffOf(shades: readonly number[], isLittle: boolean): Buffer {
  const [width, height, rows] = [40, 30, 20]
  const strips = (page: number) =>
    [rows * width, (height - rows) * width].map((bytes) => Buffer.alloc(bytes, shades[page]))
  const places: number[][] = shades.map(() => [])
  let end = 8
  const data = shades.map((_, page) =>
    Buffer.concat(
      strips(page).map((strip) => {
        places[page]!.push(end)
        end += strip.length
        return strip
      }),
    ),
  )
  const directoryLength = 2 + 12 * 9 + 4 + 16
  const directories = shades.map((_, page) => {
    const at = end + page * directoryLength
    const bytes = Buffer.alloc(directoryLength)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const outside = at + 2 + 12 * 9 + 4
    const entries = [
      ...(
        [
          [256, width],
          [257, height],
          [258, 8],
          [259, 1],
          [262, 1],
        ] as const
      ).map(([tag, value]) => [tag, 4, 1, value]),
      [273, 4, 2, outside],
      [277, 4, 1, 1],
      [278, 4, 1, rows],
      [279, 4, 2, outside + 8],
    ]
    view.setUint16(0, entries.length, isLittle)
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      view.setUint16(2 + 12 * index, tag!, isLittle)
      view.setUint16(4 + 12 * index, type!, isLittle)
      view.setUint32(6 + 12 * index, count!, isLittle)
      view.setUint32(10 + 12 * index, value!, isLittle)
    }
    const next = page + 1 < shades.length ? at + directoryLength : 0
    const numbers = [next, ...places[page]!, ...strips(page).map(({ length }) => length)]
    for (const [index, number] of numbers.entries()) view.setUint32(2 + 12 * 9 + 4 * index, number, isLittle)
    return bytes
  })
  const start = Buffer.from(isLittle ? 'II*\0\0\0\0\0' : 'MM\0*\0\0\0\0', 'latin1')
  new DataView(start.buffer, start.byteOffset).setUint32(4, end, isLittle)
  return Buffer.concat([start, ...data, ...directories])
}

function shadesOf(file: Uint8Array): readonly (readonly number[])[] {
  const bytes = Buffer.from(file)
  return tiff.decode(bytes).map((page) => {
    tiff.decodeImage(bytes, page)
    const rgba = tiff.toRGBA8(page)
    return [page.width, page.height, ...new Set(rgba.filter((_, at) => at % 4 === 0))]
  })
}

it.each([true, false])(
  'takes pages out of a TIFF, and nothing of the others (little-endian: %s)',
  (isLittle) => {
    const file = tiffOf([10, 20, 30], isLittle)
    expect(shadesOf(file).map(([, , shade]) => shade)).toEqual([10, 20, 30])
    const pages = extractTiffPages(file, [2, 3])
    expect(shadesOf(pages)).toEqual([
      [40, 30, 20],
      [40, 30, 30],
    ])
    expect(pages.includes(10)).toBe(false)
    expect(shadesOf(extractTiffPages(pages, [1]))).toEqual([[40, 30, 20]])
  },
)

it('refuses by name what is damaged', () => {
  const file = tiffOf([10], true)
  for (const damaged of [file.subarray(0, -20), file.subarray(0, 6), file.subarray(0, 900)])
    expect(() => extractTiffPages(damaged, [1])).toThrow(expect.objectContaining({ code: 'unreadable' }))
  expect(() => extractTiffPages(file, [2])).toThrow(/damaged/)
})
