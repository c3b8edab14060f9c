import { unreadable } from '../unreadable.ts'

/** Take pages out of a TIFF as they were scanned: their data is copied, and nothing is drawn anew (TIFF 6.0). */

/** The bytes of one value, by the type of an entry. */
const bytesOfType = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
const [short, long] = [3, 4]
/** The tags of the places of strips, of tiles and of a JPEG of the older kind, each with that of their lengths. */
const placesAndLengths = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const
/** Directories beside the page, such as that of a camera. They are left out, because nothing moves what they name. */
const otherDirectories = [330, 34_665, 34_853, 40_965]

interface Entry {
  readonly tag: number
  readonly type: number
  readonly count: number
  readonly bytes: Uint8Array
}

/** @param pages from 1 @throws Failure `unreadable` */
export function extractTiffPages(file: Uint8Array, pages: readonly number[]): Uint8Array {
  try {
    const isLittle = file[0] === 'I'.charCodeAt(0)
    const directories = [...readDirectories(file, isLittle)]
    return writeDirectories(
      file,
      pages.map((page) => directories[page - 1]!),
      isLittle,
    )
  } catch {
    throw unreadable('damaged', 'This TIFF is damaged, so its pages cannot be parted. Ask for it again.')
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function* readDirectories(file: Uint8Array, isLittle: boolean): Generator<readonly Entry[]> {
  const view = viewOf(file)
  const offsets = new Set<number>()
  for (let at = view.getUint32(4, isLittle); at !== 0 && !offsets.has(at); ) {
    offsets.add(at)
    const count = view.getUint16(at, isLittle)
    yield Array.from({ length: count }, (_, index) => readEntry(file, at + 2 + 12 * index, isLittle))
    at = view.getUint32(at + 2 + 12 * count, isLittle)
  }
}

function readEntry(file: Uint8Array, at: number, isLittle: boolean): Entry {
  const view = viewOf(file)
  const [tag, type] = [view.getUint16(at, isLittle), view.getUint16(at + 2, isLittle)]
  const count = view.getUint32(at + 4, isLittle)
  const length = count * bytesOfType[type]!
  const place = length <= 4 ? at + 8 : view.getUint32(at + 8, isLittle)
  return { tag, type, count, bytes: sliceOf(file, place, length) }
}

/** @throws RangeError when the file ends before */
function sliceOf(file: Uint8Array, from: number, length: number): Uint8Array {
  if (!(from + length <= file.length)) throw new RangeError('the file ends before')
  return file.slice(from, from + length)
}

function writeDirectories(
  file: Uint8Array,
  directories: readonly (readonly Entry[])[],
  isLittle: boolean,
): Uint8Array {
  const parts: Uint8Array[] = []
  let end = 0
  const append = (bytes: Uint8Array) => {
    const at = end
    parts.push(bytes, new Uint8Array(bytes.length % 2))
    end += bytes.length + (bytes.length % 2)
    // Pages that name the same data again and again would make a file without end.
    if (end > 2 * file.length) throw new RangeError('the pages are longer than the file')
    return at
  }
  const start = sliceOf(file, 0, 8)
  append(start)
  let [pointer, pointerAt] = [viewOf(start), 4]
  for (const directory of directories) {
    const entries = moveData(file, directory, append, isLittle)
    const bytesOfDirectory = new Uint8Array(2 + 12 * entries.length + 4)
    const view = viewOf(bytesOfDirectory)
    view.setUint16(0, entries.length, isLittle)
    for (const [index, { tag, type, count, bytes }] of entries.entries()) {
      const at = 2 + 12 * index
      view.setUint16(at, tag, isLittle)
      view.setUint16(at + 2, type, isLittle)
      view.setUint32(at + 4, count, isLittle)
      if (bytes.length <= 4) bytesOfDirectory.set(bytes, at + 8)
      else view.setUint32(at + 8, append(bytes), isLittle)
    }
    pointer.setUint32(pointerAt, append(bytesOfDirectory), isLittle)
    ;[pointer, pointerAt] = [view, bytesOfDirectory.length - 4]
  }
  return Buffer.concat(parts)
}

/** Copy the data of a page, and return its entries with the new places. */
function moveData(
  file: Uint8Array,
  directory: readonly Entry[],
  append: (bytes: Uint8Array) => number,
  isLittle: boolean,
): readonly Entry[] {
  return directory
    .filter(({ tag }) => !otherDirectories.includes(tag))
    .map((entry) => {
      const pair = placesAndLengths.find(([places]) => places === entry.tag)
      if (!pair) return entry
      const lengths = numbersIn(directory.find(({ tag }) => tag === pair[1])!, isLittle)
      const places = numbersIn(entry, isLittle).map((place, index) =>
        append(sliceOf(file, place, lengths[index]!)),
      )
      const bytes = new Uint8Array(4 * places.length)
      for (const [index, place] of places.entries()) viewOf(bytes).setUint32(4 * index, place, isLittle)
      return { ...entry, type: long, bytes }
    })
}

function numbersIn({ type, count, bytes }: Entry, isLittle: boolean): readonly number[] {
  const view = viewOf(bytes)
  return Array.from({ length: count }, (_, index) =>
    type === short ? view.getUint16(2 * index, isLittle) : view.getUint32(4 * index, isLittle),
  )
}
