import { expect, it } from 'vitest'
import { createCompanyTurns } from '../../src/policies/turns.ts'

const [heavy, second, light] = ['heavy', 'second', 'light'] as const

it('gives the turn to the company whose work has taken the least time', () => {
  const turns = createCompanyTurns()
  expect(turns.next([heavy, second])).toBe(heavy)
  turns.charge(heavy, 1_000)
  expect(turns.next([heavy, second])).toBe(second)
  turns.charge(second, 10)
  expect(turns.next([heavy, second])).toBe(second)
})

it('lets a company that comes later go before all whose work goes on, and owes it no more', () => {
  const turns = createCompanyTurns()
  const others = [heavy, second]
  for (let n = 0; n < 10; n += 1) turns.charge(turns.next(others)!, 1_000)
  const all = [...others, light]
  expect(turns.next(all)).toBe(light)
  turns.charge(light, 2_000)
  expect(turns.next(all)).toBe(heavy)
})

it('has no turn without companies, and counts one that comes back as new', () => {
  const turns = createCompanyTurns()
  turns.charge(turns.next([heavy])!, 60_000)
  expect(turns.next([])).toBeUndefined()
  expect(turns.next([heavy, light])).toBe(heavy)
})
