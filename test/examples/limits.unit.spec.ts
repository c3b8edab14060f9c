import { describe, expect, it } from 'vitest'
import { certificateKey, certificates, tableUnder } from './examples.ts'
import { type Certificate, missingFields, outsideLimits } from './steelLimits.ts'

const byKey = Object.groupBy(certificates, certificateKey)

/** What a table of the README claims of each certificate it names. */
function claims(heading: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [certificateNumber, heatNumber, claim] of tableUnder(heading)) {
    const key = certificateKey({ certificateNumber, heatNumber })
    found.set(key, [...(found.get(key) ?? []), claim!])
  }
  return found
}

/** What a check finds, of each certificate where it finds anything. */
function findings(check: (certificate: Certificate) => string[]): Map<string, string[]> {
  const found = certificates.map((certificate) => [certificateKey(certificate), check(certificate)] as const)
  return new Map(found.filter(([, names]) => names.length > 0))
}

const outside = claims('Certificates outside a limit')
const incomplete = claims('Certificates that do not say enough')
const innocent = claims('Certificates that look wrong and are right')

describe('examples/README.md', () => {
  it('names certificates that exist, once each', () => {
    for (const key of [...outside.keys(), ...incomplete.keys(), ...innocent.keys()]) {
      expect(byKey[key], key).toHaveLength(1)
    }
  })

  it('lists every limit that a certificate breaks, and no other', () => {
    expect(findings(outsideLimits)).toEqual(outside)
  })

  it('lists everything that a certificate should say and does not, and nothing else', () => {
    const claimed = [...incomplete].map(
      ([key, [missing]]) => [key, missing!.replace(/:.*/, '').split(', ')] as const,
    )
    expect(findings(missingFields)).toEqual(new Map(claimed))
  })

  it('shows every limit broken at least once, and most certificates inside all of them', () => {
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

  it('calls right only what no limit and no gap speaks against', () => {
    for (const key of innocent.keys()) {
      expect(outside.has(key) || incomplete.has(key), key).toBe(false)
    }
  })
})

describe('the ladle analysis', () => {
  it('is one and the same on all certificates of a heat', () => {
    for (const [heat, ofHeat] of Object.entries(Object.groupBy(certificates, (c) => c.heatNumber))) {
      const analyses = new Set(ofHeat!.map(({ chemistry }) => JSON.stringify(chemistry)))
      expect(analyses.size, heat).toBe(1)
    }
  })
})
