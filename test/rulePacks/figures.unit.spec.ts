import { describe, expect, it } from 'vitest'
import { brokenLimits } from '../../src/domain/rulePacks/brokenLimits.ts'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { packOf, packs } from './shipped.ts'
import { certificateOf } from './writtenCertificate.ts'

/** Each figure of the newest packs is in a table with its source, so the page lists it, and a finding shows it. */

const newest = [...new Set(packs.map(({ document }) => document.id))].map((id) => packOf(id))

/** Parts of a formula or a unit, which are no limits: the CEV, and the factors between % and ppm. */
const formulas = new Set(['computedCev', 'preciseCev', 'ofProductMore', 'shownCev'])
const harmless = new Set(['0', '1'])

function figuresIn(expression: string): string[] {
  const withoutTexts = expression.replaceAll(/"[^"]*"/g, '""')
  return [...withoutTexts.matchAll(/(?<![\w.])\d+(?:\.\d+)?/g)]
    .map(([figure]) => String(Number(figure)))
    .filter((figure) => !harmless.has(figure))
}

describe('the expressions of', () => {
  it.each(newest.map(({ document }) => [document.id, document] as const))(
    '%s have their figures in tables',
    (_, { definitions = [], rules, tables = {} }) => {
      const written = [
        ...definitions
          .filter(({ name }) => !formulas.has(name) && !/FromSlip$|^sumOf/.test(name))
          .map(({ expression }) => expression),
        ...rules.map(({ when }) => when),
      ]
      const inFormulas = ['steps.CEV / 10.0', 'sumOfElements > 100.0']
      const bare = written.map((text) => inFormulas.reduce((rest, part) => rest.replaceAll(part, ''), text))
      expect(bare.flatMap(figuresIn)).toEqual([])
      for (const { source, confidence, values } of Object.values(tables))
        expect(Array.isArray(values) || source || confidence).toBeTruthy()
    },
  )
})

describe('a finding of a broken limit', () => {
  const found = (pack: string, text: string) =>
    evaluateRulePack(packOf(pack), certificateOf(text))
      .filter(({ result, ruleId }) => result === 'matched' && ruleId !== 'not-judged')
      .map((outcome) => ({ ...outcome, values: outcome.values(), result: 'matched' as const }))

  it.each([
    ['en10025-2-chemistry', 'S355J2 Plate 20 C=0.60', 'chemistry.C', 0.23],
    ['en10025-2-chemistry', 'S355J2 Plate 20 Si=0.7', 'chemistry.Si', 0.6],
    ['en10025-2-chemistry', 'S355J2 Plate 20 Mn=1.8', 'chemistry.Mn', 1.7],
    ['en10025-2-chemistry', 'S235JR Section 20 P=0.20', 'chemistry.P', 0.05],
    ['en10025-2-chemistry', 'S355J2 Plate 20 S=0.04', 'chemistry.S', 0.035],
    ['en10025-2-chemistry', 'S355J2 Plate 20 Cu=0.7', 'chemistry.Cu', 0.6],
    ['en10025-2-chemistry', 'S355JR Plate 20 N=0.015 Al=0.005', 'chemistry.N', 0.014],
    ['en10025-2-chemistry', 'S460J2 Bar 20 Nb=0.08', 'chemistry.Nb', 0.05],
    ['en10025-2-chemistry', 'S355J2 Plate 20 chemistry=? statedCev=0.48', 'statedCev', 0.47],
    ['en10025-2-mechanical', 'S355J2 Plate 20 reH=344', 'mechanical.reHMpa', 345],
    ['en10025-2-mechanical', 'S355J2 Plate 20 rm=469', 'mechanical.rmMpa', 470],
    ['en10025-2-mechanical', 'S355J2 Plate 20 rm=631', 'mechanical.rmMpa', 630],
    ['en10025-2-mechanical', 'S355J2 Bar 20 a=21', 'mechanical.a5Percent', 22],
    ['en10025-2-mechanical', 'S355J2 Plate 20 kv=26', 'mechanical.kvJoule', 27],
    ['en10025-2-mechanical', 'S355J2 Plate 20 kt=0', 'mechanical.kvTemperatureC', -20],
    ['hollow-sections', 'S355J2H HollowSection 10 standard=EN_10210-1 C=0.3', 'chemistry.C', 0.27],
    ['hollow-sections', 'S355J2H HollowSection 10 standard=EN_10210-1 P=0.06', 'chemistry.P', 0.05],
    [
      'hollow-sections',
      'S355J0H HollowSection 10 standard=EN_10210-1 N=0.01 Al=0.01 kt=0',
      'chemistry.N',
      0.009,
    ],
    ['hollow-sections', 'S355J2H HollowSection 10 standard=EN_10210-1 reH=354', 'mechanical.reHMpa', 355],
    ['hollow-sections', 'S355J2H HollowSection 10 standard=EN_10210-1 rm=631', 'mechanical.rmMpa', 630],
    ['hollow-sections', 'S355J2H HollowSection 10 standard=EN_10210-1 a=19', 'mechanical.a5Percent', 20],
    ['plausibility', 'S355J2 Plate 20 C=2.1', 'chemistry.C', 2],
    ['plausibility', 'S355J2 Plate 20 a=61', 'mechanical.a5Percent', 60],
  ])('of %s names, for %s, the value and the limit', (pack, text, name, limit) => {
    const [first] = found(pack, text)
    const broken = brokenLimits(first!.expression, first!.values).find(
      (one) => one.name === `certificate.${name}`,
    )
    expect(broken).toMatchObject({ limit })
    expect(first!.explanation).toContain(String(broken!.value))
    if (name !== 'mechanical.kvTemperatureC') expect(first!.explanation).toContain(`${limit}`)
  })

  it('names the computed carbon equivalent and its limit', () => {
    const [first] = found('en10025-2-chemistry', 'S355J2 Plate 20 C=0.20 Mn=1.6 Cr=0.05 Mo=0 V=0 Ni=0 Cu=0')
    expect(brokenLimits(first!.expression, first!.values)).toMatchObject([
      { name: 'cev', value: 0.48, limit: 0.47 },
    ])
    expect(first!.explanation).toMatch(/is 0\.48; S355J2 of this thickness may have 0\.47 at most/)
  })

  it('has no placeholder and no missing value in its words', () => {
    const texts = [
      'S355J2 Plate 20 tests=20/20/20@-20w7.5;60/60/60@0',
      'S355J2 Plate 20 tests=40/26/26@-20',
      'S355J2 Plate 20 reH=? tensile=rp300;rm700',
      'S355J2 Plate 20 kv=? tests=20/20/20@0',
      'P265GH Plate 20 inspectionDocument=2.2',
      'S355J2 – –',
    ]
    for (const { document } of newest)
      for (const text of texts)
        for (const { explanation } of found(document.id, text)) {
          expect(explanation).not.toMatch(/[{}]|null|undefined|-1 mm/)
          expect(explanation.split(/[.?] (?=[A-Z])/).length).toBeLessThanOrEqual(2)
        }
  })
})
