import { describe, expect, it } from 'vitest'
import { bareKey, isSameRequest } from '../../src/domain/idempotencyKey.ts'

describe('bareKey', () => {
  it.each([
    ['abc', 'abc'],
    ['"abc"', 'abc'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['""', ''],
    ['"', '"'],
    ['"abc', '"abc'],
    ['"a"b"', '"a"b"'],
    ['"a\\b"', '"a\\b"'],
    ['"abc\\"', '"abc\\"'],
  ])('reads %s as %s', (sent, key) => {
    expect(bareKey(sent)).toBe(key)
  })
})

describe('isSameRequest', () => {
  it.each([
    ['the same content in other bytes', { requestHash: 'a', contentHash: 'x' }, true],
    [
      'other content in the same bytes, as hashes can only claim',
      { requestHash: 'b', contentHash: 'y' },
      false,
    ],
    ['the same bytes, recorded by an older release', { requestHash: 'b' }, true],
    ['other bytes, recorded by an older release', { requestHash: 'a' }, false],
    ['the same bytes in a row of an older event', { requestHash: 'b', contentHash: null }, true],
  ])('compares with %s', (_, recorded, same) => {
    expect(isSameRequest(recorded, { requestHash: 'b', contentHash: 'x' })).toBe(same)
  })
})
