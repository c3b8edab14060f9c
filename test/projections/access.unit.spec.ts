import { expect, it } from 'vitest'
import { access } from '../../src/projections/access.ts'
import { companyRegistered, memberRemoved, memberRolesSet } from '../domain/facts.ts'
import { companyId, id, rowsOf, timeOf } from '../support/given.ts'

const begun = [companyRegistered, memberRolesSet('alice', 'Admin'), memberRolesSet('bob', 'Editor')]
const member = (userId: string, roles: string[], revision: number) => ({ companyId, userId, roles, revision })

it('shows companies and their members', () =>
  expect(rowsOf(access, ...begun)).toMatchObject({
    company: [{ companyId, name: 'Yard' }],
    member: [member('alice', ['Admin'], 1), member('bob', ['Editor'], 2)],
  }))

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

it('finds live keys by their hash, with all that a request needs', () =>
  expect(rowsOf(access, created(1)).apiKey).toStrictEqual([{ ...key(1), createdAt: timeOf(0) }]))

it('forgets deleted keys, and with a roll all but the new one', () => {
  const { keyId, hash } = key(1)
  const deleted = { type: 'ApiKeyDeleted' as const, data: { userId: 'alice', keyId, hash } }
  expect(rowsOf(access, created(1), created(2), deleted).apiKey).toMatchObject([{ hash: 'hash 2' }])
  const rolled = {
    type: 'ApiKeysRolled' as const,
    data: { ...key(3), deleted: [1, 2].map((n) => ({ keyId: id(n), hash: `hash ${n}` })) },
  }
  expect(rowsOf(access, created(1), created(2), rolled).apiKey).toMatchObject([{ hash: 'hash 3' }])
})
