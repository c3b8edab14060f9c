import { describe, expect, it } from 'vitest'
import { certificateFields } from '../../src/domain/certificates/certificateContent.ts'
import { inMillOrder } from '../../src/domain/certificates/elements.ts'
import { changedValues, formerValues, inputsOf, typedOf } from '../../src/portal/kit/declaredFields.ts'
import { numberIn } from '../../src/portal/kit/numberIn.ts'
import { type PdfText, placesOf } from '../../src/portal/kit/pdfPlaces.ts'

describe('a form for declared fields', () => {
  const record = { grade: 'S355J2', thicknessMm: 12.5, chemistry: { C: 0.17, Mg: 0.01 }, mechanical: null }
  const inputs = inputsOf(certificateFields, record)
  const typed = typedOf(inputs, record, 'de')

  it('has the elements as mills print them, with those of the record, and the parts of an object', () => {
    const paths = inputs.map(({ path }) => path)
    expect(paths.filter((path) => path.startsWith('chemistry.')).slice(0, 7)).toEqual(
      ['C', 'Si', 'Mn', 'P', 'S', 'N', 'Al'].map((symbol) => `chemistry.${symbol}`),
    )
    expect(paths).toContain('chemistry.Mg')
    expect(paths).toContain('mechanical.reHMpa')
    expect(paths).not.toContain('tests')
    expect(typed.thicknessMm).toBe('12,5')
  })

  it('sends the changed values alone, and null for an emptied one', () => {
    expect(changedValues(inputs, typed, typed)).toEqual({})
    const now = {
      ...typed,
      thicknessMm: '',
      'chemistry.C': '0,18',
      'chemistry.Mn': '1,420',
      profile: ' HEA 200 ',
    }
    expect(changedValues(inputs, typed, now)).toEqual({
      thicknessMm: null,
      profile: 'HEA 200',
      chemistry: { C: 0.18, Mn: 1.42 },
    })
  })

  it('takes back the values that were typed anew to those that somebody else has saved meanwhile', () => {
    const now = { ...typed, grade: 'S235JR', 'chemistry.C': '0,18' }
    const theirs = { ...record, grade: 'S355K2', thicknessMm: 20 }
    expect(formerValues(inputs, typed, now, typedOf(inputs, theirs, 'de'))).toEqual({
      grade: 'S355K2',
      chemistry: { C: 0.17 },
    })
  })

  it('leaves a text that may mean two numbers to the service, which refuses it', () => {
    expect(numberIn('12.000', { least: 0, most: 50_000 })).toBe('12.000')
    expect(numberIn('12.000', { least: 0, most: 1_000 })).toBe(12)
    expect(numberIn('12 m')).toBe('12 m')
  })
})

it('an analysis is in the order in which mills print it', () => {
  const order = inMillOrder({ Mn: 1.4, Mg: 0.01, N: 0.006, C: 0.17 }).map(([symbol]) => symbol)
  expect(order).toEqual(['C', 'Mn', 'N', 'Mg'])
})

it('a value is found on the original however it is written, and below the heading of its column', () => {
  const at = (text: string, left: number, top: number): PdfText => ({
    page: 1,
    text,
    box: [left, top, 0.05, 0.02],
  })
  const texts = [at('S', 0.1, 0.3), at('V', 0.3, 0.3), at('0,002', 0.1, 0.35), at('0.002', 0.31, 0.35)]
  const heat = at('Heat: 418822', 0.1, 0.1)
  const places = placesOf(
    [...texts, heat],
    [
      { path: 'chemistry.V', value: '0.0020', heading: 'V' },
      { path: 'heatNumber', value: '418822' },
      { path: 'grade', value: 'S235JR' },
      { path: 'profile', value: '' },
    ],
  )
  expect([...places]).toEqual([
    ['chemistry.V', [texts[3]]],
    ['heatNumber', [heat]],
  ])
})
