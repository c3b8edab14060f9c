import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiProblem } from '../../src/portal/api/problem.ts'
import { sendTaps, type TapStore } from '../../src/portal/taps/sending.ts'
import {
  type Act,
  afterTaps,
  conditionOf,
  findOutdated,
  inOrder,
  isTooLate,
  isWaiting,
  nextOrder,
  nextTap,
  refuse,
  type Tap,
} from '../../src/portal/taps/taps.ts'

const problem = { status: 409, code: 'bar-not-approved', title: 'Not approved', detail: 'It is a draft.' }

function tapOf(more: Partial<Tap> = {}): Tap {
  return {
    key: 'k1',
    order: 1,
    userId: 'ada',
    companyId: 'c',
    barId: 'b1',
    barName: 'Week 1 · 1',
    act: { kind: 'start' },
    revision: 4,
    performedAt: '2026-03-02T10:00:00.000Z',
    ...more,
  }
}

function storeOf(taps: readonly Tap[] = []): TapStore {
  const kept = new Map(taps.map((tap) => [tap.key, tap]))
  return {
    read: () => [...kept.values()],
    write: (tap) => void kept.set(tap.key, tap),
    remove: (key) => void kept.delete(key),
  }
}

const madeTaps = fc
  .array(fc.record({ userId: fc.constantFrom('ada', 'bob'), barId: fc.constantFrom('b1', 'b2', 'b3') }), {
    maxLength: 12,
  })
  .map((made) => made.map((one, index) => tapOf({ ...one, key: `k${index}`, order: index })))

it('gives a tap a place after all others, even if the clock was set back', () => {
  fc.assert(
    fc.property(madeTaps, fc.integer(), (taps, now) => {
      const order = nextOrder(taps, now)
      expect(order).toBeGreaterThanOrEqual(now)
      for (const tap of taps) expect(order).toBeGreaterThan(tap.order)
    }),
  )
})

it('sends each tap of a person once and in order, whatever the network and the service do', async () => {
  await fc.assert(
    fc.asyncProperty(
      madeTaps,
      fc.infiniteStream(fc.constantFrom('recorded', 'lost before', 'lost after', 'refused')),
      async (taps, fates) => {
        const store = storeOf(taps)
        /** The service: it records a key once, and repeats its answer. */
        const recorded: Tap[] = []
        const refused = new Set<string>()
        const send = async (tap: Tap) => {
          const fate = fates.next().value
          if (fate === 'lost before') throw new Error('no network')
          const isKnown = recorded.some(({ key }) => key === tap.key)
          if (refused.has(tap.key) || (!isKnown && fate === 'refused')) {
            refused.add(tap.key)
            throw new ApiProblem(problem)
          }
          if (!isKnown) recorded.push(tap)
          if (fate === 'lost after') throw new Error('no answer')
          return { etag: undefined }
        }
        const attempt = () => sendTaps({ store, userId: 'ada', send, onSent: () => {}, now: () => 0 })
        while (nextTap(store.read(), 'ada')) await attempt().catch(() => {})

        const orders = recorded.map(({ order }) => order)
        expect(orders).toEqual([...new Set(orders)].sort((one, other) => one - other))
        for (const tap of store.read()) {
          if (tap.userId === 'bob') expect(tap).toEqual(taps.find(({ key }) => key === tap.key))
          else expect(recorded.some(({ key }) => key === tap.key)).toBe(tap.sentAt !== undefined)
        }
        expect(store.read().length).toBe(taps.length)
      },
    ),
  )
})

it('does not send later taps of the person on a bar whose tap was refused, and sends those on other bars', () => {
  fc.assert(
    fc.property(madeTaps, (taps) => {
      const first = nextTap(taps, 'ada')
      fc.pre(first !== undefined)
      const changed = new Map(refuse(taps, first, problem).map((tap) => [tap.key, tap]))
      for (const tap of taps) {
        const isSame = tap.userId === 'ada' && tap.barId === first.barId
        expect(changed.has(tap.key)).toBe(isSame)
        if (isSame) expect(changed.get(tap.key)!.refusal!.problem).toBe(tap === first ? problem : undefined)
      }
    }),
  )
})

it.each([
  ...[400, 403, 404, 409, 412, 422].map((status) => ({ status, isRefused: true })),
  ...[401, 408, 425, 429, 500, 503].map((status) => ({ status, isRefused: false })),
])('takes $status for a refusal: $isRefused', async ({ status, isRefused }) => {
  const store = storeOf([tapOf()])
  const send = () => Promise.reject(new ApiProblem({ ...problem, status }))
  const sending = sendTaps({ store, userId: 'ada', send, onSent: () => {}, now: () => 0 })
  await (isRefused ? sending : expect(sending).rejects.toThrow(problem.detail))
  expect(store.read().some(({ refusal }) => refusal)).toBe(isRefused)
})

it('keeps a tap that nobody has answered, and forgets a recorded one after an hour', () => {
  const sent = tapOf({ sentAt: 1_000 })
  expect(findOutdated([tapOf(), sent], 3_601_000)).toEqual([])
  expect(findOutdated([tapOf(), sent], 3_601_001)).toEqual([sent])
  expect([tapOf(), sent, tapOf({ refusal: { isSeen: true } })].filter(isWaiting)).toEqual([tapOf()])
})

it('is too late for a tap that nobody could send for a day, and forgets all after 30 days', () => {
  const day = 24 * 3_600_000
  const made = tapOf({ order: 1_000 })
  expect(isTooLate(made, 1_000 + day)).toBe(false)
  expect(isTooLate(made, 1_001 + day)).toBe(true)
  expect(isTooLate({ ...made, sentAt: 2_000 }, 1_001 + day)).toBe(false)
  const refused = { ...made, refusal: { isSeen: true } }
  expect(findOutdated([made, refused], 1_000 + 30 * day)).toEqual([])
  expect(findOutdated([made, refused], 1_001 + 30 * day)).toEqual([made, refused])
})

const bar = {
  barId: 'b1',
  startedAt: null,
  completedAt: null,
  heatRead: null,
  status: 'Approved' as const,
  certificate: { heatNumber: 'H1' },
  verdict: { mayBeCut: true },
}
const acted = (...acts: Act[]) =>
  acts.map((act, order) => tapOf({ key: String(order), order, act, performedAt: `10:0${order}` }))

it('shows a bar as its taps will leave it', () => {
  const done = acted(
    { kind: 'start' },
    { kind: 'complete' },
    { kind: 'takeBack', to: 'Started', reason: 'r' },
  )
  const states = [0, 1, 2, 3].map((count) => afterTaps(bar, 0, done.slice(0, count).toReversed()).status)
  expect(states).toEqual(['Approved', 'Started', 'Completed', 'Started'])
  expect(afterTaps(bar, 0, done)).toMatchObject({ startedAt: '10:00', completedAt: '10:01' })
  expect(afterTaps({ ...bar, barId: 'b2' }, 0, done).status).toBe('Approved')
})

it('knows that the heat of the certificate is read, and keeps the rest of the verdict', () => {
  const [unread, flag] = [
    { code: 'heat-unread', severity: 'Block' },
    { code: 'not-judged', severity: 'Flag' },
  ]
  const certified = {
    ...bar,
    certificate: { heatNumber: 'H 2' },
    verdict: { mayBeCut: false, findings: [unread, flag] },
  }
  const after = afterTaps(certified, 0, acted({ kind: 'heat', heatNumber: 'h  2' }))
  expect(after).toMatchObject({
    heatRead: { heatNumber: 'h  2', marked: true },
    certificate: { heatNumber: 'H 2' },
    verdict: { mayBeCut: true, findings: [flag] },
  })
  const other = afterTaps(certified, 0, acted({ kind: 'heat', heatNumber: 'H 3' }))
  expect(other).toMatchObject({ certificate: null })
  expect(other).not.toHaveProperty('verdict')
})

it('knows no verdict on a heat that the service has not judged', () => {
  const after = afterTaps(bar, 0, acted({ kind: 'heat', heatNumber: 'H2' }))
  expect(after).toMatchObject({ heatRead: { heatNumber: 'H2' }, certificate: null })
  expect(after.verdict).toBeUndefined()
})

it('does not apply a recorded tap to a bar that was read since, nor a refused one', () => {
  const [tap] = acted({ kind: 'start' }) as [Tap]
  expect(afterTaps(bar, 5, [{ ...tap, sentAt: 9 }]).status).toBe('Started')
  expect(afterTaps(bar, 10, [{ ...tap, sentAt: 9 }]).status).toBe('Approved')
  expect(afterTaps(bar, 0, [{ ...tap, refusal: { isSeen: false } }]).status).toBe('Approved')
})

it('sends a decision on the condition of what the person saw, and a fact on none', () => {
  const [start, back, again, complete, heat] = acted(
    { kind: 'start' },
    { kind: 'takeBack', to: 'Approved', reason: 'r' },
    { kind: 'start' },
    { kind: 'complete' },
    { kind: 'heat', heatNumber: 'H2' },
  ) as [Tap, Tap, Tap, Tap, Tap]
  expect(conditionOf([start], start)).toBe('"4"')
  const sent = [{ ...start, etag: '"5"' }, { ...back, etag: '"6-hash"' }, again]
  expect(conditionOf(sent, back)).toBe('"5"')
  expect(conditionOf(sent, again)).toBe('"6"')
  expect(conditionOf(sent, { ...again, revision: 9 })).toBe('"9"')
  expect(conditionOf(sent, { ...again, barId: 'b2' })).toBe('"4"')
  expect(conditionOf(sent, { ...again, userId: 'bob' })).toBe('"4"')
  for (const fact of [complete, heat]) expect(conditionOf(sent, fact)).toBe('*')
})

it('sorts taps by their order', () => {
  expect(inOrder([tapOf({ order: 2 }), tapOf({ order: 1 })]).map(({ order }) => order)).toEqual([1, 2])
})
