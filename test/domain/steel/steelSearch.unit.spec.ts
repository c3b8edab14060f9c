import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestMatch } from '../../../src/domain/steel/steelDemand.ts'
import { everySteel, steelKey } from '../../../src/domain/steel/steelDesignation.ts'
import { readGrade } from '../../../src/domain/steel/steelGrade.ts'
import { searchFor, searchKeysOf } from '../../../src/domain/steel/steelSearch.ts'

const steels = everySteel()
/** A steel as a certificate would write it, with the standard of a hollow section beside it. */
const written = fc.constantFrom(...steels).map((steel) => ({
  grade: steelKey({ ...steel, standard: null }).trim(),
  standard: steel.hollow ? steel.standard : null,
}))

describe('the keys of a steel', () => {
  it('are different for each steel that a name can name', () => {
    expect(new Set(steels.map(steelKey)).size).toBe(steels.length)
  })

  it('are those of the steels that the reader finds', () => {
    fc.assert(
      fc.property(written, ({ grade, standard }) => {
        const { steels } = readGrade(grade, { standard })
        expect(steels).toHaveLength(1)
        expect(searchKeysOf({ grade, standard }).steelKeys).toEqual([steelKey(steels[0]!)])
      }),
    )
  })

  it('lead from a demand to every steel that meets it, and to substitutes if they are asked for', () => {
    fc.assert(
      fc.property(written, written, fc.boolean(), (demand, offer, withSubstitutes) => {
        const match = bestMatch(readGrade(demand.grade, demand).steels, readGrade(offer.grade, offer).steels)
        const { suitable } = searchFor(demand.grade, demand, withSubstitutes)
        const found = searchKeysOf(offer).steelKeys.some((key) => suitable.includes(key))
        expect(found).toBe(match !== 'differs' && (match !== 'substitute' || withSubstitutes))
      }),
    )
  })
})

it.each(['EN-10219-1', 'DIN-EN-10219-1:2006', '10219-1', 'EN 10 219'])(
  'finds a hollow section whose standard is written %s',
  (standard) => {
    const { exact } = searchFor('S355J2H', { standard: 'EN 10219-1' }, false)
    expect(exact).toEqual(expect.arrayContaining([...searchKeysOf({ grade: 'S355J2H', standard }).steelKeys]))
    expect(searchFor('S355J2H', { standard }, false).exact).toEqual(exact)
  },
)

it('finds the same text beside another standard, where that of the demand contradicts its grade', () => {
  const { exact } = searchFor('S355J2+N', { standard: 'EN 10219' }, false)
  expect(exact).toEqual(expect.arrayContaining([...searchKeysOf({ grade: 'S355J2+N' }).steelKeys]))
})

it('finds a grade that cannot be read by its text, and one of several names by each of them', () => {
  expect(searchKeysOf({ grade: ' sonder  güte', profile: null })).toEqual({
    steelKeys: ['=SONDERGÜTE'],
    profileKey: '',
  })
  const { steelKeys, profileKey } = searchKeysOf({ grade: 'S355J2+N / S355K2+N / X', profile: 'ipe 300' })
  expect(steelKeys).toEqual(['S355J2+N', 'S355K2+N', '=S355J2+N/S355K2+N/X'])
  expect(profileKey).toBe('IPE300')
  expect(searchFor('SonderGüte', {}, false)).toEqual({ exact: ['=SONDERGÜTE'], suitable: ['=SONDERGÜTE'] })
})
