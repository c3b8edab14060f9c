import { expect, it } from 'vitest'
import { factsWith, looksAtTests } from '../../../src/domain/bars/candidates.ts'
import { optionFields } from '../../../src/domain/certificates/steelOptions.ts'
import { pick } from '../../../src/domain/kernel/fields.ts'
import { defaultReleasePolicy } from '../../../src/domain/verdict/releasePolicy.ts'
import {
  aloneInHeat,
  type JudgedCertificate,
  type JudgedLine,
  type VerdictFacts,
} from '../../../src/domain/verdict/verdictFacts.ts'
import { judgedFacts, judgedLine, judgedOrder } from '../verdict/judged.ts'

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

it('looks at tests where an option, a Z quality or an own rule does', () => {
  const looks = (line: Partial<JudgedLine>, more: Partial<VerdictFacts> = {}) =>
    looksAtTests({
      ...judgedFacts,
      orders: [{ ...judgedOrder, lineItems: [{ ...judgedLine, ...line }] }],
      ...more,
    })
  expect(looks({})).toBe(false)
  expect(looks({ grade: 'S355J2+N+Z25' })).toBe(true)
  expect(looks({ options: pick(optionFields, { impactTemperatureC: -40 }) })).toBe(true)
  expect(looks({}, { pairRules: [{}] as never })).toBe(true)
})
