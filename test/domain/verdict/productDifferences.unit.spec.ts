import { describe, expect, it } from 'vitest'
import {
  contradictionOf,
  type ProductText,
  productDifferences,
} from '../../../src/domain/verdict/productDifferences.ts'
import { inEnglish } from '../../../src/domain/verdict/sentence.ts'

const product = (stated: Partial<ProductText>): ProductText => ({
  standard: null,
  grade: 'S355J2+N',
  profile: null,
  ...stated,
})
const codes = (demand: Partial<ProductText>, offer: Partial<ProductText>) =>
  productDifferences(product(demand), product(offer)).map(({ code }) => code)

const tube = { standard: 'EN 10219-1', grade: 'S355J2H', productForm: 'HollowSection' } as const

describe('a demanded product', () => {
  it.each([
    ['a beam of EN 10025-2', { standard: 'EN 10025-2', grade: 'S355J2', profile: 'HEA 200' }, tube],
    ['a beam, whatever its standard', { profile: 'HEA 200' }, tube],
    ['steel of EN 10025-2, whatever its profile', { standard: 'EN 10025-2' }, tube],
    ['a plate', { profile: 'PL 20' }, { grade: 'S355J2H', profile: 'SHS 150x8' }],
    ['a round bar', { profile: 'RD 30' }, { standard: 'EN 10210-1', grade: 'S355J2H' }],
  ] as const)('is not met by a hollow section: %s', (_, demand, offer) =>
    expect(codes(demand, offer)).toEqual(['grade-mismatch']),
  )

  it('of a hollow section is met by one', () => {
    expect(
      codes({ profile: 'SHS 150x8', grade: 'S355J2H' }, { ...tube, profile: 'QRO 150x150x8,0' }),
    ).toEqual([])
  })

  it.each([
    ['L 80x8', 'L 80x80x8'],
    ['CHS 168.3x10', 'CHS 168.3x10.0'],
    ['UNP 160', 'UPN 160'],
    ['PL 20', 'BL 20'],
    ['PL 20x200', 'PL 20'],
    ['RHS 150x100x8', 'RHS 100x150x8'],
    ['Sonderprofil 7', 'SONDERPROFIL 7'],
    ['UB 406x178x40', 'UB 406x178x40.3'],
    ['UC 203x203x127.5', '203x203x127 UKC'],
    ['UB 533x312x272', 'UB 533x312x273.3'],
    ['HP 320x88', 'HP 320x88.5'],
  ])('%s is met by %s', (demanded, offered) =>
    expect(codes({ profile: demanded }, { profile: offered })).toEqual([]),
  )

  it.each([
    ['HEA 200', 'HEB 200'],
    ['L 80x8', 'L 80x10'],
    ['SHS 150x150x8', 'SHS 150x150x5'],
    ['PL 20', 'PL 30'],
    ['FL 100x10', 'FL 120x10'],
    ['FL 100x10', 'PL 12x100'],
    ['UB 254x102x25', 'UB 254x102x28.3'],
    ['UB 406x178x54', 'UB 406x140x54'],
    ['UB 203x203x46', 'UC 203x203x46'],
    ['UPN 200', 'UPE 200'],
  ])('%s is not met by %s', (demanded, offered) =>
    expect(codes({ profile: demanded }, { profile: offered })).toEqual(['profile-mismatch']),
  )

  it.each([
    ['PL 100x10', 'FL 100x10'],
    ['FL 10x100', 'PL 10x100'],
    ['PL 10', 'FL 100x10'],
    ['FL 100x10', 'PL 10x2000'],
  ])('%s is met by %s, but a person has to compare plate and flat', (demanded, offered) =>
    expect(codes({ profile: demanded }, { profile: offered })).toEqual(['profile-unreadable']),
  )

  it('of a flat is not met by a narrower plate', () =>
    expect(codes({ profile: 'FL 100x10' }, { profile: 'PL 10x50' })).toEqual([
      'profile-unreadable',
      'size-mismatch',
    ]))

  it('with a name that nobody knows is compared as text, and left to a person', () => {
    expect(codes({ profile: 'W 10x49' }, { profile: 'HEA 200' })).toEqual(['profile-unreadable'])
    expect(codes({ profile: 'HEA 200' }, { profile: 'W 10x49' })).toEqual(['profile-unreadable'])
  })

  it.each([
    ['HEA 200', 'Plate'],
    ['PL 20', 'Section'],
    ['RD 30', 'Coil'],
  ] as const)('%s is not made of a %s', (profile, productForm) =>
    expect(codes({ profile }, { productForm })).toEqual(['profile-mismatch']),
  )

  it.each([
    [{ profile: 'FL 100x10' }, { productForm: 'Plate' }, ['profile-unreadable']],
    [{ profile: 'PL 10' }, { productForm: 'Bar' }, ['profile-unreadable']],
    [{ profile: 'RD 30' }, { productForm: 'Bar', thicknessMm: 40 }, ['size-mismatch']],
    [{ profile: 'RD 30' }, { productForm: 'Bar', thicknessMm: 30 }, []],
    [{ profile: 'Ø 16' }, { nominalDiameterMm: 20 }, ['size-mismatch']],
    [{ profile: 'HEA 200' }, { thicknessMm: 10 }, []],
  ] as const)(
    'is compared with what a certificate without a profile states: %j, %j',
    (demand, offer, found) => expect(codes(demand, offer)).toEqual(found),
  )

  it('may be a flat that the mill calls a bar', () => {
    expect(codes({ profile: 'FL 100x10' }, { productForm: 'Bar' })).toEqual([])
  })

  it.each([
    [{ profile: 'PL 20' }, { profile: 'PL 20', thicknessMm: 30 }],
    [{ profile: 'PL 20' }, { thicknessMm: 20.1 }],
    [
      { profile: 'SHS 150x150x8', grade: 'S355J2H' },
      { ...tube, thicknessMm: 5 },
    ],
    [{ profile: 'L 80x8' }, { thicknessMm: 10 }],
    [{ profile: 'PL 20x200' }, { thicknessMm: 20, widthMm: 150 }],
    [{ profile: 'PL 10x2000' }, { profile: 'PL 10x500' }],
  ])('of another size is not met: %j beside %j', (demand, offer) =>
    expect(codes(demand, offer)).toEqual(['size-mismatch']),
  )

  it.each([
    [{ profile: 'PL 20' }, { thicknessMm: 20 }],
    [{ profile: 'PL 20x200' }, { thicknessMm: 20, widthMm: 2_000 }],
    [{ profile: 'HEA 200' }, { thicknessMm: 10 }],
    [{ profile: null }, { thicknessMm: 10, widthMm: 5 }],
    [{ profile: 'PL 20' }, {}],
  ])('of the same size, or of a size that nobody states, is met: %j beside %j', (demand, offer) =>
    expect(codes(demand, offer)).toEqual([]),
  )
})

describe('a certificate', () => {
  it.each([
    [
      { profile: 'HEA 200', productForm: 'HollowSection' },
      'the profile HEA 200 and the product form HollowSection',
    ],
    [
      { profile: 'SHS 150x8', standard: 'EN 10025-2' },
      'the standard EN 10025-2, which has no hollow sections',
    ],
    [
      { productForm: 'Plate', standard: 'EN 10219-1' },
      'the standard EN 10219-1, which is for hollow sections',
    ],
    [{ profile: 'PL 20', thicknessMm: 30 }, 'the thickness 30 mm'],
  ] as const)('contradicts itself: %j', (stated, words) =>
    expect(inEnglish(contradictionOf(product(stated))!)).toContain(words),
  )

  it.each([
    { profile: 'HEA 200', productForm: 'Section', standard: 'EN 10025-2', thicknessMm: 10 },
    { profile: 'SHS 150x8', productForm: 'HollowSection', standard: 'EN 10210-1', thicknessMm: 8 },
    { profile: 'FL 100x10', productForm: 'Bar' },
    { profile: 'L 80x8', productForm: 'Bar' },
    { profile: 'W 10x49', productForm: 'Plate' },
    { productForm: 'Other', standard: 'EN 10219-1' },
    {},
  ] as const)('does not contradict itself: %j', (stated) =>
    expect(contradictionOf(product(stated))).toBeUndefined(),
  )
})
