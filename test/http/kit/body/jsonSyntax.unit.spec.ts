import { expect, it } from 'vitest'
import { parseJson } from '../../../../src/http/kit/body/json.ts'
import { faultOfSyntax } from '../../../../src/http/kit/body/jsonSyntax.ts'

it.each([
  ['', 'a value should be at line 1, column 1'],
  ['{"a":x}', 'a value should be at line 1, column 6'],
  ['{"a":1,}', 'a name in double quotes should be at line 1, column 8'],
  ["{'a':1}", 'a name in double quotes or } should be at line 1, column 2'],
  ['{\n  "a": 1\n  "b": 2\n}', 'a comma or } should be at line 3, column 3'],
  ['{"a" 1}', 'a colon should be at line 1, column 6'],
  ['[1, 2', 'a comma or ] should be at line 1, column 6'],
  ['[', 'a value or ] should be at line 1, column 2'],
  ['[1]]', 'the end of the text should be at line 1, column 4'],
  ['"a\nb"', 'a value should be at line 1, column 1'],
  ['[01]', 'a comma or ] should be at line 1, column 3'],
])('says where %j stops being JSON', (text, fault) => {
  expect(faultOfSyntax(text)).toBe(fault)
  expect(() => parseJson(Buffer.from(text))).toThrow(`The body is not JSON: ${fault}.`)
})

it('takes every text that is JSON to its end', () => {
  const json = JSON.stringify(
    [{ a: [1, -2.5e-3, null, true, 'x\\"\u2028\ud800'], b: {}, c: [] }, ''],
    null,
    1,
  )
  const end = json.split('\n')
  expect(faultOfSyntax(json)).toBe(
    `the end of the text should be at line ${end.length}, column ${end.at(-1)!.length + 1}`,
  )
})
