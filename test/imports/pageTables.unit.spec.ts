import { expect, it } from 'vitest'
import { readCertificate } from '../../src/imports/pages/certificate.ts'
import type { Page } from '../../src/imports/pages/page.ts'

/** A text in a column, or one over several columns. */
type Text = string | readonly [text: string, columns: number]

/** A scanned page with a table: a text for each column, or none. */
function scanOf(lines: readonly (readonly Text[])[]): Page {
  const runs = lines.flatMap((line, row) => {
    let column = 0
    return line.flatMap((one) => {
      const [text, columns] = typeof one === 'string' ? [one, 1] : one
      const [left, bottom] = [40 + 70 * column, 700 - 12 * row]
      column += columns
      const box = [left, bottom, left + 70 * columns - 40, bottom + 8] as const
      return text === '' ? [] : [{ text, box, size: 8, font: 'scan' }]
    })
  })
  return {
    ...{ page: 1, box: [0, 0, 595, 842], runs, text: '', levelRules: [] },
    scan: { texts: [], placeOf: (box) => ({ box }) },
  }
}

function read(...lines: readonly (readonly Text[])[]) {
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

it.each([
  ...['Heat No.', 'Schmelze-Nr.', 'Charge', 'N° de coulée', 'Colata', 'Colada', 'Döküm No', '炉号 Heat No.'],
  ...['Coulée / Heat No.', 'Schmelze/Heat/Coulée'],
])('knows a column of heats by the heading %s', (heading) => {
  const [row] = read([heading, 'C', 'Si', 'Mn', 'Rm'], test('48151', '520'))
  expect(row!.values).toMatchObject({ heatNumber: '48151', 'tests.0.rmMpa': 520 })
})

it('takes no heat from a column of two numbers', () => {
  const [row] = read(['Heat/Coil No.', 'C', 'Si', 'Mn', 'Rm'], test('48151/07', '520'))
  expect(row!.values).not.toHaveProperty('heatNumber')
})

it('reads what stands closely above a table by its labels, and not as headings', () => {
  const [row] = read(
    [['Nuance : S355J2', 3]],
    [['N° de certificat : Z-4711', 3]],
    [['Date: 12.03.2026', 3]],
    headings,
    test('48151', '520'),
  )
  expect(row!.values).toMatchObject({
    ...{ heatNumber: '48151', certificateNumber: 'Z-4711', grade: 'S355J2', issuedOn: '2026-03-12' },
  })
})

it('takes no limits for the values of a heat, wherever they stand', () => {
  const limits = (name: string) => [name, '0,20', '0,55', '1,60', '470']
  const rows = read(
    ...[['', 'C', 'Si', 'Mn', 'Rm'], ['Heat', 'Spec. max', '', '', ''], limits('min.')],
    ...[test('48151', '520'), limits('Max'), test('48152', '521'), limits('Required')],
  )
  expect(rows.map(({ values }) => [values.heatNumber, values['tests.0.rmMpa']])).toEqual([
    ['48151', 520],
    ['48152', 521],
  ])
})

it('joins a table of analyses and one of tests below it', () => {
  const rows = read(
    ...[
      ['Schmelze', 'C', 'Si', 'Mn', 'P'],
      ['48151', '0,15', '0,20', '1,20', '0,012'],
    ],
    ...[
      ['Schmelze', 'ReH', 'Rm', 'A5', 'KV'],
      ['48151', '380', '520', '27', '90'],
    ],
  )
  expect(rows.map(({ values }) => values)).toMatchObject([
    { heatNumber: '48151', 'chemistry.C': 0.15, 'tests.0.reHMpa': 380, 'tests.1.valuesJoule.0': 90 },
  ])
})

it('reads the energies of three test pieces and their mean, with the temperature of their title', () => {
  const [row] = read(
    ['', ['Tensile test', 2], ['Charpy V at -20 °C, J', 4]],
    ['Heat', 'ReH', 'Rm', '1', '2', '3', 'Av.'],
    ['48151', '380', '520', '98', '105', '112', '105'],
  )
  expect(row!.values).toMatchObject({
    ...{ 'tests.1.kind': 'impact', 'tests.1.temperatureC': -20, 'tests.1.averageJoule': 105 },
    ...{ 'tests.1.valuesJoule.0': 98, 'tests.1.valuesJoule.1': 105, 'tests.1.valuesJoule.2': 112 },
  })
  const [other] = read(
    ['', ['Tensile test', 2], ['KCV J/cm2', 4]],
    ['Heat', 'ReH', 'Rm', '1', '2', '3', 'Av.'],
    ['48151', '380', '520', '98', '105', '112', '105'],
  )
  expect(Object.keys(other!.values).join(' ')).not.toContain('Joule')
})

it('reads shares that are printed without their decimals, where a factor is stated', () => {
  const [row] = read(
    ['Heat', 'C', 'Si x 100', 'Mn', 'P', 'S ×10³'],
    ['', '%x100', '', '1/100', '%x1000', ''],
    ['48151', '16', '31', '142', '14', '7'],
  )
  expect(row!.values).toMatchObject({
    ...{ 'chemistry.C': 0.16, 'chemistry.Si': 0.31, 'chemistry.Mn': 1.42 },
    ...{ 'chemistry.P': 0.014, 'chemistry.S': 0.007 },
  })
  const [silent] = read(['Heat', 'C', 'Ni', 'Cr', 'Rm'], ['48151', '16', '2', '1', '520'])
  expect(silent!.open).toMatchObject({
    'chemistry.Ni': { text: 'whole-share' },
    'chemistry.Cr': { text: 'whole-share' },
  })
})
