import { describe, expect, it } from 'vitest'
import { differingElements, ladleAnalysisKey } from '../../../src/domain/certificates/ladleAnalysis.ts'

describe('two ladle analyses', () => {
  it.each<[Record<string, number>, Record<string, number>, string[]]>([
    [{ C: 0.17 }, { C: 0.17 }, []],
    [{ C: 0.17 }, { C: 0.16 }, ['C']],
    [{ C: 0.17 }, { C: 0.174 }, []],
    [{ C: 0.17 }, { C: 0.175 }, []],
    [{ C: 0.17 }, { C: 0.176 }, ['C']],
    [{ C: 0.2 }, { C: 0.23 }, ['C']],
    [{ C: 0.171 }, { C: 0.172 }, ['C']],
    [{ S: 0.01 }, { S: 0.014 }, ['S']],
    [{ N: 0.011 }, { N: 0.0113 }, []],
    [{ B: 0.0003 }, { B: 0.0008 }, ['B']],
    [{ B: 1e-7 }, { B: 0 }, []],
    [{ C: 0.17, Mn: 1.4 }, { C: 0.17, Cr: 0.1 }, []],
    [{ C: 0.17, Mn: 1.4, P: 0.01 }, { P: 0.02, Mn: 1.42, C: 0.17 }, ['Mn', 'P']],
  ])('%j and %j differ in %j', (one, other, elements) => {
    expect(differingElements(one, other)).toEqual(elements)
    expect(differingElements(other, one).toSorted()).toEqual(elements)
  })

  it('have one key if they state the same, in any order; a product analysis has none', () => {
    const key = (chemistry: Record<string, number> | null, analysis: 'ladle' | 'product' | null = null) =>
      ladleAnalysisKey({ chemistry, analysis })
    expect(key({ C: 0.17, Mn: 1.4 })).toBe(key({ Mn: 1.4, C: 0.17 }, 'ladle'))
    expect(key({ C: 0.17 })).not.toBe(key({ C: 0.18 }))
    expect([key(null), key({}), key({ C: 0.17 }, 'product')]).toEqual([null, null, null])
  })
})
