import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import type { EventMetadata } from '../../src/domain/kernel/event.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { leaseNameOf, listParked, readPolicyStatuses } from '../../src/policies/policyStatus.ts'
import type { HostOptions } from '../../src/policies/work.ts'
import { certificates } from '../../src/projections/certificates/certificates.ts'
import type { Positions } from '../../src/projections/engine/reading/waitFor.ts'
import { tags } from '../../src/projections/tags/tags.ts'
import { noStream } from '../../src/stores/eventStore.ts'
import { giveToAnother } from '../support/otherHolder.ts'
import { own } from '../support/own.ts'
import { until } from '../support/until.ts'
import { type Hosted, passTimeUntilNextTry, setStage } from './stage.ts'

/** The host, with policies that only note the calls that they get. */

const hosted: Hosted[] = []
const stage = await own(setStage())

afterEach(async () => {
  await Promise.all(hosted.splice(0).map((policy) => policy.stop()))
})

/** The longest rest after a group of targets. */
const longestRestMs = 200

/** A known type. Read models that fold it stop at these events, which does not matter here. */
const type = 'FilterProfileSaved'

/** Append an event that asks for a scope, and return its position. */
async function ask(companyId: string, scope: string): Promise<number> {
  const event = { id: randomUUID(), type, data: { companyId, scope } }
  const metadata = undefined as unknown as EventMetadata
  const { position } = await stage.store.append(`asked-${event.id}`, noStream, [{ ...event, metadata }])
  return position
}

/** The scope of an event that asks for no job. */
const nothing = 'nothing'

interface Noted {
  /** `{companyId} {target}`, in the order of the calls. */
  readonly acts: string[]
  /** The number of jobs in each look-up. */
  readonly lookUps: number[]
}

interface Behaviour {
  startsAt?: Policy['startsAt']
  act?: (companyId: string, target: string) => Promise<void>
  /** The position of the event that each act records. */
  recordedAt?: number
  hear?: (data: { companyId: string; scope: string }) => void
}

/** A policy whose scope `some/3` has the targets `some/1` to `some/3`. */
function noting(
  name: string,
  { startsAt = 'head', act, recordedAt = 0, hear }: Behaviour = {},
): Policy & Noted {
  const acts: string[] = []
  const lookUps: number[] = []
  return {
    name,
    startsAt,
    reads: [certificates] as const,
    shows: [certificates] as const,
    acts,
    lookUps,
    begin: () => ({
      hears: new Map([
        [
          type,
          ({ data }) => {
            const { companyId, scope } = data as { companyId: string; scope: string }
            hear?.({ companyId, scope })
            return scope === nothing ? [] : [scope]
          },
        ],
      ]),
      async next(_reading, _companyId, jobs, most) {
        lookUps.push(jobs.length)
        return jobs.map(({ scope, after }) => {
          const [kind, count] = scope.split('/')
          const begin = after === null ? 0 : Number(after)
          const end = Math.min(Number(count), begin + most)
          const targets = Array.from({ length: end - begin }, (_, n) => `${kind}/${begin + n + 1}`)
          const places = targets.map((_, n) => String(begin + n + 1))
          return {
            scope,
            targets,
            places,
            after: end < Number(count) ? String(end) : null,
            total: Number(count),
          }
        })
      },
      portion: (companyId) => async (target) => {
        acts.push(`${companyId} ${target}`)
        await act?.(companyId, target)
        return recordedAt
      },
    }),
  }
}

/** An act that waits for `goOn`. */
const held = () => {
  const { promise: underWay, resolve: begun } = Promise.withResolvers<void>()
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
  const act = () => {
    begun()
    return released
  }
  return { underWay, goOn, act }
}

const everything = { positionOf: () => Number.MAX_SAFE_INTEGER, waitFor: async () => true }
function start(
  policy: Policy,
  positions: Partial<Positions> = everything,
  more: Partial<HostOptions> = {},
): Hosted {
  const running = stage.host(policy, {
    positions: { ...stage.positions, ...positions },
    lookAgainMs: 50,
    ...more,
  })
  hosted.push(running)
  return running
}

async function stop(running: Hosted) {
  hosted.splice(hosted.indexOf(running), 1)
  await running.stop()
}

async function look({ name }: Policy) {
  return (await readPolicyStatuses(stage.postgres, stage.storeId, [name]))[0]!
}

function idle(policy: Policy, position: number) {
  return until(async () => {
    const { position: dealtWith, parked } = await look(policy)
    return dealtWith >= position && parked === 0
  })
}

function parkedOf({ name: policy }: Policy) {
  return listParked(stage.postgres, { storeId: stage.storeId, policy, most: 10 })
}

it('starts a policy without a checkpoint at the head, also after it was stopped before any event', async () => {
  const companyId = randomUUID()
  const before = await ask(companyId, 'before/1')
  const policy = noting('head')
  const first = start(policy)
  await until(() => first.status().position === before)
  await stop(first)
  const position = await ask(companyId, 'after/1')
  start(policy)
  await idle(policy, position)
  expect(policy.acts).toEqual([`${companyId} after/1`])
})

it('starts a policy at the first event when the policy asks for it', async () => {
  const companyId = randomUUID()
  const position = await ask(companyId, 'past/1')
  const policy = noting('first', { startsAt: 'first event' })
  start(policy)
  await idle(policy, position)
  expect(policy.acts).toContain(`${companyId} past/1`)
})

it('saves its checkpoint with a job, or once a second, and hears the events behind it again', async () => {
  const companyId = randomUUID()
  const heard: string[] = []
  const policy = noting('saves', { hear: ({ scope }) => void heard.push(scope) })
  let time = 0
  const first = start(policy, everything, { clock: () => time })
  const hears = (position: number, running = first) => until(() => running.status().position === position)
  await until(() => first.status().position !== undefined)
  const saved = await ask(companyId, nothing)
  await idle(policy, saved)
  const waiting = await ask(companyId, nothing)
  await hears(waiting)
  expect(await look(policy)).toMatchObject({ position: saved })
  time += 1_000
  await idle(policy, waiting)
  const job = await ask(companyId, 'job/1')
  await idle(policy, job)

  const unsaved = await ask(companyId, nothing)
  await hears(unsaved)
  await stop(first)
  expect(await look(policy)).toMatchObject({ position: job })
  const second = start(policy)
  await hears(unsaved, second)
  expect(heard).toEqual([nothing, nothing, 'job/1', nothing, nothing])
  expect(policy.acts).toEqual([`${companyId} job/1`])
})

it('merges equal scopes of a company, and looks up the targets of all its jobs at once', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  const policy = noting('merge')
  let reached = 0
  const running = start(policy, { positionOf: () => reached, waitFor: async () => false })
  await until(() => running.status().position !== undefined)
  await ask(one, 'a/1')
  await ask(other, 'a/1')
  await ask(one, 'b/1')
  const position = await ask(one, 'a/1')
  await until(async () => (await look(policy)).jobs === 3 && running.status().position === position)
  await until(() => running.status().condition === 'the read models are behind')
  expect(policy.acts).toEqual([])
  reached = position
  await idle(policy, position)
  expect(policy.acts.toSorted()).toEqual([`${one} a/1`, `${one} b/1`, `${other} a/1`].toSorted())
  expect(policy.lookUps.toSorted()).toEqual([1, 2])
})

it('begins a scope again when it is asked for while under way', async () => {
  const companyId = randomUUID()
  const { underWay, goOn, act } = held()
  const policy = noting('again', { act })
  const running = start(policy)
  await until(() => running.status().position !== undefined)
  await ask(companyId, 'a/1')
  await underWay
  const position = await ask(companyId, 'a/1')
  await until(() => running.status().position === position)
  goOn()
  await idle(policy, position)
  expect(policy.acts).toEqual([`${companyId} a/1`, `${companyId} a/1`])
})

it('takes no further target until the read models show the event of an earlier one', async () => {
  const companyId = randomUUID()
  const policy = noting('waits', { recordedAt: 7 })
  const waits: number[] = []
  const { promise: shown, resolve: show } = Promise.withResolvers<void>()
  const running = start(
    { ...policy, shows: [tags], targetsAtOnce: 2 },
    {
      ...everything,
      async waitFor([{ name }]: readonly [{ name: string }], position: number) {
        if (name !== tags.name) return true
        waits.push(position)
        await shown
        return true
      },
    },
  )
  await until(() => running.status().position !== undefined)
  const position = await ask(companyId, 'a/5')
  await until(() => waits.length === 2)
  expect(policy.acts).toEqual([`${companyId} a/1`, `${companyId} a/2`])
  show()
  await idle(policy, position)
  expect(policy.acts).toHaveLength(5)
  expect(waits).toEqual([7, 7, 7, 7, 7])
})

it('rests after each group of targets for as long as the group took', async () => {
  const companyId = randomUUID()
  const began: number[] = []
  const ended: number[] = []
  const policy = noting('rests', {
    act: async () => {
      began.push(performance.now())
      await pause(60)
      ended.push(performance.now())
    },
  })
  const running = start({ ...policy, targetsAtOnce: 2, rests: true })
  await until(() => running.status().position !== undefined)
  const position = await ask(companyId, 'a/5')
  await idle(policy, position)
  expect(policy.acts).toHaveLength(5)
  for (const group of [0, 2]) {
    // Two are under way together, and the next ones begin after a rest.
    expect(began[group + 1]).toBeLessThan(ended[group]!)
    const [from, to] = [began[group]!, ended[group + 1]!]
    expect(began[group + 2]! - to).toBeGreaterThanOrEqual(Math.min(to - from, longestRestMs) - 2)
  }
})

it('serves a small company while a large one is under way', async () => {
  // The large company comes first by id, age and size, so only taking turns serves the small one.
  const large = `00000000${randomUUID().slice(8)}`
  const small = `ffffffff${randomUUID().slice(8)}`
  const policy = noting('turns', { act: () => pause(1) })
  let reached = 0
  const running = start(policy, { positionOf: () => reached, waitFor: async () => false })
  await until(() => running.status().position !== undefined)
  await ask(large, 'large/2000')
  const position = await ask(small, 'small/1')
  await until(async () => (await look(policy)).jobs === 2)
  reached = position
  await idle(policy, position)
  expect(policy.acts).toHaveLength(2_001)
  expect(policy.acts.indexOf(`${small} small/1`)).toBe(200)
})

it('ends the turn of a company after its time, and resumes it behind the target that was last in line', async () => {
  const slow = `00000000${randomUUID().slice(8)}`
  const quick = `ffffffff${randomUUID().slice(8)}`
  const policy = noting('slow', { act: (companyId) => pause(companyId === slow ? 40 : 1) })
  let reached = 0
  const running = start(
    { ...policy, targetsAtOnce: 2 },
    { positionOf: () => reached, waitFor: async () => true },
    { turnMs: 100 },
  )
  await until(() => running.status().position !== undefined)
  await ask(slow, 'slow/10')
  const position = await ask(quick, 'quick/1')
  await until(async () => (await look(policy)).jobs === 2)
  reached = position
  await idle(policy, position)
  const [first, last] = [policy.acts.indexOf(`${quick} quick/1`), policy.acts.indexOf(`${slow} slow/10`)]
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(last)
  expect(policy.acts).toHaveLength(11)
  expect(new Set(policy.acts).size).toBe(11)
})

it('brings a target in line at the next turn when it gives up at the end of one', async () => {
  const companyId = randomUUID()
  const policy = noting('gives up')
  const turns: boolean[] = []
  const giving: Policy = {
    ...policy,
    begin: () => ({
      ...policy.begin(),
      portion: (_companyId, turn) => async () => {
        turns.push(turn.aborted)
        if (turns.length > 1) return 0
        await new Promise((resolve) => turn.addEventListener('abort', resolve))
        throw turn.reason
      },
    }),
  }
  const running = start(giving, everything, { turnMs: 50 })
  await until(() => running.status().position !== undefined)
  const position = await ask(companyId, 'a/1')
  await idle(policy, position)
  expect(turns).toEqual([false, false])
  expect(running.conditions).toEqual([])
})

it('parks a company that cannot be served, serves the others, and later resumes the parked one', async () => {
  const [broken, well] = [randomUUID(), randomUUID()]
  let isBroken = true
  const policy = noting('parks', {
    async act(companyId, target) {
      if (isBroken && companyId === broken && target === 'a/250') throw new Error('the roof leaks')
    },
  })
  const running = start(policy)
  await until(() => running.status().position !== undefined)
  await ask(broken, 'a/300')
  await until(async () => (await look(policy)).parked === 1)
  const position = await ask(well, 'b/1')
  await until(async () => (await look(policy)).position >= position)
  expect(policy.acts).toContain(`${well} b/1`)
  expect(await look(policy)).toMatchObject({ condition: null, held: true, jobs: 0, parked: 1 })
  expect(await parkedOf(policy)).toMatchObject([{ companyId: broken, reason: 'the roof leaks' }])
  expect(running.conditions).toEqual([`company ${broken} is parked and tried again later: the roof leaks`])

  isBroken = false
  await passTimeUntilNextTry(stage, policy.name)
  await idle(policy, position)
  // The portion before the broken one was already done.
  expect(policy.acts.filter((act) => act === `${broken} a/1`)).toHaveLength(1)
  expect(policy.acts).toContain(`${broken} a/300`)
})

it('passes an event whose handler fails, and handles it again for its company', async () => {
  const [broken, well] = [randomUUID(), randomUUID()]
  let failures = 2
  const policy = noting('deaf', {
    hear({ companyId }) {
      if (companyId === broken && failures-- > 0) throw new Error('cannot handle this')
    },
  })
  const running = start(policy)
  await until(() => running.status().position !== undefined)
  await ask(broken, 'a/1')
  const position = await ask(well, 'b/1')
  await until(async () => (await look(policy)).position >= position)
  expect(policy.acts).toEqual([`${well} b/1`])
  expect(await parkedOf(policy)).toMatchObject([{ companyId: broken, reason: 'cannot handle this' }])
  await passTimeUntilNextTry(stage, policy.name)
  await idle(policy, position)
  expect(policy.acts).toEqual([`${well} b/1`, `${broken} a/1`])
})

it('merges the scopes of a company whose id is written in upper case and in lower case', async () => {
  const companyId = randomUUID()
  const policy = noting('cases')
  const first = start(policy)
  await until(() => first.status().position !== undefined)
  await stop(first)
  const metadata = undefined as unknown as EventMetadata
  // Many in one append, so that the policy hears some of them at once.
  const { position } = await stage.store.append(
    `asked-${randomUUID()}`,
    noStream,
    Array.from({ length: 100 }, (_, n) => {
      const written = n % 2 === 0 ? companyId.toUpperCase() : companyId
      return { id: randomUUID(), type, data: { companyId: written, scope: 'a/1' }, metadata }
    }),
  )
  const second = start(policy)
  await idle(policy, position)
  expect(second.conditions).toEqual([])
  expect(new Set(policy.acts)).toEqual(new Set([`${companyId} a/1`]))
})

it('keeps the job of a later event when it hears an earlier one of the same scope again', async () => {
  const companyId = randomUUID()
  let failures = 1
  const policy = noting('late', {
    hear() {
      if (failures-- > 0) throw new Error('not yet')
    },
  })
  let applied = 0
  const running = start(policy, { positionOf: () => applied, waitFor: async () => true })
  await until(() => running.status().position !== undefined)
  const earlier = await ask(companyId, 'a/1')
  const later = await ask(companyId, 'a/1')
  const jobs = () =>
    stage.postgres.query<{ scope: string; position: number }>(
      `SELECT scope, position FROM heatmark_local.policy_job WHERE policy = 'late' ORDER BY scope`,
    )
  await until(async () => (await jobs()).length === 2)
  applied = earlier
  await until(async () => (await jobs()).length === 1)
  expect(await jobs()).toEqual([{ scope: 'a/1', position: later }])
  expect(policy.acts).toEqual([])
  applied = later
  await idle(policy, later)
  expect(policy.acts).toEqual([`${companyId} a/1`])
})

it('parks the company of an event whose scope does not fit into a row', async () => {
  const companyId = randomUUID()
  const policy = noting('scopes')
  const running = start(policy)
  await until(() => running.status().position !== undefined)
  const position = await ask(companyId, 'a\u0000/1')
  await until(async () => (await look(policy)).parked === 1)
  expect((await parkedOf(policy))[0]!.reason).toBe(
    `${type} at position ${position} asks for a scope that cannot be saved`,
  )
})

it('passes an event that names no company', async () => {
  const policy = noting('nobody')
  const running = start(policy)
  await until(() => running.status().position !== undefined)
  const position = await ask('not an id', 'a/1')
  await idle(policy, position)
  expect(policy.acts).toEqual([])
})

it('saves nothing after it has lost its lease', async () => {
  const companyId = randomUUID()
  const { underWay, goOn, act } = held()
  const policy = noting('paused', { act })
  const running = start(policy)
  await until(() => running.status().position !== undefined)
  await ask(companyId, 'a/1')
  await underWay
  const other = await giveToAnother(stage.postgres, leaseNameOf(policy.name, stage.storeId))
  goOn()
  await until(() => !running.status().leading)
  expect(await look(policy)).toMatchObject({ jobs: 1 })
  expect(running.conditions).toEqual([])
  other.release()
})

it('serves no job when the store lacks the event of the checkpoint', async () => {
  const companyId = randomUUID()
  const position = await ask(companyId, 'a/1')
  const policy = noting('rewound')
  await stage.postgres.query(
    `WITH checkpoint AS (
       INSERT INTO heatmark_local.policy_cursor VALUES ($1, $2, $3, gen_random_uuid()) RETURNING event_id)
     INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
     SELECT $1, $2, $4, 'a/1', $3, event_id, $3 FROM checkpoint`,
    [stage.storeId, policy.name, position, companyId],
  )
  const running = start(policy)
  await until(() => running.status().condition?.startsWith('event-store-went-back: '))
  expect(policy.acts).toEqual([])
  expect(await look(policy)).toMatchObject({ jobs: 1 })
})
