import { expect, it } from 'vitest'
import { reasonText, splitAdvice } from '../../src/portal/screens/bars/reasonText.ts'

const inGerman = {
  language: 'de',
  number: (value: number) => String(value).replace('.', ','),
  fieldName: (path: string) => path.split('.').at(-1)!,
} as const
const tagged = {
  message: 'The certificate has the tag "Low". Read it.',
  sentence: { text: 'certificate-tag', values: { tag: 'Low' } },
}
const rule = (name: string, value: number, limit: number) => ({
  clause: '7.3',
  limits: [{ name, value, limit, isTooSmall: value < limit }],
})

it.each([
  [{ ...tagged, rule: rule('certificate.mechanical.reHMpa', 349, 355) }, 'Low: reHMpa 349 < 355 MPa · 7.3'],
  [{ ...tagged, rule: rule('certificate.chemistry.P', 0.05, 0.04) }, 'Low: P 0,05 > 0,04 % · 7.3'],
  [{ ...tagged, rule: { clause: 'House rule', limits: [] } }, 'Low · House rule'],
  [tagged, 'Das Zeugnis hat den Tag „Low“'],
  [{ message: '', sentence: { text: 'no-certificate' } }, 'Der Stab hat kein Zeugnis'],
  [
    { message: 'A code of tomorrow, at 0.5 mm. Do.', sentence: { text: 'new' } },
    'A code of tomorrow, at 0.5 mm',
  ],
])('says %j in one line', (finding, line) => {
  expect(reasonText(finding, inGerman)).toBe(line)
})

it('parts what is wrong from what to do', () => {
  expect(splitAdvice('The steel is 12.5 mm. Use another bar. Or ask.')).toEqual([
    'The steel is 12.5 mm.',
    'Use another bar. Or ask.',
  ])
  expect(splitAdvice('Line 10: So it is. (rule a of B, 1)')).toEqual([
    'Line 10: So it is. (rule a of B, 1)',
    '',
  ])
})
