import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createApiKey,
  deleteApiKey,
  type NewKey,
  rollApiKeys,
} from '../../../src/commands/company/apiKeys.ts'
import {
  admitInvited,
  narrowMember,
  registerCompany,
  registerNewCompany,
  removeMember,
  setMemberRoles,
} from '../../../src/commands/company/companies.ts'
import { revokeApiKey } from '../../../src/commands/company/companyKeys.ts'
import type { CommandContext, Workflow, WorkflowTools } from '../../../src/commands/executor/command.ts'
import { createExecutor } from '../../../src/commands/executor/execute.ts'
import {
  type ApiKeyCreated,
  account,
  accountStream,
  type Membership,
} from '../../../src/domain/company/account.ts'
import { companyStream } from '../../../src/domain/company/company.ts'
import { keysBeyond } from '../../../src/domain/company/keyNarrowing.ts'
import { isWellFormed, newApiKey } from '../../../src/identity/apiKeyFormat.ts'
import { clock } from '../../../src/lib/clocks.ts'
import type { EventStore, NewEvent } from '../../../src/stores/eventStore.ts'
import { noNames } from '../../support/noNames.ts'
import { sized } from '../../support/size.ts'
import { context, createStage, eventsOf, keyed, refusalOf, type ServiceNode, type Stage } from '../nodes.ts'

/** Keys and members in a real store: workflows of several commands, and events that come in between. */

let stage: Stage
let here: ServiceNode
let there: ServiceNode
let companyId: string
let bob: string
const newKey: NewKey = () => newApiKey()

beforeAll(() => {
  stage = createStage()
  ;[here, there] = [stage.node(), stage.node()]
})
beforeEach(async () => {
  companyId = randomUUID()
  bob = `bob-${companyId}`
  await here.execute(registerCompany(companyId, 'Yard'), context)
  await here.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Editor'] }), context)
})

it('an invitation admits for an Admin alone, and leaves what was decided about the person as it is', async () => {
  const admit = (userId: string, by: string, at = stage.time) =>
    run(admitInvited({ companyId, userId, wanted: ['Planner'], by }, new Date(at)))
  expect(await refusalOf(admit('guest', bob))).toBe('forbidden')
  expect(await admit('guest', context.actor.id)).toMatchObject({
    body: { userId: 'guest', roles: ['Planner'] },
  })
  expect(await admit(bob, context.actor.id)).toMatchObject({ body: { roles: ['Editor'] } })
  await run(removeMember(companyId, bob))
  expect(await admit(bob, context.actor.id)).toMatchObject({ body: { roles: [] } })
  expect(await admit(bob, context.actor.id, stage.time + 1)).toMatchObject({ body: { roles: ['Planner'] } })
})

it('an invitation leaves keys of an earlier membership no other roles than those of the invitation', async () => {
  await run(create())
  await run(remove(true))
  expect(await liveKeys()).toHaveLength(1)
  const change = { companyId, userId: bob, wanted: ['Viewer'], by: context.actor.id } as const
  await run(admitInvited(change, new Date(stage.time + 1)))
  expect(await liveKeys()).toEqual([])
})

function run<Answer>(workflow: Workflow<Answer>, of: CommandContext = context, at = here) {
  return workflow.run({ ...at, newId: randomUUID }, of)
}

function membership(): Membership {
  return { companyId, roles: ['Editor'] }
}

/** Another company of Bob's. */
async function otherCompany(): Promise<Membership> {
  const other = randomUUID()
  await here.execute(registerCompany(other, 'Other yard'), context)
  await here.execute(setMemberRoles({ companyId: other, userId: bob, wanted: ['Viewer'] }), context)
  return { companyId: other, roles: ['Viewer'] }
}

/** Bob's keys from an old history. @param more values for the key of that number */
async function keysOfOld(count: number, more: (n: number) => Partial<ApiKeyCreated['data']> = () => ({})) {
  const owner = { userId: bob, userKind: 'user' as const }
  const metadata = {
    ...context,
    occurredAt: new Date(stage.time - 2 * 86_400_000).toISOString(),
    schemaVersion: 1,
  }
  const events = Array.from({ length: count }, (_, n): NewEvent => {
    const key = {
      keyId: randomUUID(),
      label: `key ${n}`,
      prefix: 'hmk_',
      hash: randomUUID(),
      expiresAt: null,
    }
    const data = { ...owner, ...key, snapshot: [membership()], ...more(n) }
    return { id: randomUUID(), type: 'ApiKeyCreated', data, metadata }
  })
  for (let n = 0; n < count; n += 1_000)
    await here.store.append(accountStream(bob), n - 1, events.slice(n, n + 1_000))
}

function create(memberships = async () => [membership()]) {
  return createApiKey(bob, { label: 'press', expiresInDays: null }, memberships, newKey)
}

function byBob(of: CommandContext): CommandContext {
  return { ...of, actor: { ...of.actor, id: bob } }
}

function roll(of: CommandContext = context, at = here) {
  return at.execute(rollApiKeys(bob, newKey), byBob(of))
}

/** A creation of a key; `meanwhile` happens after it has read the memberships. */
function createWhile(meanwhile: () => Promise<unknown>) {
  return create(async () => {
    const asTheyWere = [membership()]
    await meanwhile()
    return asTheyWere
  })
}

/** Workflow tools; `something` happens before that step. */
function brokenInto(step: number, something: () => Promise<void>): WorkflowTools {
  let steps = 0
  return {
    ...here,
    newId: randomUUID,
    execute: async (command, of) => {
      steps += 1
      if (steps === step) await something()
      return here.execute(command, of)
    },
  }
}

function remove(keepsKeys = false) {
  return removeMember(companyId, bob, { keepsKeys })
}

async function typesOf(stream: string) {
  return (await eventsOf(here.store, stream)).map(({ type }) => type)
}

function keyEvents() {
  return typesOf(accountStream(bob))
}

function companyEvents() {
  return typesOf(companyStream(companyId))
}

/** Bob's live keys, by the events. */
async function accountState() {
  let state = account.initial
  for (const event of await eventsOf(here.store, accountStream(bob)))
    state = account.evolve(state, event as never)
  return state
}

async function liveKeys() {
  return (await accountState()).keys.toArray()
}

describe('creating a key', () => {
  it('shows the key once: not to a repeat, and not in any event', async () => {
    const of = keyed('once', 'a body', 'POST /me/keys')
    const first = await run(create(), of)
    expect(isWellFormed(first.body.key!)).toBe(true)
    const again = await run(create(), of, there)
    expect(again).toMatchObject({ replayed: true, body: { ...first.body, key: null } })
    expect(await keyEvents()).toEqual(['ApiKeyCreated'])
    const stored = JSON.stringify(await eventsOf(here.store, accountStream(bob)))
    expect(stored).toContain(first.body.prefix)
    expect(stored).not.toContain(first.body.key!.slice(first.body.prefix.length))
  })

  it('shows the key to one of two simultaneous requests under one Idempotency-Key, on two nodes', async () => {
    for (let round = 0; round < 10; round++) {
      const of = keyed(`at once ${round}`, 'a body', 'POST /me/keys')
      const both = await Promise.all([run(create(), of), run(create(), of, there)])
      expect(both.filter(({ body }) => body.key !== null)).toHaveLength(1)
      expect(new Set(both.map(({ body }) => body.keyId)).size).toBe(1)
    }
    expect(await liveKeys()).toHaveLength(10)
  })

  it.each([
    ['was removed', () => run(remove(), context, there)],
    ['was removed, keys left alone,', () => run(remove(true), context, there)],
    [
      'lost a role',
      () => there.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Viewer', 'Planner'] }), context),
    ],
  ])('fails, and shows nothing, when its owner %s meanwhile; so does a repeat', async (_, meanwhile) => {
    const of = keyed('meanwhile', 'a body', 'POST /me/keys')
    expect(await refusalOf(run(createWhile(meanwhile), of))).toBe('membership-ended')
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
    expect(await refusalOf(run(create(), of, there))).toBe('membership-ended')
    expect(await keyEvents()).toHaveLength(2)
  })

  it('succeeds when its owner gains roles meanwhile', async () => {
    const promoted = createWhile(() =>
      there.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Editor', 'Planner'] }), context),
    )
    expect((await run(promoted)).body.snapshot).toEqual([membership()])
  })

  it('leaves no key when somebody tries to roll it meanwhile', async () => {
    const slowly = createWhile(() => run(remove(), context, there))
    const rolledBetween = brokenInto(2, async () => {
      expect(await refusalOf(roll(context, there))).toBe('no-api-key')
    })
    expect(await refusalOf(slowly.run(rolledBetween, context))).toBe('membership-ended')
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
  })

  it('that broke off before its check leaves nothing to roll', async () => {
    const broken = () => brokenInto(2, () => Promise.reject(new Error('killed')))
    const slowly = createWhile(() => run(remove(), context, there))
    await expect(slowly.run(broken(), context)).rejects.toThrow('killed')
    expect(await refusalOf(roll(context, there))).toBe('no-api-key')

    // A roll copies the newest valid key. It ends the key that failed its check, too.
    await run(create(async () => []))
    await expect(create().run(broken(), keyed('once more', 'a body', 'POST /me/keys'))).rejects.toThrow(
      'killed',
    )
    const rolled = await roll(keyed('roll'), there)
    expect(rolled.body).toMatchObject({ snapshot: [], key: expect.any(String) })
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyCreated', 'ApiKeyCreated', 'ApiKeysRolled'])
    expect((await liveKeys()).map(({ keyId }) => keyId)).toEqual([rolled.body.keyId])
    expect(await roll(keyed('roll'), here)).toMatchObject({
      replayed: true,
      body: { ...rolled.body, key: null },
    })
  })

  it('that broke off before its check is undone by a repeat', async () => {
    const of = keyed('broken off', 'a body', 'POST /me/keys')
    const broken = brokenInto(2, () => Promise.reject(new Error('killed')))
    const slowly = createWhile(() => run(remove(), context, there))
    await expect(slowly.run(broken, of)).rejects.toThrow('killed')
    expect(await liveKeys()).toHaveLength(1)
    expect(await refusalOf(run(create(), of, there))).toBe('membership-ended')
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
  })

  it('that broke off before its check is completed by a repeat when no membership has ended', async () => {
    const of = keyed('broken off', 'a body', 'POST /me/keys')
    const broken = brokenInto(2, () => Promise.reject(new Error('killed')))
    await expect(create().run(broken, of)).rejects.toThrow('killed')
    expect(await run(create(), of, there)).toMatchObject({ replayed: true, body: { key: null } })
    expect(await liveKeys()).toHaveLength(1)
  })

  it('is neither undone by a repeat nor kept from rolling after its owner was removed without the keys', async () => {
    const of = keyed('kept', 'a body', 'POST /me/keys')
    const { body } = await run(create(), of)
    await here.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Viewer'] }), context)
    await run(remove(true))
    expect(await run(create(), of)).toMatchObject({ replayed: true, body: { keyId: body.keyId } })
    expect((await roll(keyed('roll'), there)).body.snapshot).toEqual([membership()])
    expect((await roll()).body.snapshot).toEqual([membership()])
    expect(await liveKeys()).toHaveLength(1)
  })
})

describe('rolling and deleting', () => {
  it('a roll shows its key once, keeps the snapshot, and deletes the other keys in the same event', async () => {
    await run(create())
    await run(create())
    const of = keyed('roll', '', 'POST /me/keys/roll')
    const rolled = await roll(of, here)
    expect(rolled.body).toMatchObject({ label: 'press', snapshot: [membership()], key: expect.any(String) })
    expect(await roll(of, there)).toMatchObject({ replayed: true, body: { ...rolled.body, key: null } })
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyCreated', 'ApiKeysRolled'])
    expect((await liveKeys()).map(({ keyId }) => keyId)).toEqual([rolled.body.keyId])
  })

  it('deleting a deleted or rolled key records nothing, and an unknown key is not found', async () => {
    const [first, second] = [await run(create()), await run(create())]
    await here.execute(deleteApiKey(bob, first.body.keyId), context)
    expect(await here.execute(deleteApiKey(bob, first.body.keyId), context)).toMatchObject({ recorded: [] })
    await roll()
    expect(await here.execute(deleteApiKey(bob, second.body.keyId), context)).toMatchObject({ recorded: [] })
    expect(await refusalOf(here.execute(deleteApiKey(bob, randomUUID()), context))).toBe('api-key-not-found')
    expect(await refusalOf(here.execute(deleteApiKey('alice', first.body.keyId), context))).toBe(
      'api-key-not-found',
    )
  })
})

describe('an account that a node with a wrong clock has written to', () => {
  const day = 86_400_000
  const ahead = () => stage.node({ now: () => new Date(stage.time + 5 * 365 * day) })
  const wanted = { label: 'saw', expiresInDays: 30 }

  it('gets keys that expire by the clock of the node that creates them, and rolls them until then', async () => {
    await run(create(), context, ahead())
    await roll(context, ahead())
    const { body } = await run(createApiKey(bob, wanted, async () => [membership()], newKey))
    expect(body.expiresAt).toBe(new Date(stage.time + 30 * day).toISOString())
    expect((await roll()).body).toMatchObject({ label: 'saw', expiresAt: body.expiresAt })
  })
})

describe('an account with very many keys from an old history', () => {
  it('rolls all of them in one event, and reads each company once', async () => {
    const other = await otherCompany()
    // Only the oldest key can be copied: all others have expired, or name more roles than Bob ever had.
    const more = (n: number): Partial<ApiKeyCreated['data']> => {
      if (n === 0) return { snapshot: [membership(), other] }
      if (n % 2) return { expiresAt: new Date(stage.time - 1).toISOString() }
      return { snapshot: [{ ...membership(), roles: ['Admin'] }, other] }
    }
    await keysOfOld(9_000, more)
    // They were not issued today.
    stage.time += 86_400_000
    const read: string[] = []
    const noting: EventStore = {
      ...here.store,
      readStream: (stream, revision) => {
        read.push(stream)
        return here.store.readStream(stream, revision)
      },
    }
    const now = () => new Date(stage.time)
    const { execute } = createExecutor({
      store: noting,
      persons: noNames,
      now,
      clock,
      newId: randomUUID,
      cacheBytes: 1_000_000,
    })
    const rolled = await execute(rollApiKeys(bob, newKey), byBob(context))
    expect(rolled.body).toMatchObject({ label: 'key 0', snapshot: [membership(), other] })
    expect(rolled.recorded).toEqual(['ApiKeysRolled'])
    expect((await liveKeys()).map(({ keyId }) => keyId)).toEqual([rolled.body.keyId])
    const companies = [companyId, other.companyId].map(companyStream)
    expect(read.filter((stream) => stream !== accountStream(bob)).toSorted()).toEqual(companies.toSorted())
  })

  it('cannot have another key before the roll, and can afterwards', async () => {
    await keysOfOld(51)
    expect(await refusalOf(run(create()))).toBe('too-many-api-keys')
    await roll()
    expect(await run(create())).toMatchObject({ recorded: ['ApiKeyCreated'] })
  })
})

describe('taking a company out of a key', () => {
  const revoke = (keyId: string, owner: string | undefined = bob) =>
    revokeApiKey(companyId, keyId, async () =>
      owner === undefined ? undefined : { userId: owner, revision: 0 },
    )

  it('is recorded by the company first, and changes neither other companies nor other keys', async () => {
    const other = await otherCompany()
    const { keyId } = (await run(create(async () => [membership(), other]))).body
    const another = (await run(create())).body
    const outcome = await run(revoke(keyId))
    const revoked = (await eventsOf(here.store, companyStream(companyId))).at(-1)!
    const narrowed = (await eventsOf(here.store, accountStream(bob))).slice(2)
    expect(revoked).toMatchObject({
      type: 'MemberKeysNarrowed',
      data: { companyId, userId: bob, keyIds: [keyId], roles: [] },
    })
    expect(narrowed.map(({ type }) => type)).toEqual(['ApiKeyNarrowed'])
    expect(revoked.position).toBeLessThan(narrowed[0]!.position)
    expect(outcome.position).toBeGreaterThanOrEqual(narrowed.at(-1)!.position)
    expect(await liveKeys()).toMatchObject([
      { keyId, snapshot: [other] },
      { keyId: another.keyId, snapshot: [membership()] },
    ])
  })

  it('deletes a key that names no other company, and records nothing the second time', async () => {
    const { keyId } = (await run(create())).body
    await run(revoke(keyId))
    expect(await liveKeys()).toEqual([])
    const before = [await companyEvents(), await keyEvents()]
    // The read models no longer show an owner.
    expect(await run(revokeApiKey(companyId, keyId, async () => undefined))).toMatchObject({ recorded: [] })
    expect([await companyEvents(), await keyEvents()]).toEqual(before)
  })

  it('finds no key that does not name the company', async () => {
    const { keyId } = (await run(create(async () => []))).body
    const unknown = revokeApiKey(companyId, keyId, async () => undefined)
    expect(await refusalOf(run(unknown))).toBe('api-key-not-found')
  })

  it('records nothing for a key that its owner has deleted meanwhile', async () => {
    const { keyId } = (await run(create())).body
    await here.execute(deleteApiKey(bob, keyId), context)
    const before = await companyEvents()
    expect(await run(revoke(keyId))).toMatchObject({ recorded: [] })
    expect(await companyEvents()).toEqual(before)
  })

  it('that broke off is completed by a repeat, and no roll restores the company meanwhile', async () => {
    const other = await otherCompany()
    const { keyId } = (await run(create(async () => [membership(), other]))).body
    const of = keyed('revoke', '', `DELETE /api-keys/${keyId}`)
    const broken = brokenInto(2, () => Promise.reject(new Error('killed')))
    await expect(revoke(keyId).run(broken, of)).rejects.toThrow('killed')
    expect((await companyEvents()).at(-1)).toBe('MemberKeysNarrowed')
    expect(await keyEvents()).toEqual(['ApiKeyCreated'])
    const rolled = await roll(context, there)
    expect(rolled.body.snapshot).toEqual([other])
    expect(await run(revoke(keyId), of, there)).toMatchObject({ replayed: true })
    expect(await liveKeys()).toMatchObject([{ keyId: rolled.body.keyId, snapshot: [other] }])

    const second = (await run(create(async () => [membership(), other]))).body
    const again = brokenInto(2, () => Promise.reject(new Error('killed')))
    await expect(revoke(second.keyId).run(again, context)).rejects.toThrow('killed')
    await run(
      revokeApiKey(companyId, second.keyId, async () => undefined),
      context,
      there,
    )
    expect(keysBeyond(await accountState(), companyId, [])).toEqual([])
  })

  it('finds the key that the key was rolled into before', async () => {
    const { keyId } = (await run(create())).body
    await roll()
    await run(revoke(keyId))
    expect(await liveKeys()).toEqual([])
    expect(await run(revoke(keyId), context, there)).toMatchObject({ recorded: [] })
    expect(await run(revokeApiKey(companyId, keyId, async () => undefined))).toMatchObject({ recorded: [] })
  })

  it('finds the key of a roll that read the company before the removal', async () => {
    const { keyId } = (await run(create())).body
    const rolling = rollApiKeys(bob, newKey)
    const looked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const dependencies: typeof rolling.dependencies = async (...of) => {
      const companies = await rolling.dependencies!(...of)
      looked.resolve()
      await goOn.promise
      return companies
    }
    const rolled = there.execute({ ...rolling, dependencies }, byBob(context))
    await looked.promise
    const between = brokenInto(2, async () => {
      goOn.resolve()
      expect((await rolled).body.snapshot).toEqual([membership()])
    })
    await revoke(keyId).run(between, context)
    expect(await liveKeys()).toEqual([])
  })
})

describe('removing a member with all keys', () => {
  it('takes the company out of the member’s keys first, and leaves other keys alone', async () => {
    const elsewhere = await otherCompany()
    await run(create())
    const both = await run(create(async () => [membership(), elsewhere]))
    const none = await run(create(async () => []))
    const outcome = await run(remove())
    const taken = (await eventsOf(here.store, accountStream(bob))).slice(3)
    const [revoked, removed] = (await eventsOf(here.store, companyStream(companyId))).slice(-2)
    expect(taken.map(({ type }) => type)).toEqual(['ApiKeyDeleted', 'ApiKeyNarrowed'])
    expect([revoked!.type, removed!.type]).toEqual(['MemberKeysNarrowed', 'MemberRemoved'])
    expect(revoked!.position).toBeLessThan(taken[0]!.position)
    expect(taken.at(-1)!.position).toBeLessThan(removed!.position)
    expect(outcome.position).toBe(removed!.position)
    expect(await liveKeys()).toMatchObject([
      { keyId: both.body.keyId, snapshot: [elsewhere] },
      { keyId: none.body.keyId, snapshot: [] },
    ])
  })

  it('takes the company out of any number of keys', async () => {
    await keysOfOld(205)
    await run(remove())
    expect(await liveKeys()).toEqual([])
    expect(await keyEvents()).toHaveLength(2 * 205)
  })

  it('ends although the owner creates one key after the other', async () => {
    let left = 40
    const creating: WorkflowTools = {
      ...here,
      newId: randomUUID,
      execute: async (command, of) => {
        if (command.aggregate !== account && --left >= 0) await run(create(), context, there).catch(() => {})
        return here.execute(command, of)
      },
    }
    expect(await remove().run(creating, context)).toMatchObject({ recorded: ['MemberRemoved'] })
    expect(left).toBeGreaterThan(30)
    expect(keysBeyond(await accountState(), companyId, [])).toEqual([])
  })

  it.each([1, 2, 3, 4, 5])('is completed by a repeat after a break before step %i', async (step) => {
    const elsewhere = await otherCompany()
    await run(create(async () => [membership(), elsewhere]))
    const broken = brokenInto(step, () => Promise.reject(new Error('killed')))
    await expect(remove().run(broken, context)).rejects.toThrow('killed')
    await run(remove(), context, there)
    expect(keysBeyond(await accountState(), companyId, [])).toEqual([])
    const own = ['MemberKeysNarrowed', 'MemberRemoved']
    expect((await companyEvents()).slice(-2)).toEqual(own)
    // Once more, when the account is no longer a member.
    expect(await run(remove())).toMatchObject({ recorded: [] })
    expect((await companyEvents()).slice(-2)).toEqual(own)
  })

  it('takes the company out of the keys of a former member, too', async () => {
    await run(create())
    await run(remove(true))
    expect(await liveKeys()).toHaveLength(1)
    await run(remove())
    expect(await liveKeys()).toEqual([])
  })

  it('finds a key that was created between the two steps', async () => {
    let companyCommands = 0
    const between: WorkflowTools = {
      ...here,
      newId: randomUUID,
      execute: async (command, of) => {
        if (command.aggregate !== account) companyCommands += 1
        // The first command revokes keys, and there are none yet.
        if (command.aggregate !== account && companyCommands === 2) await run(create(), context, there)
        return here.execute(command, of)
      },
    }
    await remove().run(between, context)
    expect(await keyEvents()).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
  })

  it('changes no key when it is refused', async () => {
    await run(create())
    const ifMatch = () => false
    expect(await refusalOf(run(remove(), { ...context, ifMatch }))).toBe('precondition-failed')
    await here.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Admin'] }), context)
    await run(removeMember(companyId, context.actor.id))
    expect(await refusalOf(run(remove()))).toBe('last-admin')
    expect(await refusalOf(run(removeMember(companyId, 'nobody')))).toBe('member-not-found')
    expect(await liveKeys()).toHaveLength(1)
  })

  it('replays under an Idempotency-Key, and changes nothing of an account that is a member again', async () => {
    const of = keyed('remove', '', `DELETE /members/${bob}`)
    await run(create())
    expect(await run(remove(), of)).toMatchObject({ replayed: false, recorded: ['MemberRemoved'] })
    expect(await run(remove(), of, there)).toMatchObject({ replayed: true })
    await here.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Editor'] }), context)
    await run(create())
    expect(await run(remove(), of, there)).toMatchObject({ replayed: true })
    expect(await liveKeys()).toHaveLength(1)
    expect((await companyEvents()).filter((type) => type === 'MemberRemoved')).toHaveLength(1)
  })

  it('leaves no key, even when another node creates and rolls keys at the same time', async () => {
    for (let round = 0; round < sized(15, 200); round++) {
      await here.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Editor'] }), context)
      const makers = Array.from({ length: 4 }, async (_, n) => {
        const made = await run(create(), context, n % 2 ? here : there).then(
          ({ body }) => body.key,
          () => null,
        )
        await roll(context, there).catch(() => {})
        return made
      })
      await Promise.all([...makers, run(remove())])
      expect((await liveKeys()).filter(({ snapshot }) => snapshot.length > 0)).toEqual([])
    }
  })
})

describe('lowering the roles of a member and of all keys', () => {
  const lower = () => narrowMember({ companyId, userId: bob, wanted: ['Viewer'] })
  const strong = async (): Promise<Membership[]> => [{ companyId, roles: ['Viewer', 'Editor'] }]
  beforeEach(() =>
    here.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Viewer', 'Editor'] }), context),
  )

  it.each([1, 2, 3, 4, 5])('is completed by a repeat after a break before step %i', async (step) => {
    await run(create(strong))
    const broken = brokenInto(step, () => Promise.reject(new Error('killed')))
    await expect(lower().run(broken, context)).rejects.toThrow('killed')
    await roll(context, there)
    await run(lower(), context, there)
    expect(await liveKeys()).toMatchObject([{ snapshot: [{ companyId, roles: ['Viewer'] }] }])
    expect(await run(lower())).toMatchObject({ recorded: [] })
  })

  it('gives no role back to a key', async () => {
    await run(create(strong))
    await run(lower())
    await here.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Viewer', 'Editor'] }), context)
    await roll()
    expect(await liveKeys()).toMatchObject([{ snapshot: [{ companyId, roles: ['Viewer'] }] }])
  })
})

describe('registering a company', () => {
  it('creates an id when none is sent: the same for the same caller and Idempotency-Key', async () => {
    const of = keyed(randomUUID(), 'a body', 'POST /companies')
    const first = await run(registerNewCompany(undefined, 'New yard'), of)
    const again = await run(registerNewCompany(undefined, 'New yard'), of, there)
    expect(again).toMatchObject({ replayed: true, body: first.body })
    const others = [
      run(registerNewCompany(undefined, 'New yard'), keyed(randomUUID())),
      run(registerNewCompany(undefined, 'New yard')),
      run(registerNewCompany(undefined, 'New yard')),
    ]
    const ids = (await Promise.all(others)).map(({ body }) => body.companyId)
    expect(new Set([first.body.companyId, ...ids]).size).toBe(4)
  })

  it('records nothing for an existing id and name, and is refused with another name', async () => {
    expect(await run(registerNewCompany(companyId, 'Yard'))).toMatchObject({
      recorded: [],
      body: { companyId, name: 'Yard' },
    })
    expect(await refusalOf(run(registerNewCompany(companyId, 'Other')))).toBe('company-already-exists')
  })
})
