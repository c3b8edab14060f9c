import { expect, test } from 'vitest'
import { compareFigures } from '../../bench/against.ts'
import type { Figure } from '../../bench/report.ts'

const section = 'commands'

function figure(what: string, value: number): Figure {
  return { section, what, value, unit: 'ms' }
}

test('divides the values of a pair, and not those of different pairs', () => {
  const here = [[figure('p50', 2)], [figure('p50', 30)], [figure('p50', 4)]]
  const there = [[figure('p50', 4)], [figure('p50', 40)], [figure('p50', 16)]]
  expect(compareFigures(here, there)).toEqual([
    {
      section,
      what: 'p50',
      unit: 'ms',
      here: [2, 30, 4],
      there: [4, 40, 16],
      ratio: { median: 0.5, least: 0.25, most: 0.75 },
    },
  ])
})

test('leaves out a figure that one checkout does not measure', () => {
  const here = [[figure('p50', 2), figure('p99', 3)]]
  expect(compareFigures(here, [[figure('p50', 1)]]).map(({ what }) => what)).toEqual(['p50'])
})
