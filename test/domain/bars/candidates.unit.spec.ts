import { expect, it } from 'vitest'
import { factsWith } from '../../../src/domain/bars/candidates.ts'
import { defaultReleasePolicy } from '../../../src/domain/verdict/releasePolicy.ts'
import {
  aloneInHeat,
  type JudgedCertificate,
  type VerdictFacts,
} from '../../../src/domain/verdict/verdictFacts.ts'

const certificate = (millCertificationId: string) =>
  ({ millCertificationId, heatNumber: `heat of ${millCertificationId}` }) as JudgedCertificate
const override = { findings: ['a key'], reason: 'The designer agreed.', reference: null, by: 'alice', at: '' }
const heat = { ...aloneInHeat, blocked: { count: 1, first: ['sister'] } }
const facts: VerdictFacts = {
  bar: { grade: 'S355J2', profile: null },
  heatRead: null,
  certificate: certificate('own'),
  sameHeat: aloneInHeat,
  acceptedCuts: [],
  orders: [],
  policy: defaultReleasePolicy,
  overrides: [override],
  pairRules: [],
}

it('tries a certificate with its own heat, and with the overrides only if the bar has it', () => {
  for (const [id, overrides] of [
    ['own', [override]],
    ['another', []],
  ] as const) {
    const tried = { certificate: certificate(id), sameHeat: heat }
    const heatRead = { heatNumber: `heat of ${id}`, marked: true }
    expect(factsWith(facts, tried)).toEqual({ ...facts, ...tried, heatRead, overrides })
    const read = { heatNumber: 'H 1', marked: false }
    expect(factsWith({ ...facts, heatRead: read }, tried).heatRead).toEqual({ ...read, marked: true })
  }
})
