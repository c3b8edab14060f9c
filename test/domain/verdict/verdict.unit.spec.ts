import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankOf } from '../../../src/domain/bars/candidates.ts'
import { optionFields, type SteelOptions } from '../../../src/domain/certificates/steelOptions.ts'
import { pick } from '../../../src/domain/kernel/fields.ts'
import type { Severity } from '../../../src/domain/tags/tag.ts'
import { defaultReleasePolicy, type ReleasePolicy } from '../../../src/domain/verdict/releasePolicy.ts'
import { findSeverities, judge } from '../../../src/domain/verdict/verdict.ts'
import {
  aloneInHeat,
  type JudgedCertificate,
  type JudgedLine,
  type JudgedOrder,
  judgedFields,
  judgedOrderFields,
  type Override,
  type VerdictFacts,
} from '../../../src/domain/verdict/verdictFacts.ts'
import { judgedCertificate, judgedFacts, judgedLine, judgedOrder } from './judged.ts'

type SeverityFound = ReturnType<typeof findSeverities>[number]

const unjudged = (rulePackId: string) => ({ rulePackId, rules: ['rule'], missing: ['certificate.grade'] })

const certificate: JudgedCertificate = { ...judgedCertificate, millCertificationId: 'cert' }
const line = judgedLine
const order = judgedOrder
const facts: VerdictFacts = { ...judgedFacts, certificate }

type Changed = Partial<Omit<VerdictFacts, 'bar' | 'certificate' | 'orders'>> & {
  readonly bar?: Partial<VerdictFacts['bar']>
  readonly certificate?: Partial<JudgedCertificate> | null
  readonly order?: Partial<JudgedOrder>
  readonly line?: Partial<JudgedLine>
}
/** Facts that a verdict finds nothing in, but for these values. */
const factsWith = (changed: Changed): VerdictFacts => {
  const { bar, certificate: certified, order: ordered, line: demanded, ...more } = changed
  return {
    ...facts,
    bar: { ...facts.bar, ...bar },
    certificate: certified === null ? null : { ...certificate, ...certified },
    orders: [{ ...order, lineItems: [{ ...line, ...demanded }], ...ordered }],
    ...more,
  }
}
const withCertificate = (changed: Partial<JudgedCertificate>) => factsWith({ certificate: changed })
const withOrder = (changed: Partial<JudgedOrder>) => factsWith({ order: changed })
/** A bar with a cut for a line of each profile. */
const withProfiles = (profiles: readonly (string | null)[]): VerdictFacts => ({
  ...withOrder({
    lineItems: profiles.map((profile, at) => ({
      ...line,
      lineItemId: `line ${at}`,
      lineNumber: at,
      profile,
    })),
  }),
  acceptedCuts: profiles.map((_, at) => ({
    cutId: `cut ${at}`,
    orderId: 'order',
    lineItemId: `line ${at}`,
    lengthMm: 6_000,
  })),
})
const codes = (judged: VerdictFacts) =>
  judge(judged).findings.map(({ severity, code }) => `${severity} ${code}`)
const found = (judged: VerdictFacts) => codes(judged).join(', ')
type Demanded = string | Partial<JudgedLine>
type Certified = string | Partial<JudgedCertificate>
const steelOf = <Steel>(steel: string | Steel) => (typeof steel === 'string' ? { grade: steel } : steel)
const tag = (severity: Severity, tagId = 'tag') => ({ tagId, name: 'Cracked', severity })

describe('the verdict', () => {
  it('has no findings when everything fits', () => {
    expect(judge(facts)).toEqual({ mayBeApproved: true, mayBeCut: true, findings: [] })
  })

  const noCertificate = 'Flag no-certificate'
  const policy = (severities: ReleasePolicy['severities']) => ({ ...defaultReleasePolicy, severities })
  const blocked = (count: number, ...first: string[]) => ({ ...aloneInHeat, blocked: { count, first } })
  const same = 'Flag same-heat-blocked'
  const hollow = { grade: 'S355J2H', standard: 'EN 10210-1' }
  it.each<[string, Changed, string]>([
    ['a missing certificate', { certificate: null }, noCertificate],
    [
      'a missing certificate in EXC3',
      { order: { executionClass: 'EXC3' }, certificate: null },
      'Block no-certificate',
    ],
    ['a voided certificate', { certificate: { status: 'Voided' } }, 'Block certificate-voided'],
    ['a rejected certificate', { certificate: { status: 'Rejected' } }, 'Block certificate-rejected'],
    ['a certificate without a document', { certificate: { documents: [] } }, 'Audit original-missing'],
    ['a received certificate', { certificate: { status: 'Received' } }, ''],
    [
      'a received certificate where the policy asks for a release',
      { certificate: { status: 'Received' }, policy: policy({ 'certificate-not-released': 'Block' }) },
      'Block certificate-not-released',
    ],
    ['a blocking tag on the certificate', { certificate: { tags: [tag('Block')] } }, 'Block certificate-tag'],
    [
      'an auditing tag on the certificate',
      { certificate: { tags: [tag('Audit')] } },
      'Audit certificate-tag',
    ],
    ['a flagging tag on the order', { order: { tags: [tag('Flag')] } }, 'Flag order-tag'],
    ['a cut that is shorter than its line', { line: { lengthMm: 6_001 } }, 'Block cut-too-short'],
    ['a cut that is longer than its line', { line: { lengthMm: 5_999 } }, ''],
    ['a cut that is shorter by the arithmetic alone', { line: { lengthMm: 6_000.04 } }, ''],
    ['a cancelled line', { line: { cancelled: true } }, 'Block line-cancelled'],
    [
      'a short cut for a cancelled line',
      { line: { lengthMm: 7_000, cancelled: true } },
      'Block line-cancelled',
    ],
    ['as many cuts as the line demands', { line: { acceptedCuts: 2 } }, ''],
    ['more cuts than the line demands', { line: { acceptedCuts: 3 } }, 'Flag line-overplanned'],
    ['a lower document', { certificate: { inspectionDocument: '2.2' } }, 'Block document-insufficient'],
    ['an order without a document', { order: { requiredInspectionDocument: null } }, 'Flag demand-unstated'],
    [
      'an order without a document where the policy has a default',
      {
        order: { requiredInspectionDocument: null },
        policy: { ...defaultReleasePolicy, defaultInspectionDocument: '3.2' },
      },
      'Block document-insufficient',
    ],
    ['an order without an execution class', { order: { executionClass: null } }, 'Flag demand-unstated'],
    ['a line without a grade', { line: { grade: null } }, 'Flag demand-unstated'],
    [
      'an impact energy without a temperature',
      { order: { options: { ...pick(optionFields, {}), impactJoule: 40 } } },
      'Flag demand-unstated',
    ],
    ['another grade of the bar', { bar: { grade: 'S235JR' } }, 'Flag bar-grade-differs'],
    [
      'another grade of the bar, where the line names a withdrawn steel',
      { line: { grade: 'St 52-3 N' }, bar: { grade: 'S235JR' } },
      'Flag bar-grade-differs, Flag grade-withdrawn',
    ],
    [
      'a bar that only says more of the delivery condition',
      { bar: { grade: 'S355J2+N' }, certificate: { grade: 'S355J2' } },
      '',
    ],
    [
      'a bar of another profile than its line, without a certificate',
      { line: { profile: 'HEA 200' }, bar: { profile: 'HEB 200' }, certificate: null },
      `Block profile-mismatch, ${noCertificate}`,
    ],
    [
      'a bar of a beam without a line, with a certificate for a hollow section',
      {
        acceptedCuts: [],
        order: { lineItems: [] },
        bar: { profile: 'HEA 200' },
        certificate: { standard: 'EN 10219-1', grade: 'S355J2H', productForm: 'HollowSection' },
      },
      'Block grade-mismatch',
    ],
    ['a blocked certificate of the same heat', { sameHeat: blocked(1, 'other') }, same],
    [
      'a heat with one more blocked certificate than are named',
      { sameHeat: blocked(2, 'one') },
      `${same}, ${same}`,
    ],
    [
      'a heat with more blocked certificates than are named',
      { sameHeat: blocked(25, 'one', 'other') },
      `${same}, ${same}, ${same}`,
    ],
    ['a pack that could not judge', { certificate: { notJudged: [unjudged('pack')] } }, 'Flag not-judged'],
    [
      'a pack that could not judge a Voided certificate',
      { certificate: { notJudged: [unjudged('pack')], status: 'Voided' } },
      'Block certificate-voided',
    ],
    [
      'a pack that could not judge, with the tag that says so',
      { certificate: { notJudged: [unjudged('pack')], tags: [{ ...tag('Flag'), name: 'Not judged' }] } },
      'Flag not-judged',
    ],
    [
      'a pack that could not judge, with a tag of the company that has the same name',
      { certificate: { notJudged: [unjudged('pack')], tags: [{ ...tag('Block'), name: 'Not judged' }] } },
      'Block certificate-tag, Flag not-judged',
    ],
    [
      'a code that the policy turns off',
      {
        certificate: { grade: 'S235JR' },
        policy: policy({ 'grade-mismatch': 'Off', 'bar-grade-differs': 'Off' }),
      },
      '',
    ],
  ])('judges %s', (_, changed, expected) => expect(found(factsWith(changed))).toBe(expected))

  // The line, the certificate; a text is a grade.
  it.each<[Demanded, Certified, string]>([
    ['S355J2', 'S355J0', 'Block grade-mismatch'],
    ['S355J2', 'S275J2', 'Block grade-mismatch'],
    ['S355J2', 'S355K2+N', ''],
    ['S355J2', 'S460K2+N', 'Block grade-substitute'],
    ['S355J2', { grade: 'S355N', standard: 'EN 10025-3' }, 'Block grade-substitute'],
    ['S355J2', { grade: 'S355J2W+N', standard: 'EN 10025-5' }, 'Block grade-mismatch'],
    ['S355J2', 'S355J0 / S355J2', ''],
    ['S355J2', 'A572-50 / S355J2+N', ''],
    ['S355J2', 'A572-50', 'Block grade-unreadable'],
    ['S355J2', 'A572-50 / S235JR', 'Block grade-unreadable'],
    ['a572 - 50', { grade: 'A572-50', standard: null }, 'Flag bar-grade-differs'],
    ['S355J2', '1.0577+N', ''],
    ['S355J2+N', { grade: 'S355J2', deliveryCondition: 'N' }, ''],
    ['S355J2+N', 'S355J2', 'Flag delivery-condition-unstated'],
    ['S355J2+N', 'S355J2+AR', 'Block grade-mismatch'],
    ['S355J2+AR', 'S355J2+N', ''],
    ['S355J2+N', { deliveryCondition: 'AR' }, 'Block grade-unreadable'],
    ['S355J2+N / 1.0577', 'S355J2+AR', 'Block grade-mismatch'],
    ['S355J2+N / A572-50', 'S355J2+N', ''],
    ['S355J2/K2+N', 'S355J2 / K2+N', ''],
    [{ grade: 'S355J2+N', standard: 'EN 10210-1' }, 'S355J2+N', 'Block grade-unreadable'],
    ['S355J2+Z25', 'S355J2+N', 'Block grade-mismatch'],
    ['S355J2+N, Z25', 'S355J2+N', 'Block grade-mismatch'],
    ['S355J2+Z25', 'S355J2+N+Z35', ''],
    ['S355J2+Z25', { zQuality: 'Z35' }, ''],
    ['S355J2C', 'S355J2+N', 'Block grade-mismatch'],
    ['S355', 'S355J2+N', 'Flag demand-unstated'],
    ['S355 / S355J2', 'S355J2+N', 'Flag demand-unstated'],
    ['S185', 'S355J2+N', 'Block grade-substitute'],
    ['S355J2+N', 'S355J2G3', 'Flag grade-withdrawn'],
    ['S355J2', 'RSt 37-2', 'Block grade-mismatch, Flag grade-withdrawn'],
    [hollow, { grade: 'S355J2H', standard: 'EN 10219-1' }, 'Block grade-mismatch'],
    [hollow, { standard: null, productForm: 'Plate' }, 'Block grade-mismatch'],
    [hollow, 'S355J2+N', 'Block grade-mismatch'],
    [hollow, { standard: null, grade: 'EN 10025-2 S355J2+N' }, 'Block grade-mismatch'],
    ['S355J2H / S355J0H', { standard: null, productForm: 'Tube' }, 'Flag demand-unstated'],
    ['S355J2H / S355J2', { productForm: 'Plate' }, 'Flag demand-unstated'],
  ])('judges for %o the steel %o: %s', (demanded, certified, expected) => {
    expect(found(factsWith({ line: steelOf(demanded), certificate: steelOf(certified) }))).toBe(expected)
  })

  // The line, the certificate of the bar, which is planned with the grade of the line.
  it.each<[Demanded, Certified, string]>([
    ['S355J2+N / K2+N', {}, 'Block grade-unreadable'],
    ['S355J2/K2+N', {}, 'Block grade-unreadable'],
    ['S355J2, galvanising class 1', {}, 'Block grade-unreadable'],
    ['St 52-3', {}, 'Flag grade-withdrawn'],
    ['B500B', { standard: null, grade: 'B500B (1.0439)' }, ''],
    ['B500B', { standard: null, grade: 'B500C' }, ''],
    ['B500C', { standard: null, grade: 'B500B' }, 'Block grade-mismatch'],
    ['B500B', { standard: null, grade: 'BSt 500 S' }, 'Flag grade-withdrawn'],
    ['B500B', { standard: null, grade: 'S500Q' }, 'Block grade-mismatch'],
    [hollow, hollow, ''],
    ['S355J2H', { standard: null, grade: 'S355J2H' }, 'Flag demand-unstated'],
    ['S355J2H, EN 10219-1', { standard: null, grade: 'S355J2H, EN 10219-1' }, ''],
    ['S355MLH', { standard: null, grade: 'S355MLH' }, ''],
    [{ ...hollow, profile: 'SHS 100x5' }, hollow, ''],
    [
      { standard: 'EN 10219-1', grade: 'S355J2', profile: 'SHS 100x5' },
      { standard: 'EN 10219-1', grade: 'S355J2' },
      '',
    ],
    [{ grade: 'S355MLH', profile: 'SHS 100x5' }, { standard: null, grade: 'S355MLH' }, ''],
    [{ grade: 'S355J2', profile: 'SHS 100x5' }, { standard: null, grade: 'S355J2' }, 'Flag demand-unstated'],
    [
      { standard: 'EN 10025-2', grade: 'S355J2', profile: 'SHS 100x5' },
      { grade: 'S355J2' },
      'Flag demand-unstated',
    ],
  ])('judges for a bar of %o the steel %o: %s', (demanded, certified, expected) => {
    const line = steelOf(demanded)
    const bar = { grade: line.grade! }
    expect(found(factsWith({ line, bar, certificate: steelOf(certified) }))).toBe(expected)
  })

  // The line, the bar, whose certificate is missing.
  it.each<[Demanded, string, string]>([
    [{ grade: 'S355J2H', standard: 'EN 10219-1' }, 'S355J2H', noCertificate],
    [{ grade: 'S355J2+N', standard: 'EN 10025-2' }, 'S355J2', noCertificate],
    [{ grade: 'S355J2+N+Z25', standard: 'EN 10025-2' }, 'S355J2', noCertificate],
    [
      { grade: 'S355J2H', standard: 'EN 10219-1' },
      'S355J2H (EN 10210-1)',
      `Block grade-mismatch, ${noCertificate}`,
    ],
    ['S355J2+N', 'S355J2+AR', `Block grade-mismatch, ${noCertificate}`],
    ['S355J2', 'S235JR', `Block grade-mismatch, ${noCertificate}`],
  ])('judges for %o a bar that is planned as %s: %s', (demanded, grade, expected) => {
    expect(found(factsWith({ line: steelOf(demanded), bar: { grade }, certificate: null }))).toBe(expected)
  })

  // The profiles of the bar, of the line, of the certificate.
  it.each<[string | null, string | null, string | null, string]>([
    [null, 'HEA 200', 'HEB 200', 'Block profile-mismatch'],
    [null, 'L 120 × 8,0', 'l120x120x8.0', ''],
    [null, 'HEA 200', 'HE 200 A', ''],
    ['HEA 200', 'HE 200 A', 'HEA 200', ''],
    ['HEA 200', null, 'IPBl 200', ''],
    ['HEA 200', 'HEA 200', null, ''],
    ['HEB 200', 'HEA 200', null, 'Block profile-mismatch'],
    ['HEB 200', null, 'HEA 200', 'Block profile-mismatch'],
    ['HEA 200', 'HEA 200', 'HEB 200', 'Block profile-mismatch'],
    ['HEB 200', 'HEA 200', 'HEA 200', 'Block profile-mismatch, Block profile-mismatch'],
    ['house section', null, 'HEA 200', 'Flag profile-unreadable'],
  ])('judges a bar of %s for %s, with a certificate for %s: %s', (ofBar, ofLine, certified, expected) => {
    const changed = {
      bar: { profile: ofBar },
      line: { profile: ofLine },
      certificate: { profile: certified },
    }
    expect(found(factsWith(changed))).toBe(expected)
  })

  it.each<[(string | null)[], string]>([
    [['HEA 200', 'HEB 200'], 'Block profiles-differ-on-bar'],
    [['HEA 200', 'W 10x49'], 'Flag profile-unreadable'],
    [['HEA 200', 'HEB 200', 'W 10x49'], 'Block profiles-differ-on-bar'],
    [['L 80x8', 'L 80x80x8'], ''],
    [['PL 20x200', 'PL 20x300'], ''],
    [['PL 10x100', 'FL 100x10'], ''],
    [['BL 10', 'FL 100x10', 'FL 80x10'], 'Block profiles-differ-on-bar'],
    [['UB 406x178x40', 'UB 406x178x40.3'], ''],
    [['HEA 200', null], ''],
  ])('judges a bar with cuts for %o: %s', (profiles, expected) => {
    expect(found(withProfiles(profiles))).toBe(expected)
  })

  it.each<[string, object, 'product' | null, string]>([
    ['another ladle analysis of the heat', { C: 0.15, Mn: 1.4 }, null, 'Flag heat-analyses-differ'],
    ['the rounded ladle analysis of the heat', { C: 0.17, Mn: 1.4, Nb: 0.02 }, null, ''],
    ['another ladle analysis beside a product analysis', { C: 0.15 }, 'product', ''],
  ])('judges %s', (_, chemistry, analysis, expected) => {
    const other = { millCertificationId: 'other', certificateNumber: 'MC-2', chemistry: { ...chemistry } }
    const sameHeat = { ...aloneInHeat, analyses: [other] }
    const own = { chemistry: { C: 0.173, Mn: 1.398, P: 0.012 }, analysis }
    expect(found(factsWith({ certificate: own, sameHeat }))).toBe(expected)
  })

  const hollowCertificate = (standard: string | null, grade = 'S355J2H') =>
    factsWith({ line: { standard: 'EN 10219-1', grade: 'S355J2H' }, certificate: { standard, grade } })
  it.each(['EN-10219-1', 'DIN-EN-10219-1:2006', '10219-1', 'EN 10 219'])(
    'knows hollow sections of EN 10219 by %s',
    (standard) => {
      expect(codes(hollowCertificate(standard))).toEqual(codes(hollowCertificate('EN 10219-1')))
    },
  )
  it.each<[string, string, VerdictFacts, string]>([
    [
      'the hand or the rule that can take a tag off',
      'certificate-tag',
      withCertificate({ tags: [tag('Block')] }),
      'Correct the certificate if a value is wrong',
    ],
    [
      'the same of an order',
      'order-tag',
      withOrder({ tags: [tag('Block')] }),
      'Correct the order if a value is wrong',
    ],
    [
      'the missing values, each once',
      'not-judged',
      withCertificate({ notJudged: [unjudged('chemistry'), unjudged('strength')] }),
      'lacks values (grade) that these rule packs need: chemistry, strength.',
    ],
    [
      'the unstated standard of a hollow section',
      'grade-mismatch',
      hollowCertificate(null),
      'whether the section follows EN 10210 (hot finished) or EN 10219 (cold formed): ask the mill',
    ],
    [
      'another steel, whose standard is stated',
      'grade-mismatch',
      hollowCertificate('EN 10210-1'),
      'Use a heat of the demanded steel.',
    ],
    [
      'another steel, whose standard would not help',
      'grade-mismatch',
      hollowCertificate(null, 'S275J2H'),
      'Use a heat of the demanded steel.',
    ],
    [
      'another steel, one name of which is no hollow section',
      'grade-mismatch',
      hollowCertificate(null, 'S275J2H / S355J2'),
      'Use a heat of the demanded steel.',
    ],
    ...['S355J2+C', 'S355J2+SH', 'S355J2C+C+SL', 'S355J2+N +PL'].map(
      (grade): [string, string, VerdictFacts, string] => [
        `a bright product: ${grade}`,
        'grade-unreadable',
        withCertificate({ grade }),
        'is a bright product, which belongs to another standard (EN 10277)',
      ],
    ),
    ...['S355J2+CR', 'S355J2+NT', 'S355J2+U'].map((grade): [string, string, VerdictFacts, string] => [
      `an unknown condition: ${grade}`,
      'grade-unreadable',
      withCertificate({ grade }),
      `"${grade}" is unknown or contradicts`,
    ]),
  ])('names in its message %s', (_, code, judged, words) => {
    const [found] = judge(judged).findings.filter((finding) => finding.code === code)
    expect(found?.message).toContain(words)
  })

  it('keeps a substitute that the order or its line allows for the record, with the reference', () => {
    const allows = (grade: string) => [{ grade, reference: 'Letter of 3 May' }]
    const demand = (changed: Partial<JudgedOrder>, of: Partial<JudgedLine> = {}) =>
      withOrder({ ...changed, lineItems: [{ ...line, grade: 'S235JR', ...of }] })
    const found = (judged: VerdictFacts) =>
      judge(judged).findings.filter(({ code }) => code === 'grade-substitute')
    expect(found(demand({}))).toMatchObject([{ severity: 'Block' }])
    expect(found(demand({ allowedSubstitutes: allows('S275J2') }))).toMatchObject([{ severity: 'Block' }])
    const audit = [{ severity: 'Audit', message: expect.stringMatching(/allows it: Letter of 3 May\.$/) }]
    expect(found(demand({ allowedSubstitutes: allows('S355J2+N') }))).toMatchObject(audit)
    expect(found(demand({}, { allowedSubstitutes: allows('S355J2') }))).toMatchObject(audit)
    const weaker = demand({ allowedSubstitutes: allows('S355J2+N') }, { grade: 'S460N' })
    expect(codes(weaker)).toContain('Block grade-mismatch')
  })

  it('takes the severity of the strictest execution class on the bar', () => {
    const lax = { ...order, orderId: 'lax', executionClass: 'EXC1' as const }
    const strict = { ...order, executionClass: 'EXC4' as const }
    expect(codes({ ...facts, certificate: null, orders: [strict, lax] })).toEqual(['Block no-certificate'])
  })

  it.each([
    [null, ['Block heat-unread']],
    [{ heatNumber: 'H 4711', marked: true }, []],
    ['h-4711', []],
    ['H 4712', ['Block heat-unread']],
    [{ heatNumber: 'H 4711', marked: false }, ['Block heat-unread']],
  ])('asks for the heat on the steel of EXC3, and finds after %o: %o', (read, expected) => {
    const heatRead = typeof read === 'string' ? { heatNumber: read, marked: true } : read
    const strict = { ...withOrder({ executionClass: 'EXC3' }), heatRead }
    expect(codes(strict)).toEqual(expected)
    expect(judge(strict)).toMatchObject({ mayBeApproved: true, mayBeCut: expected.length === 0 })
    expect(codes({ ...facts, heatRead })).toEqual([])
    const policy = { ...defaultReleasePolicy, byExecutionClass: { EXC3: { 'heat-unread': 'Flag' } } } as const
    expect(codes({ ...strict, policy })).toEqual(expected.map(() => 'Flag heat-unread'))
  })

  it('approves without a certificate what may not be cut without one', () => {
    const verdict = judge({ ...withOrder({ executionClass: 'EXC3' }), certificate: null })
    expect(verdict).toMatchObject({ mayBeApproved: true, mayBeCut: false })
  })

  it('never lets a rejected certificate be overridden', () => {
    const judged = withCertificate({ status: 'Rejected' })
    expect(judge({ ...judged, overrides: [overrideOf(judged)] }).mayBeCut).toBe(false)
  })
})

/** An override of every finding that the facts have. */
function overrideOf(judged: VerdictFacts): Override {
  const findings = judge(judged).findings.map(({ key }) => key)
  return {
    findings,
    reason: 'The designer agreed.',
    reference: null,
    by: 'quality',
    at: '2026-01-01T00:00:00Z',
  }
}

const severity = fc.constantFrom('Block', 'Flag', 'Audit')
const tags = fc.uniqueArray(fc.record({ tagId: fc.uuid(), name: fc.string(), severity }), {
  maxLength: 4,
  selector: ({ tagId }) => tagId,
})
const grade = fc.constantFrom(
  'S235JR',
  'S275J0',
  'S355J2',
  'S355J2+N',
  'S355K2+N',
  'S355J2C',
  'S355N',
  'S355ML',
  'S460N',
  'S355J2W',
  'S355J2H',
  'S690QL',
  'A572-50',
  'S355J2 / S355K2',
  '1.0577',
  'S355',
)
const profile = fc.constantFrom(null, 'HEA 200', 'PL 20', 'SHS 100x8', 'W 10x49')
const document = fc.constantFrom('2.1', '2.2', '3.1', '3.2')
const anyOrder = (orderId: string): fc.Arbitrary<JudgedOrder> =>
  fc
    .record({
      orderId: fc.constant(orderId),
      orderNumber: fc.constant(orderId),
      requiredInspectionDocument: fc.option(document),
      executionClass: fc.option(fc.constantFrom('EXC1', 'EXC2', 'EXC3', 'EXC4')),
      tags,
      lineItems: fc.tuple(...[1, 2].map((number) => anyLine(`${orderId}-${number}`, number))),
    })
    .map((stated) => ({ ...pick(judgedOrderFields, {}), ...stated }))
const z25: SteelOptions = { ...pick(optionFields, {}), zQuality: 'Z25' as const }
const anyLine = (lineItemId: string, lineNumber: number): fc.Arbitrary<JudgedLine> =>
  fc.record({
    lineItemId: fc.constant(lineItemId),
    lineNumber: fc.constant(lineNumber),
    standard: fc.constant(null),
    pieceMark: fc.constant(null),
    grade: fc.option(grade),
    profile,
    lengthMm: fc.constantFrom(1_000, 6_000),
    quantity: fc.integer({ min: 1, max: 2 }),
    acceptedCuts: fc.integer({ min: 0, max: 3 }),
    cancelled: fc.boolean(),
    allowedSubstitutes: fc.constantFrom(null, [{ grade: 'S355J2', reference: 'DR 1' }]),
    options: fc.constantFrom(null, z25),
  })
const otherAnalyses = [0.15, 0.2].map((C) => ({
  millCertificationId: `C ${C}`,
  certificateNumber: `MC ${C}`,
  chemistry: { C },
}))
const anyFacts: fc.Arbitrary<VerdictFacts> = fc.record({
  pairRules: fc.constant([]),
  bar: fc.record({ grade, profile }),
  heatRead: fc.option(fc.record({ heatNumber: fc.constantFrom('H 1', 'H 2'), marked: fc.boolean() })),
  certificate: fc.option(
    fc
      .record({
        millCertificationId: fc.constant('cert'),
        standard: fc.constant(null),
        grade,
        profile,
        tags,
        deliveryCondition: fc.constantFrom(null, 'N', 'AR'),
        zQuality: fc.constantFrom(null, 'Z15', 'Z25'),
        inspectionDocument: document,
        heatNumber: fc.constant('H 1'),
        status: fc.constantFrom('Received', 'Released', 'Rejected', 'Voided'),
        notJudged: fc.subarray(['pack one', 'pack two'].map(unjudged)),
        productForm: fc.constantFrom(null, 'Plate', 'HollowSection'),
        thicknessMm: fc.constantFrom(null, 8, 20),
        widthMm: fc.constantFrom(null, 100, 2_000),
        chemistry: fc.constantFrom(null, { C: 0.17 }),
        analysis: fc.constantFrom(null, 'ladle', 'product'),
        documents: fc.subarray([{ documentId: 'original' }]),
        stock: fc.constant(null),
      })
      .map((stated) => ({ ...pick(judgedFields, {}), ...stated })),
  ),
  sameHeat: fc.record({
    blocked: fc.record({ count: fc.integer({ min: 2, max: 30 }), first: fc.subarray(['a', 'b']) }),
    analyses: fc.subarray(otherAnalyses),
  }),
  orders: fc.tuple(anyOrder('one'), anyOrder('two')),
  acceptedCuts: fc.subarray(
    ['one', 'two'].flatMap((orderId) =>
      [1, 2, 3].map((cut) => ({
        cutId: `${orderId}-${cut}`,
        orderId,
        lineItemId: `${orderId}-${(cut % 2) + 1}`,
        lengthMm: 6_000,
      })),
    ),
  ),
  policy: fc.constant(defaultReleasePolicy),
  overrides: fc.constant([]),
})

const upsideDown = <Item>(items: readonly Item[]) => items.toReversed()

describe('every verdict', () => {
  it('is the same whatever the order of the facts', () => {
    fc.assert(
      fc.property(anyFacts, (one) => {
        const other: VerdictFacts = {
          ...one,
          certificate: one.certificate && {
            ...one.certificate,
            tags: upsideDown(one.certificate.tags),
            notJudged: upsideDown(one.certificate.notJudged),
          },
          sameHeat: {
            blocked: { ...one.sameHeat.blocked, first: upsideDown(one.sameHeat.blocked.first) },
            analyses: upsideDown(one.sameHeat.analyses),
          },
          acceptedCuts: upsideDown(one.acceptedCuts),
          orders: upsideDown(one.orders).map((each) => ({
            ...each,
            tags: upsideDown(each.tags),
            lineItems: upsideDown(each.lineItems),
          })),
        }
        expect(judge(other)).toEqual(judge(one))
      }),
    )
  })

  it('is not better with a Block more', () => {
    fc.assert(
      fc.property(anyFacts, (one) => {
        fc.pre(one.certificate !== null)
        const blocked = { ...one.certificate!, tags: [...one.certificate!.tags, tag('Block', 'another')] }
        expect(judge({ ...one, certificate: blocked }).mayBeCut).toBe(false)
      }),
    )
  })

  it('is overridden by exactly the keys of an override', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(), (one, at) => {
        const { findings } = judge(one)
        fc.pre(findings.length > 0)
        const chosen = findings[at % findings.length]!
        const override = { ...overrideOf(one), findings: [chosen.key] }
        const covered = judge({ ...one, overrides: [override] }).findings.filter(
          (finding) => finding.override,
        )
        const may =
          chosen.severity === 'Block' && !['certificate-voided', 'certificate-rejected'].includes(chosen.code)
        expect(covered.map(({ key }) => key)).toEqual(may ? [chosen.key] : [])
      }),
    )
  })

  it('needs a new override when the certificate says something else', () => {
    const judged = withCertificate({ grade: 'S235JR' })
    const other = { ...withCertificate({ grade: 'S275JR' }), overrides: [overrideOf(judged)] }
    expect(judge({ ...judged, overrides: [overrideOf(judged)] }).mayBeCut).toBe(true)
    expect(judge(other).mayBeCut).toBe(false)
  })

  it('has no grade finding more when the quality of the certificate is raised', () => {
    const qualities = ['JR', 'J0', 'J2', 'K2']
    fc.assert(
      fc.property(anyFacts, fc.nat(2), (one, at) => {
        fc.pre(one.certificate !== null)
        const grades = (quality: string) =>
          judge({ ...one, certificate: { ...one.certificate!, grade: `S355${quality}` } }).findings.filter(
            ({ code }) => code.startsWith('grade-'),
          ).length
        expect(grades(qualities[at + 1]!)).toBeLessThanOrEqual(grades(qualities[at]!))
      }),
    )
  })

  it('has the severities that are found without keys', () => {
    const told = ({ severity, millCertificationId, orderId, lineItemId, cutId, tagId }: SeverityFound) =>
      [severity, millCertificationId, orderId, lineItemId, cutId, tagId].join()
    fc.assert(
      fc.property(anyFacts, (one) => {
        expect(new Set(findSeverities(one).map(told))).toEqual(new Set(judge(one).findings.map(told)))
      }),
    )
  })

  it('ranks a candidate by its own findings, and only one that may be cut', () => {
    fc.assert(
      fc.property(anyFacts, fc.boolean(), fc.boolean(), (one, isExact, isOverridden) => {
        const overrides = isOverridden ? [overrideOf(one)] : []
        const { mayBeCut, findings } = judge({ ...one, overrides })
        const flags = findings.filter((each) => each.millCertificationId && each.severity !== 'Audit')
        const rank = flags.length > 0 ? 2 : isExact ? 0 : 1
        expect(rankOf({ ...one, overrides }, isExact)).toBe(mayBeCut ? rank : undefined)
      }),
    )
  })

  it('has a key for each finding that no other finding has', () => {
    fc.assert(
      fc.property(anyFacts, (one) => {
        const keys = judge(one).findings.map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })
})
