import { describe, expect, it } from 'vitest'
import { createDerive } from '../../../../src/projections/engine/reading/derivedValues.ts'
import type { Changes } from '../../../../src/projections/engine/reading/knownStates.ts'
import type { Reading } from '../../../../src/projections/engine/reading/reader.ts'

/** A derived value is as its snapshot shows it, and is computed anew only when it may have changed. */

const [company, other] = ['a', 'b']
const reads = [{ name: 'tags' }]

const setUp = () => {
  let heard = 5
  let tell: (changes: Changes) => void = () => {}
  let computed = 0
  let failing = 0
  const derive = createDerive({
    positions: {
      positionOf: () => heard,
      onChange: (listener) => {
        tell = listener
        return () => {}
      },
      lastHeardAt: 0,
    },
    clock: () => 0,
    maxSize: 100,
  })
  const derivation = {
    name: 'sum',
    reads,
    sizeOf: () => 1,
    compute: async ({ position }: Reading) => {
      computed += 1
      if (computed === failing) throw new Error('the connection was lost')
      return `as of ${position}`
    },
  }
  return {
    computed: () => computed,
    failAt: (time: number) => {
      failing = time
    },
    hear: (position: number, changes: Changes) => {
      tell(changes)
      heard = position
    },
    at: (position: number, snapshot: { lack?: string; isEarlier?: boolean } = {}) =>
      derive(
        derivation,
        { position, lack: async () => snapshot.lack, isEarlier: snapshot.isEarlier } as unknown as Reading,
        company!,
      ),
  }
}
const changed = (companyId = company!): Changes => [{ companyId, projection: 'tags' }]

describe('a derived value', () => {
  it('is computed once while nothing of the company changes', async () => {
    const { at, hear, computed } = setUp()
    expect(await Promise.all([at(5), at(5)])).toEqual(['as of 5', 'as of 5'])
    hear(7, changed(other))
    expect([await at(7), computed()]).toEqual(['as of 5', 1])
  })

  it('is computed again after a change', async () => {
    const { at, hear, computed } = setUp()
    await at(5)
    hear(7, changed())
    expect([await at(7), await at(7), computed()]).toEqual(['as of 7', 'as of 7', 2])
  })

  it('is computed from a snapshot that shows more or less than this node has heard', async () => {
    const { at, hear, computed } = setUp()
    await at(5)
    expect(await at(6)).toBe('as of 6')
    hear(8, changed(other))
    expect(await at(7)).toBe('as of 7')
    expect([await at(8), computed()]).toEqual(['as of 5', 3])
  })

  it('is not kept for an earlier time, and while the rows lack facts', async () => {
    const { at, computed } = setUp()
    await at(5, { isEarlier: true })
    await at(5, { lack: 'tags has stopped' })
    expect([await at(5), computed()]).toEqual(['as of 5', 3])
  })

  it('is computed by a caller who waits when the caller who computes it fails', async () => {
    const { at, computed, failAt } = setUp()
    failAt(1)
    const [failed, ...others] = await Promise.allSettled([at(5), at(5), at(5)])
    expect(failed).toMatchObject({ status: 'rejected' })
    expect(others).toEqual(Array(2).fill({ status: 'fulfilled', value: 'as of 5' }))
    expect(computed()).toBe(2)
  })
})
