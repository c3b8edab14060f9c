import fc from 'fast-check'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import { company, recorded, type SampleEvent } from './samples.ts'

/** Any histories of the sample projections, and any ways to cut one into batches. */

const companyId = fc.integer({ min: 1, max: 3 }).map(company)
const item = fc.integer({ min: 1, max: 6 })
/** Texts that a format of lines, quotes or escapes might trip over. */
const label = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
  fc.constantFrom('', '\\N', '\\.', 'a\tb\nc\rd', '{"a"}', "it's", 'NULL', '\u2028', '😀', '\b\f\v'),
)
const json = fc
  .oneof(
    fc.constantFrom(null, [], {}, [[]], '', 'NULL', 1e300, -1.5, [1, null, 'x\\y"z\n'], { a: { b: ['\t'] } }),
    fc.array(label, { maxLength: 3 }),
  )
  .filter((value) => value !== null)

const sampleEvent: fc.Arbitrary<SampleEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('ItemPut' as const),
      data: fc.record(
        {
          companyId,
          item,
          label,
          tags: json,
          weight: fc.double({ noNaN: true, noDefaultInfinity: true }).map((weight) => weight + 0),
        },
        { requiredKeys: ['companyId', 'item', 'label', 'tags'] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('ItemCounted' as const),
      data: fc.record({
        companyId,
        items: fc.array(item, { maxLength: 4 }),
        by: fc.integer({ min: -9, max: 9 }),
      }),
    }),
  },
  fc.record({ type: fc.constant('ItemRemoved' as const), data: fc.record({ companyId, item }) }),
  fc.record({ type: fc.constant('ItemNoted' as const), data: fc.record({ companyId, item, note: label }) }),
)

export const histories: fc.Arbitrary<Recorded[]> = fc
  .array(sampleEvent, { maxLength: 60 })
  .map((events) => events.map((event, index) => recorded(event, (index + 1) * 7)))

/** Cuts a list into portions of 1 to 15. */
export const portions: fc.Arbitrary<<T>(list: readonly T[]) => T[][]> = fc
  .array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 20 })
  .map((sizes) => (list) => {
    const cut = []
    for (let start = 0, turn = 0; start < list.length; turn++) {
      const size = sizes[turn % sizes.length]!
      cut.push(list.slice(start, start + size))
      start += size
    }
    return cut
  })
