import { describe, expect, it } from 'vitest'
import { type FieldUnit, inUnit, isUnitAlone, numberAndUnit } from '../../src/imports/units.ts'

const convert = (number: number, field: FieldUnit, unit: string | undefined) =>
  inUnit([number], field, unit)?.values[0]

it('is not taken for a unit where it is the symbol of an element', () => {
  expect(['C', 'F', 'K', 'k', 'MPa', '°C'].map(isUnitAlone)).toEqual([false, false, false, false, true, true])
})

describe('a number in a unit', () => {
  it.each<[number, string, number, FieldUnit]>([
    [56.5, 'ksi', 390, 'MPa'],
    [81_900, 'psi', 565, 'MPa'],
    [40.1, 'kgf/mm²', 393, 'MPa'],
    [36, 'kp/mm2', 353, 'MPa'],
    [5_200, 'kp/cm²', 510, 'MPa'],
    [390.5, 'N/mm²', 390.5, 'MPa'],
    [390.5, '[N/mm^2]', 390.5, 'MPa'],
    [0.39, 'kN/mm²', 390, 'MPa'],
    [20, 'ft·lbf', 27.1, 'J'],
    [20, 'ft-lbs', 27.1, 'J'],
    [20, 'lbf.ft', 27.1, 'J'],
    [5.5, 'kpm', 53.9, 'J'],
    [5.5, 'kgf·m', 53.9, 'J'],
    [-4, '°F', -20, '°C'],
    [32, 'ºF', 0, '°C'],
    [-20, '℃', -20, '°C'],
    [0.75, 'in', 19.05, 'mm'],
    [0.75, '″', 19.05, 'mm'],
    [60, 'ppm', 0.006, '%'],
    [26, 'lb/ft', 38.692, 'kg/m'],
  ])('%s %s is %s %s', (number, unit, value, field) => {
    expect(convert(number, field, unit)).toBe(value)
  })

  it.each<[string, FieldUnit]>([
    ['J/cm²', 'J'],
    ['tsf', 'MPa'],
    ['HB', 'MPa'],
    ['°Ré', '°C'],
    ['constructor', 'mm'],
  ])('is unknown in %s as a value in %s', (unit, field) => {
    expect(inUnit([1], field, unit)).toBeUndefined()
  })

  it('says what it became, unless it is as it was', () => {
    expect(inUnit([56.5], 'MPa', '[ksi]')?.conversion).toBe('56.5 ksi = 390 MPa')
    expect(inUnit([390], 'MPa', 'N/mm2')?.conversion).toBeUndefined()
  })
})

describe('a text with a unit', () => {
  it.each([
    ['56.5 ksi', '56.5', 'ksi'],
    ['-4 °F', '-4', '°F'],
    ['<5 ppm', '<5', 'ppm'],
    ['390N/mm2', '390', 'N/mm2'],
    ['12.5"', '12.5', '"'],
    ['6 000 mm', '6 000', 'mm'],
  ])('%j is a number and a unit', (text, number, unit) => {
    expect(numberAndUnit(text)).toEqual({ number, unit })
  })

  it.each(['12 x 30', '1e400', 'S355J2', 'abc', '12/13'])('%j has no unit', (text) => {
    expect(numberAndUnit(text)).toEqual({ number: text, unit: undefined })
  })
})
