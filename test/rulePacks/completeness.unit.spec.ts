import { describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificateContent.ts'
import * as facts from '../domain/facts.ts'
import { certificateSubject, matched, orderSubject, severities } from './shipped.ts'

const pack = 'completeness 1'

const chemistry = { C: 0.1, Mn: 1, Cr: 0.1, Mo: 0.01, V: 0.01, Ni: 0.1, Cu: 0.1 }
const mechanical = { reHMpa: 400, rmMpa: 500, a5Percent: 25, kvJoule: 50, kvTemperatureC: -20 }

function of(content: Partial<CertificateContent>) {
  return matched(pack, certificateSubject({ chemistry, mechanical, ...content }))
}

describe('a certificate', () => {
  it('is complete when every field is present', () => {
    expect(of({})).toEqual([])
  })

  it.each([
    ['no-chemistry', { chemistry: null }],
    ['no-chemistry', { chemistry: {} }],
    ['no-carbon-equivalent-elements', { chemistry: { C: 0.1, Mn: 1 } }],
    ['no-mechanical-values', { mechanical: null }],
    ['mechanical-values-incomplete', { mechanical: { ...mechanical, reHMpa: null } }],
    ['mechanical-values-incomplete', { mechanical: { ...mechanical, rmMpa: null } }],
    ['mechanical-values-incomplete', { mechanical: { ...mechanical, a5Percent: null } }],
    ['no-charpy-result', { mechanical: { ...mechanical, kvJoule: null, kvTemperatureC: null } }],
    ['no-charpy-temperature', { mechanical: { ...mechanical, kvTemperatureC: null } }],
    ['no-thickness', { thicknessMm: null }],
    ['no-manufacturer', { manufacturer: null }],
    ['no-standard', { standard: null }],
    ['no-date-of-issue', { issuedOn: null }],
    ['no-product-form', { productForm: null }],
  ] as const)('matches only the rule %s when that value is missing', (rule, content) => {
    expect(of(content)).toEqual([rule])
  })

  it('counts as without mechanical values when all of them are null', () => {
    const none = { reHMpa: null, rmMpa: null, a5Percent: null, kvJoule: null, kvTemperatureC: null }
    expect(of({ mechanical: none })).toEqual(['no-mechanical-values'])
  })

  it('needs a Charpy result for J0, J2 and K2 from 6 mm on', () => {
    const bare = { mechanical: { ...mechanical, kvJoule: null, kvTemperatureC: null } }
    for (const grade of ['S355J0', 'S355J2+N', 'S355K2H'])
      expect(of({ ...bare, grade, thicknessMm: 6 }), grade).toEqual(['no-charpy-result'])
    expect(of({ ...bare, grade: 'S355JR+AR' })).toEqual([])
    expect(of({ ...bare, grade: 'S355J2', thicknessMm: 5.9 })).toEqual([])
  })

  it('is flagged, but not blocked, when it is incomplete', () => {
    const nothing = {
      standard: null,
      manufacturer: null,
      productForm: null,
      thicknessMm: null,
      issuedOn: null,
    }
    expect(severities(pack, certificateSubject(nothing))).toEqual(['Flag', 'Audit'])
  })
})

describe('an order', () => {
  it('is incomplete when a line has no grade', () => {
    const lineItem = facts.lineItem(10)
    expect(matched(pack, orderSubject({ lineItems: [lineItem] }))).toEqual([])
    expect(matched(pack, orderSubject({ lineItems: [lineItem, { ...lineItem, grade: null }] }))).toEqual([
      'line-item-without-grade',
    ])
  })
})
