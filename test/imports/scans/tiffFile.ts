import type { Picture } from '../../../src/imports/scans/picture.ts'

/** TIFF files for the specs. */

/** A TIFF of pages in shades of grey, without compression, in either order of bytes, with two strips. */
export function tiffOf(pictures: readonly Picture[], isLittle: boolean): Buffer {
  const rowsOf = ({ height }: Picture) => Math.ceil((2 * height) / 3)
  const strips = (page: number) => {
    const { width, grey } = pictures[page]!
    const first = rowsOf(pictures[page]!) * width
    return [grey.subarray(0, first), grey.subarray(first)]
  }
  const places: number[][] = pictures.map(() => [])
  let end = 8
  const data = pictures.map((_, page) =>
    Buffer.concat(
      strips(page).map((strip) => {
        places[page]!.push(end)
        end += strip.length
        return strip
      }),
    ),
  )
  const directoryLength = 2 + 12 * 9 + 4 + 16
  const directories = pictures.map((picture, page) => {
    const at = end + page * directoryLength
    const bytes = Buffer.alloc(directoryLength)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const outside = at + 2 + 12 * 9 + 4
    const entries = [
      ...(
        [
          [256, picture.width],
          [257, picture.height],
          [258, 8],
          [259, 1],
          [262, 1],
        ] as const
      ).map(([tag, value]) => [tag, 4, 1, value]),
      [273, 4, 2, outside],
      [277, 4, 1, 1],
      [278, 4, 1, rowsOf(picture)],
      [279, 4, 2, outside + 8],
    ]
    view.setUint16(0, entries.length, isLittle)
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      view.setUint16(2 + 12 * index, tag!, isLittle)
      view.setUint16(4 + 12 * index, type!, isLittle)
      view.setUint32(6 + 12 * index, count!, isLittle)
      view.setUint32(10 + 12 * index, value!, isLittle)
    }
    const next = page + 1 < pictures.length ? at + directoryLength : 0
    const numbers = [next, ...places[page]!, ...strips(page).map(({ length }) => length)]
    for (const [index, number] of numbers.entries()) view.setUint32(2 + 12 * 9 + 4 * index, number, isLittle)
    return bytes
  })
  const start = Buffer.from(isLittle ? 'II*\0\0\0\0\0' : 'MM\0*\0\0\0\0', 'latin1')
  new DataView(start.buffer, start.byteOffset).setUint32(4, end, isLittle)
  return Buffer.concat([start, ...data, ...directories])
}
