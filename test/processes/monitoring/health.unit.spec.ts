import { afterEach, expect, it, vi } from 'vitest'
import {
  createHealth,
  type HealthOptions,
  keepFromServing,
  type Part,
  reportHealth,
  sharedHealth,
} from '../../../src/processes/monitoring/health.ts'
import type { Positions } from '../../../src/projections/engine/reading/waitFor.ts'
import type { EventStore } from '../../../src/stores/eventStore.ts'

/** All callers within a second share one look at the stores. */

const ready: readonly Part[] = [{ name: 'event store', ready: true }]

it('shares one look with every caller until a second after its end', async () => {
  let now = 0
  let looks = 0
  const answer = Promise.withResolvers<readonly Part[]>()
  const health = sharedHealth(
    async () => {
      looks += 1
      return answer.promise
    },
    () => now,
  )
  const asked = [health(), health()]
  now = 5_000
  asked.push(health())
  answer.resolve(ready)
  expect(await Promise.all(asked)).toEqual([ready, ready, ready])
  now = 5_999
  expect(await health()).toEqual(ready)
  expect(looks).toBe(1)
  now = 6_000
  await health()
  expect(looks).toBe(2)
})

it('looks again a second after a look that failed', async () => {
  let now = 0
  const outcomes = [Promise.reject(new Error('gone')), Promise.resolve(ready)]
  const health = sharedHealth(
    () => outcomes.shift()!,
    () => now,
  )
  await expect(health()).rejects.toThrow('gone')
  await expect(health()).rejects.toThrow('gone')
  now = 1_000
  expect(await health()).toEqual(ready)
})

it('writes a line when a part stops to work, with its cause, and one when it works again', async () => {
  const broken: Part = { name: 'event store', ready: false, cause: 'No connection established' }
  const looks = [ready, [broken], [broken], ready, ready]
  const lines: unknown[] = []
  const log = (fields: unknown, words: unknown) => void lines.push([fields, words])
  const health = reportHealth(async () => looks.shift()!, { warn: log, info: log } as never)
  while (looks.length > 0) await health()
  expect(lines).toEqual([
    [{ parts: [{ name: 'event store', cause: 'No connection established' }] }, 'not ready'],
    [{ parts: ['event store'] }, 'ready again'],
  ])
})

it('names the cause that a part gives', async () => {
  const last = () => Promise.reject(new Error('No connection established'))
  const parts = await healthOf({ eventStore: { last } as unknown as EventStore })()
  expect(parts.find(({ name }) => name === 'event store')).toMatchObject({
    ready: false,
    cause: 'No connection established',
  })
})

const healthOf = (options: Partial<HealthOptions>) =>
  createHealth({
    eventStore: { last: async () => undefined } as unknown as EventStore,
    isStoreFull: () => false,
    positions: {
      clockSkew: () => undefined,
      isRewound: () => false,
      lastHeardAt: 0,
      statuses: () => [],
    } as unknown as Positions,
    projections: [],
    policyNames: [],
    readPolicyStatuses: async () => [],
    readSignerStatus: async () => null,
    readSenderStatus: async () => null,
    findMissing: async () => new Map(),
    findSkips: async () => [],
    askProvider: () => Promise.reject(new Error('no answer for 5000 ms')),
    lastKeysServe: () => true,
    clock: () => 0,
    ...options,
  })

it.each([
  { lastKeysServe: true, keepFrom: [] },
  { lastKeysServe: false, keepFrom: ['identity provider'] },
])('counts a provider that does not answer by whether its last keys serve: $lastKeysServe', async (given) => {
  const health = healthOf({ lastKeysServe: () => given.lastKeysServe })
  const parts = await health()
  const unready = parts.filter(({ ready }) => !ready).map(({ name }) => name)
  expect(unready).toContain('identity provider')
  expect(keepFromServing(parts).map(({ name }) => name)).toStrictEqual(given.keepFrom)
})

it('names events that read models skip by themselves, and stays in service', async () => {
  const named = async (automatic: boolean) => {
    const parts = await healthOf({ findSkips: async () => [{ automatic }] })()
    return parts.filter(({ name }) => name === 'events that read models skip')
  }
  expect(await named(false)).toEqual([])
  expect(await named(true)).toMatchObject([{ ready: false, background: true }])
})

it('names a store that has no room, and stays in service', async () => {
  const parts = await healthOf({ isStoreFull: () => true })()
  expect(parts).toContainEqual({ name: 'room in the event store', ready: false, background: true })
})

it('names webhooks that no process has sent for a while, and stays in service', async () => {
  let now = 0
  const status = { isHeld: true, condition: null }
  const health = healthOf({ readSenderStatus: async () => (now < 60_000 ? status : null), clock: () => now })
  const sends = async (at: number) => {
    now = at
    return (await health()).find(({ name }) => name === 'webhooks')
  }
  expect(await sends(59_999)).toEqual({ name: 'webhooks', ready: true, background: true })
  expect((await sends(74_998))?.ready).toBe(true)
  expect((await sends(74_999))?.ready).toBe(false)
})

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  { answersAfterMs: 4_500, isReady: true },
  { answersAfterMs: 5_500, isReady: false },
])(
  'waits for the event store as long as commands do: $answersAfterMs ms',
  async ({ answersAfterMs, isReady }) => {
    vi.useFakeTimers()
    const last = () =>
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), answersAfterMs))
    const looking = healthOf({ eventStore: { last } as unknown as EventStore })()
    await vi.advanceTimersByTimeAsync(6_000)
    expect((await looking).find(({ name }) => name === 'event store')?.ready).toBe(isReady)
  },
)
