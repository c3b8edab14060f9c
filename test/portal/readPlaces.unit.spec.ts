import { expect, it } from 'vitest'
import type { ImportRow } from '../../src/portal/api/generated.ts'
import { sharesOf } from '../../src/portal/kit/pageSize.ts'
import { readPlacesOf } from '../../src/portal/screens/imports/readPlaces.ts'

const onPage = { page: 2, box: [50, 600, 150, 700] }

it('places what was read or may be chosen on its page, and nothing of a table', () => {
  const row = {
    row: 3,
    values: [
      { field: 'heatNumber', value: 'H 1', at: onPage },
      { field: 'grade', value: 'S355J2', at: { line: 1, column: 2 } },
    ],
    undecided: [
      { field: 'chemistry.C', candidates: [0.15, 1.5], at: onPage },
      { field: 'manufacturer', candidates: [], at: onPage },
    ],
  } as unknown as ImportRow
  expect(readPlacesOf([row])).toEqual([
    { key: '3 heatNumber', field: 'heatNumber', values: ['H 1'], ...onPage },
    { key: '3 chemistry.C', field: 'chemistry.C', values: [0.15, 1.5], ...onPage },
  ])
})

it('counts shares from the top of the page, and points from its bottom', () => {
  expect(sharesOf(onPage.box, { width: 200, height: 800 })).toEqual([0.25, 0.125, 0.5, 0.125])
})
