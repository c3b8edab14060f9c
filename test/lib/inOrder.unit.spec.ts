import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inOrder } from '../../src/lib/inOrder.ts'
import { unheardIn } from '../support/unheard.ts'

async function* upTo(count: number) {
  for (let n = 0; n < count; n += 1) yield n
}
const turns = async (count: number) => {
  for (let left = count; left > 0; left -= 1) await turn()
}

describe('work whose results come in order', () => {
  it('yields the results in the order of the items and never exceeds its limit', async () => {
    let running = 0
    let most = 0
    const doubled = inOrder(upTo(10), 3, async (n) => {
      running += 1
      most = Math.max(most, running)
      await turns(10 - n)
      running -= 1
      return 2 * n
    })
    expect(await Array.fromAsync(doubled)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
    expect(most).toBe(3)
  })

  it('hears a failure that comes before its turn, throws it in its turn, and begins no more work', async () => {
    const begun: number[] = []
    const seen: number[] = []
    const work = inOrder(upTo(10), 3, async (n) => {
      begun.push(n)
      if (n === 1) throw new Error('no')
      await turns(5)
      return n
    })
    const all = async () => {
      for await (const one of work) seen.push(one)
    }
    expect(await unheardIn(() => expect(all()).rejects.toThrow('no'))).toEqual([])
    expect(seen).toEqual([0])
    expect(begun).toEqual([0, 1, 2, 3])
  })

  it('hears the failures that are left when the reader stops or the source fails', async () => {
    const failing = async (n: number) => {
      await turn()
      if (n > 0) throw new Error('no')
      return n
    }
    async function* broken() {
      yield* upTo(2)
      throw new Error('broken')
    }
    const unheard = await unheardIn(async () => {
      for await (const _ of inOrder(upTo(3), 3, failing)) break
      await expect(Array.fromAsync(inOrder(broken(), 3, failing))).rejects.toThrow('broken')
    })
    expect(unheard).toEqual([])
  })
})
