import { describe, expect, it } from 'vitest'
import type { ImportRow } from '../../src/portal/api/generated.ts'
import {
  conversionText,
  isRefused,
  keyOf,
  lacksOf,
  typedText,
  typedValues,
} from '../../src/portal/screens/imports/decisions.ts'

describe('a typed number', () => {
  it.each([
    ['12,5', 'thicknessMm', [12.5]],
    ['1,234', 'thicknessMm', [1.234, 1234]],
    ['1.234', 'bars.0.cuts.1.lengthMm', [1.234, 1234]],
    ['-1,234', 'tests.0.rmMpa', [-1.234, -1234]],
    ['6.000', 'lineItems.0.quantity', [6, 6000]],
    ['0,125', 'thicknessMm', [0.125]],
    ['1.2500', 'thicknessMm', [1.25]],
    ['1234', 'thicknessMm', [1234]],
    ['1,', 'thicknessMm', [1]],
    ['1,250', 'chemistry.Mn', [1.25]],
    ['21,500', 'mechanical.a5Percent', [21.5]],
    ['0,035', 'solubleAluminium', [0.035]],
    ['-20', 'mechanical.kvTemperatureC', [-20]],
  ] as const)('%s for %s may be %j', (typed, field, numbers) => {
    expect(typedValues(typed, field)).toEqual(numbers)
  })

  it.each(['Infinity', '1e400', '9'.repeat(400), '0x10', '1e3', '12 mm', '1.234,5'])(
    'is none in %s, which stays a text that the service refuses',
    (typed) => {
      expect(typedValues(typed, 'thicknessMm')).toEqual([typed])
    },
  )

  it('is none in a field of texts, and an empty field is left out', () => {
    expect(typedValues(' 1,234 ', 'heatNumber')).toEqual(['1,234'])
    expect(typedValues(' ', 'thicknessMm')).toEqual([null])
  })

  it('is shown with the decimal sign of the language', () => {
    expect([typedText(1.5, 'de'), typedText(1.5, 'en'), typedText('1.5', 'de')]).toEqual([
      '1,5',
      '1.5',
      '1.5',
    ])
  })
})

describe('what a record lacks', () => {
  const at = { line: 1, column: 1 }
  const row: ImportRow = {
    ...{ row: 2, action: 'refused', values: [], changes: [] },
    undecided: [
      { field: 'grade', candidates: [], at, required: true },
      { field: 'standard', candidates: [], at },
      { field: 'chemistry.C', candidates: [19], at },
    ],
    faults: [{ field: 'chemistry.C', at, code: 'unconfirmed', message: 'is 19' }],
  }
  const lacks = (...decided: readonly (readonly [string, unknown])[]) =>
    lacksOf(row, new Map(decided.map(([field, value]) => [keyOf(2, field), value])))

  it('is each needed field without a value, and each value in doubt', () => {
    expect(lacks()).toEqual(['grade', 'chemistry.C'])
    expect(lacks(['grade', null], ['chemistry.C', null]), 'left out').toEqual(['grade'])
    expect(lacks(['grade', 'S355J2'], ['chemistry.C', 0.19])).toEqual([])
  })

  it('is a refusal only for a fault that is no open decision', () => {
    const faulty = { ...row, faults: [{ field: 'standard', at, code: 'invalid', message: 'is none' }] }
    expect(isRefused(row, new Map())).toBe(false)
    expect(isRefused(faulty, new Map())).toBe(true)
    expect(isRefused(faulty, new Map([[keyOf(2, 'standard'), null]]))).toBe(false)
  })
})

it('shows a conversion with the decimal sign of the language', () => {
  expect(conversionText('56.5 ksi = 390 MPa', 'de')).toBe('56,5 ksi = 390 MPa')
  expect(conversionText('56.5 ksi = 390 MPa', 'en')).toBe('56.5 ksi = 390 MPa')
})
