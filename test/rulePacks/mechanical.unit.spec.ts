import { describe, expect, it } from 'vitest'
import type { CertificateContent, ProductForm } from '../../src/domain/certificates/certificateContent.ts'
import { type MechanicalValues, mechanicalFields } from '../../src/domain/certificates/materialTests.ts'
import { pick } from '../../src/domain/kernel/fields.ts'
import { rowsOf } from './markdown.ts'
import { certificateSubject, matched, notEvaluated } from './shipped.ts'
import { certificateOf } from './writtenCertificate.ts'

const pack = 'en10025-2-mechanical'

/** The figures of EN 10025-2:2019, copied independently of the pack. */
const reH = rowsOf(`
  | S235 | 235 | 225 | 215 | 215 | 215 | 195 | 185 | 175 | 165 |
  | S275 | 275 | 265 | 255 | 245 | 235 | 225 | 215 | 205 | 195 |
  | S355 | 355 | 345 | 335 | 325 | 315 | 295 | 285 | 275 | 265 |
  | S460 | 460 | 440 | 420 | 400 | 390 | 390 | –   | –   | –   |`)
const reHBands = [[3, 16], [16.1, 40], [40.1, 63], [63.1, 80], [80.1, 100], [100.1, 150], [150.1, 200], [200.1, 250], [250.1, 400]] // biome-ignore format: one row
const rm = rowsOf(`
  | S235 | 360–510 | 360–510 | 350–500 | 340–490 | 330–480 |
  | S275 | 430–580 | 410–560 | 400–540 | 380–540 | 380–540 |
  | S355 | 510–680 | 470–630 | 450–600 | 450–600 | 450–600 |
  | S460 | –       | 550–720 | 530–700 | –       | –       |`)
const rmBands = [[2, 2.9], [3, 100], [100.1, 150], [150.1, 250], [250.1, 400]] // biome-ignore format: one row
const elongation = rowsOf(`
  | S235 | 26/24 | 25/23 | 24/22 | 22/22 | 21/21 | 21/21 |
  | S275 | 23/21 | 22/20 | 21/19 | 19/19 | 18/18 | 18/18 |
  | S355 | 22/20 | 21/19 | 20/18 | 18/18 | 17/17 | 17/17 |
  | S460 | 17/17 | 17/17 | 17/17 | 17/17 | –     | –     |`)
const elongationBands = [[3, 40], [40.1, 63], [63.1, 100], [100.1, 150], [150.1, 250], [250.1, 400]] // biome-ignore format: one row
/** Over a gauge length of 80 mm, tested lengthwise. Across, 2 less are enough. */
const thinElongation = rowsOf(`
  | S235 | 17 | 18 | 19 | 20 | 21 |
  | S275 | 15 | 16 | 17 | 18 | 19 |
  | S355 | 14 | 15 | 16 | 17 | 18 |`)
const thinBands = [[0.5, 1], [1.1, 1.5], [1.6, 2], [2.1, 2.5], [2.6, 2.9]] // biome-ignore format: one row
/** Columns: quality, temperature in °C, and the energy in J up to 150, 250 and 400 mm, each with its reliability. */
const charpy = rowsOf(`
  | JR | 20  | 27 A | 27 A | 27 C |
  | J0 | 0   | 27 A | 27 B | 27 C |
  | J2 | -20 | 27 A | 27 A | 27 A |
  | K2 | -20 | 40 A | 33 B | 33 B |`)
const charpyBands = [[12.1, 150], [150.1, 250], [250.1, 400]] // biome-ignore format: one row

function formOf(strength: string): ProductForm {
  return strength === 'S460' ? 'Bar' : 'Plate'
}

/** Return a certificate within every limit of these steels, except for `values`. */
function certificate(
  grade: string,
  values: Partial<MechanicalValues>,
  rest: Partial<CertificateContent> = {},
) {
  return certificateSubject({
    grade,
    productForm: formOf(grade.slice(0, 4)),
    mechanical: pick(mechanicalFields, {
      reHMpa: 480,
      a5Percent: 30,
      kvJoule: 200,
      kvTemperatureC: -20,
      ...values,
    }),
    ...rest,
  })
}

/** Return the matches without the general marks for values that are not checked and for thicknesses above 250 mm. */
function said(...asked: Parameters<typeof certificate>) {
  return matched(pack, certificate(...asked)).filter(
    (rule) => rule !== 'mechanical-outside-the-tables' && rule !== 'mechanical-above-250-mm',
  )
}

function cases(rows: string[][], bands: number[][]) {
  return rows.flatMap(([strength, ...cells]) =>
    bands.flatMap((ends, band) =>
      cells[band] === '–'
        ? []
        : ends.map((thicknessMm) => ({ strength: strength!, thicknessMm, cell: cells[band]! })),
    ),
  )
}

describe('the yield strength of EN 10025-2', () => {
  it.each(cases(reH, reHBands))(
    'has the least value of $strength at $thicknessMm mm',
    ({ strength, thicknessMm, cell }) => {
      const limit = Number(cell)
      const of = (reHMpa: number, quality = 'J2') =>
        said(`${strength}${quality}`, { reHMpa }, { thicknessMm })
      expect(of(limit + 1)).toEqual([])
      expect(of(limit)).toEqual([])
      expect(of(limit - 1)).toEqual(['yield-strength-low'])
      const ofJr = thicknessMm > 250 ? 'yield-strength-low-above-250-mm' : 'yield-strength-low'
      expect(of(limit - 1, 'JR')).toEqual([ofJr])
    },
  )
})

describe('the tensile strength of EN 10025-2', () => {
  it.each(cases(rm, rmBands))(
    'has the range of $strength at $thicknessMm mm',
    ({ strength, thicknessMm, cell }) => {
      const [least, most] = cell.split('–').map(Number)
      const of = (rmMpa: number, quality = 'J2') =>
        said(`${strength}${quality}`, { reHMpa: 480, rmMpa }, { thicknessMm })
      const outside = strength === 'S460' ? 'tensile-strength-to-be-judged' : 'tensile-strength-outside'
      for (const fine of [least!, least! + 1, most! - 1, most!]) expect(of(fine)).toEqual([])
      for (const bad of [least! - 1, most! + 1]) expect(of(bad)).toEqual([outside])
      if (thicknessMm > 250) expect(of(least! - 1, 'J0')).toEqual(['tensile-strength-to-be-judged'])
    },
  )
})

describe('the elongation below 3 mm', () => {
  const low = ['elongation-of-thin-product-low']
  it.each(cases(thinElongation, thinBands))(
    'has the least value of $strength over 80 mm at $thicknessMm mm',
    ({ strength, thicknessMm, cell }) => {
      const of = (elongation: number, direction: 'l' | 't') => {
        const subject = certificateOf(`${strength}J2 Coil ${thicknessMm} tensile=e${elongation}${direction}`)
        return matched(pack, subject)
      }
      expect(of(Number(cell), 'l')).toEqual([])
      expect(of(Number(cell) - 0.5, 'l')).toEqual(low)
      expect(of(Number(cell) - 2, 't')).toEqual([])
      expect(of(Number(cell) - 2.5, 't')).toEqual(low)
    },
  )
})

describe('a name that the pack cannot judge', () => {
  it.each([
    ['S355J2+C Bar 20', ['of-a-bright-product']],
    ['S355J2C+C+SL Bar 20', ['of-a-bright-product']],
    ['S355J2+SH Bar 20', ['of-a-bright-product']],
    ['S355J2+SL Bar 20', ['of-a-bright-product']],
    ['S355J2+PL Bar 20', ['of-a-bright-product']],
    ['S355J2 Bar 20 deliveryCondition=PL', ['of-a-bright-product']],
    ['S355J2+C/S275JR Bar 20', ['of-a-bright-product']],
    ['S355J2+C/ST53 Bar 20', ['grade-unreadable', 'of-a-bright-product']],
    ['S355J2+CR Bar 20', ['grade-unreadable']],
    ['S355J2 Bar 20 deliveryCondition=NR', ['delivery-condition-unknown']],
    ['S355NL Bar 20 standard=EN_10025-3', ['of-another-steel']],
  ])('is called what it is: %s', (written, rules) => {
    const subject = certificateOf(written)
    expect(matched(pack, subject).toSorted()).toEqual(rules.map((rule) => `mechanical-${rule}`))
    expect(matched('en10025-2-chemistry', subject).toSorted()).toEqual(
      rules.map((rule) => `chemistry-${rule}`),
    )
  })
})

describe('the single values of a Charpy test', () => {
  it.each([
    ['en10025-2-mechanical', 'S355J2 Plate 20', 'charpy'],
    ['hollow-sections', 'S355J2H HollowSection 20 standard=EN_10210-1', 'hollow-charpy'],
  ])('have rules of their own beside that of the average in %s', (name, steel, rule) => {
    const of = (tests: string) => matched(name, certificateOf(`${steel} tests=${tests}`)).toSorted()
    const average = [`${rule}-energy-low`]
    const single = [`${rule}-single-value-low`]
    expect(of('18/60/60@-20')).toEqual(single)
    expect(of('25/26/60@-20')).toEqual(single)
    expect(of('26/27/28@-20')).toEqual([])
    expect(of('20/20/20@-20')).toEqual([...average, ...single])
    expect(of('26@-20')).toEqual(average)
    expect(of('18/60/60@-20t')).toEqual([`${rule}-single-value-to-be-judged`])
    expect(of('20/60/60@-20')).toEqual([])
  })
})

describe('the elongation of EN 10025-2', () => {
  const low = ['elongation-low']
  it.each(cases(elongation, elongationBands))(
    'has the least value of $strength at $thicknessMm mm',
    ({ strength, thicknessMm, cell }) => {
      const [lengthwise, across] = cell.split('/').map(Number)
      const of = (a5Percent: number, productForm: ProductForm | null) =>
        said(`${strength}J2`, { a5Percent }, { thicknessMm, productForm })
      const isSure = thicknessMm <= 250 || strength === 'S235'

      for (const form of ['Plate', null] as const) {
        if (strength === 'S460' && form === 'Plate') continue
        // Above 250 mm, only plates and coils have a reliable limit.
        const blocks = isSure && (thicknessMm <= 250 || form === 'Plate')
        expect(of(lengthwise!, form)).toEqual([])
        expect(of(across!, form)).toEqual(across! < lengthwise! ? ['elongation-low-lengthwise'] : [])
        expect(of(across! - 0.5, form)).toEqual(blocks ? low : ['elongation-low-lengthwise'])
      }
      expect(of(lengthwise!, 'Bar')).toEqual([])
      expect(of(lengthwise! - 0.5, 'Bar')).toEqual(thicknessMm > 250 ? ['elongation-low-lengthwise'] : low)
    },
  )

  it('is not checked below 3 mm, where the standard measures it differently', () => {
    const thin = certificate('S355J2', { a5Percent: 10 }, { thicknessMm: 2.9 })
    expect(matched(pack, thin)).toEqual(['mechanical-outside-the-tables'])
  })
})

describe('the Charpy energy of EN 10025-2', () => {
  const judged = 'charpy-energy-to-be-judged'
  it.each(
    cases(
      charpy.map(([quality, , ...cells]) => [quality!, ...cells]),
      charpyBands,
    ),
  )('has the least value of $strength at $thicknessMm mm', ({ strength: quality, thicknessMm, cell }) => {
    const [joule, confidence] = cell.split(' ')
    const kvTemperatureC = Number(charpy.find(([name]) => name === quality)![1])
    const of = (kvJoule: number, rest: Partial<MechanicalValues> = {}) =>
      said(`S355${quality}`, { kvJoule, kvTemperatureC, ...rest }, { thicknessMm })
    const blocks = quality !== 'JR' && 'AB'.includes(confidence!)

    expect(of(Number(joule))).toEqual([])
    expect(of(Number(joule) - 1)).toEqual([blocks ? 'charpy-energy-low' : judged])
    // A failed test at a lower temperature does not tell the result at the required one.
    expect(of(Number(joule) - 1, { kvTemperatureC: kvTemperatureC - 5 })).toEqual([judged])
    const warm = blocks ? 'charpy-tested-too-warm' : 'charpy-tested-too-warm-to-be-judged'
    expect(of(200, { kvTemperatureC: kvTemperatureC + 10 })).toEqual([warm])
  })

  it('is flagged, not blocked, for S460', () => {
    expect(said('S460K2', { kvJoule: 39 }, { thicknessMm: 30 })).toEqual([judged])
  })

  it('may be reduced to half below 12 mm, and is not checked below 6 mm', () => {
    const of = (kvJoule: number, thicknessMm: number) => said('S355J2', { kvJoule }, { thicknessMm })
    expect(of(13, 12)).toEqual(['charpy-energy-low'])
    expect(of(13.5, 11.9)).toEqual([judged])
    expect(of(13.4, 11.9)).toEqual(['charpy-energy-low'])
    expect(of(13.4, 6)).toEqual(['charpy-energy-low'])
    expect(of(1, 5.9)).toEqual([])
  })

  it('is required for J0, J2 and K2 from 6 mm, and not for JR', () => {
    const none = { kvJoule: null, kvTemperatureC: null }
    const due = (grade: string, thicknessMm: number) =>
      notEvaluated(pack, certificate(grade, { rmMpa: 500, ...none }, { thicknessMm }))
    for (const grade of ['S355J0', 'S355J2', 'S355K2']) {
      expect(due(grade, 6)).toMatchObject({ [judged]: 'certificate.mechanical.kvJoule is missing' })
      expect(due(grade, 5.9)).toEqual({})
    }
    expect(due('S355JR', 20)).toEqual({})
  })

  it('is not judged for sections above 100 mm, which are marked as outside the tables', () => {
    const of = (productForm: ProductForm | null) =>
      matched(pack, certificate('S355J2', { kvJoule: 5 }, { thicknessMm: 101, productForm }))
    expect(of('Section')).toEqual(['mechanical-outside-the-tables'])
    expect(of(null)).toEqual([judged])
    expect(of('Plate')).toEqual(['charpy-energy-low'])
  })
})

describe('the mechanical pack', () => {
  it.each(
    ['S235', 'S275', 'S355', 'S460'].flatMap((strength) =>
      ['JR', 'J0', 'J2', 'K2'].map((quality) => `${strength}${quality}`),
    ),
  )('judges %s where the standard has it', (grade) => {
    const hasNone = ['S235K2', 'S275K2'].includes(grade)
    expect(said(grade, { reHMpa: 1 })).toEqual([
      hasNone ? 'mechanical-grade-unreadable' : 'yield-strength-low',
    ])
  })

  it('flags everything above 250 mm except J2 and K2 as plate or coil', () => {
    const of = (grade: string, productForm: ProductForm | null, thicknessMm = 300) =>
      matched(pack, certificate(grade, {}, { thicknessMm, productForm }))
    expect(of('S355J2', 'Bar', 250)).toEqual([])
    expect(of('S355J2', 'Plate')).toEqual([])
    expect(of('S355K2', 'Coil')).toEqual([])
    expect(of('S355J2', 'Bar')).toEqual(['mechanical-above-250-mm'])
    expect(of('S355J2', null)).toEqual(['mechanical-above-250-mm'])
    expect(of('S355JR', 'Plate')).toContain('mechanical-above-250-mm')
  })
})
