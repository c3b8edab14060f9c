import tiff from 'utif2'
import { expect, it } from 'vitest'
import { extractTiffPages } from '../../../src/imports/scans/tiffPages.ts'
import { tiffOf } from './tiffFile.ts'

/** Pages of one shade each. */
function shaded(shades: readonly number[], isLittle: boolean): Buffer {
  const [width, height] = [40, 30]
  const picture = (shade: number) => ({ width, height, grey: new Uint8Array(width * height).fill(shade) })
  return tiffOf(shades.map(picture), isLittle)
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
    const file = shaded([10, 20, 30], isLittle)
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
  const file = shaded([10], true)
  for (const damaged of [file.subarray(0, -20), file.subarray(0, 6), file.subarray(0, 900)])
    expect(() => extractTiffPages(damaged, [1])).toThrow(expect.objectContaining({ code: 'unreadable' }))
  expect(() => extractTiffPages(file, [2])).toThrow(/damaged/)
})
