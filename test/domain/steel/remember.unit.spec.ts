import { expect, test } from 'vitest'
import { remember } from '../../../src/domain/steel/remember.ts'

test('computes once for equal keys, and anew when its memory was full', () => {
  const computed: string[] = []
  const initial = remember(
    2,
    (name: string, of: { readonly form: string | null }) => [name, of.form],
    (name, { form }) => {
      computed.push(`${name} ${form}`)
      return name[0]
    },
  )
  expect([initial('Bar', { form: 'round' }), initial('Bar', { form: 'round' })]).toEqual(['B', 'B'])
  expect(initial('Bar', { form: null })).toBe('B')
  expect(computed).toEqual(['Bar round', 'Bar null'])
  initial('Plate', { form: null })
  initial('Bar', { form: 'round' })
  expect(computed).toEqual(['Bar round', 'Bar null', 'Plate null', 'Bar round'])
})
