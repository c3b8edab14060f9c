import { expect, it } from 'vitest'
import { heatOfSteel } from '../../../src/domain/bars/heatOfSteel.ts'

it('takes the heat that was read off the steel before that of the certificate', () => {
  const [heatRead, certificate] = [{ heatNumber: 'R-9' }, { heatNumber: 'H-1' }]
  expect(heatOfSteel({ heatRead, certificate })).toBe('R-9')
  expect(heatOfSteel({ heatRead: null, certificate })).toBe('H-1')
  expect(heatOfSteel({ heatRead: null, certificate: null })).toBeUndefined()
})
