import { describe, expect, it } from 'vitest'
import { mapInFlight } from '../../src/cli/inFlight.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const numbers = Array.from({ length: 20 }, (_, n) => n)

describe('mapInFlight', () => {
  it('keeps the order of the items and never more than the limit under way', async () => {
    let underWay = 0
    let most = 0
    const doubled = await mapInFlight(numbers, 3, async (n) => {
      most = Math.max(most, ++underWay)
      for (let turns = n % 4; turns >= 0; turns--) await turn()
      underWay--
      return n * 2
    })
    expect(doubled).toEqual(numbers.map((n) => n * 2))
    expect(most).toBe(3)
  })

  it('begins nothing after a failure, waits for what is under way, then throws it', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const failing = mapInFlight(numbers, 2, async (n) => {
      begun.push(n)
      await turn()
      if (n === 4) throw new Error('no 4')
      await turn()
      ended.push(n)
    })
    await expect(failing).rejects.toThrow('no 4')
    expect(begun).toEqual([0, 1, 2, 3, 4, 5])
    expect(ended).toEqual([0, 1, 2, 3, 5])
  })

  it('has nothing to do for no items', async () => {
    expect(await mapInFlight([], 8, async () => 1)).toEqual([])
  })
})
