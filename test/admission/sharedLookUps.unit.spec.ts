import { expect, it } from 'vitest'
import { createSharedLookUps } from '../../src/admission/sharedLookUps.ts'

/** Look-ups that a spec answers when it likes. */
const setUp = () => {
  const lookUps: { names: readonly string[]; answer(...found: string[]): void; fail(error: Error): void }[] =
    []
  const find = createSharedLookUps<{ name: string }>(
    (names) =>
      new Promise((resolve, fail) => {
        lookUps.push({ names, answer: (...found) => resolve(found.map((name) => ({ name }))), fail })
      }),
    ({ name }) => name,
  )
  return { find, lookUps }
}

it('looks up at once while little is under way, then all that waits together', async () => {
  const { find, lookUps } = setUp()
  const answers = ['a', 'b', 'c', 'd', 'c', 'e'].map(find)
  expect(lookUps.map(({ names }) => names)).toEqual([['a'], ['b']])
  lookUps[0]!.answer('a')
  expect(await answers[0]).toEqual({ name: 'a' })
  expect(lookUps[2]!.names).toEqual(['c', 'd', 'e'])
  lookUps[2]!.answer('e', 'c')
  lookUps[1]!.answer()
  expect(await Promise.all(answers.slice(1))).toEqual([
    undefined,
    { name: 'c' },
    undefined,
    { name: 'c' },
    { name: 'e' },
  ])
})

it('never answers from a look-up that was under way before', async () => {
  const { find, lookUps } = setUp()
  const first = find('a')
  const second = find('a')
  const third = find('a')
  expect(lookUps).toHaveLength(2)
  lookUps[0]!.answer('a')
  await first
  expect(lookUps[2]!.names).toEqual(['a'])
  lookUps[1]!.answer('a')
  lookUps[2]!.answer()
  expect(await second).toEqual({ name: 'a' })
  expect(await third).toBeUndefined()
})

it('fails those who went together, and goes on', async () => {
  const { find, lookUps } = setUp()
  const [first, , ...others] = ['a', 'b', 'c', 'd'].map((name) => find(name).catch((error) => error.message))
  lookUps[0]!.fail(new Error('lost'))
  expect(await first).toBe('lost')
  lookUps[2]!.fail(new Error('lost again'))
  expect(await Promise.all(others)).toEqual(['lost again', 'lost again'])
  const later = find('e')
  lookUps[3]!.answer('e')
  expect(await later).toEqual({ name: 'e' })
})
