import { describe, expect, it } from 'vitest'
import { concurrently } from '../../src/lib/concurrently.ts'

const items = Array.from({ length: 20 }, (_, n) => n)
function aWhile(turns: number) {
  return Array.from({ length: turns }).reduce<Promise<unknown>>((p) => p.then(), Promise.resolve())
}

describe('work done concurrently', () => {
  it('returns the results in the order of the items, whichever ends first', async () =>
    expect(
      await concurrently(4, items, async (item) => {
        await aWhile(30 - item)
        return item * 2
      }),
    ).toStrictEqual(items.map((item) => item * 2)))

  it('reaches its limit and never exceeds it', async () => {
    let running = 0
    let most = 0
    await concurrently(4, items, async (item) => {
      running += 1
      most = Math.max(most, running)
      await aWhile(item % 5)
      running -= 1
    })
    expect(most).toBe(4)
    expect(await concurrently(4, [], async () => 1)).toStrictEqual([])
  })

  it('begins nothing new after a failure, and waits for what has begun before it throws it', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const all = concurrently(4, items, async (item) => {
      begun.push(item)
      await aWhile(item === 2 ? 1 : 50)
      if (item === 2) throw new Error('no')
      ended.push(item)
    })
    await expect(all).rejects.toThrow('no')
    expect(begun).toStrictEqual([0, 1, 2, 3])
    expect(ended.sort()).toStrictEqual([0, 1, 3])
  })
})
