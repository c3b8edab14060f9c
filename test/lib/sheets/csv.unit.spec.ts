import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeFormula, unescapeFormula } from '../../../src/lib/sheets/cells.ts'
import { csvForms, csvLines, csvStart } from '../../../src/lib/sheets/csv.ts'

describe('CSV', () => {
  it('quotes a cell that holds a quote, a line break or the separator, and no other', () => {
    expect(csvLines([['a,b', 'a;b', 'say "x"', 'one\ntwo', 'plain', null, undefined]])).toBe(
      '"a,b",a;b,"say ""x""","one\ntwo",plain,,\r\n',
    )
    expect(csvLines([['a,b', 'a;b']], 'semicolon')).toBe('a,b;"a;b"\r\n')
  })

  it.each(['=1+1', '+49', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠A'])(
    'escapes the text %j',
    (text) => {
      const [[cell]] = parse(csvLines([[text]])) as [[string]]
      expect(cell).toBe(`'${text}`)
    },
  )

  it.each([
    ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
    ['x,=1+HYPERLINK("http://there")', `x,'=1+HYPERLINK("http://there")`],
    ['x;"@SUM(A1)"', `x;'"@SUM(A1)"`],
    ["x\n-2+cmd|'!A0", "x\n'-2+cmd|'!A0"],
    ['x;＝cmd（1）', "x;'＝cmd（1）"],
    ['tested at 0;-20;-40 °C (longitudinal)', "tested at 0;-20;'-40 °C (longitudinal)"],
    ['[0,-20,-40]', '[0,-20,-40]'],
    ['S355J2; +N', 'S355J2; +N'],
  ])('escapes what a spreadsheet with another separator would take for a formula in %j', (text, safe) => {
    expect(escapeFormula(text)).toBe(safe)
    expect(unescapeFormula(safe)).toBe(text)
  })

  it('leaves numbers as they are', () => {
    expect(csvLines([[-20, 0.15, true]])).toBe('-20,0.15,true\r\n')
  })

  it('adds a zero to a fraction of three digits, which an import could take for thousands', () => {
    expect(csvLines([[12.125, -6.125, 0.125, 1.25, '12.125']])).toBe('12.1250,-6.1250,0.125,1.25,12.125\r\n')
    expect(csvLines([[12.125]], 'semicolon')).toBe('12,1250\r\n')
  })

  it('writes the semicolon form with a decimal comma and a byte order mark', () => {
    expect(csvLines([[-20.5, 'EN 10025-2', '3.1']], 'semicolon')).toBe('-20,5;EN 10025-2;3.1\r\n')
    expect(csvStart('semicolon')).toBe('\uFEFF')
    expect(csvStart()).toBe('')
  })

  it('is read again by another reader, whatever the texts', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(...'\'=+-@＝\t\r\n",;(| a'), maxLength: 8 }),
    )
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }))
    fc.assert(
      fc.property(table, fc.constantFrom(...csvForms), (rows, form) => {
        const delimiter = form === 'comma' ? ',' : ';'
        const read = parse(csvLines(rows, form), { delimiter, record_delimiter: '\r\n' }) as string[][]
        expect(read.map((row) => row.map(unescapeFormula))).toEqual(rows)
      }),
    )
  })

  it('escapes every text so that it is found again', () => {
    const text = fc.string({ unit: fc.constantFrom(...'"\'=+-@＝;,(（|\t\r\na'), maxLength: 8 })
    fc.assert(
      fc.property(text, (given) => {
        expect(unescapeFormula(escapeFormula(given))).toBe(given)
      }),
    )
  })
})
