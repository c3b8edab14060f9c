import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createApiKey,
  deleteApiKey,
  deleteKeysOf,
  type NewKey,
  rollApiKeys,
} from '../../src/commands/apiKeys.ts'
import type { CommandContext, Process, ProcessMeans } from '../../src/commands/command.ts'
import {
  registerCompany,
  registerNewCompany,
  removeMember,
  setMemberRoles,
} from '../../src/commands/companies.ts'
import { account, accountStream, type Membership } from '../../src/domain/account.ts'
import { companyStream } from '../../src/domain/company.ts'
import { isWellFormed, newApiKey } from '../../src/identity/apiKeyFormat.ts'
import { context, eventsOf, keyed, refusalOf, type ServiceNode, type Stage, startStage } from './nodes.ts'

/** Keys and members against a real store: what takes several commands, and what happens in between. */

const long = process.env.HEATMARK_TEST_LONG === '1'
let stage: Stage
let here: ServiceNode
let there: ServiceNode
let companyId: string
let bob: string
const newKey: NewKey = () => newApiKey()

beforeAll(async () => {
  stage = await startStage()
  ;[here, there] = [stage.node(), stage.node()]
})
afterAll(() => stage.stop())
beforeEach(async () => {
  companyId = randomUUID()
  bob = `bob-${companyId}`
  await here.execute(registerCompany(companyId, 'Yard'), context)
  await here.execute(setMemberRoles(companyId, bob, ['Editor']), context)
})

const means = ({ execute }: ServiceNode): ProcessMeans => ({ execute, newId: randomUUID })
const carryOut = <Answer>(process: Process<Answer>, of: CommandContext = context, at = here) =>
  process.carryOut(means(at), of)
const membership = (): Membership => ({ companyId, roles: ['Editor'] })
const create = (memberships = async () => [membership()]) =>
  createApiKey(bob, { label: 'press', expiresInDays: null }, memberships, newKey)
/** A creation during which, after the memberships were read, something else happens. */
const createWhile = (meanwhile: () => Promise<unknown>) =>
  create(async () => {
    const asTheyWere = [membership()]
    await meanwhile()
    return asTheyWere
  })
/** Means of which something comes before that step. */
const brokenInto = (step: number, something: () => Promise<void>): ProcessMeans => {
  let steps = 0
  return {
    newId: randomUUID,
    execute: async (command, of) => {
      steps += 1
      if (steps === step) await something()
      return here.execute(command, of)
    },
  }
}
const remove = (revokeKeys = true) => removeMember(companyId, bob, { revokeKeys })
const typesOf = async (stream: string) => (await eventsOf(here.store, stream)).map(({ type }) => type)
const keyEvents = () => typesOf(accountStream(bob))
const companyEvents = () => typesOf(companyStream(companyId))
/** Bob's live keys, as the facts say. */
const liveKeys = async () => {
  let state = account.initial
  for (const event of await eventsOf(here.store, accountStream(bob)))
    state = account.evolve(state, event as never)
  return state.keys.toArray()
}

describe('creating a key', () => {
  it('shows it once: not to a repeat, not in any event', async () => {
    const of = keyed('once', 'a body', 'POST /me/keys')
    const first = await carryOut(create(), of)
    expect(isWellFormed(first.body.key!)).toBe(true)
    const again = await carryOut(create(), of, there)
    expect(again).toMatchObject({ replayed: true, body: { ...first.body, key: null } })
    expect(await keyEvents()).toEqual(['ApiKeyCreated'])
    const stored = JSON.stringify(await eventsOf(here.store, accountStream(bob)))
    expect(stored).toContain(first.body.prefix)
    expect(stored).not.toContain(first.body.key!.slice(first.body.prefix.length))
  })

  it('shows it to one of two at once under the same Idempotency-Key, on two nodes', async () => {
    for (let round = 0; round < 10; round++) {
      const of = keyed(`at once ${round}`, 'a body', 'POST /me/keys')
      const both = await Promise.all([carryOut(create(), of), carryOut(create(), of, there)])
      expect(both.filter(({ body }) => body.key !== null)).toHaveLength(1)
      expect(new Set(both.map(({ body }) => body.keyId)).size).toBe(1)
    }
    expect(await liveKeys()).toHaveLength(10)
  })

  it.each([
    ['was removed', () => carryOut(remove(), context, there)],
    ['was removed, keys left alone,', () => carryOut(remove(false), context, there)],
    ['lost a role', () => there.execute(setMemberRoles(companyId, bob, ['Viewer', 'Planner']), context)],
  ])('fails, and shows nothing, when its owner %s meanwhile; so does a repeat', async (_, meanwhile) => {
    const of = keyed('meanwhile', 'a body', 'POST /me/keys')
    expect(await refusalOf(carryOut(createWhile(meanwhile), of))).toBe('conflict membership-ended')
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
    expect(await refusalOf(carryOut(create(), of, there))).toBe('conflict membership-ended')
    expect(await keyEvents()).toHaveLength(2)
  })

  it('succeeds when its owner was given more meanwhile', async () => {
    const promoted = createWhile(() =>
      there.execute(setMemberRoles(companyId, bob, ['Editor', 'Planner']), context),
    )
    expect((await carryOut(promoted)).body.snapshot).toEqual([membership()])
  })

  it('leaves nothing of it when somebody tries to roll it meanwhile', async () => {
    const slowly = createWhile(() => carryOut(remove(), context, there))
    const rolledBetween = brokenInto(2, async () => {
      expect(await refusalOf(there.execute(rollApiKeys(bob, newKey), context))).toBe('conflict no-api-key')
    })
    expect(await refusalOf(slowly.carryOut(rolledBetween, context))).toBe('conflict membership-ended')
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
  })

  it('that broke off before it looked leaves nothing to roll', async () => {
    const broken = () => brokenInto(2, () => Promise.reject(new Error('killed')))
    const slowly = createWhile(() => carryOut(remove(), context, there))
    await expect(slowly.carryOut(broken(), context)).rejects.toThrow('killed')
    expect(await refusalOf(there.execute(rollApiKeys(bob, newKey), context))).toBe('conflict no-api-key')

    // What is rolled is the newest that should be there; what should not goes with it.
    await carryOut(create(async () => []))
    await expect(create().carryOut(broken(), keyed('once more', 'a body', 'POST /me/keys'))).rejects.toThrow(
      'killed',
    )
    const rolled = await there.execute(rollApiKeys(bob, newKey), keyed('roll'))
    expect(rolled.body).toMatchObject({ snapshot: [], key: expect.any(String) })
    expect((await keyEvents()).slice(-2)).toEqual(['ApiKeyDeleted', 'ApiKeysRolled'])
    expect((await liveKeys()).map(({ keyId }) => keyId)).toEqual([rolled.body.keyId])
    expect(await here.execute(rollApiKeys(bob, newKey), keyed('roll'))).toMatchObject({
      replayed: true,
      body: { ...rolled.body, key: null },
    })
  })

  it('that broke off before it looked is taken away by a repeat', async () => {
    const of = keyed('broken off', 'a body', 'POST /me/keys')
    const broken = brokenInto(2, () => Promise.reject(new Error('killed')))
    const slowly = createWhile(() => carryOut(remove(), context, there))
    await expect(slowly.carryOut(broken, of)).rejects.toThrow('killed')
    expect(await liveKeys()).toHaveLength(1)
    expect(await refusalOf(carryOut(create(), of, there))).toBe('conflict membership-ended')
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
  })

  it('that broke off before it looked is completed by a repeat when nothing has ended', async () => {
    const of = keyed('broken off', 'a body', 'POST /me/keys')
    const broken = brokenInto(2, () => Promise.reject(new Error('killed')))
    await expect(create().carryOut(broken, of)).rejects.toThrow('killed')
    expect(await carryOut(create(), of, there)).toMatchObject({ replayed: true, body: { key: null } })
    expect(await liveKeys()).toHaveLength(1)
  })

  it('is not undone by a repeat, nor kept from rolling, after its owner was removed with keys left alone', async () => {
    const of = keyed('kept', 'a body', 'POST /me/keys')
    const { body } = await carryOut(create(), of)
    await here.execute(setMemberRoles(companyId, bob, ['Viewer']), context)
    await carryOut(remove(false))
    expect(await carryOut(create(), of)).toMatchObject({ replayed: true, body: { keyId: body.keyId } })
    expect((await there.execute(rollApiKeys(bob, newKey), keyed('roll'))).body.snapshot).toEqual([
      membership(),
    ])
    expect((await here.execute(rollApiKeys(bob, newKey), context)).body.snapshot).toEqual([membership()])
    expect(await liveKeys()).toHaveLength(1)
  })
})

describe('rolling and deleting', () => {
  it('a roll is shown once, carries the snapshot, and deletes the others in the same event', async () => {
    await carryOut(create())
    await carryOut(create())
    const of = keyed('roll', '', 'POST /me/keys/roll')
    const rolled = await here.execute(rollApiKeys(bob, newKey), of)
    expect(rolled.body).toMatchObject({ label: 'press', snapshot: [membership()], key: expect.any(String) })
    expect(await there.execute(rollApiKeys(bob, newKey), of)).toMatchObject({
      replayed: true,
      body: { ...rolled.body, key: null },
    })
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyCreated', 'ApiKeysRolled'])
    expect((await liveKeys()).map(({ keyId }) => keyId)).toEqual([rolled.body.keyId])
  })

  it('deleting again records nothing, also what a roll deleted; what never was is not found', async () => {
    const [first, second] = [await carryOut(create()), await carryOut(create())]
    await here.execute(deleteApiKey(bob, first.body.keyId), context)
    expect(await here.execute(deleteApiKey(bob, first.body.keyId), context)).toMatchObject({ recorded: [] })
    await here.execute(rollApiKeys(bob, newKey), context)
    expect(await here.execute(deleteApiKey(bob, second.body.keyId), context)).toMatchObject({ recorded: [] })
    expect(await refusalOf(here.execute(deleteApiKey(bob, randomUUID()), context))).toBe(
      'not-found not-found',
    )
    expect(await refusalOf(here.execute(deleteApiKey('alice', first.body.keyId), context))).toBe(
      'not-found not-found',
    )
  })
})

describe('removing a member with all keys', () => {
  it('deletes the keys that name the company first, and leaves the others', async () => {
    await carryOut(create())
    const other = await carryOut(create(async () => []))
    const outcome = await carryOut(remove())
    const [, , deleted] = await eventsOf(here.store, accountStream(bob))
    const removed = (await eventsOf(here.store, companyStream(companyId))).at(-1)!
    expect([deleted!.type, removed.type]).toEqual(['ApiKeyDeleted', 'MemberRemoved'])
    expect(deleted!.position).toBeLessThan(removed.position)
    expect(outcome.position).toBe(removed.position)
    expect((await liveKeys()).map(({ keyId }) => keyId)).toEqual([other.body.keyId])
  })

  it('deletes however many there are', async () => {
    const many = long ? 450 : 205
    for (let n = 0; n < many; n++) await carryOut(create(async () => [membership()]))
    await carryOut(remove())
    expect(await liveKeys()).toEqual([])
    expect(await keyEvents()).toHaveLength(2 * many)
  })

  it('is finished by a repeat, wherever it broke off', async () => {
    await carryOut(create())
    await deleteKeysOf(means(here), context, bob, companyId, 'all')
    await carryOut(remove())
    expect(await companyEvents()).toContain('MemberRemoved')
    // Once more, of somebody who is a member no more.
    expect(await carryOut(remove())).toMatchObject({ recorded: [] })
    expect(await companyEvents()).toHaveLength(4)
  })

  it('deletes the keys of a former member, too', async () => {
    await carryOut(create())
    await carryOut(remove(false))
    expect(await liveKeys()).toHaveLength(1)
    await carryOut(remove())
    expect(await liveKeys()).toEqual([])
  })

  it('finds a key that was made between the two', async () => {
    let companyCommands = 0
    const between: ProcessMeans = {
      newId: randomUUID,
      execute: async (command, of) => {
        if (command.aggregate !== account) companyCommands += 1
        // The first asks whether the removal would be refused; the second is the removal.
        if (command.aggregate !== account && companyCommands === 2) await carryOut(create(), context, there)
        return here.execute(command, of)
      },
    }
    await remove().carryOut(between, context)
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
  })

  it('leaves the keys alone when it is refused', async () => {
    await carryOut(create())
    const ifMatch = () => false
    expect(await refusalOf(carryOut(remove(), { ...context, ifMatch }))).toBe('stale precondition-failed')
    await here.execute(setMemberRoles(companyId, bob, ['Admin']), context)
    await carryOut(removeMember(companyId, context.actor.id, { revokeKeys: true }))
    expect(await refusalOf(carryOut(remove()))).toBe('conflict last-admin')
    expect(await refusalOf(carryOut(removeMember(companyId, 'nobody', { revokeKeys: true })))).toBe(
      'not-found not-found',
    )
    expect(await liveKeys()).toHaveLength(1)
  })

  it('replays under an Idempotency-Key, and touches nothing of somebody who is back', async () => {
    const of = keyed('remove', '', `DELETE /members/${bob}`)
    await carryOut(create())
    expect(await carryOut(remove(), of)).toMatchObject({ replayed: false, recorded: ['MemberRemoved'] })
    expect(await carryOut(remove(), of, there)).toMatchObject({ replayed: true })
    await here.execute(setMemberRoles(companyId, bob, ['Editor']), context)
    await carryOut(create())
    expect(await carryOut(remove(), of, there)).toMatchObject({ replayed: true })
    expect(await liveKeys()).toHaveLength(1)
    expect((await companyEvents()).filter((type) => type === 'MemberRemoved')).toHaveLength(1)
  })

  it('leaves no key, whoever creates and rolls some at the same time on another node', async () => {
    for (let round = 0; round < (long ? 200 : 15); round++) {
      await here.execute(setMemberRoles(companyId, bob, ['Editor']), context)
      const makers = Array.from({ length: 4 }, async (_, n) => {
        const made = await carryOut(create(), context, n % 2 ? here : there).then(
          ({ body }) => body.key,
          () => null,
        )
        await there.execute(rollApiKeys(bob, newKey), context).catch(() => {})
        return made
      })
      await Promise.all([...makers, carryOut(remove())])
      expect((await liveKeys()).filter(({ snapshot }) => snapshot.length > 0)).toEqual([])
    }
  })
})

describe('registering a company', () => {
  it('without an id makes one: the same for the same caller and Idempotency-Key', async () => {
    const of = keyed(randomUUID(), 'a body', 'POST /companies')
    const first = await carryOut(registerNewCompany(undefined, 'New yard'), of)
    const again = await carryOut(registerNewCompany(undefined, 'New yard'), of, there)
    expect(again).toMatchObject({ replayed: true, body: first.body })
    const others = [
      carryOut(registerNewCompany(undefined, 'New yard'), keyed(randomUUID())),
      carryOut(registerNewCompany(undefined, 'New yard')),
      carryOut(registerNewCompany(undefined, 'New yard')),
    ]
    const ids = (await Promise.all(others)).map(({ body }) => body.companyId)
    expect(new Set([first.body.companyId, ...ids]).size).toBe(4)
  })

  it('with the id of one that exists is harmless with the same name, and refused with another', async () => {
    expect(await carryOut(registerNewCompany(companyId, 'Yard'))).toMatchObject({
      recorded: [],
      body: { companyId, name: 'Yard' },
    })
    expect(await refusalOf(carryOut(registerNewCompany(companyId, 'Other')))).toBe(
      'conflict company-already-exists',
    )
  })
})
