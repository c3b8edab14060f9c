import { expect, it } from 'vitest'
import { preferenceOf, prefersAsync } from '../../../../src/http/kit/routing/prefer.ts'

it.each([
  ['respond-async', true],
  ['return=minimal, Respond-Async; why="a, b" , wait=5', true],
  [undefined, false],
  ['respond-asynchronously', false],
  ['return=minimal; respond-async', false],
  ['note="none, respond-async, \\", respond-async"', false],
])('reads Prefer: %s', (prefer, isAsync) => {
  expect(prefersAsync({ prefer })).toBe(isAsync)
})

it.each([
  ['wait=20', '20'],
  ['return=representation, WAIT = "20"; x', '20'],
  ['wait', ''],
  ['waits=20', undefined],
  ['note="wait=20"', undefined],
  ['return=representation; wait=20', undefined],
  [',, wait=5', '5'],
])('finds the value of wait in Prefer: %s', (prefer, value) => {
  expect(preferenceOf({ prefer }, 'wait')).toBe(value)
})

it('reads a long header without a closing quote in a moment', () => {
  const length = 16_000
  const hostile = ['a', ' ', '=', '"', '\\', 'a="\\', 'a=b', 'a '].flatMap((part) => [
    `${part.repeat(length / part.length)}"`,
    `a=${part.repeat(length / part.length)}"`,
    `a="${part.repeat(length / part.length)}`,
  ])
  const begun = process.threadCpuUsage()
  for (const prefer of hostile) preferenceOf({ prefer }, 'wait')
  const { user } = process.threadCpuUsage(begun)
  expect(user / 1_000).toBeLessThan(500)
})
