import { describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import { clean, stepOf, withCev } from './analyses.ts'
import { rowsOf } from './markdown.ts'
import { certificateSubject, matched } from './shipped.ts'

/**
 * Both sides of every limit of the pack for chemistry, from tables that are copied independently of it. `0.20/0.23`
 * flags above 0.20 and blocks above 0.23. A certificate that states neither the ladle nor the product analysis is
 * flagged by the ladle analysis and blocked by the product analysis.
 */

const chemistry = 'en10025-2-chemistry'

interface Limit {
  readonly grade: string
  readonly element: string
  readonly thicknessMm: number
  readonly flag: number
  readonly block: number
}

/** The first and the last thickness of each band. */
const carbonBands = [[3, 16], [16.1, 30], [30.1, 40], [40.1, 150], [150.1, 400]] // biome-ignore format: one row

/** EN 10025-2: ladle and product analysis. Columns: carbon by the bands above. S460 blocks above the laxest of all grades. */
const carbon = rowsOf(`
  | S235JR | 0.17/0.19 | 0.17/0.19 | 0.17/0.19 | 0.20/0.23 | 0.20/0.23 |
  | S235J0 | 0.17/0.19 | 0.17/0.19 | 0.17/0.19 | 0.17/0.19 | 0.17/0.19 |
  | S235J2 | 0.17/0.19 | 0.17/0.19 | 0.17/0.19 | 0.17/0.19 | 0.17/0.19 |
  | S275JR | 0.21/0.24 | 0.21/0.24 | 0.21/0.24 | 0.22/0.25 | 0.22/0.25 |
  | S275J0 | 0.18/0.21 | 0.18/0.21 | 0.18/0.21 | 0.18/0.21 | 0.20/0.22 |
  | S275J2 | 0.18/0.21 | 0.18/0.21 | 0.18/0.21 | 0.18/0.21 | 0.20/0.22 |
  | S355JR | 0.24/0.27 | 0.24/0.27 | 0.24/0.27 | 0.24/0.27 | 0.24/0.27 |
  | S355J0 | 0.20/0.23 | 0.20/0.23 | 0.22/0.24 | 0.22/0.24 | 0.22/0.24 |
  | S355J2 | 0.20/0.23 | 0.20/0.23 | 0.22/0.24 | 0.22/0.24 | 0.22/0.24 |
  | S355K2 | 0.20/0.23 | 0.20/0.23 | 0.22/0.24 | 0.22/0.24 | 0.22/0.24 |
  | S460JR | 0.20/0.27 | 0.20/0.27 | 0.22/0.27 | 0.22/0.27 | –         |
  | S460J0 | 0.20/0.27 | 0.20/0.27 | 0.22/0.27 | 0.22/0.27 | –         |
  | S460J2 | 0.20/0.27 | 0.20/0.27 | 0.22/0.27 | 0.22/0.27 | –         |
  | S460K2 | 0.20/0.27 | 0.20/0.27 | 0.22/0.27 | 0.22/0.27 | –         |`)

/** Columns: Si, Mn, P, S, N, Cu. S460 is a long product, which may have 0.005 more of P and S. */
const others = rowsOf(`
  | S235JR | –         | 1.40/1.50 | 0.035/0.045 | 0.035/0.045 | 0.012/0.014 | 0.55/0.60 |
  | S235J0 | –         | 1.40/1.50 | 0.030/0.040 | 0.030/0.040 | 0.012/0.014 | 0.55/0.60 |
  | S235J2 | –         | 1.40/1.50 | 0.025/0.035 | 0.025/0.035 | –           | 0.55/0.60 |
  | S275JR | –         | 1.50/1.60 | 0.035/0.045 | 0.035/0.045 | 0.012/0.014 | 0.55/0.60 |
  | S275J0 | –         | 1.50/1.60 | 0.030/0.040 | 0.030/0.040 | 0.012/0.014 | 0.55/0.60 |
  | S275J2 | –         | 1.50/1.60 | 0.025/0.035 | 0.025/0.035 | –           | 0.55/0.60 |
  | S355JR | 0.55/0.60 | 1.60/1.70 | 0.035/0.045 | 0.035/0.045 | 0.012/0.014 | 0.55/0.60 |
  | S355J0 | 0.55/0.60 | 1.60/1.70 | 0.030/0.040 | 0.030/0.040 | 0.012/0.014 | 0.55/0.60 |
  | S355J2 | 0.55/0.60 | 1.60/1.70 | 0.025/0.035 | 0.025/0.035 | –           | 0.55/0.60 |
  | S355K2 | 0.55/0.60 | 1.60/1.70 | 0.025/0.035 | 0.025/0.035 | –           | 0.55/0.60 |
  | S460JR | 0.55/0.60 | 1.70/1.80 | 0.035/0.050 | 0.035/0.050 | 0.025/0.027 | 0.55/0.60 |
  | S460J0 | 0.55/0.60 | 1.70/1.80 | 0.035/0.050 | 0.035/0.050 | 0.025/0.027 | 0.55/0.60 |
  | S460J2 | 0.55/0.60 | 1.70/1.80 | 0.035/0.050 | 0.035/0.050 | 0.025/0.027 | 0.55/0.60 |
  | S460K2 | 0.55/0.60 | 1.70/1.80 | 0.035/0.050 | 0.035/0.050 | 0.025/0.027 | 0.55/0.60 |`)

function limitsOf(grade: string, element: string, cell: string, thicknesses: readonly number[]): Limit[] {
  if (cell === '–') return []
  const [flag, block] = cell.split('/').map(Number)
  return thicknesses.map((thicknessMm) => ({ grade, element, thicknessMm, flag: flag!, block: block! }))
}

const limits = [
  ...carbon.flatMap(([grade, ...cells]) =>
    cells.flatMap((cell, band) => limitsOf(grade!, 'C', cell, carbonBands[band]!)),
  ),
  ...others.flatMap(([grade, ...cells]) =>
    cells.flatMap((cell, index) => limitsOf(grade!, ['Si', 'Mn', 'P', 'S', 'N', 'Cu'][index]!, cell, [20])),
  ),
]

/** S460 exists for long products only. The other grades are tested as plate. */
function certificate(grade: string, content: Partial<CertificateContent>) {
  return certificateSubject({ grade, productForm: grade.startsWith('S460') ? 'Bar' : 'Plate', ...content })
}

describe('the analysis of EN 10025-2', () => {
  it.each(limits)('has limits for $element in $grade at $thicknessMm mm', (limit) => {
    const { grade, element, thicknessMm, flag, block } = limit
    const at = (value: number, analysis: CertificateContent['analysis'] = null) =>
      matched(
        chemistry,
        certificate(grade, {
          thicknessMm,
          analysis,
          chemistry: { ...clean, Al: 0.005, [element]: Number(value.toFixed(5)) },
        }),
      )
        .filter((rule) => rule.endsWith('-analysis'))
        .map((rule) => rule.replace(/^[a-z]+-above-/, ''))
    const step = stepOf(element)
    const flagged = ['ladle-analysis']
    const blocked = ['product-analysis']

    expect(at(flag)).toEqual([])
    expect(at(flag + 0.49 * step)).toEqual([])
    expect(at(flag + 0.5 * step)).toEqual(flagged)
    expect(at(block)).toEqual(flagged)
    expect(at(block + 0.49 * step)).toEqual(flagged)
    expect(at(block + 0.5 * step)).toEqual(blocked)
    expect(at(flag, 'ladle')).toEqual([])
    expect(at(flag + step, 'ladle')).toEqual(blocked)
    expect(at(block, 'product')).toEqual([])
    expect(at(block + step, 'product')).toEqual(blocked)
  })

  it.each([
    ['Nb', 0.05, 'niobium-high-in-s460'],
    ['V', 0.13, 'vanadium-high-in-s460'],
    ['Ti', 0.05, 'titanium-high-in-s460'],
  ])('flags %s above %d % in S460', (element, most, rule) => {
    const of = (value: number) =>
      matched(chemistry, certificate('S460J2', { chemistry: { ...clean, [element]: value } }))
    expect(of(most)).toEqual([])
    expect(of(most + 0.01)).toEqual([rule])
  })

  it.each(['S355J0', 'S355J2', 'S355K2'])('allows %sC 0.22 % of carbon in the ladle up to 16 mm', (grade) => {
    const of = (C: number, thicknessMm: number) =>
      matched(
        chemistry,
        certificate(`${grade}C`, { thicknessMm, analysis: 'ladle', chemistry: { ...clean, C } }),
      )
    expect(of(0.2, 16)).toEqual([])
    expect(of(0.22, 16)).toEqual(['carbon-above-ladle-analysis'])
    expect(of(0.23, 16)).toEqual(['carbon-above-product-analysis'])
    expect(of(0.21, 16.1)).toEqual(['carbon-above-product-analysis'])
  })

  it('binds nitrogen from 0.020 % of aluminium on, or 0.015 % of soluble aluminium', () => {
    const of = (Al: number, solubleAluminium: number | null = null) =>
      matched(
        chemistry,
        certificate('S355JR', { solubleAluminium, chemistry: { ...clean, N: 0.02, Al } }),
      ).map((rule) => rule.replace('nitrogen-above-', ''))
    expect(of(0.02)).toEqual([])
    expect(of(0.019)).toEqual(['ladle-analysis'])
    expect(of(0.013)).toEqual(['ladle-analysis'])
    expect(of(0.012)).toEqual(['product-analysis'])
    expect(of(0.005, 0.015)).toEqual([])
    expect(of(0.005, 0.014)).toEqual(['product-analysis'])
  })
})

/** EN 10025-2. Columns: the CEV up to 30, 40, 150, 250 and 400 mm, of a plate; of S460 of a bar. */
const carbonEquivalents = rowsOf(`
  | S235 | 0.35/0.37 | 0.35/0.37 | 0.38/0.40 | 0.40/0.42 | 0.40/0.42 |
  | S275 | 0.40/0.42 | 0.40/0.42 | 0.42/0.44 | 0.44/0.46 | 0.44/0.46 |
  | S355 | 0.45/0.47 | 0.47/0.49 | 0.47/0.49 | 0.49/0.51 | 0.49/0.51 |
  | S460 | 0.47/0.56 | 0.49/0.56 | 0.49/0.56 | –         | –         |`)
const cevBands = [[3, 30], [30.1, 40], [40.1, 150], [150.1, 250], [250.1, 400]] // biome-ignore format: one row

describe('the carbon equivalent of EN 10025-2', () => {
  const cases = carbonEquivalents.flatMap(([strength, ...cells]) =>
    cells.flatMap((cell, band) => limitsOf(strength!, 'CEV', cell, cevBands[band]!)),
  )
  const cevRules = (content: Partial<CertificateContent>, grade: string) =>
    matched(chemistry, certificate(grade, content)).filter((rule) => rule.includes('carbon-equivalent'))
  const flagged = ['carbon-equivalent-above-limit']
  const blocked = ['carbon-equivalent-above-raised-limit']

  it.each(cases)('has limits for $grade at $thicknessMm mm', ({ grade, thicknessMm, flag, block }) => {
    const at = (cev: number, copper = grade === 'S235' ? 0.3 : 0) =>
      cevRules({ thicknessMm, chemistry: withCev(cev, copper) }, `${grade}J2`)
    expect(at(flag)).toEqual([])
    expect(at(flag + 0.01)).toEqual(flagged)
    expect(at(block)).toEqual(flagged)
    expect(at(block + 0.01)).toEqual(blocked)
    if (grade === 'S235')
      for (const copper of [0, 0.24, 0.41]) expect(at(flag + 0.01, copper)).toEqual(blocked)
  })

  it.each([
    [30, 0.45, 0.47],
    [40, 0.47, 0.49],
    [150, 0.47, 0.49],
    [150.1, 0.54, 0.56],
    [250, 0.54, 0.56],
    [250.1, 0.49, 0.51],
  ])('of a bar of S355 at %d mm flags above %d and blocks above %d', (thicknessMm, flag, block) => {
    const at = (cev: number) =>
      cevRules({ thicknessMm, productForm: 'Bar', chemistry: withCev(cev) }, 'S355J2')
    expect(at(flag)).toEqual([])
    expect(at(flag + 0.01)).toEqual(flagged)
    expect(at(block)).toEqual(flagged)
    expect(at(block + 0.01)).toEqual(blocked)
  })

  it('flags a stated one that differs by more than 0.02', () => {
    const stated = (statedCev: number) => cevRules({ statedCev, chemistry: withCev(0.3) }, 'S355J2')
    const differs = ['stated-carbon-equivalent-differs']
    expect([stated(0.28), stated(0.32)]).toEqual([[], []])
    expect([stated(0.279), stated(0.321)]).toEqual([differs, differs])
  })

  it('of a product analysis is higher by the carbon and manganese that such an analysis may have more', () => {
    // 0.47, and 0.03 of carbon and 0.10/6 of manganese more.
    const of = (cev: number) => cevRules({ analysis: 'product', chemistry: withCev(cev) }, 'S355J2')
    expect(of(0.52)).toEqual(flagged)
    expect(of(0.53)).toEqual(blocked)
  })
})
