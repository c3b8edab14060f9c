import { describe, expect, it } from 'vitest'
import type { PairRule } from '../../src/domain/rulePacks/pairRules.ts'
import { judge } from '../../src/domain/verdict/verdict.ts'
import type { JudgedCertificate, JudgedLine } from '../../src/domain/verdict/verdictFacts.ts'
import { checkOwnRulePack } from '../../src/rulePacks/ownRules/check.ts'
import type { WrittenPairRule } from '../../src/rulePacks/rulePack.ts'
import { judgedCertificate, judgedFacts, judgedLine, judgedOrder } from '../domain/verdict/judged.ts'
import { ownDocument } from './ownDocument.ts'

const thickPlates: WrittenPairRule = {
  ruleId: 'thick-plates',
  severity: 'Block',
  when: 'line.profile.startsWith("PL") && certificate.thicknessMm > 30.0 && !has(certificate.ultrasonicClass)',
  clause: 'House rule 3',
  explanation: 'A plate of {certificate.thicknessMm} mm is tested by ultrasound.',
}

function check(...pairRules: WrittenPairRule[]) {
  return checkOwnRulePack({ ...ownDocument, pairRules })
}

function compiled(rule: Partial<WrittenPairRule> = {}): readonly PairRule[] {
  const result = check({ ...thickPlates, ...rule })
  expect(result.faults).toEqual([])
  return 'checked' in result ? result.checked.pairRules! : []
}

function findings(
  rules: readonly PairRule[],
  certificate: Partial<JudgedCertificate>,
  line: Partial<JudgedLine> = {},
) {
  const facts = {
    ...judgedFacts,
    pairRules: rules,
    certificate: { ...judgedCertificate, ...certificate },
    orders: [{ ...judgedOrder, lineItems: [{ ...judgedLine, profile: 'PL 40', ...line }] }],
  }
  return judge(facts).findings.filter(({ code }) => code === 'pack-rule')
}

describe('a rule on a certificate and a line', () => {
  it('is a finding with its pack, its clause and its values where both match', () => {
    const rules = compiled()
    const found = findings(rules, { thicknessMm: 40 })
    expect(found).toMatchObject([
      {
        severity: 'Block',
        expected: 'house-limits/thick-plates',
        actual: 'line.profile: PL 40, certificate.thicknessMm: 40, certificate.ultrasonicClass: not stated',
        message:
          'Line 10 of order SO-1: A plate of 40 mm is tested by ultrasound. (rule thick-plates of House limits, House rule 3)',
        lineItemId: 'line',
      },
    ])
    expect(findings(rules, { thicknessMm: 20 })).toEqual([])
    expect(findings(rules, { thicknessMm: 40, ultrasonicClass: 'S1' })).toEqual([])
    expect(findings(rules, { thicknessMm: 40 }, { profile: 'FL 100x40' })).toEqual([])
  })

  it('has another key for other values, so that an override covers what was seen', () => {
    const [one, other] = [40, 50].map((thicknessMm) => findings(compiled(), { thicknessMm })[0]!.key)
    expect(one).not.toBe(other)
  })

  it('flags where a missing value decides, and is silent where it does not', () => {
    const [open] = findings(compiled(), {})
    expect(open).toMatchObject({
      severity: 'Flag',
      message: expect.stringContaining('certificate.thicknessMm'),
    })
    expect(findings(compiled(), {}, { profile: 'HEA 200' })).toEqual([])
  })

  it.each([
    'certificate.thicknessMm > 30 && certificate.thicknessMm < 50',
    'certificate.thicknessMm + 10 == 100 / 2',
    'certificate.thicknessMm / 3.5 > 21 / 2 && -1 * certificate.thicknessMm in [-40, -41.5]',
  ])('reads each number as a double: %s', (when) => {
    const rules = compiled({ when })
    expect([20, 40, 60].map((thicknessMm) => findings(rules, { thicknessMm }).length)).toEqual([0, 1, 0])
  })

  it('is judged of no bar without a certificate', () =>
    expect(judge({ ...judgedFacts, pairRules: compiled(), certificate: null }).findings).toMatchObject([
      { code: 'no-certificate' },
    ]))

  it.each<[string, Partial<JudgedCertificate>, boolean]>([
    ['order.executionClass in ["EXC2", "EXC3"] && certificate.inspectionDocument != "3.2"', {}, true],
    ['order.executionClass in ["EXC3"] || certificate.grade.contains("J2")', {}, true],
    ['certificate.mechanical.reHMpa / 2.0 + 1.0 >= -(line.lengthMm) * 0.1 - 5.0', {}, false],
    ['!has(line.options) && !(certificate.heatNumber.endsWith("1"))', {}, false],
    ['certificate.chemistry.C <= 0.2 && line.quantity == 2.0', { chemistry: { C: 0.2 } }, true],
    ['certificate.chemistry.C < 0.2', { chemistry: { C: 0.2 } }, false],
    ['line.cancelled', {}, false],
  ])('reads %s', (when, certificate, matches) => {
    const found = findings(compiled({ when, severity: 'Audit', explanation: 'So it is.' }), certificate)
    expect(found.map(({ message }) => message.includes('So it is.'))).toEqual(
      matches || when.includes('reHMpa') ? [matches] : [],
    )
  })

  it.each([
    ['line.profile', 'must be bool'],
    ['certificate.inspector == "A"', 'not judged from certificate.inspector'],
    ['line.description == "A"', 'not judged from line.description'],
    ['certificate.tests.exists(t, t.averageJoule > 1.0)', 'and nothing else'],
    ['size(line.profile) > 1', 'and nothing else'],
    ['line.lenght > 1.0', 'No such key'],
    ['line.lengthMm > "1"', ''],
    ['line.lengthMm >', ''],
    [Array(30).fill('line.lengthMm > 1.0').join(' || '), 'parts, but the limit is 60'],
  ])('is refused at its place: %s', (when, words) => {
    const { faults } = check({ ...thickPlates, when, explanation: 'No.' })
    expect(faults).toMatchObject([
      { path: ['pairRules', 0, 'when'], message: expect.stringContaining(words) },
    ])
  })

  it('is checked also where another part of the document has a fault of shape', () => {
    const pairRules = [{ ...thickPlates, when: 'line.lenght > 1.0' }]
    const document = { ...ownDocument, name: 7, pairRules } as never
    expect(checkOwnRulePack(document).faults.map(({ path }) => path)).toEqual([['pairRules', 0, 'when']])
  })

  it('has an id of its own, and explains itself by what it reads', () => {
    const { faults } = check({ ...thickPlates, ruleId: 'thick', explanation: '{line.lengthMm}' })
    expect(faults.map(({ path }) => path.join('/'))).toEqual([
      'pairRules/0/ruleId',
      'pairRules/0/explanation',
    ])
  })

  it('may be alone in its pack', () => {
    const { tables: _, definitions: __, ...document } = ownDocument
    const faultsWith = (pairRules: WrittenPairRule[]) =>
      checkOwnRulePack({ ...document, tags: [], rules: [], pairRules }).faults.map(({ path }) => path)
    expect(faultsWith([thickPlates])).toEqual([])
    expect(faultsWith([])).toEqual([['rules']])
  })
})
