import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createDailyBytes } from '../../src/admission/dailyBytes.ts'
import type { Refusal } from '../../src/domain/kernel/refusal.ts'

const companyId = randomUUID()
const limit = 1_000

/** A node, with a clock that the spec sets, and bytes by day that the read models show. */
function nodeAt(time: string) {
  const shown: Record<string, number | Error> = {}
  const looks: string[] = []
  const at = { time: Date.parse(time) }
  const daily = createDailyBytes({
    limit,
    now: () => new Date(at.time),
    clock: () => at.time,
    async look(_, day) {
      looks.push(day)
      const bytes = shown[day] ?? 0
      if (bytes instanceof Error) throw bytes
      return bytes
    },
  })
  const refused = () =>
    daily.refuseAtBound(companyId).then(
      () => undefined,
      ({ code, status, details }: Refusal) => ({ code, status, ...details }),
    )
  return Object.assign(at, { shown, looks, daily, refused })
}

it('refuses a company at the bound until the day ends, and says for how long', async () => {
  const node = nodeAt('2026-03-01T23:59:00.500Z')
  node.shown['2026-03-01'] = limit
  const refusal = { code: 'company-too-large', status: 429, bytes: limit, limit, retryAfterSeconds: 60 }
  expect(await node.refused()).toEqual(refusal)
  node.time += 59_499
  expect(await node.refused()).toEqual({ ...refusal, retryAfterSeconds: 1 })
  node.time += 1
  expect(await node.refused()).toBeUndefined()
})

it('adds what this node has recorded, of each company for itself', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  node.shown['2026-03-01'] = 900
  expect(await node.refused()).toBeUndefined()
  node.daily.recorded(randomUUID(), 100)
  node.daily.recorded(companyId, 99)
  expect(await node.refused()).toBeUndefined()
  node.daily.recorded(companyId, 1)
  expect(await node.refused()).toMatchObject({ bytes: limit })
  node.time = Date.parse('2026-03-02T00:00:00Z')
  node.daily.recorded(companyId, limit)
  expect(await node.refused()).toBeUndefined()
})

it('looks once a second for what other nodes have recorded, and counts nothing twice', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  await Promise.all([node.refused(), node.refused()])
  node.daily.recorded(companyId, 600)
  node.time += 999
  await node.refused()
  expect(node.looks).toHaveLength(1)
  node.shown['2026-03-01'] = 700
  node.time += 1
  expect([await node.refused(), await node.refused()]).toEqual([undefined, undefined])
  node.daily.recorded(companyId, 299)
  expect(await node.refused()).toBeUndefined()
  node.daily.recorded(companyId, 1)
  expect(await node.refused()).toMatchObject({ bytes: limit })
  expect(node.looks).toHaveLength(2)
})

it('counts by itself while the read models cannot be read', async () => {
  const node = nodeAt('2026-03-01T12:00:00Z')
  node.shown['2026-03-01'] = new Error('PostgreSQL is down')
  expect(await node.refused()).toBeUndefined()
  node.daily.recorded(companyId, limit)
  expect(await node.refused()).toMatchObject({ bytes: limit })
})
