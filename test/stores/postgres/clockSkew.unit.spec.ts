import { expect, it } from 'vitest'
import { differsBy, skewOf, tolerableSkewMs } from '../../../src/stores/postgres/clockSkew.ts'

it('compares the other clock with the middle of the question and its answer', () => {
  expect(skewOf({ askedAt: 1_000, heard: 1_200, time: 5_100 })).toEqual({ ms: 4_000, uncertainMs: 100 })
  expect(skewOf({ askedAt: 1_000, heard: 1_200, time: 5_000 }, 1_000)).toEqual({
    ms: 4_400,
    uncertainMs: 600,
  })
})

it('bears a difference of five minutes, and as much more as the reading may be wrong', () => {
  const differs = (ms: number, uncertainMs = 0) => differsBy(tolerableSkewMs, { ms, uncertainMs })
  for (const sign of [1, -1]) {
    expect(differs(sign * 300_000)).toBe(false)
    expect(differs(sign * 300_001)).toBe(true)
    expect(differs(sign * 300_100, 100)).toBe(false)
    expect(differs(sign * 300_101, 100)).toBe(true)
  }
})
