import { expect, it } from 'vitest'
import { findingText } from '../../src/portal/screens/bars/findingText.ts'
import { de } from '../../src/portal/texts/de.ts'

const inGerman = (name: keyof typeof de, { value = '' }: Readonly<Record<string, string>> = {}) =>
  de[name].replace('{value}', value)
const finding = {
  key: '1',
  severity: 'Block',
  message: 'The certificate has the tag "Quarantine". Read it.',
} as const

it('says a finding from its code and values in the language of the person', () => {
  const text = (values: object) => findingText({ ...finding, ...values } as never, inGerman)
  expect(text({ code: 'cut-too-short', actual: '2300 mm', expected: '2400 mm' })).toBe(
    'Schnitt zu kurz: 2300 mm, verlangt 2400 mm',
  )
  expect(text({ code: 'line-cancelled' })).toBe('Position storniert')
  expect(text({ code: 'certificate-tag', tagId: '2', actual: 'Block' })).toBe(
    'Tag des Zeugnisses: Quarantine',
  )
  expect(text({ code: 'a-new-code' })).toBe(finding.message)
})
