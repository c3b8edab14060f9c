import { describe, expect, it } from 'vitest'
import type { RuleSubject } from '../../src/domain/rulePacks/ruleBook.ts'
import { certificateKey, certificates } from '../examples/examples.ts'
import { missingFields, outsideLimits } from '../examples/steelLimits.ts'
import { matched } from './shipped.ts'

/** Compare the packs on the example certificates with the limits in `steelLimits.ts`, which were copied separately. */

function subjectOf(certificate: (typeof certificates)[number]): RuleSubject {
  return {
    family: 'millCert',
    content: certificate as unknown as Extract<RuleSubject, { family: 'millCert' }>['content'],
  }
}
const named = certificates.map((certificate) => [certificateKey(certificate), certificate] as const)

/** The beginnings of rule ids, each with the name that `outsideLimits` uses for the limit. */
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

describe('the packs of EN 10025-2', () => {
  const ofThisStandard = named.filter(([, { standard }]) => standard === 'EN 10025-2')
  it.each(ofThisStandard)('find the same broken limits on %s', (_, certificate) => {
    const rules = ['en10025-2-chemistry', 'en10025-2-mechanical'].flatMap((pack) =>
      matched(pack, subjectOf(certificate)),
    )
    const found = limitOf.filter(([start]) => rules.some((rule) => rule.startsWith(start)))
    const expected = outsideLimits(certificate).filter((limit) => limit !== 'inspection document')
    expect(found.map(([, limit]) => limit).sort()).toEqual(expected.sort())
  })
})

describe('the inspection document pack', () => {
  it.each(named)('agrees on %s', (_, certificate) => {
    const isTooLow = matched('en1090-2-inspection-documents', subjectOf(certificate)).length > 0
    expect(isTooLow).toBe(outsideLimits(certificate).includes('inspection document'))
  })
})

describe('the completeness pack', () => {
  const ruleOf: Record<string, string> = {
    chemistry: 'no-chemistry',
    mechanical: 'no-mechanical-values',
    thicknessMm: 'no-thickness',
    manufacturer: 'no-manufacturer',
    standard: 'no-standard',
    'CEV elements': 'no-carbon-equivalent-elements',
    Charpy: 'no-charpy-result',
  }
  it.each(named)('finds the same missing values on %s', (_, certificate) => {
    const rules = matched('completeness', subjectOf(certificate))
    const known = rules.filter((rule) => Object.values(ruleOf).includes(rule))
    // A declaration of compliance carries no results, so none are asked of it.
    const isDeclaration = certificate.inspectionDocument === '2.1'
    const asked = missingFields(certificate).filter(
      (field) => !(isDeclaration && ['chemistry', 'mechanical'].includes(field)),
    )
    expect(known.sort()).toEqual(asked.map((field) => ruleOf[field]).sort())
  })
})
