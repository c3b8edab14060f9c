import { describe, expect, it } from 'vitest'
import {
  type Account,
  type AccountEvent,
  type ApiKeyCreated,
  account,
  type Membership,
} from '../../../src/domain/company/account.ts'
import {
  createApiKey,
  deleteApiKey,
  rollApiKey,
  rollApiKeys,
  within,
} from '../../../src/domain/company/apiKeys.ts'
import { type Company, company } from '../../../src/domain/company/company.ts'
import { type CompanyEvent, type Role, roles } from '../../../src/domain/company/companyEvents.ts'
import { keysBeyond, keysNaming, narrowKeys } from '../../../src/domain/company/keyNarrowing.ts'
import { alice, companyId, contextOf, type Given, given, id, now, timeOf } from '../../support/given.ts'
import { companyRegistered, memberKeysNarrowed, memberRemoved, memberRolesSet } from '../verdict/facts.ts'

const owner = { userId: alice.id, userKind: alice.kind }
const elsewhere = '0c7e4c7a-27d3-4a47-8d3b-1f4f4d2f9a11'
const here: Membership = { companyId, roles: ['Editor', 'Planner'] }
const there: Membership = { companyId: elsewhere, roles: ['Admin'] }
function printOf(n: number) {
  return { prefix: `hmk_${n}`, hash: `hash of ${n}` }
}

/** Alice's key n. */
function created(n: number, more: Partial<ApiKeyCreated['data']> = {}): ApiKeyCreated {
  return {
    type: 'ApiKeyCreated',
    data: {
      ...owner,
      keyId: id(n),
      label: `key ${n}`,
      ...printOf(n),
      expiresAt: null,
      snapshot: [here],
      ...more,
    },
  }
}

function rolled(n: number, from: number, more: Partial<ApiKeyCreated['data']> = {}): AccountEvent {
  return { type: 'ApiKeysRolled', data: { ...created(n, more).data, rolledFrom: id(from) } }
}

/** Key n as the successor of another, which goes on until this time. */
function succeeded(
  n: number,
  from: number,
  until: string | null,
  more: Partial<ApiKeyCreated['data']> = {},
): AccountEvent {
  const named = { ...created(n, more).data, rolledFrom: id(from), rolledFromExpiresAt: until }
  return { type: 'ApiKeyRolled', data: named }
}

function narrowed(n: number, ...left: Role[]): AccountEvent {
  return { type: 'ApiKeyNarrowed', data: { userId: alice.id, companyId, keyId: id(n), roles: left } }
}

function deleted(n: number): AccountEvent {
  return { type: 'ApiKeyDeleted', data: { userId: alice.id, keyId: id(n) } }
}

function keysAfter(...events: Given<AccountEvent>[]) {
  return given(account, ...events).state.keys.toArray()
}

function keyIds(...events: Given<AccountEvent>[]) {
  return keysAfter(...events).map(({ keyId }) => keyId)
}

/** A company in which Alice has always had the roles of her keys, and then these events. */
function companyAfter(...events: CompanyEvent[]): Company {
  return given(company, companyRegistered, memberRolesSet(alice.id, 'Editor', 'Planner'), ...events).state
}

describe('creating a key', () => {
  const press = { label: 'press', expiresInDays: null, snapshot: [here, there] }
  const create = (state: Account, context: ReturnType<typeof contextOf>) =>
    createApiKey(state, press, printOf(7), context)

  it('records its hash, its snapshot, and never the key', () =>
    given(account)
      .when(create)
      .records(created(1, { label: 'press', ...printOf(7), snapshot: [here, there] })))

  it('counts days from now', () =>
    given(account)
      .when((state, context) =>
        createApiKey(state, { label: 'press', expiresInDays: 2, snapshot: [] }, printOf(7), context),
      )
      .records(
        created(1, { label: 'press', ...printOf(7), snapshot: [], expiresAt: '2026-03-03T12:00:00.000Z' }),
      ))

  it('is refused when the account has issued 500 keys within a day, and a roll of all when it has issued 1,000', () => {
    const issued = (count: number, occurredAt: string) =>
      Array.from({ length: count }, (_, n) => ({
        ...created(n + 1, { expiresAt: now }),
        metadata: { occurredAt },
      }))
    const rollAll = (state: Account) => rollApiKeys(state, printOf(9), contextOf(), new Map())
    const [aDayAgo, today] = ['2026-02-28T12:00:00.000Z', '2026-02-28T12:00:00.001Z']
    given(account, ...issued(500, today))
      .when(create)
      .refuses('too-many-api-keys')
    given(account, ...issued(999, today))
      .when(rollAll)
      .refuses('no-api-key')
    given(account, ...issued(1_000, today))
      .when(rollAll)
      .refuses('too-many-api-keys')
    for (const events of [issued(499, today), issued(1_500, aDayAgo)])
      expect(create(given(account, ...events).state, contextOf())).toHaveLength(1)
  })

  it('is refused when the account has 50 keys that have not expired', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => created(n + 1))
    given(account, ...fifty)
      .when(create)
      .refuses('too-many-api-keys')
    for (const one of [deleted(1), deleted(50)])
      expect(create(given(account, ...fifty, one).state, contextOf())).toHaveLength(1)
    const expired = fifty.map((event, n) => (n === 0 ? created(1, { expiresAt: now }) : event))
    expect(create(given(account, ...expired).state, contextOf())).toHaveLength(1)
  })
})

describe('rolling', () => {
  const rollWith = (state: Account, ...events: CompanyEvent[]) =>
    rollApiKeys(
      state,
      printOf(9),
      { ...contextOf(), newId: () => id(9) },
      new Map([[companyId, companyAfter(...events)]]),
    )
  const roll = (state: Account) => rollWith(state)
  /** Alice becomes a member at position 20, so these events come no earlier. */
  const asMember = (...events: Given<AccountEvent>[]) => [deleted(101), ...events]

  it('copies label, expiry and snapshot of the newest key, and ends all keys', () => {
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const newest = { label: 'newest', snapshot: [{ companyId, roles: ['Planner' as const] }], expiresAt }
    given(account, ...asMember(created(1), created(2, newest)))
      .when(roll)
      .records(rolled(9, 2, newest))
  })

  it('copies the newest key that has not expired, and ends expired keys too', () => {
    const { state } = given(account, ...asMember(created(1), created(2, { expiresAt: now })))
    expect(roll(state)[0]!.data).toMatchObject({ label: 'key 1', rolledFrom: id(1) })
  })

  it('is refused without a key that has not expired', () => {
    given(account).when(roll).refuses('no-api-key')
    given(account, ...asMember(created(1, { expiresAt: now })))
      .when(roll)
      .refuses('no-api-key')
    given(account, ...asMember(created(1), deleted(1)))
      .when(roll)
      .refuses('no-api-key')
  })

  it('ignores a key whose owner did not have the roles in it', () => {
    const more = created(2, { snapshot: [{ companyId, roles: ['Admin'] }] })
    const [event] = roll(given(account, ...asMember(created(1), more)).state)
    expect(event!.data).toMatchObject({ rolledFrom: id(1) })
    given(account, ...asMember(more))
      .when(roll)
      .refuses('no-api-key')
    // The key is older than the membership.
    given(account, created(1)).when(roll).refuses('no-api-key')
  })

  it('omits roles that a company has taken from the key, or from one that it was rolled from', () => {
    const both = { snapshot: [here, { companyId: elsewhere, roles: [] }] }
    const { state } = given(account, ...asMember(created(1, both), rolled(2, 1, both)))
    for (const revoked of [1, 2])
      expect(rollWith(state, memberKeysNarrowed(alice.id, [id(revoked)]))[0]!.data).toMatchObject({
        snapshot: [{ companyId: elsewhere, roles: [] }],
      })
    expect(rollWith(state, memberKeysNarrowed(alice.id, [id(1)], 'Planner', 'Admin'))[0]!.data).toMatchObject(
      {
        snapshot: [
          { companyId, roles: ['Planner'] },
          { companyId: elsewhere, roles: [] },
        ],
      },
    )
    expect(rollWith(state, memberKeysNarrowed('bob', [id(2)]))[0]!.data).toMatchObject(both)
    given(account, ...asMember(created(1)))
      .when((state) => rollWith(state, memberKeysNarrowed(alice.id, [id(1)])))
      .refuses('no-api-key')
  })

  it('checks the roles that its owner had when the key was created', () => {
    const { state } = given(account, ...asMember(created(1)))
    expect(
      rollWith(state, ...Array(5).fill(memberRolesSet('bob', 'Viewer')), memberRemoved(alice.id)),
    ).toHaveLength(1)
  })

  it('leaves one key, with its hash and its values, and remembers the others', () => {
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const { state } = given(account, created(1), created(2), rolled(3, 1, { expiresAt }))
    const [only, ...others] = state.keys
    expect(others).toEqual([])
    expect(only).toEqual({
      keyId: id(3),
      label: 'key 3',
      ...printOf(3),
      expiresAt,
      snapshot: [here],
      createdAt: timeOf(2),
      revision: 2,
      lifeMs: null,
      snapshotAt: 10,
    })
    expect([...state.lines.keys()].sort()).toEqual([id(1), id(2), id(3)])
  })

  it('continues the line of the key that it copies', () => {
    expect(keysAfter(created(1), created(2), rolled(3, 1))[0]!.snapshotAt).toBe(10)
    expect(keysAfter(created(1), created(2), rolled(3, 2))[0]!.snapshotAt).toBe(20)
  })
})

it('keeps all values of a key', () =>
  expect(keysAfter(created(1))).toEqual([
    {
      keyId: id(1),
      label: 'key 1',
      ...printOf(1),
      expiresAt: null,
      snapshot: [here],
      createdAt: timeOf(0),
      revision: 0,
      lifeMs: null,
      snapshotAt: 10,
    },
  ]))

describe('rolling one key', () => {
  const membershipFirst = (...events: Given<AccountEvent>[]) => [deleted(101), ...events]
  const hoursOn = (hours: number, from = now) => new Date(Date.parse(from) + hours * 3_600_000).toISOString()
  const roll =
    (n: number, overlapHours: number, ...events: CompanyEvent[]) =>
    (state: Account) =>
      rollApiKey(
        state,
        { key: state.keys.find(({ keyId }) => keyId === id(n))!, overlapHours },
        printOf(9),
        { ...contextOf(), newId: () => id(9) },
        new Map([[companyId, companyAfter(...events)]]),
      )
  const label = (n: number) => ({ label: `key ${n}` })

  it('issues a successor, ends the key after the overlap, and leaves the others', () => {
    given(account, ...membershipFirst(created(1), created(2)))
      .when(roll(1, 24))
      .records(succeeded(9, 1, hoursOn(24), label(1)))
    const keys = keysAfter(...membershipFirst(created(1), created(2), succeeded(9, 1, hoursOn(24), label(1))))
    expect(keys.map(({ keyId, expiresAt }) => [keyId, expiresAt])).toEqual([
      [id(1), hoursOn(24)],
      [id(2), null],
      [id(9), null],
    ])
    // A company that takes the key away takes its successor away.
    expect(keys[2]!.snapshotAt).toBe(keys[0]!.snapshotAt)
  })

  it('ends the key at once without an overlap', () => {
    given(account, ...membershipFirst(created(1)))
      .when(roll(1, 0))
      .records(succeeded(9, 1, null, label(1)))
    expect(keyIds(created(1), created(2), succeeded(9, 1, null))).toEqual([id(2), id(9)])
  })

  it('gives the successor the life of the key, and never prolongs the key', () => {
    const ending = created(1, { expiresAt: hoursOn(70 * 24, timeOf(1)) })
    const expiresAt = hoursOn(70 * 24)
    given(account, ...membershipFirst(ending))
      .when(roll(1, 168))
      .records(succeeded(9, 1, hoursOn(168), { ...label(1), expiresAt }))
    // The first roll has left it an hour.
    given(account, ...membershipFirst(ending, succeeded(5, 1, hoursOn(1), { expiresAt })))
      .when(roll(1, 24))
      .records(succeeded(9, 1, hoursOn(1), { ...label(1), expiresAt }))
  })

  it('lets the successor live no longer than its company allows', () =>
    given(account, ...membershipFirst(created(1)))
      .when(
        roll(1, 0, {
          type: 'CompanySettingsSet',
          data: { companyId, requireIfMatch: false, cutterIdleMinutes: 30, longestKeyDays: 90, changes: [] },
        }),
      )
      .records(succeeded(9, 1, null, { ...label(1), expiresAt: hoursOn(90 * 24) })))

  it('is refused for a key that has expired or has no role left, and when there would be too many keys', () => {
    given(account, ...membershipFirst(created(1, { expiresAt: now })))
      .when(roll(1, 24))
      .refuses('no-api-key')
    given(account, ...membershipFirst(created(1)))
      .when(roll(1, 24, memberKeysNarrowed(alice.id, [id(1)])))
      .refuses('no-api-key')
    const fifty = membershipFirst(...Array.from({ length: 50 }, (_, n) => created(n + 1)))
    given(account, ...fifty)
      .when(roll(1, 24))
      .refuses('too-many-api-keys')
    expect(roll(1, 0)(given(account, ...fifty).state)).toHaveLength(1)
    const ofToday = Array.from({ length: 1_000 }, (_, n) => ({
      ...created(n + 1),
      metadata: { occurredAt: now },
    }))
    given(account, ...membershipFirst(...ofToday))
      .when(roll(1, 0))
      .refuses('too-many-api-keys')
  })
})

describe('a key that is narrower than its owner', () => {
  const held = [here, there]
  it('has the companies and roles that are asked for', () => {
    expect(within(held, {})).toEqual(held)
    expect(within(held, { companies: [elsewhere] })).toEqual([there])
    expect(within(held, { roles: ['Planner', 'Planner'] })).toEqual([
      { companyId, roles: ['Planner'] },
      { companyId: elsewhere, roles: ['Planner'] },
    ])
    expect(within([here], { roles: ['Viewer'] })).toEqual([{ companyId, roles: ['Viewer'] }])
  })

  it.each([
    ['another company', { companies: [companyId, id(77)] }, '/companies/1'],
    ['roles of which the owner has none', { companies: [companyId], roles: ['Admin'] as const }, '/roles'],
  ])('is refused with %s', (_, extent, path) => {
    expect(() => within(held, extent)).toThrow(
      expect.objectContaining({ details: { errors: [expect.objectContaining({ path })] } }),
    )
  })

  it('may be rolled, because an Admin has every role and everybody reads', () => {
    const viewing = created(1, { snapshot: [{ companyId, roles: ['Viewer'] }] })
    const state = given(account, deleted(101), viewing).state
    expect(
      rollApiKeys(state, printOf(9), contextOf(), new Map([[companyId, companyAfter()]]))[0]!.data,
    ).toMatchObject({ snapshot: [{ companyId, roles: ['Viewer'] }] })
  })
})

describe('deleting', () => {
  const remove = (n: number) => (state: Account) => deleteApiKey(state, alice.id, id(n))

  it('removes one key and leaves the others', () => {
    given(account, created(1), created(2)).when(remove(1)).records(deleted(1))
    expect(keyIds(created(1), created(2), deleted(1))).toEqual([id(2)])
  })

  it('records nothing for a deleted key', () =>
    given(account, created(1), deleted(1)).when(remove(1)).recordsNothing())
})

describe('a company that narrows keys', () => {
  const both = { snapshot: [here, there] }
  const narrow =
    (...revoked: number[]) =>
    (state: Account) =>
      narrowKeys(
        state,
        alice.id,
        companyId,
        companyAfter(memberKeysNarrowed(alice.id, revoked.map(id)), memberKeysNarrowed('bob', [id(3)])),
      )

  it('finds the keys that name it', () => {
    const { state } = given(account, created(1), created(2, { snapshot: [there] }), created(3, both))
    expect(keysBeyond(state, companyId, [])).toEqual([id(1), id(3)])
    expect(keysBeyond(state, elsewhere, [])).toEqual([id(2), id(3)])
    expect(keysBeyond(state, companyId, roles)).toEqual([])
    expect(keysBeyond(state, companyId, ['Editor'])).toEqual([id(1), id(3)])
    expect(keysNaming(state, companyId, id(3))).toEqual([id(3)])
    expect(keysNaming(state, companyId, id(7))).toEqual([])
  })

  it('finds the key that a key was rolled into', () => {
    const { state } = given(account, created(1), created(2), rolled(3, 1))
    expect(keysNaming(state, companyId, id(1))).toEqual([id(3)])
    expect(keysNaming(state, companyId, id(2))).toEqual([])
  })

  it('keeps a key that names other companies, deletes one that names no other, and changes no third', () =>
    given(account, created(1), created(2, both), created(3, both), created(4, { snapshot: [there] }))
      .when(narrow(1, 2, 4))
      .records(deleted(1), narrowed(2)))

  it('leaves the roles that it names to a key, and takes itself out of a key that has none of them', () => {
    const cut = (...left: Role[]) =>
      narrowKeys(
        given(
          account,
          created(1),
          created(2, both),
          created(3, { snapshot: [{ companyId, roles: ['Editor'] }] }),
        ).state,
        alice.id,
        companyId,
        companyAfter(memberKeysNarrowed(alice.id, [id(1), id(2), id(3)], ...left)),
      )
    expect(cut('Planner', 'Admin')).toEqual([narrowed(1, 'Planner'), narrowed(2, 'Planner'), deleted(3)])
    expect(cut('Planner', 'Editor')).toEqual([])
    expect(keysAfter(created(1, both), narrowed(1, 'Planner'))[0]).toMatchObject({
      snapshot: [{ companyId, roles: ['Planner'] }, there],
    })
  })

  it('finds a key that was rolled meanwhile', () =>
    given(account, created(1), created(4), rolled(2, 1), created(3)).when(narrow(1, 4)).records(deleted(2)))

  it('records nothing the second time', () =>
    given(account, created(1, both), narrowed(1)).when(narrow(1)).recordsNothing())

  it('changes the revision of the key, and not its place in the list', () => {
    const [first, second] = keysAfter(created(1, both), created(2, both), narrowed(1))
    expect(first).toMatchObject({ keyId: id(1), snapshot: [there], revision: 2, snapshotAt: 10 })
    expect(second).toMatchObject({ keyId: id(2), snapshot: [here, there], revision: 1 })
  })

  it('handles very many keys in portions that fit into one append', () => {
    const keys = Array.from({ length: 450 }, (_, n) => created(n + 1))
    const portion = narrow(...keys.map((_, n) => n + 1))(given(account, ...keys).state)
    expect(portion).toHaveLength(100)
    expect(portion[0]).toEqual(deleted(1))
  })
})
