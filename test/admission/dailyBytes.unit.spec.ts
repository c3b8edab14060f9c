import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type BytesByAuthor, createDailyBytes } from '../../src/admission/dailyBytes.ts'
import type { Bound } from '../../src/domain/kernel/bound.ts'
import type { Refusal } from '../../src/domain/kernel/refusal.ts'

const companyId = randomUUID()
const limit = 1_000
const persons = (bytes: number): BytesByAuthor => ({ persons: bytes, others: 0 })

/** A node, with a clock that the spec sets, and bytes by day that the read models show. */
function nodeAt(time: string) {
  const shown: Record<string, BytesByAuthor | Error> = {}
  const looks: string[] = []
  const at = { time: Date.parse(time) }
  const daily = createDailyBytes({
    limit,
    now: () => new Date(at.time),
    clock: () => at.time,
    async look(_, day) {
      looks.push(day)
      const bytes = shown[day] ?? persons(0)
      if (bytes instanceof Error) throw bytes
      return bytes
    },
  })
  const refused = (bound: Bound = 'day') =>
    daily.refuseAtBound(companyId, bound).then(
      () => undefined,
      ({ code, status, details }: Refusal) => ({ code, status, ...details }),
    )
  return Object.assign(at, { shown, looks, daily, refused })
}

it('refuses a company at the bound until the day ends, and says for how long', async () => {
  const node = nodeAt('2026-03-01T23:59:00.500Z')
  node.shown['2026-03-01'] = persons(limit)
  const refusal = { code: 'company-too-large', status: 429, bytes: limit, limit, retryAfterSeconds: 60 }
  expect(await node.refused()).toEqual(refusal)
  node.time += 59_499
  expect(await node.refused()).toEqual({ ...refusal, retryAfterSeconds: 1 })
  node.time += 1
  expect(await node.refused()).toBeUndefined()
})

it('adds what this node has recorded, of each company for itself', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  node.shown['2026-03-01'] = persons(900)
  expect(await node.refused()).toBeUndefined()
  node.daily.add(randomUUID(), persons(100))
  node.daily.add(companyId, persons(99))
  expect(await node.refused()).toBeUndefined()
  node.daily.add(companyId, persons(1))
  expect(await node.refused()).toMatchObject({ bytes: limit })
  node.time = Date.parse('2026-03-02T00:00:00Z')
  node.daily.add(companyId, persons(limit))
  expect(await node.refused()).toBeUndefined()
})

it('refuses facts of the floor at twice the bound, and a stop never', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  node.shown['2026-03-01'] = persons(2 * limit - 1)
  expect(await node.refused('reserve')).toBeUndefined()
  node.daily.add(companyId, persons(1))
  expect(await node.refused('reserve')).toMatchObject({ bytes: 2 * limit, limit: 2 * limit })
  expect(await node.refused('none')).toBeUndefined()
})

it('lets people go on beside what rule packs have recorded, and refuses what lets them judge again', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  node.shown['2026-03-01'] = { persons: 0, others: limit - 1 }
  expect(await node.refused('rules')).toBeUndefined()
  node.daily.add(companyId, { persons: 0, others: 1 })
  expect(await node.refused('rules')).toMatchObject({ bytes: limit, limit })
  expect(await node.refused('day')).toBeUndefined()
})

it('looks once a second for what other nodes have recorded, and counts nothing twice', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  await Promise.all([node.refused(), node.refused()])
  node.daily.add(companyId, persons(600))
  node.time += 999
  await node.refused()
  expect(node.looks).toHaveLength(1)
  node.shown['2026-03-01'] = persons(700)
  node.time += 1
  expect([await node.refused(), await node.refused()]).toEqual([undefined, undefined])
  node.daily.add(companyId, persons(299))
  expect(await node.refused()).toBeUndefined()
  node.daily.add(companyId, persons(1))
  expect(await node.refused()).toMatchObject({ bytes: limit })
  expect(node.looks).toHaveLength(2)
})

it('counts by itself while the read models cannot be read', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  node.shown['2026-03-01'] = new Error('PostgreSQL is down')
  expect(await node.refused()).toBeUndefined()
  node.daily.add(companyId, persons(limit))
  expect(await node.refused()).toMatchObject({ bytes: limit })
})
