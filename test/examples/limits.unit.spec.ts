import { describe, expect, it } from 'vitest'
import { certificateKey, certificates, tableUnder } from './examples.ts'
import { type Certificate, missingFields, outsideLimits } from './steelLimits.ts'

const byKey = Object.groupBy(certificates, certificateKey)

/** Return the claims of a table of the README for each certificate that it names. */
function claims(heading: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [certificateNumber, heatNumber, claim] of tableUnder(heading)) {
    const key = certificateKey({ certificateNumber, heatNumber })
    found.set(key, [...(found.get(key) ?? []), claim!])
  }
  return found
}

/** Return the findings of a check for each certificate that has any. */
function findings(check: (certificate: Certificate) => string[]): Map<string, string[]> {
  const found = certificates.map((certificate) => [certificateKey(certificate), check(certificate)] as const)
  return new Map(found.filter(([, names]) => names.length > 0))
}

const outside = claims('Certificates outside a limit')
const incomplete = claims('Certificates that lack values')
const innocent = claims('Certificates that look wrong but are right')

describe('examples/README.md', () => {
  it('names only existing certificates, each of them once', () => {
    for (const key of [...outside.keys(), ...incomplete.keys(), ...innocent.keys()]) {
      expect(byKey[key], key).toHaveLength(1)
    }
  })

  it('lists exactly the limits that the certificates break', () => {
    expect(findings(outsideLimits)).toEqual(outside)
  })

  it('lists exactly the values that the certificates lack', () => {
    const claimed = [...incomplete].map(
      ([key, [missing]]) => [key, missing!.replace(/:.*/, '').split(', ')] as const,
    )
    expect(findings(missingFields)).toEqual(new Map(claimed))
  })

  it('has an example for every limit, while most certificates break none', () => {
    expect(new Set([...outside.values()].flat())).toEqual(
      new Set([
        'carbon',
        'silicon',
        'manganese',
        'phosphorus',
        'sulphur',
        'nitrogen',
        'copper',
        'carbon equivalent',
        'yield strength',
        'tensile strength',
        'elongation',
        'Charpy energy',
        'Charpy temperature',
        'inspection document',
      ]),
    )
    const sound = certificates.filter((c) => !outsideLimits(c).length && !missingFields(c).length)
    expect(sound.length).toBeGreaterThan(certificates.length / 2)
  })

  it('lists no certificate as right that breaks a limit or lacks a value', () => {
    for (const key of innocent.keys()) {
      expect(outside.has(key) || incomplete.has(key), key).toBe(false)
    }
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
