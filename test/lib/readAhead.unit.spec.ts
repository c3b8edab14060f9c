import { expect, test } from 'vitest'
import { readAhead } from '../../src/lib/readAhead.ts'

const source = (count: number, seen: string[], failure?: Error) =>
  (async function* () {
    try {
      for (let item = 1; item <= count; item++) {
        seen.push(`made ${item}`)
        yield item
      }
      if (failure) throw failure
    } finally {
      seen.push('ended')
    }
  })()

test('the next item is made while the last is worked on', async () => {
  const seen: string[] = []
  for await (const item of readAhead(source(3, seen))) {
    await Promise.resolve()
    seen.push(`took ${item}`)
  }
  expect(seen).toEqual(['made 1', 'made 2', 'took 1', 'made 3', 'took 2', 'ended', 'took 3'])
})

test('a failure comes after what was made before it', async () => {
  const taken: number[] = []
  const failing = async () => {
    for await (const item of readAhead(source(2, [], new Error('no more')))) taken.push(item)
  }
  await expect(failing()).rejects.toThrow('no more')
  expect(taken).toEqual([1, 2])
})

test('a caller that stops ends the source', async () => {
  const seen: string[] = []
  for await (const _ of readAhead(source(3, seen))) break
  expect(seen).toEqual(['made 1', 'made 2', 'ended'])
})
