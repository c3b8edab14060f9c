import { expect, test } from 'vitest'
import { createSharedReads } from '../../src/admission/sharedReads.ts'

/** Reads that the spec ends; each answers its number. */
function readsByHand() {
  const reads: PromiseWithResolvers<number>[] = []
  const read = (): Promise<number> => {
    reads.push(Promise.withResolvers())
    return reads.at(-1)!.promise
  }
  return { reads, read, end: (number: number) => reads[number]!.resolve(number) }
}

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}

test('all callers that ask while a read is under way get the same next read', async () => {
  const shared = createSharedReads()
  const { reads, read, end } = readsByHand()
  const first = shared('a', read)
  const others = [shared('a', read), shared('a', read), shared('a', read)]
  await settled()
  expect(reads).toHaveLength(1)
  end(0)
  expect(await first).toBe(0)
  await settled()
  const late = shared('a', read)
  expect(reads).toHaveLength(2)
  end(1)
  expect(await Promise.all(others)).toEqual([1, 1, 1])
  await settled()
  end(2)
  expect(await late).toBe(2)
})

test('a caller reads at once when no read is under way', async () => {
  const shared = createSharedReads()
  const { reads, read, end } = readsByHand()
  for (const number of [0, 1, 2]) {
    const answer = shared('a', read)
    expect(reads).toHaveLength(number + 1)
    end(number)
    expect(await answer).toBe(number)
  }
})

test('keys do not wait for each other', async () => {
  const shared = createSharedReads()
  const { reads, read, end } = readsByHand()
  const answers = [shared('a', read), shared('b', read)]
  expect(reads).toHaveLength(2)
  end(0)
  end(1)
  expect(await Promise.all(answers)).toEqual([0, 1])
})

test('a failed read fails for its own callers only, and the next read begins', async () => {
  const shared = createSharedReads()
  const { reads, read, end } = readsByHand()
  const first = shared('a', read)
  const second = shared('a', read)
  reads[0]!.reject(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await settled()
  end(1)
  expect(await second).toBe(1)
})
