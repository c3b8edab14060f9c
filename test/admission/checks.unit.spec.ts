import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createChecks } from '../../src/admission/checks.ts'

/** Checks of bodies share the time of the process. */

/** Checks that take some milliseconds each, by a clock that nothing else moves. */
function setUp(takesMs: number) {
  let now = 0
  const checks = createChecks(() => now)
  const done: string[] = []
  const check = (caller: string, name: string) =>
    checks.run(caller, () => {
      now += takesMs
      done.push(name)
      return name
    })
  return { checks, done, check }
}

it('callers take turns, however many checks one of them has', async () => {
  const { done, check } = setUp(1)
  const all = [check('ada', 'a1'), check('ada', 'a2'), check('ada', 'a3'), check('bob', 'b1')]
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1'])
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3'])
})

it('other work has its turn after some milliseconds', async () => {
  const { done, check } = setUp(3)
  const all = ['1', '2', '3', '4', '5'].map((name) => check('ada', name))
  await nextTurn()
  expect(done).toEqual(['1', '2'])
  await nextTurn()
  expect(done).toEqual(['1', '2', '3', '4'])
  await Promise.all(all)
})

it('an error is that of its own check', async () => {
  const { checks, check } = setUp(1)
  const failed = checks.run('ada', () => {
    throw new Error('hostile')
  })
  const next = check('ada', 'next')
  await expect(failed).rejects.toThrow('hostile')
  expect(await next).toBe('next')
})
