import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inOrder } from '../src/inOrder.ts'

async function* upTo(count: number) {
  for (let n = 0; n < count; n += 1) yield n
}
const turn = () => new Promise((resolve) => setImmediate(resolve))
const results = async (of: AsyncIterable<number>) => {
  const all: number[] = []
  for await (const one of of) all.push(one)
  return all
}

describe('work whose results come in order', () => {
  const unheard: unknown[] = []
  const note = (error: unknown) => void unheard.push(error)
  const others = process.listeners('unhandledRejection')
  beforeEach(() => {
    unheard.length = 0
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
  })
  afterEach(() => {
    process.removeAllListeners('unhandledRejection')
    for (const one of others) process.on('unhandledRejection', one)
  })

  it('yields the results in the order of the items and never exceeds its limit', async () => {
    let running = 0
    let most = 0
    const doubled = inOrder(upTo(10), 3, async (n) => {
      running += 1
      most = Math.max(most, running)
      for (let left = 10 - n; left > 0; left -= 1) await turn()
      running -= 1
      return 2 * n
    })
    expect(await results(doubled)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
    expect(most).toBe(3)
  })

  it('hears a failure that comes before its turn, and throws it in its turn', async () => {
    const begun: number[] = []
    const seen: number[] = []
    const work = inOrder(upTo(10), 3, async (n) => {
      begun.push(n)
      if (n === 1) throw new Error('no')
      for (let left = 5; left > 0; left -= 1) await turn()
      return n
    })
    const all = async () => {
      for await (const one of work) seen.push(one)
    }
    await expect(all()).rejects.toThrow('no')
    expect(seen).toEqual([0])
    expect(begun).toEqual([0, 1, 2, 3])
    expect(unheard).toEqual([])
  })

  it('hears the failures that are left when the reader stops or the source fails', async () => {
    const failing = async (n: number) => {
      await turn()
      if (n > 0) throw new Error('no')
      return n
    }
    for await (const _ of inOrder(upTo(3), 3, failing)) break
    async function* broken() {
      yield* upTo(2)
      throw new Error('broken')
    }
    await expect(results(inOrder(broken(), 3, failing))).rejects.toThrow('broken')
    await turn()
    await turn()
    expect(unheard).toEqual([])
  })
})
