import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { steelName } from '../../../src/domain/steel/steelDesignation.ts'
import { readGrade } from '../../../src/domain/steel/steelGrade.ts'
import { isSameStandard } from '../../../src/domain/steel/steelStandards.ts'

/** Each name, and spellings of it that certificates, drawings and orders use. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  S185: ['S185', 'S 185', '1.0035'],
  S235JR: ['S235JR', 's235jr', 'S 235 JR', 'S235 JR', '1.0038', 'S235JR (1.0038)', '1.0038 S235JR'],
  'S235JR+AR': ['S235JR+AR', 'S235JR +AR', 'S235JR AR', 'S235JR as rolled', 'S235JR As-Rolled', '1.0038+AR'],
  'S235JR+N': ['S235JR+N', 'S235JRN', 'S235JR normalized', 'S235JR normalised', 'S 235 JR + N', 'S235JR-N'],
  'S235JRC+N': ['S235JRC+N', 'S 235 JR C + N', 'S235JRC normalisiert'],
  S235J0: ['S235J0', 'S235JO', 's235jo', 'S 235 J O', '1.0114'],
  S235J2: ['S235J2', 'S235 J2', '1.0117'],
  'S235J2+N': ['S235J2+N', 'S235J2 +N', 'S235J2N', '1.0117+N'],
  S275JR: ['S275JR', 'S275 JR', 'S 275 JR', '1.0044', 'S275JR 1.0044'],
  'S275JR+AR': ['S275JR+AR', 'S275JR + AR', 'S275JR AS ROLLED', 'S275JR Walzzustand'],
  S275J0: ['S275J0', 'S275JO', '1.0143'],
  S275J2: ['S275J2', '1.0145'],
  'S275J2+N': ['S275J2+N', 'S275J2 normalizing rolled', 'S275J2 normalising rolling'],
  S355: ['S355', 's 355'],
  'S355+N': ['S355+N', 'S355 + N', 'S355 normalised'],
  S355JR: ['S355JR', 'S355 JR', 's355jr', '1.0045', 'EN 10025-2 S355JR'],
  'S355JR+AR': ['S355JR+AR', 'S355JR AR', 'BS EN 10025-2:2019 S355JR+AR', '1.0045+AR'],
  S355J0: ['S355J0', 'S355JO', 'S 355 JO', '1.0553', 'S355JO (1.0553)'],
  'S355J0+AR': ['S355J0+AR', 'S355JO+AR', 'S355JO as rolled'],
  S355J2: [
    'S355J2',
    'S 355 J2',
    's355j2',
    'S355J2 1.0577',
    '1.0577',
    'DIN EN 10025-2 S355J2',
    'S355J2 EN10025-2:2004',
  ],
  'S355J2+N': [
    'S355J2+N',
    'S355J2 +N',
    'S 355 J2 + N',
    's355j2+n',
    'S355J2N',
    'S355J2 N',
    'S355J2-N',
    'S355J2\u2011N',
    'S355J2 \u2013 N',
    'S355J2\u00a0+\u00a0N',
    'Ｓ３５５Ｊ２＋Ｎ',
    'S355J2 normalized',
    'S355J2 normalised rolled',
    'S355J2 normalgeglüht',
    'S355J2 normalisierend gewalzt',
    '1.0577+N',
    '1.0577 +N',
    '(1.0577) S355J2+N',
    'EN 10025-2:2019 S355J2+N',
    'S355J2+N EN 10025-2',
    'NF EN 10025-2 S355J2+N',
  ],
  'S355J2+M': ['S355J2+M', 'S355J2+TM', 'S355J2 TMCP', 'S355J2 thermomechanically rolled'],
  'S355J2+AR': ['S355J2+AR', 'S355J2 AR', 'S355J2 as rolled'],
  'S355J2+QT': ['S355J2+QT', 'S355J2+Q', 'S355J2 quenched and tempered', 'S355J2 vergütet'],
  'S355J2C+N': ['S355J2C+N', 'S355J2C +N', 'S 355 J2 C+N'],
  'S355J2+Z25': ['S355J2+Z25', 'S355J2Z25', 'S355J2 Z25', 'S355J2-Z25'],
  'S355J2+N+Z15': ['S355J2+N+Z15', 'S355J2+Z15+N', 'S355J2+N Z15'],
  'S355J2+N+Z25': ['S355J2+N+Z25', 'S355J2+N-Z25', 'S355J2 N Z25', 'S355J2+Z25 normalized'],
  'S355J2+N+Z35': ['S355J2+N+Z35', 'S355J2+N Z35', '1.0577+N+Z35'],
  'S355J2C+N+Z25': ['S355J2C+N+Z25', 'S355J2C+Z25+N'],
  S355K2: ['S355K2', 'S355 K2', '1.0596', 'S 355 K2'],
  'S355K2+N': ['S355K2+N', 'S355K2 + N', 'S355K2N', '1.0596+N', 'S355K2 normalized'],
  'S355K2+AR': ['S355K2+AR', 'S355K2 as rolled'],
  S450J0: ['S450J0', 'S450JO', '1.0590'],
  'S460J2+AR': ['S460J2+AR', 'S460J2 AR'],
  S460JR: ['S460JR', 'S 460 JR'],
  'S460K2+N': ['S460K2+N', 'S460K2N'],
  S500J0: ['S500J0', 'S500JO'],
  S275N: ['S275N', '1.0490', 'S275N+N'],
  S275NL: ['S275NL', '1.0491'],
  S355N: ['S355N', 'S 355 N', '1.0545', 'EN 10025-3 S355N', 'S355N+N', 'S355N normalized'],
  S355NL: ['S355NL', 'S355 NL', '1.0546', 'S355NL+N', 'EN 10025-3:2019 S355NL'],
  'S355NL+Z25': ['S355NL+Z25', 'S355NL Z25', 'S355NLZ25'],
  S420N: ['S420N', '1.8902'],
  S420NL: ['S420NL', '1.8912'],
  S460N: ['S460N', '1.8901'],
  S460NL: ['S460NL', '1.8903'],
  S355M: ['S355M', '1.8823', 'S355M+M', 'EN 10025-4 S355M'],
  S355ML: ['S355ML', '1.8834', 'S 355 ML', 'S355ML TMCP'],
  'S355ML+Z35': ['S355ML+Z35', 'S355ML Z35'],
  S420M: ['S420M', '1.8825'],
  S420ML: ['S420ML', '1.8836'],
  S460M: ['S460M', '1.8827', 'S460M+M'],
  S460ML: ['S460ML', '1.8838'],
  S500ML: ['S500ML', 'S 500 ML'],
  S235J0W: ['S235J0W', 'S235JOW', '1.8958'],
  'S355J0WP+AR': ['S355J0WP+AR', '1.8945+AR', 'S355JOWP as rolled'],
  S355J2W: ['S355J2W', 'S 355 J2 W', '1.8965', 'S355J2W (1.8965)'],
  'S355J2W+N': ['S355J2W+N', 'S355J2W +N', '1.8965+N', 'EN 10025-5 S355J2W+N'],
  'S355K2W+N': ['S355K2W+N', '1.8967+N'],
  S460Q: ['S460Q', '1.8908'],
  S460QL: ['S460QL', '1.8906'],
  S690Q: ['S690Q', '1.8931', 'S690Q+QT', 'S690Q quenched and tempered'],
  S690QL: ['S690QL', '1.8928', 'S 690 QL', 'EN 10025-6 S690QL'],
  S690QL1: ['S690QL1', '1.8988', 'S690 QL1'],
  S890QL: ['S890QL', '1.8983'],
  S960QL: ['S960QL', '1.8933'],
  S235JRH: ['S235JRH', 'S 235 JRH', '1.0039', 'S235JRH (1.0039)'],
  S275J0H: ['S275J0H', 'S275JOH', '1.0149'],
  S275J2H: ['S275J2H', '1.0138'],
  S355J0H: ['S355J0H', 'S355JOH', '1.0547'],
  S355J2H: ['S355J2H', 'S 355 J2 H', '1.0576', 'EN 10210-1 S355J2H', 'EN 10219-1:2006 S355J2H'],
  'S355J2H+N': ['S355J2H+N', 'S355J2H normalised'],
  S355K2H: ['S355K2H', '1.0512'],
  S355NH: ['S355NH', '1.0539', 'EN 10210 S355NH'],
  S355NLH: ['S355NLH', '1.0549'],
  S420MH: ['S420MH', '1.8847', 'EN 10219 S420MH'],
  S460NH: ['S460NH', '1.8953'],
  S460MLH: ['S460MLH', '1.8850'],
  S355MC: ['S355MC', 'S 355 MC', 'EN 10149-2 S355MC'],
  S700MC: ['S700MC', 'S700 MC'],
  S355NC: ['S355NC', 'EN 10149-3 S355NC'],
  B500A: ['B500A', 'B 500 A', '1.0438', 'BSt 500 M (1.0466)'],
  B500B: [
    'B500B',
    'B500B (1.0439)',
    'BS 4449:2005+A3:2016 B500B',
    'B500B EN 10080',
    'DIN 488-1 B500B',
    'BSt 500 S',
  ],
  B500C: ['B500C'],
}

/** Names that were withdrawn, with the names that took their place. */
const withdrawn: Readonly<Record<string, readonly string[]>> = {
  S275: ['43A', 'BS 4360 43A', 'Grade 43A'],
  S355J0W: ['WR50B'],
  'S355J2+N': ['S355J2G3', 'S355J2G3+N', 'ST52-3N', 'St 52-3 N', 'Fe 510 D1', '1.0570', 'S355J2G3 (1.0570)'],
  S355J2: ['St 52-3', 'S355J2G4', 'Fe510D2', '50D', 'BS 4360:1990 Grade 50D', 'BS4360-50D', 'GR.50D'],
  S355J0: ['St 52-3 U', 'Fe 510 C'],
  S355: ['Fe 510', 'St 52'],
  S235JR: ['RSt 37-2', 'St 37-2', 'USt37-2', 'S235JRG2', 'Fe 360 B', '1.0037'],
  'S235J2+N': ['S235J2G3', '1.0116'],
  S275JR: ['St 44-2', 'St 44-2 (DIN 17100)', 'Fe 430 B', 'E 28-2'],
  S355N: ['StE 355'],
  S355NL: ['TStE 355', '50EE'],
  B500B: ['BSt 500 S', 'BSt500S (1.0438)'],
}

/** Texts of which the reader says that it cannot read them. */
const unreadable = [
  'S335J2',
  'S355J3',
  'S355K3',
  'S235K2',
  'S235N',
  'S3550J2',
  'S355J2X',
  'S355JR2',
  'E355',
  'B500D',
  'B600B',
  'B500B+N',
  'B500B EN 10025-2',
  'S355J2 BS 4449',
  'B500A (1.0439)',
  'St 52-3 X',
  'E295',
  'P355NH',
  'A36',
  'ASTM A572 Gr. 50',
  'Q355B',
  'C45',
  '304L',
  '50F',
  'A572 50A',
  'Grade 50',
  'HX355',
  'DX51D',
  'X120Mn12',
  '42CrMo4',
  'unknown',
  '-',
  '?',
  '1.9999',
  '2.0577',
  'S355J2 (1.0045)',
  'S355N 1.0577',
  'S355J2+AR+N',
  'S355N+AR',
  'S355M+N',
  'S690QL+N',
  'S355J2+Z15+Z35',
  'S355J2+C',
  'S355J2+U',
  'S355J2+Z20',
  'S355J2+QQ',
  'S355J2QQ',
  'S355J2+NN',
  'S355J2 N N',
  'S355J2+ARN',
  'S355J2+NM',
  'S355J2+TMM',
  'S355J2+QTT',
  'S355NN',
  'S690QQ',
  'S355J2+NQT',
  'S355J2+Z25NN',
  'S355J2+Z',
  'S355J2H EN 10025-2',
  'S355J2+N EN 10210',
  'S420MH EN 10210',
  'S355N EN 10025-2',
  'S355J2 EN 10025-3',
  'S355J2HC W',
  'J2+N',
  '355J2+N',
  'S',
  '',
]

const read = (text: string) => readGrade(text).steels.map(steelName)

describe('a withdrawn name', () => {
  it.each(Object.entries(withdrawn).flatMap(([name, texts]) => texts.map((text) => [text, name] as const)))(
    'of %s is read as %s, and named with it',
    (text, name) => {
      const { steels, withdrawn } = readGrade(text.replace(' (DIN 17100)', ''), { standard: 'DIN 17100' })
      expect({
        steels: steels.map(steelName),
        withdrawn: withdrawn.map(({ successor }) => successor),
      }).toEqual({ steels: [name], withdrawn: [name] })
    },
  )

  it('is no other name', () => {
    expect(readGrade('S355J2+N / S355K2').withdrawn).toEqual([])
  })
})

describe('the name of a steel', () => {
  it.each(Object.entries(spellings).flatMap(([name, texts]) => texts.map((text) => [text, name] as const)))(
    'reads %s as %s',
    (text, name) => {
      expect({ steels: read(text), unread: readGrade(text).unread }).toEqual({ steels: [name], unread: [] })
    },
  )

  it.each(unreadable)('does not read %j', (text) => {
    expect(read(text)).toEqual([])
  })

  it('has at least 200 spellings in its golden table', () => {
    expect(Object.values(spellings).flat().length + unreadable.length).toBeGreaterThanOrEqual(200)
  })

  it.each([
    ['S355J2+N / S355K2+N', ['S355J2+N', 'S355K2+N'], []],
    ['S355J2+N/S355J0+N', ['S355J2+N', 'S355J0+N'], []],
    ['S355J2+N; S355NL', ['S355J2+N', 'S355NL'], []],
    ['S275JR and S275J0', ['S275JR', 'S275J0'], []],
    ['S355J2+N / ASTM A572 Gr.50', ['S355J2+N'], ['ASTM A572 GR.50']],
    ['A572-50/S355JR', ['S355JR'], ['A572-50']],
    ['S355J2 or equal grade', ['S355J2'], ['EQUAL GRADE']],
    ['S355J2/K2+N', ['S355J2'], ['K2+N']],
  ])('reads each name of %s', (text, steels, unread) => {
    expect({ steels: read(text), unread: readGrade(text).unread }).toEqual({ steels, unread })
  })

  it('counts a stated delivery condition and Z quality as part of every name', () => {
    const { steels } = readGrade('S355J2 / S355K2', { deliveryCondition: '+N', zQuality: 'Z25' })
    expect(steels.map(steelName)).toEqual(['S355J2+N+Z25', 'S355K2+N+Z25'])
  })

  it('does not read a name that a stated delivery condition contradicts', () => {
    expect(readGrade('S355J2+AR', { deliveryCondition: 'N' })).toMatchObject({
      steels: [],
      unread: ['S355J2+AR'],
    })
  })

  it('takes the standard of a hollow section from the certificate', () => {
    expect(readGrade('S355J2H', { standard: 'EN 10219-1' }).steels[0]!.standard).toBe('EN 10219')
    expect(readGrade('S355J2H', { standard: 'EN 10210-1:2006' }).steels[0]!.standard).toBe('EN 10210')
    expect(readGrade('S355J2H').steels[0]!.standard).toBeNull()
  })

  it('counts a suffix after a comma as part of every name', () => {
    const { steels, unread } = readGrade('S355J2 / S355K2, +N, Z25')
    expect(steels.map(steelName)).toEqual(['S355J2+N+Z25', 'S355K2+N+Z25'])
    expect(unread).toEqual([])
  })

  it('takes the standard of every name from a part that names nothing else', () => {
    const { steels, unread } = readGrade('S355J2H, EN 10210-1')
    expect(steels.map(({ standard }) => standard)).toEqual(['EN 10210'])
    expect(unread).toEqual([])
  })

  it.each([
    ['EN 10210-1:2006', 'BS EN 10210', true],
    ['EN 10025-2', 'EN 10025-3', false],
    ['EN 10028-3:2017', 'en 10028-3', true],
    ['EN 10028-3', 'EN 10210-1', false],
  ])('knows whether %s and %s may be the same standard', (one, other, same) => {
    expect(isSameStandard(one, other)).toBe(same)
  })

  it('reads any text without throwing, and its own names as themselves', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const name of read(text)) expect(read(name)).toEqual([name])
      }),
    )
    for (const name of Object.keys(spellings)) expect(read(name)).toEqual([name])
  })
})

describe('a name that cannot be read', () => {
  it.each([
    ['two conditions of delivery', 'S355J2+AR', { deliveryCondition: 'N' }, ['S355J2'], ['S355J2+AR and +N']],
    ['two conditions in the name', 'S355J2+AR+N', {}, ['S355J2'], ['S355J2+AR and S355J2+N']],
    [
      'a condition that its kind never has',
      'S355NL',
      { deliveryCondition: 'M' },
      ['S355NL'],
      ['S355NL and +M'],
    ],
    ['two Z qualities', 'S355J2+Z15', { zQuality: 'Z25' }, ['S355J2'], ['S355J2+Z15 and +Z25']],
    ['the number of another steel', 'S355J2 (1.0045)', {}, ['S355J2', 'S355JR'], ['S355J2 and 1.0045']],
    [
      'a standard that does not have it',
      'S355J2',
      { standard: 'EN 10210-1' },
      ['S355J2'],
      ['S355J2 and EN 10210-1'],
    ],
    ['a number with a condition', '1.0577+AR', { deliveryCondition: '+N' }, ['S355J2'], ['S355J2+AR and +N']],
  ])('names its steels and the contradiction: %s', (_, text, stated, steels, contradictions) => {
    const grade = readGrade(text, stated)
    expect(grade.steels).toEqual([])
    expect(grade.doubtful).toEqual([
      { name: grade.unread[0], steels: expect.anything(), contradictions, unknownConditions: [] },
    ])
    expect(grade.doubtful[0]!.steels.map(steelName)).toEqual(steels)
  })

  it('names the steel beside a condition of delivery that nobody knows', () => {
    const { unread, doubtful } = readGrade('S355J2+N', { deliveryCondition: 'NR' })
    expect(unread).toEqual(['S355J2+N'])
    expect(doubtful).toMatchObject([{ contradictions: [], unknownConditions: ['NR'] }])
    expect(doubtful[0]!.steels.map(steelName)).toEqual(['S355J2'])
  })

  it('takes a condition of delivery that is nearly one for none', () => {
    const { unread, doubtful } = readGrade('S355J2', { deliveryCondition: 'QQ' })
    expect(unread).toEqual(['S355J2'])
    expect(doubtful).toMatchObject([{ contradictions: [], unknownConditions: ['QQ'] }])
  })

  it.each(['P265GH', '1.4301', 'S355J2+C', ''])('has no doubts where it names no steel: %j', (text) => {
    expect(readGrade(text, { deliveryCondition: 'NR' }).doubtful).toEqual([])
  })

  it('names only steels that a table of a standard holds, whatever is said beside them', () => {
    const part = fc.constantFrom(
      'S355J2',
      'S355NL',
      'S355J2H',
      '1.0045',
      '+AR',
      '+N',
      '+M',
      '+Z15',
      'C',
      '/',
      ' ',
    )
    const beside = fc.constantFrom('N', 'AR', 'NR', 'Z25', '', '+', 'EN 10025-3', 'EN 10210', 'ASTM A572')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), beside, beside, (parts, deliveryCondition, standard) => {
        const { unread, doubtful } = readGrade(parts.join(''), { deliveryCondition, standard })
        for (const { name, steels, contradictions, unknownConditions } of doubtful) {
          expect(unread).toContain(name)
          expect(steels.map(steelName).flatMap((one) => readGrade(one).unread)).toEqual([])
          expect(contradictions.length + unknownConditions.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})
