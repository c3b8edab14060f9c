import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteRangeIn } from '../../../../src/http/kit/routing/byteRange.ts'

/** The header Range, as RFC 9110 (14.1.2, 14.2) reads it. */

describe('the header Range', () => {
  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=990-', 990, 999],
    ['bytes=990-5000', 990, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-1000', 0, 999],
    ['bytes=-1001', 0, 999],
    [`bytes=-${'9'.repeat(400)}`, 0, 999],
    [`bytes=0-${'9'.repeat(400)}`, 0, 999],
    ['Bytes=0-0', 0, 0],
    ['bytes= 0-0 ,', 0, 0],
    ['bytes=1000-,5-6', 5, 6],
  ])('%.40s names the bytes %i to %i of 1000', (header, first, last) => {
    expect(byteRangeIn(header, 1_000)).toEqual({ first, last })
  })

  it.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', 'bytes=2000-,-0'])(
    '%s names none of 1000 bytes',
    (header) => {
      expect(byteRangeIn(header, 1_000)).toBe('none')
    },
  )

  it.each([
    'bytes=0-1,5-6',
    'bytes=5-2',
    'bytes=0-1,5-2',
    'bytes=-',
    'bytes=',
    'bytes=x',
    'bytes=1-2-3',
    'bytes=--5',
    'bytes',
    'pages=5000-',
  ])('%s is ignored, so the whole file is answered', (header) => {
    expect(byteRangeIn(header, 1_000)).toBeUndefined()
  })

  it('answers an empty file whole, unless none of its bytes is named', () => {
    expect(byteRangeIn('bytes=-5', 0)).toBeUndefined()
    expect(byteRangeIn('bytes=0-', 0)).toBe('none')
    expect(byteRangeIn('bytes=-0', 0)).toBe('none')
  })

  it('never names a byte outside the file', () => {
    const number = fc.oneof(fc.nat(30), fc.constant(''))
    fc.assert(
      fc.property(number, number, fc.nat(20), (start, end, size) => {
        const part = byteRangeIn(`bytes=${start}-${end}`, size)
        if (part === undefined || part === 'none') return
        expect(part.first).toBeGreaterThanOrEqual(0)
        expect(part.last).toBeGreaterThanOrEqual(part.first)
        expect(part.last).toBeLessThan(size)
      }),
    )
  })
})
