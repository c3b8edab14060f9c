import { afterEach, expect, it, vi } from 'vitest'
import { keepFilters, withKeptFilters } from '../../src/portal/kit/keptFilters.ts'

afterEach(() => vi.unstubAllGlobals())

it('leads back to the filters of a list, but to no earlier time and to those of no other list', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
  keepFilters('/c/1/bars', new URLSearchParams({ search: 'HEA 200', asOf: '17' }))
  expect(withKeptFilters('/c/1/bars')).toBe('/c/1/bars?search=HEA+200')
  expect(withKeptFilters('/c/2/bars')).toBe('/c/2/bars')
  keepFilters('/c/1/bars', new URLSearchParams({ asOf: '17' }))
  expect(withKeptFilters('/c/1/bars')).toBe('/c/1/bars')
})
