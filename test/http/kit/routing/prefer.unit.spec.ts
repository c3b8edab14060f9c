import { expect, it } from 'vitest'
import { prefersAsync } from '../../../../src/http/kit/routing/prefer.ts'

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
