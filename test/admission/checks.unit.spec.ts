import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createChecks } from '../../src/admission/checks.ts'

/** Checks of bodies share the time of the process. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Checks whose steps take some milliseconds each, by a clock that nothing else moves. */
function setUp(takesMs: number) {
  let now = 0
  const checks = createChecks(() => now)
  const done: string[] = []
  const check = (caller: string, name: string, steps = 1) => {
    const work = function* () {
      for (let step = 1; step <= steps; step += 1) {
        if (step > 1) yield
        now += takesMs
        done.push(steps > 1 ? `${name}.${step}` : name)
      }
      return name
    }
    return checks.run(caller, work())
  }
  return { checks, done, check }
}

it('callers take turns, however many checks one of them has', async () => {
  const { done, check } = setUp(1)
  const all = [check('ada', 'a1'), check('ada', 'a2'), check('ada', 'a3'), check('bob', 'b1')]
  await vi.runAllTimersAsync()
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1'])
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3'])
})

it('callers take turns after each step of a long check', async () => {
  const { done, check } = setUp(1)
  void check('ada', 'a', 3)
  void check('bob', 'b', 2)
  await vi.runAllTimersAsync()
  expect(done).toEqual(['a.1', 'b.1', 'a.2', 'b.2', 'a.3'])
})

it('checks of one caller are carried out one after the other', async () => {
  const { done, check } = setUp(1)
  for (const name of ['1', '2', '3']) void check('ada', name, 2)
  await vi.runAllTimersAsync()
  expect(done).toEqual(['1.1', '1.2', '2.1', '2.2', '3.1', '3.2'])
})

it('other work has the process for as long as checks had it', async () => {
  const { done, check } = setUp(3)
  for (const name of ['1', '2', '3', '4', '5']) void check('ada', name)
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toEqual(['1', '2'])
  await vi.advanceTimersByTimeAsync(4)
  expect(done).toEqual(['1', '2'])
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toEqual(['1', '2', '3', '4'])
})

it('an error is that of its own check', async () => {
  const { checks, check } = setUp(1)
  const hostile = function* (): Generator<void, string> {
    yield
    throw new Error('hostile')
  }
  const failed = expect(checks.run('ada', hostile())).rejects.toThrow('hostile')
  const next = check('ada', 'next')
  await vi.runAllTimersAsync()
  await failed
  expect(await next).toBe('next')
})
