import { describe, expect, it } from 'vitest'
import {
  type Account,
  type AccountEvent,
  account,
  type Membership,
  narrowRevokedKeys,
  rollApiKeys,
} from '../../src/domain/account.ts'
import { company } from '../../src/domain/company.ts'
import { access } from '../../src/projections/access.ts'
import { defineProjection, table, text } from '../../src/projections/projection.ts'
import { NewerRelease } from '../../src/projections/rows/fold.ts'
import { companyRegistered, memberKeysRevoked, memberRemoved, memberRolesSet } from '../domain/facts.ts'
import { companyId, contextOf, given, id, rowsOf, timeOf } from '../support/given.ts'

const begun = [companyRegistered, memberRolesSet('alice', 'Admin'), memberRolesSet('bob', 'Editor')]
const member = (userId: string, roles: string[], revision: number) => ({ companyId, userId, roles, revision })

it('shows companies and their members', () =>
  expect(rowsOf(access, ...begun)).toMatchObject({
    company: [{ companyId, name: 'Yard' }],
    member: [member('alice', ['Admin'], 1), member('bob', ['Editor'], 2)],
  }))

it('keeps the settings of a company that has set some', () => {
  const set = {
    type: 'CompanySettingsSet',
    data: { companyId, requireIfMatch: true, changes: [] },
  } as const
  expect(rowsOf(access, ...begun).company).toMatchObject([{ settings: null, settingsRevision: 0 }])
  expect(rowsOf(access, ...begun, set).company).toStrictEqual([
    {
      companyId,
      name: 'Yard',
      settings: { requireIfMatch: true, cutterIdleMinutes: 30 },
      settingsRevision: 3,
    },
  ])
})

it('shows changed roles, and forgets who was removed', () => {
  const events = [...begun, memberRolesSet('bob', 'Viewer', 'Planner'), memberRemoved('alice')]
  expect(rowsOf(access, ...events).member).toStrictEqual([member('bob', ['Viewer', 'Planner'], 3)])
  const back = [...events, memberRolesSet('alice', 'Viewer')]
  expect(rowsOf(access, ...back).member).toContainEqual(member('alice', ['Viewer'], 5))
})

const key = (n: number) => ({
  userId: 'alice',
  userName: 'Alice',
  userKind: 'user' as const,
  keyId: id(n),
  label: `key ${n}`,
  prefix: `hmk_${n}`,
  hash: `hash ${n}`,
  expiresAt: null,
  snapshot: [{ companyId, roles: ['Editor' as const] }],
})
const created = (n: number) => ({ type: 'ApiKeyCreated' as const, data: key(n) })

const stored = (n: number, createdAt: string, revision: number) => ({ ...key(n), createdAt, revision })
const named = (n: number) => ({ userId: 'alice', keyId: id(n), hash: `hash ${n}` })
const deleted = (n: number) => ({ type: 'ApiKeyDeleted' as const, data: named(n) })
const roll = (n: number, ...gone: number[]) => ({
  type: 'ApiKeysRolled' as const,
  data: { ...key(n), deleted: gone.map(named) },
})

it('shows live keys with all that a request needs', () =>
  expect(rowsOf(access, created(1)).apiKey).toStrictEqual([stored(1, timeOf(0), 0)]))

it('forgets deleted keys, and with a roll all that it lists', () => {
  expect(rowsOf(access, created(1), created(2), deleted(1)).apiKey).toMatchObject([{ hash: 'hash 2' }])
  expect(rowsOf(access, created(1), created(2), roll(3, 1, 2)).apiKey).toMatchObject([{ hash: 'hash 3' }])
})

it('says from which key on an account’s keys live, whether or not a roll lists the earlier ones', () => {
  const unlisted = {
    type: 'ApiKeysRolled' as const,
    data: key(3),
    metadata: { schemaVersion: 2 },
  }
  for (const rolled of [roll(3, 1, 2), unlisted]) {
    const { account, apiKey } = rowsOf(access, created(1), created(2), rolled)
    expect(account).toStrictEqual([{ userId: 'alice', liveFrom: 2 }])
    expect(apiKey).toContainEqual(stored(3, timeOf(2), 2))
  }
})

describe('a company that takes itself out of a key', () => {
  const elsewhere = { companyId: id(99), roles: ['Viewer' as const] }
  const both = {
    type: 'ApiKeyCreated' as const,
    data: { ...key(1), snapshot: [...key(1).snapshot, elsewhere] },
  }
  const narrowed = { type: 'ApiKeyNarrowed' as const, data: { ...named(1), companyId } }
  const deletedForOlderReleases = { type: 'ApiKeyDeleted' as const, data: { ...named(1), narrowed: true } }
  const revoked = memberKeysRevoked('alice', id(1), id(2), id(3))

  it.each([
    ['when its own history says so', [revoked]],
    ['when the account’s says so', [narrowed, deletedForOlderReleases]],
    ['when both say so', [revoked, narrowed, deletedForOlderReleases]],
  ])('leaves it to the others %s', (_, events) => {
    const { apiKey } = rowsOf(access, both, ...events)
    expect(apiKey).toMatchObject([{ keyId: id(1), snapshot: [elsewhere], revision: 0 }])
  })

  it('takes it away when there are no others', () => {
    expect(rowsOf(access, created(1), revoked).apiKey).toEqual([])
    expect(rowsOf(access, created(1), revoked, deleted(1)).apiKey).toEqual([])
  })

  it('leaves keys alone that do not name it', () => {
    const none = { type: 'ApiKeyCreated' as const, data: { ...key(2), snapshot: [] } }
    const other = { type: 'ApiKeyCreated' as const, data: { ...key(3), snapshot: [elsewhere] } }
    const before = rowsOf(access, none, other).apiKey
    expect(before).toHaveLength(2)
    expect(rowsOf(access, none, other, revoked).apiKey).toStrictEqual(before)
  })
})

describe('the release before, beside this one', () => {
  /** The keys, as that release folds them. */
  const keysThen = defineProjection<AccountEvent>()({
    name: 'access',
    version: 1,
    tables: { apiKey: table({ columns: { hash: text }, key: ['hash'] }) },
    handlers: {
      ApiKeyCreated: {
        touches: ({ data }) => ({ apiKey: [[data.hash]] }),
        apply: (rows, { data: { hash } }) => rows.apiKey.put({ hash }),
      },
      ApiKeysRolled: {
        touches: ({ data }) => ({ apiKey: [[data.hash], ...data.deleted!.map(({ hash }) => [hash])] }),
        apply: (rows, { data }) => {
          for (const { hash } of data.deleted!) rows.apiKey.delete([hash])
          rows.apiKey.put({ hash: data.hash })
        },
      },
      ApiKeyDeleted: {
        touches: ({ data }) => ({ apiKey: [[data.hash]] }),
        apply: (rows, { data }) => rows.apiKey.delete([data.hash]),
      },
    },
  })
  const before = {
    ...keysThen,
    events: { eventVersions: { ApiKeyCreated: 1, ApiKeysRolled: 1, ApiKeyDeleted: 1 } },
  }
  /** Return the events that this release decides for that many of Alice's keys, which name these companies. */
  const decided = (
    count: number,
    snapshot: readonly Membership[],
    decide: (state: Account) => readonly AccountEvent[],
  ) => {
    const keys = Array.from({ length: count }, (_, n) => ({
      type: 'ApiKeyCreated' as const,
      data: { ...key(n), snapshot },
    }))
    const versioned = decide(given(account, ...keys).state).map((event) => ({
      ...event,
      metadata: { schemaVersion: account.eventVersions[event.type], ...event.metadata },
    }))
    return [...keys, ...versioned]
  }
  const roll = (state: Account) =>
    rollApiKeys(state, { prefix: 'hmk_new', hash: 'new' }, contextOf(), new Map())
  const revoke = (state: Account) =>
    narrowRevokedKeys(
      state,
      'alice',
      companyId,
      given(company, companyRegistered, memberKeysRevoked('alice', id(0))).state,
    )

  it('refuses keys that were rolled', () =>
    expect(rowsOf(before, ...decided(50, [], roll)).apiKey).toStrictEqual([{ hash: 'new' }]))

  it('stops at a roll that does not list the keys, rather than let them in', () =>
    expect(() => rowsOf(before, ...decided(1_001, [], roll))).toThrow(NewerRelease))

  it('refuses a key that a company was taken out of', () => {
    for (const snapshot of [
      [{ companyId, roles: [] }],
      [
        { companyId, roles: [] },
        { companyId: id(99), roles: [] },
      ],
    ])
      expect(rowsOf(before, ...decided(1, snapshot, revoke)).apiKey).toEqual([])
  })
})
