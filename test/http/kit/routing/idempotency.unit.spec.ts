import { describe, expect, it } from 'vitest'
import { bareKey } from '../../../../src/http/kit/routing/idempotency.ts'

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
