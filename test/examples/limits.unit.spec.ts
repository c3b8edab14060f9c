import { describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import { matched } from '../rulePacks/shipped.ts'
import { certificateKey, certificates, tableUnder } from './examples.ts'

/** The rule packs find on the example certificates what examples/README.md says. */

type Certificate = (typeof certificates)[number]
const packs = [
  'en10025-2-chemistry',
  'en10025-2-mechanical',
  'hollow-sections',
  'en1090-2-inspection-documents',
  'completeness',
]

/** The beginnings of rule ids, each with the word of the README for the limit or for the missing value. */
const limits: readonly (readonly [string, string])[] = [
  ['carbon-(above|outside|to-be-judged)', 'carbon'],
  ['carbon-equivalent', 'carbon equivalent'],
  ['silicon', 'silicon'],
  ['manganese', 'manganese'],
  ['phosphorus', 'phosphorus'],
  ['sulphur', 'sulphur'],
  ['nitrogen', 'nitrogen'],
  ['copper', 'copper'],
  ['yield', 'yield strength'],
  ['tensile', 'tensile strength'],
  ['elongation-(low|to-be-judged)', 'elongation'],
  ['charpy-energy', 'Charpy energy'],
  ['charpy-tested', 'Charpy temperature'],
  ['.*(needs|below)-\\d', 'inspection document'],
]
const missing: readonly (readonly [string, string])[] = [
  ['no-standard', 'standard'],
  ['no-manufacturer', 'manufacturer'],
  ['no-thickness', 'thicknessMm'],
  ['no-chemistry', 'chemistry'],
  ['no-mechanical-values', 'mechanical'],
  ['no-carbon-equivalent-elements', 'CEV elements'],
  ['no-charpy-result', 'Charpy'],
]

/** Return the words whose rules match, for each certificate on which there are any. */
function found(words: typeof limits): Map<string, string[]> {
  const wordsOf = (certificate: Certificate) => {
    const content = certificate as unknown as CertificateContent & Certificate
    const rules = packs.flatMap((pack) => matched(pack, { family: 'millCert', content }))
    const isNamed = (start: string) => rules.some((rule) => new RegExp(`^(hollow-)?${start}`).test(rule))
    return words.filter(([start]) => isNamed(start)).map(([, word]) => word)
  }
  const all = certificates.map((certificate) => [certificateKey(certificate), wordsOf(certificate)] as const)
  return new Map(all.filter(([, of]) => of.length > 0))
}

/** Return the claims of a table of the README for each certificate that it names. */
function claims(heading: string): Map<string, string[]> {
  const rows = tableUnder(heading).map(
    ([certificateNumber, heatNumber, claim]) =>
      [certificateKey({ certificateNumber: certificateNumber!, heatNumber: heatNumber! }), claim!] as const,
  )
  return new Map(
    Map.groupBy(rows, ([key]) => key)
      .entries()
      .map(([key, of]) => [key, of.map(([, claim]) => claim)]),
  )
}

const outside = claims('Certificates outside a limit')
const incomplete = claims('Certificates that lack values')
const innocent = claims('Certificates that look wrong but are right')

describe('examples/README.md', () => {
  it('lists exactly the limits that the certificates break', () => {
    expect(found(limits)).toEqual(outside)
  })

  it('lists exactly the values that the certificates lack', () => {
    // The rule packs ask for no results on a declaration of compliance.
    const declarations = certificates.filter((one) => one.inspectionDocument === '2.1').map(certificateKey)
    const claimed = [...incomplete].map(
      ([key, [said]]) => [key, said!.replace(/:.*/, '').split(', ')] as const,
    )
    expect(found(missing)).toEqual(new Map(claimed.filter(([key]) => !declarations.includes(key))))
  })

  it('has an example for every limit, while most certificates break none', () => {
    expect(new Set([...outside.values()].flat())).toEqual(new Set(limits.map(([, word]) => word)))
    expect(outside.size + incomplete.size).toBeLessThan(certificates.length / 2)
  })

  it('lists as right existing certificates that break no limit and lack no value', () => {
    const known = certificates.map(certificateKey)
    for (const key of innocent.keys()) expect([key, known.includes(key)]).toEqual([key, true])
    expect([...innocent.keys()].filter((key) => outside.has(key) || incomplete.has(key))).toEqual([])
  })
})

describe('the ladle analysis', () => {
  it('is the same on all certificates of a heat', () => {
    for (const [heat, ofHeat] of Object.entries(Object.groupBy(certificates, (c) => c.heatNumber))) {
      const analyses = new Set(ofHeat!.map(({ chemistry }) => JSON.stringify(chemistry)))
      expect(analyses.size, heat).toBe(1)
    }
  })
})
