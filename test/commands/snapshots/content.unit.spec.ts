import { Map as ImmutableMap, Set as ImmutableSet, List, OrderedMap, OrderedSet } from 'immutable'
import { describe, expect, it } from 'vitest'
import { firstEvents } from '../../../bench/replay/history.ts'
import { fromContent, toContent } from '../../../src/commands/snapshots/content.ts'
import { aggregates } from '../../../src/domain/aggregates.ts'
import { type AnyAggregate, readStates } from '../../golden/golden.ts'

function restored<Value>(value: Value): Value {
  return (fromContent(toContent({ value })) as { value: Value }).value
}

describe('the content of a snapshot', () => {
  it('is the value again, with its collections in their order', () => {
    const value = {
      map: ImmutableMap([
        ['b', { list: List([1, 'two', null]) }],
        ['a', { list: List() }],
      ]),
      set: ImmutableSet(['x', 'y']),
      ordered: OrderedSet(['z', 'a', 'm']).delete('a'),
      plain: { list: [[], {}, ['é\u2028"\\\n']], ['__proto__']: 1, number: -1.5e-7, none: undefined },
    }
    const { none: _, ...plain } = value.plain
    expect(restored(value)).toStrictEqual({ ...value, plain })
    expect(Object.keys(restored(value.plain))).toStrictEqual(Object.keys(plain))
    expect([...restored(value).ordered]).toStrictEqual(['z', 'm'])
  })

  it.each([OrderedMap([[1, 2]]), { $immutable: 'Map', items: [] }])(
    'refuses what it would change',
    (value) => {
      expect(() => toContent({ deep: [value] })).toThrow(TypeError)
    },
  )

  it.each(['', '{', '{"state":{"$immutable":"Heap","items":[]}}', '{"$immutable":"toString","items":[]}'])(
    'does not read %j',
    (content) => {
      expect(() => fromContent(content)).toThrow()
    },
  )
})

it.each(aggregates as unknown as readonly AnyAggregate[])('holds the golden states of $name', (aggregate) => {
  for (const [name, content] of Object.entries(readStates(aggregate)!)) {
    const text = JSON.stringify(content)
    expect(toContent(fromContent(text)), name).toBe(text)
  }
})

it('lets every command record the same events, whatever states come from snapshots', async () => {
  const count = process.env.HEATMARK_TEST_LONG ? 200_000 : 1_500
  let turn = 0
  const between = <State>(state: State) => (++turn % 3 === 0 ? restored(state) : state)
  const without = firstEvents(count)
  let compared = 0
  for await (const event of firstEvents(count, { between })) {
    expect(event).toStrictEqual((await without.next()).value)
    compared += 1
  }
  expect(compared).toBe(count)
  expect(turn).toBeGreaterThan(count / 3)
})
