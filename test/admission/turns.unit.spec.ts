import { describe, expect, it } from 'vitest'
import { createTurns } from '../../src/admission/turns.ts'

/** Serve until nobody waits, and return the companies in the order of their turns. */
function serve(turns: ReturnType<typeof createTurns<number>>, msOf: Record<string, number>, most = 1_000) {
  const served: string[] = []
  for (let next = turns.next(); next && served.length < most; next = turns.next()) {
    served.push(next.holder)
    turns.charge(next.holder, msOf[next.holder]!)
  }
  return served
}

function asking(turns: ReturnType<typeof createTurns<number>>, companyId: string, count: number) {
  return Array.from({ length: count }, (_, n) => turns.add(companyId, n))
}

describe('companies', () => {
  it('get equal time, however much each asks for', () => {
    const turns = createTurns<number>(1_000)
    asking(turns, 'slow', 100)
    asking(turns, 'quick', 100)
    const served = serve(turns, { slow: 100, quick: 10 })
    expect(served).toHaveLength(200)
    const before = served.slice(0, served.lastIndexOf('quick'))
    expect(before.filter((one) => one === 'slow').length).toBeLessThanOrEqual(11)
  })

  it('are served in the order of their own requests', () => {
    const turns = createTurns<number>(10)
    asking(turns, 'a', 3)
    expect([turns.next(), turns.next(), turns.next()].map((next) => next?.work)).toEqual([0, 1, 2])
    expect(turns.next()).toBeUndefined()
  })

  it('that ask for one thing at a time pay for each of them', () => {
    const turns = createTurns<number>(1_000)
    asking(turns, 'many', 50)
    const served: string[] = []
    for (let n = 0; n < 20; n += 1) {
      turns.add('single', n)
      const { holder } = turns.next()!
      served.push(holder)
      turns.charge(holder, holder === 'single' ? 100 : 10)
    }
    expect(served.filter((one) => one === 'single').length).toBeLessThanOrEqual(3)
  })

  it('that come later are owed nothing for the time before', () => {
    const turns = createTurns<number>(1_000)
    asking(turns, 'early', 500)
    serve(turns, { early: 10 }, 100)
    asking(turns, 'late', 100)
    const served = serve(turns, { early: 10, late: 10 }, 20)
    expect(served.filter((one) => one === 'late').length).toBeLessThanOrEqual(11)
  })
})

it('gives each turn to the one of many holders that has used the least', () => {
  const turns = createTurns<number>()
  const names = Array.from({ length: 300 }, (_, n) => `company${n}`)
  for (const name of names) asking(turns, name, 3)
  const used = new Map(names.map((name) => [name, 0]))
  for (let n = 0; n < 600; n += 1) {
    const { holder } = turns.next()!
    const waiting = Math.min(...used.values())
    expect(used.get(holder)).toBe(waiting)
    const ms = (n * 7_919) % 13
    turns.charge(holder, ms)
    used.set(holder, waiting + ms)
    turns.add(holder, n)
  }
})

it('lets holders whose work takes no time take turns, too', () => {
  const turns = createTurns<number>()
  for (const name of ['a', 'b', 'c']) asking(turns, name, 2)
  expect(serve(turns, { a: 0, b: 0, c: 0 })).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
})

it('refuses more than the bound, of that company alone', () => {
  const turns = createTurns<number>(2)
  expect(asking(turns, 'a', 3)).toEqual([true, true, false])
  expect(asking(turns, 'b', 1)).toEqual([true])
  expect(turns.takeAll('a')).toEqual([0, 1])
  expect(asking(turns, 'a', 1)).toEqual([true])
  expect(turns.takeAll()).toEqual([0, 0])
})
