import { expect, test } from 'vitest'
import { createStatistics } from '../../../../src/projections/engine/storage/statistics.ts'

test('looks for grown tables until 15 s after a write, and after it has found one', async () => {
  let now = 0
  let looks = 0
  let grown: readonly unknown[] = []
  const postgres = {
    async query<Row>(text: string) {
      if (!text.includes('pg_class')) return []
      looks += 1
      return grown as Row[]
    },
  }
  const { noteWritten, gather } = createStatistics(postgres, { schema: 'heatmark' }, () => now)
  const looksAt = async (...times: number[]) => {
    const before = looks
    for (now of times) await gather()
    return looks - before
  }

  expect(await looksAt(0)).toBe(0)
  noteWritten()
  expect(await looksAt(1_000, 15_000, 15_001)).toBe(2)
  noteWritten()
  grown = [{ name: 'tag_1' }]
  expect(await looksAt(16_000)).toBe(1)
  grown = []
  expect(await looksAt(31_000, 31_001)).toBe(1)
})
