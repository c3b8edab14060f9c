import { expect, it } from 'vitest'
import { fillText } from '../../src/lib/fillText.ts'

it('writes the word for one thing or for another number of them', () => {
  const pieces = (n: string) => fillText('{n} {n:Teil|Teile} in {place}', (name) => (name === 'n' ? n : 'A'))
  expect(['0', '1', '2'].map(pieces)).toEqual(['0 Teile in A', '1 Teil in A', '2 Teile in A'])
  // German writes a thousand as 1.000.
  expect(pieces('1.000')).toBe('1.000 Teile in A')
})
