import { expect, it } from 'vitest'
import { access } from '../../src/projections/access.ts'
import { companyRegistered, memberRemoved, memberRolesSet } from '../domain/facts.ts'
import { companyId, rowsOf } from '../support/given.ts'

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
