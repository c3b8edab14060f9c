import { describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import { type MechanicalValues, mechanicalFields } from '../../src/domain/certificates/materialTests.ts'
import { pick } from '../../src/domain/kernel/fields.ts'
import { clean, stepOf, withCev } from './analyses.ts'
import { rowsOf } from './markdown.ts'
import { certificateSubject, matched } from './shipped.ts'

/** Both sides of every limit of the pack for hollow sections, from tables that are copied independently of it. */

/** EN 10210-1 and EN 10219-1: cast analysis. Columns: carbon up to 40 mm and up to 120 mm, Si, Mn, P, S, N. */
const hollowAnalysis = rowsOf(`
  | EN 10210-1 S235JRH | 0.17 | 0.20 | –    | 1.40 | 0.040 | 0.040 | 0.009 |
  | EN 10210-1 S275J0H | 0.20 | 0.22 | –    | 1.50 | 0.035 | 0.035 | 0.009 |
  | EN 10210-1 S275J2H | 0.20 | 0.22 | –    | 1.50 | 0.030 | 0.030 | –     |
  | EN 10210-1 S355J0H | 0.22 | 0.22 | 0.55 | 1.60 | 0.035 | 0.035 | 0.009 |
  | EN 10210-1 S355J2H | 0.22 | 0.22 | 0.55 | 1.60 | 0.030 | 0.030 | –     |
  | EN 10210-1 S355K2H | 0.22 | 0.22 | 0.55 | 1.60 | 0.030 | 0.030 | –     |
  | EN 10219-1 S235JRH | 0.17 | –    | –    | 1.40 | 0.040 | 0.040 | 0.009 |
  | EN 10219-1 S275J0H | 0.20 | –    | –    | 1.50 | 0.035 | 0.035 | 0.009 |
  | EN 10219-1 S275J2H | 0.20 | –    | –    | 1.50 | 0.030 | 0.030 | –     |
  | EN 10219-1 S355J0H | 0.22 | –    | 0.55 | 1.60 | 0.035 | 0.035 | 0.009 |
  | EN 10219-1 S355J2H | 0.22 | –    | 0.55 | 1.60 | 0.030 | 0.030 | –     |
  | EN 10219-1 S355K2H | 0.22 | –    | 0.55 | 1.60 | 0.030 | 0.030 | –     |`)
const hollowColumns = [
  ['C', 3, 40],
  ['C', 40.1, 120],
  ...['Si', 'Mn', 'P', 'S', 'N'].map((element) => [element, 10] as const),
] as const
/** The laxest product analysis of EN 10025-2, above which a certificate blocks that does not state the ladle analysis. */
const laxest: Readonly<Record<string, number>> = { C: 0.27, Si: 0.6, Mn: 1.8, P: 0.05, S: 0.05 }

/** CEV up to 16, 40, 65 and 120 mm; ReH up to 16, 40, 63, 80, 100 and 120 mm; A up to 40, 63, 100 and 120 mm. */
const hollowCev = rowsOf(`
  | EN 10210-1 S235 | 0.37 | 0.39 | 0.41 | 0.44 |
  | EN 10210-1 S275 | 0.41 | 0.43 | 0.45 | 0.48 |
  | EN 10210-1 S355 | 0.45 | 0.47 | 0.50 | 0.53 |
  | EN 10219-1 S235 | 0.35 | 0.35 | –    | –    |
  | EN 10219-1 S275 | 0.40 | 0.40 | –    | –    |
  | EN 10219-1 S355 | 0.45 | 0.45 | –    | –    |`)
const hollowReH = rowsOf(`
  | EN 10210-1 S235 | 235 | 225 | 215 | 215 | 215 | 195 |
  | EN 10210-1 S275 | 275 | 265 | 255 | 245 | 235 | 225 |
  | EN 10210-1 S355 | 355 | 345 | 335 | 325 | 315 | 295 |
  | EN 10219-1 S235 | 235 | 225 | –   | –   | –   | –   |
  | EN 10219-1 S275 | 275 | 265 | –   | –   | –   | –   |
  | EN 10219-1 S355 | 355 | 345 | –   | –   | –   | –   |`)
const hollowElongation = rowsOf(`
  | EN 10210-1 S235 | 26 | 25 | 24 | 22 |
  | EN 10210-1 S275 | 23 | 22 | 21 | 19 |
  | EN 10210-1 S355 | 22 | 21 | 20 | 18 |
  | EN 10219-1 S235 | 24 | –  | –  | –  |
  | EN 10219-1 S275 | 20 | –  | –  | –  |
  | EN 10219-1 S355 | 20 | –  | –  | –  |`)
/** Columns: thin, up to 100 mm, up to 120 mm. EN 10210 is thin up to 3 mm, EN 10219 below 3 mm. */
const hollowRm = rowsOf(`
  | EN 10210-1 S235 | 360–510 | 360–510 | 350–500 |
  | EN 10210-1 S275 | 430–580 | 410–560 | 400–540 |
  | EN 10210-1 S355 | 510–680 | 470–630 | 450–600 |
  | EN 10219-1 S235 | 360–510 | 360–510 | –       |
  | EN 10219-1 S275 | 430–580 | 410–560 | –       |
  | EN 10219-1 S355 | 510–680 | 470–630 | –       |`)
const hollowRmBands: Readonly<Record<string, number[][]>> = {
  'EN 10210-1': [[1, 3], [3.1, 100], [100.1, 120]],
  'EN 10219-1': [[1, 2.9], [3, 40], []],
} // biome-ignore format: one row
/** Temperature in °C and energy in J. */
const hollowCharpy = rowsOf(`
  | S235JRH | 20  | 27 |
  | S355J0H | 0   | 27 |
  | S355J2H | -20 | 27 |
  | S355K2H | -20 | 40 |`)

const qualityOf: Readonly<Record<string, string>> = { S235: 'S235JRH', S275: 'S275J2H', S355: 'S355J2H' }
const rmOf: Readonly<Record<string, number>> = { S235: 400, S275: 450, S355: 550 }

/** Return the rules that a hollow section within every limit matches, except for `content` and `mechanical`. */
function ofHollow(
  standard: string,
  grade: string,
  content: Partial<CertificateContent>,
  mechanical: Partial<MechanicalValues> = {},
) {
  const strength = grade.slice(0, 4)
  const sound = { reHMpa: 480, rmMpa: rmOf[strength]!, a5Percent: 30, kvJoule: 200, kvTemperatureC: -20 }
  return matched(
    'hollow-sections',
    certificateSubject({
      standard,
      grade: strength === grade ? qualityOf[grade]! : grade,
      productForm: 'HollowSection',
      thicknessMm: 10,
      chemistry: clean,
      mechanical: pick(mechanicalFields, { ...sound, ...mechanical }),
      ...content,
    }),
  ).map((rule) => rule.replace('hollow-', ''))
}

function hollowCases(rows: string[][], ends: readonly number[]) {
  return rows.flatMap(([name, ...cells]) =>
    cells.flatMap((cell, band) => {
      const [standard, grade] = [name!.slice(0, 10), name!.slice(11)]
      const from = band === 0 ? 4 : ends[band - 1]! + 0.1
      const to = standard === 'EN 10219-1' ? Math.min(40, ends[band]!) : ends[band]!
      return cell === '–' ? [] : [from, to].map((mm) => ({ standard, grade, mm, limit: Number(cell) }))
    }),
  )
}

describe('a hollow section', () => {
  const analyses = hollowAnalysis.flatMap(([name, ...cells]) =>
    hollowColumns.flatMap(([element, ...thicknesses], column) =>
      cells[column] === '–'
        ? []
        : thicknesses.map((mm) => ({
            standard: name!.slice(0, 10),
            grade: name!.slice(11),
            element,
            mm,
            limit: Number(cells[column]),
          })),
    ),
  )
  const nameOf: Readonly<Record<string, string>> = {
    C: 'carbon',
    Si: 'silicon',
    Mn: 'manganese',
    P: 'phosphorus',
    S: 'sulphur',
    N: 'nitrogen',
  }

  it.each(analyses)('of $grade by $standard has a limit of $element at $mm mm', (one) => {
    const { standard, grade, element, mm, limit } = one
    const at = (value: number, analysis: CertificateContent['analysis'] = null) =>
      ofHollow(standard, grade, {
        thicknessMm: mm,
        analysis,
        chemistry: { ...clean, Al: 0.005, [element]: Number(value.toFixed(5)) },
      }).filter((rule) => rule.startsWith(nameOf[element]!) && !rule.startsWith('carbon-equivalent'))
    const step = stepOf(element)
    const flagged = [`${nameOf[element]}-to-be-judged`]
    const blocked = [`${nameOf[element]}-outside`]
    expect(at(limit)).toEqual([])
    expect(at(limit + 0.49 * step)).toEqual([])
    expect(at(limit + 0.5 * step)).toEqual(flagged)
    if (element === 'N') return
    expect(at(laxest[element]!)).toEqual(flagged)
    expect(at(laxest[element]! + step)).toEqual(blocked)
    expect(at(limit, 'ladle')).toEqual([])
    expect(at(limit + step, 'ladle')).toEqual(blocked)
  })

  it.each(hollowCases(hollowCev, [16, 40, 65, 120]))(
    'of $grade by $standard has a CEV of at most $limit at $mm mm',
    ({ standard, grade, mm, limit }) => {
      const at = (cev: number, content: Partial<CertificateContent> = {}) =>
        ofHollow(standard, grade, { thicknessMm: mm, chemistry: withCev(cev), ...content }).filter((rule) =>
          rule.includes('carbon-equivalent'),
        )
      const stated = (statedCev: number) => at(0, { statedCev, chemistry: { ...clean, V: null as never } })
      expect(at(limit)).toEqual([])
      const above =
        standard === 'EN 10210-1' ? 'carbon-equivalent-outside' : 'carbon-equivalent-of-cold-formed'
      expect(at(limit + 0.01)).toEqual([above])
      expect(stated(limit)).toEqual([])
      expect(stated(limit + 0.01)).toEqual([`stated-${above}`])
      if (standard === 'EN 10219-1') return
      const ofProduct = ['carbon-equivalent-of-product']
      expect(at(limit, { analysis: 'product' })).toEqual([])
      expect(at(limit + 0.01, { analysis: 'product' })).toEqual(ofProduct)
      expect(at(0.56, { analysis: 'product' })).toEqual(ofProduct)
      expect(at(0.57, { analysis: 'product' })).toEqual(['carbon-equivalent-outside', ...ofProduct])
    },
  )

  it.each(hollowCases(hollowReH, [16, 40, 63, 80, 100, 120]))(
    'of $grade by $standard has ReH of at least $limit MPa at $mm mm',
    ({ standard, grade, mm, limit }) => {
      const at = (reHMpa: number) => ofHollow(standard, grade, { thicknessMm: mm }, { reHMpa })
      expect(at(limit - 0.5)).toEqual([])
      expect(at(limit - 0.6)).toEqual(['yield-strength-low'])
    },
  )

  it.each(hollowCases(hollowElongation, [40, 63, 100, 120]))(
    'of $grade by $standard has an elongation of at least $limit % at $mm mm',
    ({ standard, grade, mm, limit }) => {
      const at = (a5Percent: number) => ofHollow(standard, grade, { thicknessMm: mm }, { a5Percent })
      expect(at(limit - 0.25)).toEqual([])
      const lessAcross = mm > 100 ? 0 : 2
      const low = standard === 'EN 10210-1' && lessAcross === 0 ? ['elongation-low'] : []
      expect(at(limit - 0.5)).toEqual(low.length > 0 ? low : ['elongation-to-be-judged'])
      const least = standard === 'EN 10210-1' ? limit - lessAcross : 15
      if (least < limit) expect(at(least)).toEqual(['elongation-to-be-judged'])
      expect(at(least - 0.5)).toEqual(['elongation-low'])
    },
  )

  it.each(
    hollowRm.flatMap(([name, ...cells]) =>
      cells.flatMap((cell, band) => {
        const [standard, grade] = [name!.slice(0, 10), name!.slice(11)]
        return hollowRmBands[standard]![band]!.map((mm) => ({ standard, grade, mm, cell }))
      }),
    ),
  )('of $grade by $standard has Rm of $cell MPa at $mm mm', ({ standard, grade, mm, cell }) => {
    const [least, most] = cell.split('–').map(Number)
    const at = (rmMpa: number) => ofHollow(standard, grade, { thicknessMm: mm }, { rmMpa })
    expect([at(least!), at(most!)]).toEqual([[], []])
    for (const outside of [least! - 1, most! + 1]) expect(at(outside)).toEqual(['tensile-strength-outside'])
  })

  it.each(hollowCharpy)('of %s has a Charpy energy, at %s °C, of %s J', (grade, temperature, joule) => {
    const of = (kvJoule: number, kvTemperatureC = Number(temperature)) =>
      ofHollow('EN 10219-1', grade, { thicknessMm: 16 }, { kvJoule, kvTemperatureC })
    const isSure = grade !== 'S235JRH'
    expect(of(Number(joule))).toEqual([])
    expect(of(Number(joule) - 1)).toEqual([isSure ? 'charpy-energy-low' : 'charpy-energy-to-be-judged'])
    expect(of(200, Number(temperature) + 1)).toEqual(isSure ? ['charpy-tested-too-warm'] : [])
  })

  it('is judged up to 120 mm by EN 10210 and up to 40 mm by EN 10219', () => {
    for (const [standard, most] of [
      ['EN 10210-1', 120],
      ['EN 10219-1', 40],
    ] as const) {
      expect(ofHollow(standard, 'S355', { thicknessMm: most })).toEqual([])
      expect(ofHollow(standard, 'S355', { thicknessMm: most + 0.1 })).toEqual(['outside-the-tables'])
    }
  })

  it('is judged by both standards when the certificate names both', () => {
    const both = 'EN 10210-1:2006 / EN 10219-1:2006'
    const chemistry = { ...withCev(0.3), C: 0.2, Mn: 1.26 }
    const of = (standard: string) => ofHollow(standard, 'S275', { chemistry })
    expect([of('EN 10210-1'), of('EN 10219-1'), of(both)]).toEqual([
      [],
      ['carbon-equivalent-of-cold-formed'],
      ['carbon-equivalent-of-cold-formed'],
    ])
  })

  it('binds nitrogen from 0.020 % of aluminium on, if there is twice as much aluminium as nitrogen', () => {
    const of = (N: number, Al: number) =>
      ofHollow('EN 10219-1', 'S355J0H', { chemistry: { ...clean, Ti: 0.02, N, Al } })
    expect([of(0.01, 0.02), of(0.01, 0.0194), of(0.011, 0.021), of(0.011, 0.022)]).toEqual([
      [],
      ['nitrogen-to-be-judged'],
      ['nitrogen-to-be-judged'],
      [],
    ])
  })
})
