import { describe, expect, it } from 'vitest'
import {
  isSameSection,
  profileKeyOf,
  profileKeysLike,
  readProfile,
} from '../../../src/domain/steel/steelProfile.ts'

/** How mills, drawings and orders spell each section; `#` stands for the size. */
const beams: readonly (readonly [name: string, spellings: readonly string[]])[] = [
  ['IPE#', ['IPE #', 'IPE#', 'ipe #', 'IPE-#', 'IPE # ', 'I P E #', 'IPE #,0', 'IPE #.0']],
  ['IPEA#', ['IPEA #', 'IPE A #', 'IPE # A', 'IPEA#', 'IPE#A', 'IPE-A #', 'ipea #']],
  ['IPEAA#', ['IPE AA #', 'IPEAA #', 'IPE # AA', 'IPEAA#']],
  ['IPEO#', ['IPE O #', 'IPEO #', 'IPE # O']],
  ['INP#', ['INP #', 'IPN #', 'I #', 'INP#', 'IPN-#', 'I#']],
  ['HEAA#', ['HE # AA', 'HEAA #', 'HE AA #', 'HE#AA']],
  [
    'HEA#',
    ['HEA #', 'HE # A', 'HEA#', 'HE#A', 'HE-A #', 'HE A #', 'IPBl #', 'IPBL #', 'hea#', 'HEA-#', 'IPB l #'],
  ],
  ['HEB#', ['HEB #', 'HE # B', 'HEB#', 'HE-B #', 'IPB #', 'IPB#', 'HE B #', 'heb #']],
  ['HEM#', ['HEM #', 'HE # M', 'HEM#', 'IPBv #', 'HE M #', 'HE-M-#']],
  ['UPN#', ['UPN #', 'UNP #', 'U #', 'UPN#', 'UNP-#', 'unp #', 'U#']],
  ['UPE#', ['UPE #', 'UPE#', 'UPE-#', 'upe #']],
  ['UAP#', ['UAP #', 'UAP#']],
  ['T#', ['T #', 'T#', 'TEE #']],
]
const others: readonly (readonly [name: string, spellings: readonly string[]])[] = [
  [
    'UB305X165X40',
    [
      'UB 305x165x40',
      'UB 305 x 165 x 40',
      '305x165x40 UB',
      'UKB 305x165x40',
      '305 x 165 x 40 UKB',
      'UB305*165*40',
    ],
  ],
  [
    'UC203X203X46',
    ['UC 203x203x46', '203x203x46 UC', 'UKC 203X203X46', 'UC 203 × 203 × 46', '203*203*46UKC'],
  ],
  [
    'PFC200X75',
    ['PFC 200x75x23', '200x75x23 PFC', 'UKPFC 200x75x23', 'PFC 200 × 75 × 23', 'PFC200x75', 'UKPFC 200x75'],
  ],
  ['RSC152X76', ['RSC 152x76x18', '152x76x18 RSC', 'RSC 152 x 76 x 17.88', 'RSC 152x76']],
  ['RSJ127X114X29', ['RSJ 127x114x29', '127 x 114 x 29 RSJ', 'Joist 127x114x29']],
  ['ASB300X222X100', ['ASB 300x222x100']],
  [
    'L80X80X8',
    [
      'L 80x8',
      'L 80x80x8',
      'L80x8',
      'L 80 x 80 x 8',
      'L80*80*8',
      'LNP 80x8',
      'LNP 80x80x8',
      'EQA 80x80x8',
      'EQA 80x8',
      'l 80×80×8',
      'L 80X80X8,0',
      'L-80x80x8',
      'RSA 80x80x8',
      '80x80x8 L',
      'UKA 80x80x8',
      'Winkel 80x8',
      'Winkelstahl 80x8',
      'Equal angle 80 x 80 x 8',
    ],
  ],
  [
    'L100X50X6',
    [
      'L 100x50x6',
      'L 50x100x6',
      'L100*50*6',
      'LNP 100x50x6',
      '100x50x6 L',
      'L 100 × 50 × 6,0',
      'UKA 100x50x6',
    ],
  ],
  [
    'CHS168.3X6.3',
    [
      'CHS 168.3x6.3',
      'CHS 168,3x6,3',
      'RO 168.3x6.3',
      'RO 168,3 x 6,3',
      'ROR 168.3*6.3',
      'Rohr 168,3 × 6,3',
      'chs168.3x6.30',
      'CFCHS 168.3x6.3',
      'HFCHS 168.3x6.3',
      'KHP 168,3x6,3',
      'Rundrohr 168,3 x 6,3',
    ],
  ],
  // The thickest walls that are read.
  ['CHS90X30', ['CHS 90x30']],
  ['SHS100X100X20', ['SHS 100x20']],
  ['CHS168.3X10', ['CHS 168.3x10', 'CHS 168.3x10.0', 'CHS 168,3x10,0', 'RO 168.3 x 10']],
  [
    'SHS150X150X8',
    [
      'SHS 150x150x8',
      'SHS 150x8',
      'SHS150x150x8',
      'QRO 150x8',
      'QRO 150x150x8',
      'MSH 150x150x8',
      'RHS 150x150x8',
      'SHS 150 × 150 × 8,0',
      'HFSHS 150x150x8',
      'CFSHS 150x150x8',
      'shs 150*150*8',
      'QHP 150x8',
      'Quadratrohr 150x150x8',
      'Vierkantrohr 150x8',
    ],
  ],
  [
    'RHS150X100X6.3',
    [
      'RHS 150x100x6.3',
      'RHS 100x150x6.3',
      'RRO 150x100x6,3',
      'MSH 150x100x6.3',
      'RHS150*100*6,30',
      'CFRHS 150x100x6.3',
      'HFRHS 100 x 150 x 6.3',
      '150x100x6.3 RHS',
      'RHP 150x100x6,3',
      'Rechteckrohr 150x100x6,3',
    ],
  ],
  [
    'PL20',
    [
      'PL 20',
      'PL20',
      'BL 20',
      'Bl 20',
      'Blech 20',
      'PL 20.0',
      'PL 20,0',
      'PLATE 20',
      'PLT 20',
      'pl 20 mm',
      'PL-20',
      '20 PL',
      'Bl. 20',
      'Grobblech 20',
    ],
  ],
  ['PL20X200', ['PL 20x200', 'PL 200x20', 'BL 20*200', 'PL20 × 200', 'Blech 20 x 200']],
  [
    'FL100X10',
    [
      'FL 100x10',
      'FL 10x100',
      'FLA 100x10',
      'FLT 100x10',
      'Flach 100x10',
      'FL100*10',
      'FLAT 100 × 10',
      'fla 100x10,0',
      'Flachstahl 100x10',
      'Flat bar 100x10',
      'Breitflachstahl 100x10',
    ],
  ],
  [
    'RD30',
    [
      'RD 30',
      'RND 30',
      'Ø 30',
      'Ø30',
      'ROUND 30',
      'Rund 30',
      'RD 30.0',
      'RD30',
      '⌀ 30',
      'Ø 30 mm',
      'DIA 30',
      'Rundstahl 30',
      'Round bar 30',
    ],
  ],
  ['SQ20', ['SQ 20', 'VKT 20', '4KT 20', 'SQ20', 'QUAD 20', 'Vierkantstahl 20', 'Square bar 20']],
  ['HEX24', ['HEX 24', 'SKT 24', '6KT 24', 'Sechskant 24', 'Hex bar 24']],
  ['HD320X97.6', ['HD 320x97.6', 'HD 320 × 97,6', 'HD320*97.6']],
]
const spelled = [
  ...beams.flatMap(([name, spellings]) =>
    ['100', '160', '200', '300'].flatMap((size) =>
      spellings.map((spelling) => [spelling.replace('#', size), name.replace('#', size)] as const),
    ),
  ),
  ...others.flatMap(([name, spellings]) => spellings.map((spelling) => [spelling, name] as const)),
]

describe('the reader of profiles', () => {
  it('is tried with more than 300 spellings', () => expect(spelled.length).toBeGreaterThan(300))

  it.each(spelled)('reads %s as %s', (spelling, name) => expect(readProfile(spelling)?.name).toBe(name))

  it.each([
    '',
    'HE 200',
    'W10x49',
    'HSS 6x6x1/2',
    '150x150x8',
    'IPE 200/220',
    'IPE 80-100',
    'HEA 200x6000',
    'HEA',
    'L 80x80',
    'RHS 150x100',
    'CHS 168.3',
    'PL 20x200x6000',
    'XX 12',
    'Ø 30x6000',
    'PL 0',
    '200',
    'IPE',
    'X',
    'HEA 200 / HEB 200',
    'UB 305x165',
    'FL 100',
    'L 80x80x60',
    'RHS 100x50',
    'SHS 100x21',
    'CHS 90x31',
    'L 100x50',
    'RRO 120x60',
    'Rohr 100x50',
    'TB 60',
    'RSC 150x75',
    'RSJ 203x133x25',
  ])('does not guess what %s is', (spelling) => expect(readProfile(spelling)).toBeUndefined())

  it.each([
    ['HEA 200', 'open', undefined],
    ['L 80x8', 'open', 8],
    ['SHS 150x8', 'hollow', 8],
    ['CHS 168,3x6,3', 'hollow', 6.3],
    ['PL 20x200', 'flat', 20],
    ['FL 10x100', 'flat', 10],
    ['RD 30', 'bar', 30],
    ['SQ 20', 'bar', 20],
  ])('knows the form and the thickness of %s', (spelling, form, thicknessMm) =>
    expect(readProfile(spelling)).toMatchObject({ form, ...(thicknessMm !== undefined && { thicknessMm }) }),
  )
})

describe('the key of a profile', () => {
  it('is one for all spellings', () => expect(profileKeyOf('HE 200 A')).toBe(profileKeyOf('IPBl 200')))
  it('is one for all widths of a plate', () => expect(profileKeyOf('PL 20x200')).toBe(profileKeyOf('BL 20')))
  it('is the text of a name that is not known', () => expect(profileKeyOf('w 10 × 49')).toBe('W10X49'))

  it.each([
    ['UB 406x178x40', 'UB 406x178x40.3'],
    ['UC 203x203x127', 'UC 203x203x127.5'],
    ['UB 533x312x272', 'UB 533x312x273.3'],
    ['PL 10x100', 'FL 100x10'],
    ['PL 10x100', 'PL 10'],
    ['FL 100x10', 'PL 10x2000'],
    ['w 10 × 49', 'W 10x49'],
  ])('is among those that are looked for: %s and %s are one section', (one, other) => {
    expect(isSameSection(one, other)).toBe(true)
    expect(profileKeysLike(one)).toContain(profileKeyOf(other))
  })
})
