import { expect, it } from 'vitest'
import { nextSorting, sortingIn, sortRows } from '../../src/portal/kit/sortRows.ts'

it('rows are sorted as people count, those without a value last, and equal ones as they were', () => {
  const rows = [{ heat: 'H 10' }, { heat: null }, { heat: 'H 9' }, { heat: 'H 10', n: 2 }]
  const sorted = (isDescending: boolean) => sortRows(rows, ({ heat }) => heat, isDescending)
  expect(sorted(false)).toEqual([rows[2], rows[0], rows[3], rows[1]])
  expect(sorted(true)).toEqual([rows[0], rows[3], rows[2], rows[1]])
  expect(sortRows([{ n: 10 }, { n: 9 }], ({ n }) => n, false)).toEqual([{ n: 9 }, { n: 10 }])
})

it('a title sorts smallest first, then largest first, then not at all', () => {
  const presses = ['', 'heat', '-heat'].map((now) => nextSorting(sortingIn(now), 'heat'))
  expect(presses).toEqual(['heat', '-heat', ''])
  expect(nextSorting(sortingIn('-grade'), 'heat')).toBe('heat')
})
