import { describe, expect, it } from 'vitest'
import { access } from '../../../src/projections/company/access.ts'
import {
  companyRegistered,
  memberKeysNarrowed,
  memberRemoved,
  memberRolesSet,
} from '../../domain/verdict/facts.ts'
import { companyId, id, rowsOf, timeOf } from '../../support/given.ts'

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
    data: { companyId, requireIfMatch: true, cutterIdleMinutes: 45, longestKeyDays: 90, changes: [] },
  } as const
  expect(rowsOf(access, ...begun).company).toMatchObject([{ settings: null, settingsRevision: 0 }])
  expect(rowsOf(access, ...begun, set).company).toStrictEqual([
    {
      companyId,
      name: 'Yard',
      settings: { requireIfMatch: true, cutterIdleMinutes: 45, longestKeyDays: 90 },
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
const named = (n: number) => ({ userId: 'alice', keyId: id(n) })
const deleted = (n: number) => ({ type: 'ApiKeyDeleted' as const, data: named(n) })
const roll = (n: number, from: number) => ({
  type: 'ApiKeysRolled' as const,
  data: { ...key(n), rolledFrom: id(from) },
})

it('shows live keys with all that a request needs', () =>
  expect(rowsOf(access, created(1)).apiKey).toStrictEqual([stored(1, timeOf(0), 0)]))

it('forgets deleted keys', () =>
  expect(rowsOf(access, created(1), created(2), deleted(1)).apiKey).toMatchObject([{ hash: 'hash 2' }]))

it('says from which key on an account’s keys live', () => {
  const { account, apiKey } = rowsOf(access, created(1), created(2), roll(3, 2))
  expect(account).toStrictEqual([{ userId: 'alice', liveFrom: 2 }])
  expect(apiKey).toContainEqual(stored(3, timeOf(2), 2))
})

it('ends a rolled key at its new time, or at once', () => {
  const roll = (n: number, from: number, rolledFromExpiresAt: string | null) => ({
    type: 'ApiKeyRolled' as const,
    data: { ...key(n), rolledFrom: id(from), rolledFromExpiresAt },
  })
  const { account, apiKey } = rowsOf(access, created(1), created(2), roll(3, 1, timeOf(9)), roll(4, 2, null))
  expect(account).toEqual([])
  expect(apiKey).toStrictEqual([
    { ...stored(1, timeOf(0), 2), expiresAt: timeOf(9) },
    stored(3, timeOf(2), 2),
    stored(4, timeOf(3), 3),
  ])
})

describe('a company that narrows a key', () => {
  const elsewhere = { companyId: id(99), roles: ['Viewer' as const] }
  const both = {
    type: 'ApiKeyCreated' as const,
    data: { ...key(1), snapshot: [...key(1).snapshot, elsewhere] },
  }
  const narrowed = { type: 'ApiKeyNarrowed' as const, data: { ...named(1), companyId, roles: [] } }
  const revoked = memberKeysNarrowed('alice', [id(1), id(2), id(3)])

  it.each([
    ['when its own history says so', [revoked], 0],
    ['when the account’s says so', [narrowed], 0],
    ['when both say so', [revoked, narrowed], 1],
  ])('leaves it to the others %s', (_, events, revision) => {
    const { apiKey } = rowsOf(access, both, ...events)
    expect(apiKey).toMatchObject([{ keyId: id(1), snapshot: [elsewhere], revision }])
  })

  it('takes it away when there are no others', () => {
    expect(rowsOf(access, created(1), revoked).apiKey).toEqual([])
    expect(rowsOf(access, created(1), revoked, deleted(1)).apiKey).toEqual([])
  })

  it.each([
    ['its own history says', memberKeysNarrowed('alice', [id(1)], 'Planner', 'Viewer'), 0],
    ['the account’s says', { ...narrowed, data: { ...narrowed.data, roles: ['Planner' as const] } }, 0],
  ])('leaves the roles to it that %s', (_, event, revision) => {
    const strong = {
      type: 'ApiKeyCreated' as const,
      data: {
        ...key(1),
        snapshot: [{ companyId, roles: ['Planner' as const, 'Quality' as const] }, elsewhere],
      },
    }
    expect(rowsOf(access, strong, event).apiKey).toMatchObject([
      { snapshot: [{ companyId, roles: ['Planner'] }, elsewhere], revision },
    ])
  })

  it('leaves keys alone that do not name it', () => {
    const none = { type: 'ApiKeyCreated' as const, data: { ...key(2), snapshot: [] } }
    const other = { type: 'ApiKeyCreated' as const, data: { ...key(3), snapshot: [elsewhere] } }
    const before = rowsOf(access, none, other).apiKey
    expect(before).toHaveLength(2)
    expect(rowsOf(access, none, other, revoked).apiKey).toStrictEqual(before)
  })
})
