import { describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import type { RuleSubject } from '../../src/domain/rulePacks/ruleBook.ts'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { lineItem } from '../domain/verdict/facts.ts'
import { chemistry } from './judged/chemistry.ts'
import { completeness, lines } from './judged/completeness.ts'
import { hollow } from './judged/hollowSections.ts'
import { documents, orders } from './judged/inspectionDocuments.ts'
import { mechanical } from './judged/mechanical.ts'
import { plausibility } from './judged/plausibility.ts'
import { orderSubject, packOf, packs } from './shipped.ts'
import { certificateOf } from './writtenCertificate.ts'

/**
 * Certificates and orders with the tags that a quality manager expects on them, on both sides of each limit. A value
 * that is not listed is sound. Columns: values, expected tags, source.
 */

/** The pack for hollow sections has the same rules on Charpy tests, up to 120 mm and with one tag for tests too warm. */
const hollowCharpy = mechanical
  .filter(([text]) => /^S355(J0|J2|K2) Plate (?!1\d\d |–)\S+ +(tests|kv|kt)=/.test(text!))
  .map(([text, tags, source]) => [
    `${text!.replace(/^(\S+) Plate/, '$1H HollowSection')} standard=EN_10219-1`,
    tags!
      .replace(source!.includes('too warm') ? 'charpy-to-be-judged' : 'nothing', '')
      .replace('charpy-outside-limits', 'hollow-mechanical-outside')
      .replace('charpy-to-be-judged', 'hollow-to-be-judged')
      .trim(),
    source!,
  ])

function orderOf(text: string) {
  const [executionClass, required, ...grades] = text.split(/\s+/) as [string, string, ...string[]]
  return orderSubject({
    executionClass: executionClass === '–' ? null : (executionClass as 'EXC1'),
    requiredInspectionDocument: required === '–' ? null : (required as '2.1'),
    lineItems: grades.map((grade, index) => lineItem(index + 1, { grade: grade === '–' ? null : grade })),
  })
}

/** `edition=2008` in the text is the chosen edition of EN 1090-2. */
function judgedBy(pack: string, text: string, subjectOf: (text: string) => RuleSubject) {
  const [chosen, edition] = / edition=(\d+)/.exec(text) ?? ['']
  const subject = subjectOf(text.replace(chosen, ''))
  return evaluateRulePack(packOf(pack), subject, { parameters: edition ? { edition } : {} })
}

const tables = [
  ['en10025-2-chemistry', chemistry, certificateOf],
  ['en10025-2-mechanical', mechanical, certificateOf],
  ['en1090-2-inspection-documents', documents, certificateOf],
  ['completeness', completeness, certificateOf],
  ['completeness', lines, orderOf],
  ['hollow-sections', [...hollow, ...hollowCharpy], certificateOf],
  ['plausibility', plausibility, certificateOf],
  ['en1090-2-inspection-documents', orders, orderOf],
] as const

/** Packs whose own spec has a row for each rule (`untried`). */
const withOwnSpec = new Set(['bs4449', 'en10025-3', 'en10025-4', 'fine-grain-hollow-sections'])

describe.each(tables)('%s judges', (pack, rows, subjectOf) => {
  it.each(rows as [string, string, string][])('%s: %s (%s)', (values, expected) => {
    const matched = judgedBy(pack, values, subjectOf).filter(({ result }) => result === 'matched')
    const tags = new Set(matched.map(({ tag }) => tag))
    expect([...tags].sort()).toEqual(expected === '–' ? [] : expected.split(' ').sort())
  })
})

it('has a row that matches each rule, and a row that does not', () => {
  const results = new Set(
    tables.flatMap(([pack, rows, subjectOf]) =>
      rows.flatMap(([values]) =>
        judgedBy(pack, values!, subjectOf).map(({ ruleId, result }) => `${ruleId} ${result}`),
      ),
    ),
  )
  const rules = packs
    .filter(({ document }) => !withOwnSpec.has(document.id))
    .flatMap(({ document }) => document.rules.map(({ ruleId }) => ruleId))
  for (const result of ['matched', 'not-matched'])
    expect(
      rules.filter((ruleId) => !results.has(`${ruleId} ${result}`)),
      result,
    ).toEqual([])
})

describe('above 250 mm', () => {
  it.each([
    ['reH=264', true],
    ['reH=265', false],
    ['reH=? tensile=rp264', true],
    ['reH=? tensile=rp265', false],
    ['reH=? tensile=rp264;rp300', true],
  ])('the yield strength of S355JR by %s is below the minimum: %s', (value, isLow) => {
    const subject = certificateOf(`S355JR Plate 300 ${value}`)
    const low = evaluateRulePack(packOf('en10025-2-mechanical'), subject).filter(
      ({ ruleId, result }) => result === 'matched' && ruleId.endsWith('strength-low-above-250-mm'),
    )
    expect(low).toHaveLength(isLow ? 1 : 0)
  })
})

describe('the pack for slips', () => {
  it.each([
    ...'N=9.9 C=4.9 P=0.51 P=4.9 S=0.51 S=0.9 Al=9.9 B=0.49 Ca=0.11 Ca=0.49 Si=9.9 Mn=29.9 Cu=9.9 Nb=4.9 Ti=4.9 V=4.9'
      .split(' ')
      .map((value) => [value, 'too-much'] as const),
    ...'N=10 C=5 P=5 S=1 Al=10 B=0.5 Ca=0.5 Si=10 Mn=30 Cu=10 Nb=5 Ti=5 V=5'
      .split(' ')
      .map((value) => [value, 'implausible'] as const),
  ])('takes %s for a slip of the kind %s', (value, kind) => {
    const outcomes = evaluateRulePack(packOf('plausibility'), certificateOf(`S355J2 Plate 20 ${value}`))
    const found = outcomes.filter(({ result }) => result === 'matched').map(({ ruleId }) => ruleId)
    expect(found).toEqual([expect.stringMatching(new RegExp(`^[a-z]+-${kind}$`))])
  })
})

describe('a pack', () => {
  const outcomeOf = (pack: string, ruleId: string, text: string, packs: readonly string[] = []) =>
    evaluateRulePack(packOf(pack), certificateOf(text), { packs }).find((found) => found.ruleId === ruleId)

  it('says how much of an element a structural steel has at most', () => {
    expect(outcomeOf('plausibility', 'nitrogen-too-much', 'S355J2 Plate 20 N=0.12')?.explanation).toBe(
      '0.120 % of nitrogen is more than the 0.100 % that a structural steel has at most. Compare the record with the certificate: is the decimal point misplaced?',
    )
  })

  it('is silent about steels that another pack of the company covers', () => {
    const hollow = 'S355J2H HollowSection 8 standard=EN_10210-1'
    const ofChemistry = (packs: string[]) =>
      outcomeOf('en10025-2-chemistry', 'chemistry-of-another-steel', hollow, packs)?.result
    expect([ofChemistry([]), ofChemistry(['hollow-sections'])]).toEqual(['matched', 'not-matched'])
    const ofMechanical = (packs: string[]) =>
      outcomeOf('en10025-2-mechanical', 'mechanical-of-another-steel', hollow, packs)?.result
    expect([ofMechanical([]), ofMechanical(['hollow-sections'])]).toEqual(['matched', 'not-matched'])
    const ofHollow = (packs: string[]) =>
      outcomeOf('hollow-sections', 'hollow-not-of-these-tables', 'S355J2 Plate 20', packs)?.result
    expect([ofHollow([]), ofHollow(['en10025-2-mechanical'])]).toEqual(['matched', 'not-matched'])
  })

  it.each(['en10025-2-chemistry', 'en10025-2-mechanical'])(
    'for hollow sections is silent about other steels beside %s, but not about other hollow sections',
    (other) => {
      const said = (rule: string, text: string, packs: string[]) =>
        outcomeOf('hollow-sections', `hollow-${rule}`, text, packs)?.result
      for (const [rule, text] of [
        ['not-of-these-tables', 'S355J2 Plate 20'],
        ['grade-unreadable', 'P265GH Plate 20'],
        ['grade-contradictory', 'S355J2+AR Plate 20 deliveryCondition=+N'],
        ['delivery-condition-unknown', 'S355J2 Plate 20 deliveryCondition=NR'],
      ] as const)
        expect([said(rule, text, []), said(rule, text, [other])]).toEqual(['matched', 'not-matched'])
      const fineGrain = 'S420NH HollowSection 10 standard=EN_10210-1'
      expect(said('not-of-these-tables', fineGrain, [other])).toBe('matched')
    },
  )

  it('names the statements that contradict each other, and the delivery condition that it does not know', () => {
    const said = (rule: string, text: string) =>
      outcomeOf('en10025-2-chemistry', `chemistry-${rule}`, text)?.explanation
    expect(said('grade-contradictory', 'S355J2+AR Plate 20 deliveryCondition=+N')).toBe(
      'These statements about the grade contradict each other: S355J2+AR and +N. Compare the record with the certificate, and ask the mill which of them is right.',
    )
    expect(said('delivery-condition-unknown', 'S355J2 Plate 20 deliveryCondition=NR')).toMatch(/: NR\. It/)
    expect(said('grade-unreadable', 'P265GH/1.4301 Plate 20')).toMatch(/steel: P265GH, 1\.4301\. Compare/)
  })

  it.each([
    ['en10025-2-chemistry', /stainless/],
    ['en10025-2-mechanical', /stainless/],
    ['hollow-sections', /Fine-grain.* a pack of their own/],
    ['en10025-2-chemistry', /NR/],
    ['en10025-2-mechanical', /NR/],
    ['hollow-sections', /NR/],
  ])('%s says that it does not cover %s', (pack, words) => {
    expect(packOf(pack).document.doesNotCover).toContainEqual(expect.stringMatching(words))
  })

  it('judges the average of the Charpy values, and not a higher one that is stated', () => {
    const subject = certificateOf('S355J2 Plate 20 tests=27/27/25@-20')
    const { tests } = subject.content as CertificateContent
    const stated = tests!.map((test) => ({ ...test, averageJoule: 61 }))
    const content = { ...subject.content, tests: stated } as typeof subject.content
    const found = evaluateRulePack(packOf('en10025-2-mechanical'), { ...subject, content } as RuleSubject)
    expect(found.find(({ ruleId }) => ruleId === 'charpy-energy-low')?.result).toBe('matched')
  })

  it('names every missing field of what it could not judge', () => {
    const found = outcomeOf('en10025-2-chemistry', 'not-judged', 'S355J2 Plate – V=? Mo=?')
    expect(found?.values()).toEqual({
      missing: ['certificate.chemistry.Mo', 'certificate.chemistry.V', 'certificate.thicknessMm'],
    })
  })
})

it.each([
  [
    'en10025-2-mechanical',
    'S355J2 Plate 10 tests=13/13/13@-20w5',
    'shows 13 J; S355J2 of this thickness needs 13.5 J at -20 °C',
  ],
  [
    'hollow-sections',
    'S355J2H HollowSection 10 standard=EN_10219-1 tests=19/19/19@-20w7.5',
    'shows 19 J; S355J2H needs 20.3 J at -20 °C',
  ],
  [
    'en10025-3',
    'S355NL Plate 10 standard=EN_10025-3 tests=13/13/13@-50w5',
    'show 13 J at -50 °C, and need 13.5 J',
  ],
])('%s says what a reduced test piece needs: %s', (pack, text, said) => {
  const explanations = judgedBy(pack, text, certificateOf)
    .filter(({ result }) => result === 'matched')
    .map(({ explanation }) => explanation)
  expect(explanations.join(' ')).toContain(said)
})
