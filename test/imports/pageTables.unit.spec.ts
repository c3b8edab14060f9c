import { expect, it } from 'vitest'
import { readCertificate } from '../../src/imports/pages/certificate.ts'
import type { Page } from '../../src/imports/pages/page.ts'

/** A scanned page with a table: a text for each column, or none. */
function scanOf(lines: readonly (readonly string[])[]): Page {
  const runs = lines.flatMap((line, row) =>
    line.flatMap((text, column) => {
      const [left, bottom] = [40 + 70 * column, 700 - 12 * row]
      return text === ''
        ? []
        : [{ text, box: [left, bottom, left + 30, bottom + 8], size: 8, font: 'scan' } as const]
    }),
  )
  return {
    ...{ page: 1, box: [0, 0, 595, 842], runs, text: '', levelRules: [] },
    scan: { texts: [], placeOf: (box) => ({ box }) },
  }
}

function read(...lines: readonly (readonly string[])[]) {
  return readCertificate([scanOf(lines)]).map(({ values, undecided }) => ({
    values: Object.fromEntries(values.map(({ field, value }) => [field, value])),
    open: Object.fromEntries(undecided.map(({ field, candidates, doubt }) => [field, doubt ?? candidates])),
  }))
}

it('reads no column whose heading names two of them', () => {
  const [row] = read(['Heat', 'C', 'S P', 'Mn', 'Rm'], ['48151', '0,15', '0,037', '1,20', '520'])
  expect(row!.values).toMatchObject({ 'chemistry.C': 0.15, 'chemistry.Mn': 1.2 })
  expect(row!.values).not.toHaveProperty(['chemistry.P'])
})

it('doubts a number with other decimals than most of its column', () => {
  const rows = read(
    ['Heat', 'C', 'Si', 'Mn', 'Rm'],
    ['48151', '0,15', '0,20', '1,20', '520'],
    ['48152', '0,16', '0,21', '12', '521,0'],
    ['48153', '0,17', '0,2', '1,21', '522'],
  )
  const doubt = (decimals: number, others: number) => ({
    text: 'decimals-differ',
    values: { decimals, others },
  })
  expect(rows[0]!.values).toMatchObject({ 'chemistry.Si': 0.2, 'chemistry.Mn': 1.2, 'tests.0.rmMpa': 520 })
  expect(rows[2]!.open).toMatchObject({ 'chemistry.Si': doubt(1, 2) })
  expect(rows[1]!.open).toMatchObject({ 'tests.0.rmMpa': doubt(1, 0) })
})

const headings = ['Heat', 'C', 'Si', 'Mn', 'Rm']
const test = (heat: string, strength: string) => [heat, '0,15', '0,20', '1,20', strength]

it('gives the lines around a heat to it only where it is first or in the middle of them', () => {
  const testsOf = (...heats: readonly string[]) =>
    read(headings, ...heats.map((heat, line) => test(heat, String(500 + line)))).map(({ values }) => [
      values.heatNumber,
      Object.keys(values).filter((field) => field.endsWith('rmMpa')).length,
    ])
  expect(testsOf('48151', '', '')).toEqual([['48151', 3]])
  expect(testsOf('', '48151', '')).toEqual([['48151', 3]])
  expect(testsOf('', '48151', '', '')).toEqual([['48151', 4]])
  // The number of another heat was not read.
  expect(testsOf('', '', '', '48151', '')).toEqual([
    [undefined, 3],
    ['48151', 1],
    [undefined, 1],
  ])
})

it('reads no table whose headings hold a heat', () => {
  const rows = read(['Heat 48150', 'C', 'Si', 'Mn', 'Rm'], test('48151', '520'), test('', '521'))
  expect(rows[0]!.values).not.toHaveProperty('heatNumber')
})
