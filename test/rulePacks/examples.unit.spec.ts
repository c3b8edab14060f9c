import { describe, expect, it } from 'vitest'
import type { RuleSubject } from '../../src/domain/ruleBook.ts'
import { certificateKey, certificates } from '../examples/examples.ts'
import { missingFields, outsideLimits } from '../examples/steelLimits.ts'
import { matched } from './shipped.ts'

/** The packs against the second set of limits that the example data are held to, written apart from them. */

const subjectOf = (certificate: (typeof certificates)[number]): RuleSubject => ({
  family: 'millCert',
  content: certificate as unknown as Extract<RuleSubject, { family: 'millCert' }>['content'],
})
const named = certificates.map((certificate) => [certificateKey(certificate), certificate] as const)

/** The names of `outsideLimits` by the beginnings of the rules that speak of them. */
const limitOf: readonly (readonly [string, string])[] = [
  ['carbon-above', 'carbon'],
  ['carbon-equivalent', 'carbon equivalent'],
  ['silicon', 'silicon'],
  ['manganese', 'manganese'],
  ['phosphorus', 'phosphorus'],
  ['sulphur', 'sulphur'],
  ['nitrogen', 'nitrogen'],
  ['copper', 'copper'],
  ['yield', 'yield strength'],
  ['tensile', 'tensile strength'],
  ['elongation-low', 'elongation'],
  ['charpy-energy', 'Charpy energy'],
  ['charpy-tested', 'Charpy temperature'],
]

describe('the limits of EN 10025-2', () => {
  const ofThisStandard = named.filter(([, { standard }]) => standard === 'EN 10025-2')
  it.each(ofThisStandard)('%s', (_, certificate) => {
    const rules = ['en10025-2-chemistry', 'en10025-2-mechanical'].flatMap((pack) =>
      matched(pack, subjectOf(certificate)),
    )
    const found = limitOf.filter(([start]) => rules.some((rule) => rule.startsWith(start)))
    const expected = outsideLimits(certificate).filter((limit) => limit !== 'inspection document')
    expect(found.map(([, limit]) => limit).sort()).toEqual(expected.sort())
  })
})

describe('the inspection document', () => {
  it.each(named)('%s', (_, certificate) => {
    const isTooLow = matched('en1090-2-inspection-documents', subjectOf(certificate)).length > 0
    expect(isTooLow).toBe(outsideLimits(certificate).includes('inspection document'))
  })
})

describe('what a certificate does not say', () => {
  const ruleOf: Record<string, string> = {
    chemistry: 'no-chemistry',
    mechanical: 'no-mechanical-values',
    thicknessMm: 'no-thickness',
    manufacturer: 'no-manufacturer',
    standard: 'no-standard',
    'CEV elements': 'no-carbon-equivalent-elements',
    Charpy: 'no-charpy-result',
  }
  it.each(named)('%s', (_, certificate) => {
    const rules = matched('completeness', subjectOf(certificate))
    const known = rules.filter((rule) => Object.values(ruleOf).includes(rule))
    expect(known.sort()).toEqual(
      missingFields(certificate)
        .map((field) => ruleOf[field])
        .sort(),
    )
  })
})
