import { describe, expect, it } from 'vitest'
import { defaultReleasePolicy } from '../../../src/domain/verdict/releasePolicy.ts'
import { judge } from '../../../src/domain/verdict/verdict.ts'
import { aloneInHeat } from '../../../src/domain/verdict/verdictFacts.ts'
import { rowsOf } from '../../rulePacks/markdown.ts'
import { judgedCertificate, judgedLine, judgedOrder } from '../verdict/judged.ts'

/**
 * Each grade as a demand (row) against each grade as an offer (column, in the same order): `=` meets it, `d` leaves the
 * delivery condition open, `s` is a substitute, `×` differs, and `?` cannot be read.
 */
const table = rowsOf(`
  | S275J2     | = | × | × | s | s | s | s | s | s | s | s | × | s | s | s | ? |
  | S355       | × | = | = | = | = | = | = | = | = | = | s | × | = | s | = | ? |
  | S355J0     | × | × | = | = | = | = | = | = | = | = | s | × | = | s | = | ? |
  | S355J2     | × | × | × | = | = | = | = | = | = | = | s | × | = | s | = | ? |
  | S355J2+N   | × | × | × | d | = | × | × | d | = | d | s | × | d | s | d | ? |
  | S355J2+AR  | × | × | × | d | = | = | × | d | = | d | s | × | d | s | d | ? |
  | S355J2+M   | × | × | × | d | × | × | = | d | × | d | × | × | d | × | d | ? |
  | S355J2+Z25 | × | × | × | × | × | × | × | = | × | × | × | × | × | × | × | ? |
  | S355K2+N   | × | × | × | × | × | × | × | × | = | × | s | × | × | s | × | ? |
  | S355J2C    | × | × | × | × | × | × | × | × | × | = | × | × | × | × | × | ? |
  | S355NL     | × | × | × | × | × | × | × | × | × | × | = | × | × | × | × | ? |
  | S355J2W+N  | × | × | × | × | × | × | × | × | × | × | × | = | × | × | × | ? |
  | S355J2H    | × | × | × | = | = | = | = | = | = | = | s | × | = | s | = | ? |
  | S460N      | × | × | × | × | × | × | × | × | × | × | × | × | × | = | × | ? |
  | 1.0577     | × | × | × | = | = | = | = | = | = | = | s | × | = | s | = | ? |
  | A572-50    | ? | ? | ? | ? | ? | ? | ? | ? | ? | ? | ? | ? | ? | ? | ? | = |`)
const offered = table.map(([grade]) => grade!)
const signs: Readonly<Record<string, string>> = {
  'delivery-condition-unstated': 'd',
  'grade-substitute': 's',
  'grade-mismatch': '×',
  'grade-unreadable': '?',
}

function findingsOf(demand: string, offer: string) {
  const certificate = { ...judgedCertificate, standard: null, grade: offer, heatNumber: 'H 1' }
  const line = { ...judgedLine, grade: demand, quantity: 1 }
  return judge({
    bar: { grade: demand, profile: null },
    heatRead: null,
    certificate,
    orders: [{ ...judgedOrder, lineItems: [line] }],
    overrides: [],
    sameHeat: aloneInHeat,
    policy: defaultReleasePolicy,
    pairRules: [],
    acceptedCuts: [{ cutId: 'cut', orderId: 'order', lineItemId: 'line', lengthMm: 6_000 }],
  }).findings
}

describe('a demand for', () => {
  it.each(table)('%s is met as the table says', (demand, ...expected) => {
    const found = offered.map((offer) => {
      const codes = findingsOf(demand!, offer).map(({ code }) => code)
      const ofDemand = codes.filter((code) => code !== 'bar-grade-differs' && code !== 'demand-unstated')
      return ofDemand.map((code) => signs[code] ?? code).join() || '='
    })
    expect(found).toEqual(expected)
  })
})

it('keeps the key of a finding, by which recorded overrides name it', () => {
  expect(findingsOf('S275J2', 'S355J2+N')).toMatchObject([
    {
      severity: 'Block',
      code: 'grade-substitute',
      expected: 'S275J2',
      actual: 'S355J2+N',
      key: 'e191bd2c-8bc2-5e06-a24f-1611c234254a',
    },
  ])
})
