import { describe, expect, it } from 'vitest'
import type { Changes } from '../../../../src/projections/engine/reading/knownStates.ts'
import { createReadCache, type ReadValue } from '../../../../src/projections/engine/reading/readCache.ts'

/** The cache remembers reads, and forgets them after a change. */

const company = 'a'
const tags = [{ name: 'tags' }]

const setUp = ({ maxSize = 100 } = {}) => {
  let heard = 0
  let now = 0
  let lastHeardAt = 0
  let tell: (changes: Changes) => void = () => {}
  let reads = 0
  const cache = createReadCache<string>({
    positions: {
      positionOf: () => heard,
      onChange: (listener) => {
        tell = listener
        return () => {}
      },
      get lastHeardAt() {
        return lastHeardAt
      },
    },
    maxSize,
    sizeOf: (value) => value.length,
    clock: () => now,
  })
  return {
    reads: () => reads,
    /** This node hears of a position, and of what changed up to it. */
    hear: (position: number, changes: Changes) => {
      lastHeardAt = now
      tell(changes)
      heard = position
    },
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    get: (name: string, read: () => ReadValue<string> | Promise<ReadValue<string>>, reading = tags) =>
      cache.get({ companyId: company, name, reads: reading }, async () => {
        reads += 1
        return read()
      }),
    recall: (name: string) => cache.recall({ companyId: company, name, reads: tags }),
  }
}
const changed = (projection: string, companyId = company): Changes => [{ companyId, projection }]
const at = (position: number, value = `as of ${position}`) => ({ value, position })

describe('a read cache', () => {
  it('reads once, and says the position that is heard of since', async () => {
    const { get, hear, reads } = setUp()
    expect(await get('list', () => at(5))).toEqual(at(5))
    hear(7, changed('tags', 'another company'))
    expect(await get('list', () => at(9))).toEqual({ value: 'as of 5', position: 7 })
    expect(reads()).toBe(1)
  })

  it.each<[string, Changes]>([
    ['what it was read from changes', changed('tags')],
    ['that changes for a company that is not named', changed('tags', '')],
    ['anything may have changed', '*'],
  ])('forgets when %s', async (_, changes) => {
    const { get, hear } = setUp()
    await get('list', () => at(5))
    hear(6, changes)
    expect(await get('list', () => at(6))).toEqual(at(6))
  })

  it('keeps what was read from something else', async () => {
    const { get, hear, reads } = setUp()
    await get('list', () => at(5))
    hear(6, changed('orders'))
    await get('list', () => at(6))
    expect(reads()).toBe(1)
  })

  it('shares a read among all who ask meanwhile', async () => {
    const { get, reads } = setUp()
    const done = Promise.withResolvers<ReadValue<string>>()
    const both = [get('list', () => done.promise), get('list', () => at(1))]
    done.resolve(at(5))
    expect(await Promise.all(both)).toEqual([at(5), at(5)])
    expect(reads()).toBe(1)
  })

  it('neither shares nor keeps a read once what it reads has changed', async () => {
    const { get, hear } = setUp()
    const old = Promise.withResolvers<ReadValue<string>>()
    const before = get('list', () => old.promise)
    hear(6, changed('tags'))
    const after = get('list', () => at(6))
    old.resolve(at(5))
    expect(await before).toEqual(at(5))
    expect(await after).toEqual(at(6))
    expect(await get('list', () => at(9))).toEqual(at(6))
  })

  it('serves nothing from memory once it has heard nothing for a second', async () => {
    const { get, pass } = setUp()
    await get('list', () => at(5))
    pass(1_000)
    expect(await get('list', () => at(6))).toEqual(at(5))
    pass(1)
    expect(await get('list', () => at(6))).toEqual(at(6))
  })

  it('answers nothing older than a read that was made while it heard nothing', async () => {
    const { get, hear, pass } = setUp()
    await get('list', () => at(5))
    pass(1_001)
    expect(await get('list', () => at(6))).toEqual(at(6))
    hear(5, [])
    expect(await get('list', () => at(7))).toEqual(at(7))
  })

  it('recalls a value at once while it is cached, and nothing that has to be read', async () => {
    const { get, hear, pass, recall } = setUp()
    const read = Promise.withResolvers<ReadValue<string>>()
    const got = get('list', () => read.promise)
    expect(recall('list')).toBeUndefined()
    read.resolve(at(5))
    await got
    hear(7, changed('orders'))
    expect(recall('list')).toEqual({ value: 'as of 5', position: 7 })
    pass(1_001)
    expect(recall('list')).toBeUndefined()
    hear(8, changed('tags'))
    expect(recall('list')).toBeUndefined()
  })

  it('forgets a read that failed, which fails for all who asked', async () => {
    const { get } = setUp()
    const failing = () => Promise.reject(new Error('away'))
    const both = [get('list', failing), get('list', failing)]
    for (const read of both) await expect(read).rejects.toThrow('away')
    expect(await get('list', () => at(5))).toEqual(at(5))
  })

  it('holds no more than its bound: the idlest goes first, and what is larger is not kept', async () => {
    const { get, reads } = setUp({ maxSize: 10 })
    await get('first', () => at(1, 'xxxxx'))
    await get('second', () => at(1, 'xxxxx'))
    await get('first', () => at(2))
    await get('third', () => at(1, 'x'))
    expect(reads()).toBe(3)
    await get('first', () => at(2))
    expect(reads()).toBe(3)
    await get('second', () => at(1, 'x'))
    expect(reads()).toBe(4)
    await get('huge', () => at(1, 'x'.repeat(11)))
    await get('huge', () => at(1, 'x'.repeat(11)))
    expect(reads()).toBe(6)
  })
})
