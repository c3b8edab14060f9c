import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/commands/company/apiKeys.ts'
import { registerCompany, removeMember, setMemberRoles } from '../../src/commands/company/companies.ts'
import type { Executor } from '../../src/commands/executor/command.ts'
import { createExecutor } from '../../src/commands/executor/execute.ts'
import type { Author, Persons } from '../../src/commands/executor/persons.ts'
import { runWorkflow } from '../../src/commands/executor/workflow.ts'
import { createTag } from '../../src/commands/tags/tags.ts'
import { accountStream } from '../../src/domain/company/account.ts'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import { catalogueStream } from '../../src/domain/tags/tagCatalogue.ts'
import { newApiKey } from '../../src/identity/apiKeyFormat.ts'
import { createErasing } from '../../src/identity/erasing.ts'
import { nameHashOf } from '../../src/identity/nameHash.ts'
import { createPersons } from '../../src/identity/persons.ts'
import { clock, now } from '../../src/lib/clocks.ts'
import { persons as personsReadModel } from '../../src/projections/company/persons.ts'
import type { Positions } from '../../src/projections/engine/reading/waitFor.ts'
import { noStream } from '../../src/stores/eventStore.ts'
import { connectPostgres } from '../../src/stores/postgres/postgres.ts'
import { tagContent } from '../domain/verdict/facts.ts'
import { setStage } from '../policies/stage.ts'
import { alice, bob } from '../support/given.ts'
import { own } from '../support/own.ts'
import { startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

/** The names of persons, which commands keep outside the events. */

interface Row {
  readonly userId: string
  readonly name: string
  readonly nameHash: string
  readonly salt: string
}

let companyId: string
const stage = await own(setStage())
const proxy = await own(startProxy(stage.databaseUrl))
const proxied = await own(connectPostgres({ url: proxy.url, name: 'names', size: 2 }))
beforeEach(() => {
  companyId = randomUUID()
  proxy.accept()
})

/** The names and the commands of one process. `statements` has what it sent to PostgreSQL. */
function node(
  positions: Positions = stage.positions,
  time = clock,
): { persons: Persons; executor: Executor; statements: string[] } {
  const statements: string[] = []
  const persons = createPersons({
    readModels: stage.readModels,
    positions,
    clock: time,
    postgres: {
      transaction: proxied.transaction,
      query: (text, ...more) => {
        statements.push(text)
        return proxied.query(text, ...more)
      },
    },
  })
  const executor = createExecutor({
    store: stage.store,
    persons,
    now,
    clock,
    newId: randomUUID,
    cacheBytes: 1_000_000,
  })
  return { persons, executor, statements }
}

/** Positions that no news reaches, and none is missed: a busy machine may leave a node without news for a second. */
const deaf = { onChange: () => () => {}, lastHeardAt: Number.POSITIVE_INFINITY }

function rows(): Promise<Row[]> {
  return stage.postgres.query<Row>(
    `SELECT user_id AS "userId", name, name_hash AS "nameHash", salt FROM heatmark_local.person
     WHERE company_id = $1 ORDER BY recorded_at`,
    [companyId],
  )
}

const create = ({ executor }: ReturnType<typeof node>, actor: Author, name = 'Hold') =>
  executor.execute(createTag(companyId, 'millCert', tagContent({ name })), { actor, correlationId: 'c' })

async function recordedActors(): Promise<Recorded['metadata']['actor'][]> {
  const events = await Array.fromAsync(stage.store.readStream(catalogueStream(companyId), 0))
  return events.map(({ metadata }) => metadata.actor)
}

describe('a command by a person', () => {
  it('keeps the name in the company, and its events hold a salted hash of it', async () => {
    await create(node(), alice)
    const [row, ...others] = await rows()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      userId: 'alice',
      name: 'Alice Ashby',
      salt: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(row!.nameHash).toBe(nameHashOf(row!.salt, 'Alice Ashby'))
    expect(await recordedActors()).toEqual([{ id: 'alice', kind: 'user', name: '', nameHash: row!.nameHash }])
  })

  it('has another hash in another company', async () => {
    const one = node()
    const hashes = [await one.persons.hashOf(companyId, alice), await one.persons.hashOf(randomUUID(), alice)]
    expect(new Set(hashes).size).toBe(2)
  })

  it('asks PostgreSQL once, however many commands follow', async () => {
    const one = node({ ...stage.positions, ...deaf })
    await create(one, alice)
    expect(one.statements).toHaveLength(1)
    for (let n = 0; n < 10; n++) await create(one, alice, `Tag ${n}`)
    expect(one.statements).toHaveLength(1)
  })

  it('has the same hash on every node, also when all of them keep the name at once', async () => {
    const nodes = Array.from({ length: 8 }, () => node())
    const hashes = await Promise.all(nodes.map(({ persons }) => persons.hashOf(companyId, alice)))
    expect(new Set(hashes).size).toBe(1)
    expect(await rows()).toHaveLength(1)
  })

  it('keeps each spelling of a name, and the one used last is the newest', async () => {
    const married = { ...alice, name: 'Alice Birk' }
    await node().persons.hashOf(companyId, alice)
    await node().persons.hashOf(companyId, married)
    expect((await rows()).map(({ name }) => name)).toEqual(['Alice Ashby', 'Alice Birk'])
    const [before] = await rows()
    await node().persons.hashOf(companyId, alice)
    expect((await rows()).map(({ name }) => name)).toEqual(['Alice Birk', 'Alice Ashby'])
    expect((await rows())[1]).toEqual(before)
  })

  it('makes a name the newest again when the person returns to it, also on the same node', async () => {
    const one = node({ ...stage.positions, ...deaf })
    const names = ['Alice Ashby', 'Alice Birk', 'Alice Ashby']
    const hashes: (string | undefined)[] = []
    for (const name of names) hashes.push(await one.persons.hashOf(companyId, { ...alice, name }))
    expect((await rows()).at(-1)).toMatchObject({ name: 'Alice Ashby', nameHash: hashes[0] })
    expect(hashes[2]).toBe(hashes[0])
    expect(one.statements).toHaveLength(3)
    await one.persons.hashOf(companyId, alice)
    expect(one.statements).toHaveLength(3)
  })

  it('makes a name the newest again after ten minutes, when another node has kept another name', async () => {
    let time = 0
    const one = node({ ...stage.positions, ...deaf }, () => time)
    await one.persons.hashOf(companyId, alice)
    await node().persons.hashOf(companyId, { ...alice, name: 'Alice Birk' })
    await one.persons.hashOf(companyId, alice)
    expect((await rows()).at(-1)!.name).toBe('Alice Birk')
    time += 600_000
    await one.persons.hashOf(companyId, alice)
    expect((await rows()).at(-1)!.name).toBe('Alice Ashby')
  })

  it('keeps nothing when it records nothing', async () => {
    const one = node()
    await create(one, alice)
    await expect(create(one, bob)).rejects.toThrow('Hold')
    expect((await rows()).map(({ userId }) => userId)).toEqual(['alice'])
  })

  it('is refused before it records anything while PostgreSQL cannot keep the name', async () => {
    const one = node()
    proxy.refuse()
    await expect(create(one, alice)).rejects.toMatchObject({ status: 503, code: 'database-unavailable' })
    expect(await recordedActors()).toEqual([])
  })

  it('goes on without PostgreSQL for a name that is known', async () => {
    // On a busy machine a node may hear nothing for so long that it looks again.
    const one = node({ ...stage.positions, ...deaf })
    await create(one, alice)
    proxy.refuse()
    await create(one, alice, 'Retest')
    expect(await recordedActors()).toHaveLength(2)
  })
})

describe('a command by an API key', () => {
  const byKey: Author = { ...alice, name: '' }

  it('has the newest name that the company knows of its owner', async () => {
    const { persons } = node()
    await persons.hashOf(companyId, alice)
    const newest = await persons.hashOf(companyId, { ...alice, name: 'Alice Birk' })
    expect(await node().persons.hashOf(companyId, byKey)).toBe(newest)
    expect(await rows()).toHaveLength(2)
  })

  it('has no name in a company that knows none', async () => {
    const one = node()
    await create(one, byKey)
    expect(await recordedActors()).toEqual([{ id: 'alice', kind: 'user', name: '' }])
    expect(await rows()).toEqual([])
  })
})

describe('the name in clear', () => {
  it.each(['rulePack', 'service'] as const)('is that of a %s', async (kind) => {
    const one = node()
    const actor = { id: 'p', name: 'EN 10025', kind }
    await create(one, actor)
    expect(await recordedActors()).toEqual([actor])
    expect(one.statements).toEqual([])
  })

  it('is in no event of an account', async () => {
    const { executor } = node()
    const userId = randomUUID()
    const actor: Author = { ...alice, id: userId }
    const snapshot = [{ companyId, roles: ['Viewer'] }] as const
    const creation = createApiKey(
      userId,
      { label: 'Saw', expiresInDays: null },
      async () => snapshot,
      () => newApiKey(),
    )
    const tools = { ...executor, newId: randomUUID }
    // The company admits nobody, so the key is deleted again.
    await expect(creation.run(tools, { actor, correlationId: 'c' })).rejects.toThrow('membership')
    const [event] = await Array.fromAsync(stage.store.readStream(accountStream(userId), 0))
    expect(event).toMatchObject({ metadata: { actor: { id: userId, kind: 'user', name: '' } } })
    expect(event!.metadata.actor).not.toHaveProperty('nameHash')
    // Requests by the key will have this name.
    expect(await rows()).toMatchObject([{ userId, name: alice.name }])
  })

  it('is not kept for a key that is refused', async () => {
    const { executor } = node()
    const actor: Author = { ...alice, id: randomUUID() }
    const snapshot = [{ companyId, roles: ['Viewer'] }] as const
    const issued = Array.from({ length: 50 }, () => {
      const { fingerprint } = newApiKey()
      const owner = { userId: actor.id, userKind: 'user' }
      const data = { ...owner, keyId: randomUUID(), label: 'Saw', ...fingerprint, expiresAt: null, snapshot }
      const metadata = { actor, occurredAt: now().toISOString(), correlationId: 'c', schemaVersion: 1 }
      return { id: randomUUID(), type: 'ApiKeyCreated', data, metadata }
    })
    await stage.store.append(accountStream(actor.id), noStream, issued)
    const wanted = { label: 'One more', expiresInDays: null }
    const creation = createApiKey(
      actor.id,
      wanted,
      async () => snapshot,
      () => newApiKey(),
    )
    const run = creation.run({ ...executor, newId: randomUUID }, { actor, correlationId: 'c' })
    await expect(run).rejects.toMatchObject({ code: 'too-many-api-keys' })
    expect(await rows()).toEqual([])
  })
})

describe('an erased person', () => {
  const context = { actor: bob, correlationId: 'c' }

  async function admit({ executor }: ReturnType<typeof node>): Promise<void> {
    const { position } = await executor.execute(
      setMemberRoles({ companyId, userId: 'alice', wanted: ['Editor'] }),
      context,
    )
    await stage.positions.waitFor([personsReadModel], position, 30_000)
  }

  async function found(one: ReturnType<typeof node>): Promise<void> {
    await one.executor.execute(registerCompany(companyId, 'Yard'), context)
    await admit(one)
  }

  function erase(
    { executor, persons }: ReturnType<typeof node>,
    { forget = persons.forget, positions = stage.positions } = {},
  ) {
    const { store: eventStore, reader } = stage
    const means = createErasing(
      { eventStore, positions, reader, persons: { forget }, now },
      { companyId, userId: 'alice', isConfirmed: false },
    )
    const removal = removeMember(companyId, 'alice', { keepsKeys: true, erasing: means })
    return runWorkflow(removal, { ...executor, newId: randomUUID }, context)
  }

  const namesOfAlice = async () => (await rows()).filter(({ userId }) => userId === 'alice')

  it('has no name, whoever writes it at that moment', async () => {
    const nodes = Array.from({ length: 4 }, () => node())
    const [first] = nodes as [ReturnType<typeof node>]
    await found(first)
    for (let round = 0; round < 20; round++) {
      let over = false
      const write = async ({ persons }: ReturnType<typeof node>) => {
        for (let n = 0; !over; n++) await persons.hashOf(companyId, { ...alice, name: `Alice ${round} ${n}` })
      }
      const writing = nodes.map(write)
      await until(async () => (await namesOfAlice()).length > 10)
      await erase(first)
      const left = await namesOfAlice()
      over = true
      await Promise.all(writing)
      expect([left, await namesOfAlice()]).toEqual([[], []])
      expect(await first.persons.hashOf(companyId, alice)).toBeUndefined()
      await admit(first)
      expect(await first.persons.hashOf(companyId, alice)).toBeDefined()
    }
  })

  it('has no name that a slow statement was writing when the erasure was recorded', async () => {
    const one = node()
    await found(one)
    const slow = await stage.postgres.connect()
    await slow.query('BEGIN')
    await slow.query(
      `INSERT INTO heatmark_local.person (store_id, company_id, user_id, name, salt, name_hash)
       VALUES ($1, $2, 'alice', 'Alice Ashby', 's', 'h')`,
      [stage.storeId, companyId],
    )
    let isErased = false
    const erasing = erase(one).then(() => {
      isErased = true
    })
    const waiting =
      "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'heatmark_local.person'::regclass"
    await until(async () => isErased || (await stage.postgres.query(waiting)).length > 0)
    await slow.query('COMMIT')
    slow.release()
    await erasing
    expect(await namesOfAlice()).toEqual([])
  })

  it('keeps no name when the erasure broke off before the names were deleted, and was repeated', async () => {
    const one = node()
    await found(one)
    await create(one, alice)
    const breakOff = async () => {
      throw new Error('killed')
    }
    await expect(erase(one, { forget: breakOff })).rejects.toThrow('killed')
    expect(await namesOfAlice()).toHaveLength(1)
    await erase(one)
    expect(await namesOfAlice()).toEqual([])
  })

  it('is not answered for as erased while the read models do not mask the person', async () => {
    const one = node()
    const behind = node({ ...stage.positions, waitFor: async () => false })
    await found(one)
    await create(one, alice)
    await expect(erase(one, { forget: behind.persons.forget })).rejects.toMatchObject({
      code: 'erasure-pending',
    })
    expect(await namesOfAlice()).toHaveLength(1)
  })

  it('is not erased while the read models do not show every act that must be kept', async () => {
    const one = node()
    await found(one)
    await create(one, alice)
    const asked: unknown[] = []
    const waitFor: Positions['waitFor'] = async (projections, position) => {
      asked.push(
        projections.map(({ name }) => name),
        position,
      )
      return false
    }
    const refused = erase(one, { positions: { ...stage.positions, waitFor } })
    await expect(refused).rejects.toMatchObject({ status: 503, code: 'read-model-behind' })
    expect(asked).toEqual([['actors'], (await stage.store.last())!.position])
    expect(await namesOfAlice()).toHaveLength(1)
    const approval = {
      id: randomUUID(),
      type: 'BarApproved',
      data: { companyId, barId: randomUUID() },
      metadata: { actor: alice, occurredAt: now().toISOString(), correlationId: 'c', schemaVersion: 1 },
    }
    await stage.store.append(`spec-${companyId}`, noStream, [approval])
    await expect(erase(one)).rejects.toMatchObject({ code: 'record-must-be-kept', details: { count: 1 } })
  })

  it('keeps the name that was written after a new admission, when an erasure ends late', async () => {
    const one = node()
    await found(one)
    await create(one, alice)
    await erase(one, { forget: async () => {} })
    await admit(one)
    const hash = await one.persons.hashOf(companyId, { ...alice, name: 'Alice Birk' })
    await one.persons.forget(companyId, 'alice', 0)
    expect(await namesOfAlice()).toMatchObject([{ name: 'Alice Birk', nameHash: hash }])
  })
})
