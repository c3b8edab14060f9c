import { expect, it } from 'vitest'
import { explanationWith, explanationWithout } from '../../../src/domain/rulePacks/rulePackRules.ts'
import { inEnglish } from '../../../src/domain/verdict/sentence.ts'

it('an explanation states shares and carbon equivalents with their usual decimals, and other values as they are', () => {
  const values: Record<string, number | string | number[]> = {
    'certificate.chemistry.C': 0.2,
    'certificate.chemistry.N': 0.0113,
    'certificate.mechanical.kvJoule': 13.5,
    laxestCarbon: 0.22,
    laxestNitrogen: 0.01,
    cev: 0.4,
    energies: [27, 13.5],
    'steel.name': 'S355J2',
  }
  const said = (text: string) => explanationWith(text, (name) => values[name]!)
  expect(said('Carbon is {certificate.chemistry.C} %; {steel.name} may have {laxestCarbon} %.')).toBe(
    'Carbon is 0.20 %; S355J2 may have 0.22 %.',
  )
  expect(said('Nitrogen is {certificate.chemistry.N} %, above {laxestNitrogen} %.')).toBe(
    'Nitrogen is 0.0113 %, above 0.010 %.',
  )
  const measured = '{cev}; {certificate.mechanical.kvJoule} J; {energies} J'
  expect(said(measured)).toBe('0.40; 13.5 J; 27, 13.5 J')
  expect(explanationWith(measured, (name) => values[name]!, 'de')).toBe('0,40; 13,5 J; 27; 13,5 J')
})

it('an explanation of a rule that was not evaluated names the missing fields in words', () => {
  const without = (...fields: string[]) => inEnglish(explanationWithout(fields))
  expect(without('certificate.chemistry.Cr')).toBe(
    'This rule was not evaluated, because chemistry.Cr is missing. Complete the record.',
  )
  expect(without('certificate.chemistry.Cr', 'order.executionClass')).toMatch(
    'chemistry.Cr, executionClass are missing',
  )
  expect(without()).not.toMatch('missing')
})
