import { describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificateContent.ts'
import { rowsOf } from './markdown.ts'
import { certificateSubject, matched, notEvaluated, severities } from './shipped.ts'

const pack = 'en10025-2-chemistry 1'

/**
 * The figures of EN 10025-2:2019, copied independently of the pack. Columns: grade, C up to 16 mm, C up to 40 mm,
 * C above 40 mm, Si, Mn, P, S, N, Cu, reliability. Figures of reliability A and B may block; C, K and X may not.
 */
const ladle = rowsOf(`
  | S235JR | 0.17 | 0.17 | 0.20 | –    | 1.40 | 0.035 | 0.035 | 0.012 | 0.55 | A |
  | S235J0 | 0.17 | 0.17 | 0.17 | –    | 1.40 | 0.030 | 0.030 | 0.012 | 0.55 | A |
  | S235J2 | 0.17 | 0.17 | 0.17 | –    | 1.40 | 0.025 | 0.025 | –     | 0.55 | A |
  | S275JR | 0.21 | 0.21 | 0.22 | –    | 1.50 | 0.035 | 0.035 | 0.012 | 0.55 | A |
  | S275J0 | 0.18 | 0.18 | 0.18 | –    | 1.50 | 0.030 | 0.030 | 0.012 | 0.55 | A |
  | S275J2 | 0.18 | 0.18 | 0.18 | –    | 1.50 | 0.025 | 0.025 | –     | 0.55 | A |
  | S355JR | 0.24 | 0.24 | 0.24 | 0.55 | 1.60 | 0.035 | 0.035 | 0.012 | 0.55 | A |
  | S355J0 | 0.20 | 0.20 | 0.22 | 0.55 | 1.60 | 0.030 | 0.030 | 0.012 | 0.55 | A |
  | S355J2 | 0.20 | 0.20 | 0.22 | 0.55 | 1.60 | 0.025 | 0.025 | –     | 0.55 | A |
  | S355K2 | 0.20 | 0.20 | 0.22 | 0.55 | 1.60 | 0.025 | 0.025 | –     | 0.55 | A |
  | S460JR | 0.20 | 0.20 | 0.22 | 0.55 | 1.70 | 0.030 | 0.030 | 0.025 | 0.55 | C |
  | S460J0 | 0.20 | 0.20 | 0.22 | 0.55 | 1.70 | 0.030 | 0.030 | 0.025 | 0.55 | C |
  | S460J2 | 0.20 | 0.20 | 0.22 | 0.55 | 1.70 | 0.030 | 0.030 | 0.025 | 0.55 | C |
  | S460K2 | 0.20 | 0.20 | 0.22 | 0.55 | 1.70 | 0.030 | 0.030 | 0.025 | 0.55 | C |`)
const product = rowsOf(`
  | S235JR | 0.19 | 0.19 | 0.23 | –    | 1.50 | 0.045 X | 0.045 | 0.014 | 0.60 | A |
  | S235J0 | 0.19 | 0.19 | 0.19 | –    | 1.50 | 0.040 X | 0.040 | 0.014 | 0.60 | A |
  | S235J2 | 0.19 | 0.19 | 0.19 | –    | 1.50 | 0.035 | 0.035 | –     | 0.60 | A |
  | S275JR | 0.24 | 0.24 | 0.25 | –    | 1.60 | 0.045 | 0.045 | 0.014 | 0.60 | A |
  | S275J0 | 0.21 | 0.21 | 0.21 | –    | 1.60 | 0.040 | 0.040 | 0.014 | 0.60 | B |
  | S275J2 | 0.21 | 0.21 | 0.21 | –    | 1.60 | 0.035 | 0.035 | –     | 0.60 | B |
  | S355JR | 0.27 | 0.27 | 0.27 | 0.60 | 1.70 | 0.045 | 0.045 | 0.014 | 0.60 | A |
  | S355J0 | 0.23 | 0.23 | 0.24 | 0.60 | 1.70 | 0.040 | 0.040 | 0.014 | 0.60 | B |
  | S355J2 | 0.23 | 0.23 | 0.24 | 0.60 | 1.70 | 0.035 | 0.035 | –     | 0.60 | B |
  | S355K2 | 0.23 | 0.23 | 0.24 | 0.60 | 1.70 | 0.035 | 0.035 | –     | 0.60 | B |
  | S460JR | 0.23 | 0.23 | 0.24 | 0.60 | 1.80 | 0.040 | 0.040 | 0.027 | 0.60 | C |
  | S460J0 | 0.23 | 0.23 | 0.24 | 0.60 | 1.80 | 0.040 | 0.040 | 0.027 | 0.60 | C |
  | S460J2 | 0.23 | 0.23 | 0.24 | 0.60 | 1.80 | 0.040 | 0.040 | 0.027 | 0.60 | C |
  | S460K2 | 0.23 | 0.23 | 0.24 | 0.60 | 1.80 | 0.040 | 0.040 | 0.027 | 0.60 | C |`)

interface Limit {
  readonly grade: string
  readonly element: string
  readonly thicknessMm: number
  readonly flagAbove: number
  /** undefined when no figure is reliable enough. */
  readonly blockAbove: number | undefined
}

function number(cell: string): number | undefined {
  return cell === '–' ? undefined : Number.parseFloat(cell)
}
function sure(cell: string, row: string[]): boolean {
  return 'AB'.includes(row.at(-1)!) && !cell.includes('X')
}

/** Notes 1 to 4 of the tables: S355J0, J2, K2 above 30 mm, S275J0 and J2 above 150 mm. */
function carbonAsNoted(grade: string, thicknessMm: number, limit: Limit): Limit {
  if (/^S355(J0|J2|K2)$/.test(grade) && thicknessMm > 30 && thicknessMm <= 40)
    return { ...limit, flagAbove: 0.22, blockAbove: undefined }
  if (/^S275J[02]$/.test(grade) && thicknessMm > 150)
    return { ...limit, flagAbove: 0.2, blockAbove: undefined }
  if (/^S460/.test(grade) && thicknessMm > 30 && thicknessMm <= 40) return { ...limit, flagAbove: 0.22 }
  return limit
}

const limits = ladle.flatMap((row, index): Limit[] => {
  const grade = row[0]!
  const columns: [string, number, number[]][] = [
    ['C', 1, [3, 16]],
    ['C', 2, [16.1, 30, 30.1, 40]],
    ['C', 3, [40.1, 100, 150, ...(grade.startsWith('S460') ? [] : [150.1, 400])]],
    ...['Si', 'Mn', 'P', 'S', 'N', 'Cu'].map((element, at): [string, number, number[]] => [
      element,
      at + 4,
      [20],
    ]),
  ]
  return columns.flatMap(([element, column, thicknesses]) => {
    const flagAbove = number(row[column]!)
    if (flagAbove === undefined) return []
    const cell = product[index]![column]!
    const blocks = sure(cell, product[index]!) && element !== 'Cu'
    return thicknesses.map((thicknessMm) => {
      const limit = { grade, element, thicknessMm, flagAbove, blockAbove: blocks ? number(cell) : undefined }
      return element === 'C' ? carbonAsNoted(grade, thicknessMm, limit) : limit
    })
  })
})

const clean = {
  C: 0.1, Si: 0.2, Mn: 0.5, P: 0.01, S: 0.01, N: 0.005, Al: 0.005, Cu: 0.02, Cr: 0.02, Mo: 0.01, Ni: 0.02, V: 0,
} // biome-ignore format: one analysis, one line

/** S460 exists for long products only. The other grades are tested as plate. */
function formOf(grade: string) {
  return grade.startsWith('S460') ? 'Bar' : 'Plate'
}

function certificate(
  grade: string,
  chemistry: Record<string, number>,
  rest: Partial<CertificateContent> = {},
) {
  return certificateSubject({
    grade,
    productForm: formOf(grade),
    chemistry: { ...clean, ...chemistry },
    ...rest,
  })
}

/** Return the matches of an element's own rules. It may raise the carbon equivalent too, which other specs cover. */
const said = (grade: string, element: string, value: number, rest: Partial<CertificateContent>) =>
  matched(pack, certificate(grade, { [element]: value }, rest))
    .filter((rule) => !rule.startsWith('carbon-equivalent') && rule !== 'residual-elements-high')
    .map((rule) => rule.replace(/^[a-z]+-/, ''))

describe('the analysis of EN 10025-2', () => {
  it.each(limits)('limits $element in $grade at $thicknessMm mm', (limit) => {
    const { grade, element, thicknessMm, flagAbove, blockAbove } = limit
    const long = formOf(grade) === 'Bar' && (element === 'P' || element === 'S') ? 0.005 : 0
    const at = (value: number) => said(grade, element, Number(value.toFixed(4)), { thicknessMm })

    expect(at(flagAbove + long - 0.001)).toEqual([])
    expect(at(flagAbove + long)).toEqual([])
    expect(at(flagAbove + long + 0.0005)).toEqual(['above-ladle-analysis'])
    if (blockAbove === undefined) {
      expect(at(flagAbove * 3)).toEqual(['above-ladle-analysis'])
    } else {
      expect(at(blockAbove)).toEqual(['above-ladle-analysis'])
      expect(at(blockAbove + 0.0005)).toEqual(['above-product-analysis', 'above-ladle-analysis'])
    }
  })

  it('allows 0.005 more phosphorus and sulphur in a section, and blocks by that limit when the form is missing', () => {
    const of = (element: string, value: number, productForm: CertificateContent['productForm']) =>
      said('S355J2', element, value, { productForm })
    for (const element of ['P', 'S']) {
      expect(of(element, 0.03, 'Section')).toEqual([])
      expect(of(element, 0.031, 'Section')).toEqual(['above-ladle-analysis'])
      expect(of(element, 0.04, 'Section')).toEqual(['above-ladle-analysis'])
      expect(of(element, 0.041, 'Section')).toEqual(['above-product-analysis', 'above-ladle-analysis'])
      expect(of(element, 0.03, null)).toEqual(['above-ladle-analysis'])
      expect(of(element, 0.04, null)).toEqual(['above-ladle-analysis'])
      expect(of(element, 0.041, null)).toEqual(['above-product-analysis', 'above-ladle-analysis'])
    }
  })

  it('does not block high sulphur in a long product that contains calcium', () => {
    const sulphur = { S: 0.055 }
    expect(matched(pack, certificate('S355J2', sulphur, { productForm: 'Bar' }))).toEqual([
      'sulphur-above-product-analysis',
      'sulphur-above-ladle-analysis',
    ])
    expect(matched(pack, certificate('S355J2', { ...sulphur, Ca: 0.002 }, { productForm: 'Bar' }))).toEqual([
      'sulphur-above-ladle-analysis',
    ])
  })

  it.each([
    ['the aluminium cannot bind it', { Al: 0.012 }, ['above-product-analysis', 'above-ladle-analysis']],
    ['aluminium may bind it', { Al: 0.013 }, ['above-ladle-analysis']],
    ['aluminium binds it', { Al: 0.02 }, []],
    ['titanium may bind it', { Al: 0.001, Ti: 0.02 }, ['above-ladle-analysis']],
  ])('judges nitrogen above its limit when %s', (_, chemistry, expected) => {
    const rules = matched(pack, certificate('S355JR', { ...chemistry, N: 0.016 }))
    expect(rules.map((rule) => rule.replace('nitrogen-', ''))).toEqual(expected)
  })

  it('does not judge the carbon of sections above 100 mm, and marks them as outside the tables', () => {
    const chemistry = { C: 0.3, Mn: 0.5 }
    const of = (productForm: CertificateContent['productForm']) =>
      matched(pack, certificate('S235JR', chemistry, { thicknessMm: 120, productForm })).filter(
        (rule) => !rule.startsWith('carbon-equivalent'),
      )
    expect(of('Section')).toEqual(['chemistry-outside-the-tables'])
    expect(of(null)).toEqual(['carbon-above-ladle-analysis'])
    expect(of('Plate')).toEqual(['carbon-above-product-analysis', 'carbon-above-ladle-analysis'])
  })

  it('flags residual elements that the standard does not limit', () => {
    for (const [element, value] of Object.entries({ Cr: 0.3, Ni: 0.43, Mo: 0.12 }))
      expect(matched(pack, certificate('S355J2', { [element]: value }))).toEqual(['residual-elements-high'])
    expect(matched(pack, certificate('S355J2', { Cr: 0.29, Ni: 0.42, Mo: 0.11 }))).toEqual([])
  })

  it('flags microalloying in S460 only', () => {
    for (const [element, value] of Object.entries({ Nb: 0.051, V: 0.131, Ti: 0.051 })) {
      expect(matched(pack, certificate('S460J2', { [element]: value }))).toEqual(['microalloying-high'])
      expect(matched(pack, certificate('S355J2', { [element]: value }))).toEqual([])
    }
  })
})

/** Columns: grade, the CEV up to 30, 40, 150, 250 and 400 mm, reliability. */
const carbonEquivalents = rowsOf(`
  | S235 | 0.35 | 0.35 | 0.38 | 0.40 | 0.40 | B    |
  | S275 | 0.40 | 0.40 | 0.42 | 0.44 | 0.44 | B, X |
  | S355 | 0.45 | 0.47 | 0.47 | 0.49 | 0.49 | B, X |
  | S460 | 0.47 | 0.49 | 0.49 | –    | –    | C    |`)
const bandEnds = [
  [3, 30],
  [30.1, 40],
  [40.1, 150],
  [150.1, 250],
  [250.1, 400],
]

describe('the carbon equivalent of EN 10025-2', () => {
  const cases = carbonEquivalents.flatMap((row) =>
    bandEnds.flatMap((ends, band) => {
      const limit = number(row[band + 1]!)
      return limit === undefined
        ? []
        : ends.map((thicknessMm) => ({ strength: row[0]!, thicknessMm, limit, blocks: row.at(-1) === 'B' }))
    }),
  )
  /** The only elements are carbon and manganese, so that CEV = C + Mn/6. */
  const of = (strength: string, cev: number, rest: Record<string, number>, thicknessMm: number) =>
    matched(
      pack,
      certificate(
        `${strength}J2`,
        { C: cev - 0.2, Mn: 1.2, Cr: 0, Mo: 0, V: 0, Ni: 0, Cu: 0, ...rest },
        { thicknessMm },
      ),
    ).filter((rule) => rule.startsWith('carbon-equivalent'))

  it.each(cases)(
    'is limited for $strength at $thicknessMm mm',
    ({ strength, thicknessMm, limit, blocks }) => {
      const above = ['carbon-equivalent-above-limit']
      expect(of(strength, limit - 0.01, {}, thicknessMm)).toEqual([])
      expect(of(strength, limit, {}, thicknessMm)).toEqual([])
      const expected = blocks ? ['carbon-equivalent-above-raised-limit', ...above] : above
      expect(of(strength, limit + 0.001, {}, thicknessMm)).toEqual(expected)
      expect(of(strength, limit + 0.2, {}, thicknessMm)).toEqual(expected)
    },
  )

  it('blocks from 0.02 above the limit only, because the copper may have been ordered', () => {
    const copper = { C: 0.14, Cu: 0.3 }
    expect(of('S235', 0, { ...copper, Mn: 1.2 }, 20)).toEqual(['carbon-equivalent-above-limit'])
    expect(of('S235', 0, { ...copper, Mn: 1.3 }, 20)).toEqual([
      'carbon-equivalent-above-raised-limit',
      'carbon-equivalent-above-limit',
    ])
  })

  it('is higher for long products of S355 from 150 to 250 mm', () => {
    const bar = (thicknessMm: number) =>
      severities(
        pack,
        certificate('S355J2', { C: 0.2, Mn: 1.6, Cr: 0.2 }, { thicknessMm, productForm: 'Bar' }),
      )
    expect(bar(200)).toEqual([])
    expect(bar(300)).toEqual(['Flag'])
  })

  it('counts all seven elements', () => {
    const each = { C: 0.05, Mn: 0.3, Cr: 0.25, Mo: 0.1, V: 0.1, Ni: 0.4, Cu: 0.2 }
    const cev = 0.05 + 0.3 / 6 + 0.45 / 5 + 0.6 / 15
    expect(cev).toBeCloseTo(0.23)
    for (const [element, step] of [
      ['C', 0.14],
      ['Mn', 0.8],
      ['Cr', 0.65],
      ['Mo', 0.65],
      ['V', 0.65],
      ['Ni', 2],
      ['Cu', 2],
    ] as const) {
      const raised = { ...each, [element]: each[element] + step }
      expect(of('S235', 0, each, 20), element).toEqual([])
      expect(of('S235', 0, raised, 20), element).toContain('carbon-equivalent-above-limit')
    }
  })

  it.each(['C', 'Mn', 'Cr', 'Mo', 'V', 'Ni', 'Cu'])('is not computed without %s', (element) => {
    const { [element as 'C']: _, ...chemistry } = clean
    const subject = certificateSubject({ grade: 'S235J2', chemistry })
    expect(notEvaluated(pack, subject)).toMatchObject({
      'carbon-equivalent-above-limit': `certificate.chemistry.${element} is missing`,
      'carbon-equivalent-above-raised-limit': `certificate.chemistry.${element} is missing`,
    })
  })
})

describe('the chemistry pack', () => {
  it.each([
    ['a hollow section by name', { grade: 'S355J2H' }],
    ['a hollow section by form', { productForm: 'HollowSection' }],
    ['a tube', { productForm: 'Tube' }],
    ['another standard', { standard: 'EN 10210-1' }],
    ['a fine-grain steel', { grade: 'S355NL' }],
    ['a steel designation from before 2004', { grade: 'S355J2G3' }],
    ['S460 as plate', { grade: 'S460J2' }],
    ['a grade of another system', { grade: 'A36' }],
  ] as const)('does not check %s, and says so', (_, content) => {
    const subject = certificateSubject({ chemistry: { ...clean, C: 0.9 }, ...content })
    expect(matched(pack, subject)).toEqual(['chemistry-of-another-steel'])
    expect(notEvaluated(pack, subject)).toEqual({})
  })

  it('marks a thickness beyond the tables', () => {
    const beyond = certificateSubject({ chemistry: clean, thicknessMm: 401 })
    expect(matched(pack, beyond)).toEqual(['chemistry-outside-the-tables'])
    expect(notEvaluated(pack, beyond)).toMatchObject({
      'carbon-above-ladle-analysis': 'the table has no limit for S355J2 at 401 mm',
    })
  })

  it.each(['S355J2+N', 's355j2+ar', ' S355 J2 ', 'S355J2+M+Z25'])('checks «%s» as S355J2', (grade) => {
    expect(matched(pack, certificateSubject({ grade, chemistry: { ...clean, C: 0.3 } }))).toContain(
      'carbon-above-product-analysis',
    )
  })

  it.each(['EN 10025-2', 'EN 10025-2:2019', 'DIN EN 10025-2:2005-04', null])(
    'accepts the standard %s',
    (standard) => {
      expect(severities(pack, certificateSubject({ standard, chemistry: clean }))).toEqual([])
    },
  )
})
