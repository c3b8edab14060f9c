import type { ByteRange } from '../../../documents/objects.ts'

/**
 * Return the part of a file that a header Range names; `none` when it names no byte of the file; undefined for the whole
 * file: when the header has another unit, is not well-formed (RFC 9110, 14.2 lets us ignore it), or names several parts.
 * @param size the bytes of the file
 */
export function byteRangeIn(header: string, size: number): ByteRange | 'none' | undefined {
  const [, set] = /^bytes=(.*)$/is.exec(header.trim()) ?? []
  const specs = (set ?? '').split(',').flatMap((spec) => spec.trim() || [])
  const parts = specs.map((spec) => partIn(spec, size))
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  const ranges = parts.filter((part) => part !== undefined && part !== 'none')
  if (ranges.length === 0) return 'none'
  const [part] = ranges
  // No header can name a part of an empty file.
  return ranges.length === 1 && size > 0 ? part : undefined
}

function partIn(spec: string, size: number): ByteRange | 'none' | undefined {
  const [, start, end] = /^(\d*)-(\d*)$/.exec(spec) ?? []
  if (start === undefined || end === undefined || start + end === '') return undefined
  if (start === '')
    return Number(end) === 0 ? 'none' : { first: Math.max(0, size - Number(end)), last: size - 1 }
  const [first, last] = [Number(start), end === '' ? Number.POSITIVE_INFINITY : Number(end)]
  if (last < first) return undefined
  return first < size ? { first, last: Math.min(last, size - 1) } : 'none'
}
