import { expect, it } from 'vitest'
import { createRenewals } from '../../../src/stores/leading/renewals.ts'
import { until } from '../../support/until.ts'

const lease = (name: string) => ({ name, owner: 'a', fencing: 1 })
const ongoing = new AbortController().signal

/** PostgreSQL, which knows these leases alone. It answers when it is let. */
function storeOf(...held: string[]) {
  const rounds: string[][] = []
  const answered = Promise.withResolvers<void>()
  answered.promise.catch(() => {})
  const query = async (_text: string, [names]: [string[]]) => {
    rounds.push(names)
    await answered.promise
    return names.filter((name) => held.includes(name)).map((name) => ({ name }))
  }
  return { rounds, answered, renewals: createRenewals({ query } as never, 5) }
}

it('renews all leases of a process in one statement, and says which of them is lost', async () => {
  const { rounds, answered, renewals } = storeOf('held')
  answered.resolve()
  const next = () =>
    Promise.all(['held', 'lost'].map((name) => renewals.next(lease(name), () => undefined, ongoing)))
  expect([await next(), await next()]).toEqual([
    [true, false],
    [true, false],
  ])
  expect(rounds).toEqual([
    ['held', 'lost'],
    ['held', 'lost'],
  ])
})

it('renews no lease whose term has ended, but waits for a statement that is under way', async () => {
  const { rounds, answered, renewals } = storeOf('first', 'second')
  const ending = new AbortController()
  const first = renewals.next(lease('first'), () => undefined, ending.signal)
  const second = renewals.next(lease('second'), () => undefined, ongoing)
  ending.abort()
  expect(await first).toBe(false)
  await until(() => rounds.length === 1)
  expect(rounds).toEqual([['second']])

  answered.resolve()
  expect(await second).toBe(true)
})

it('gives a fault of PostgreSQL to everybody who waits, and tries again', async () => {
  const { rounds, answered, renewals } = storeOf('held')
  answered.reject(new Error('gone'))
  for (const round of [1, 2]) {
    await expect(renewals.next(lease('held'), () => undefined, ongoing)).rejects.toThrow('gone')
    expect(rounds).toHaveLength(round)
  }
})
