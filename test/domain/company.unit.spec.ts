import { expect, it } from 'vitest'
import {
  type CompanyEvent,
  company,
  type RegisteredCompany,
  type Role,
  registerCompany,
  removeMember,
  setMemberRoles,
} from '../../src/domain/company.ts'
import { alice, companyId, given } from '../support/given.ts'
import { companyRegistered, memberRemoved, memberRolesSet } from './facts.ts'

const yard = [companyRegistered, memberRolesSet('alice', 'Admin')] as const
const register = (name: string) => (state: unknown, context: Parameters<typeof registerCompany>[2]) =>
  registerCompany(state as RegisteredCompany, { companyId, name }, context)
const set =
  (userId: string, ...wanted: Role[]) =>
  (state: RegisteredCompany) =>
    setMemberRoles(state, { userId, wanted })
const remove = (userId: string) => (state: RegisteredCompany) => removeMember(state, userId)

it('is registered with its creator as Admin', () =>
  given(company).when(register('Yard')).records(companyRegistered, memberRolesSet(alice.id, 'Admin')))

it('is registered once: the same again records nothing, another name is refused', () => {
  given(company, ...yard)
    .when(register('Yard'))
    .recordsNothing()
  given(company, ...yard)
    .when(register('Other'))
    .refuses('company-already-exists')
})

it('gives roles to a member, each once and in one order', () => {
  given(company, ...yard)
    .when(set('bob', 'Planner', 'Editor', 'Planner'))
    .records(memberRolesSet('bob', 'Editor', 'Planner'))
  given(company, ...yard, memberRolesSet('bob', 'Editor', 'Planner'))
    .when(set('bob', 'Planner', 'Editor'))
    .recordsNothing()
  given(company, ...yard, memberRolesSet('bob', 'Editor'))
    .when(set('bob', 'Viewer'))
    .records(memberRolesSet('bob', 'Viewer'))
})

it('removes a member once', () => {
  given(company, ...yard, memberRolesSet('bob', 'Editor'))
    .when(remove('bob'))
    .records(memberRemoved('bob'))
  given(company, ...yard, memberRolesSet('bob', 'Editor'), memberRemoved('bob'))
    .when(remove('bob'))
    .recordsNothing()
})

it('keeps its last Admin', () => {
  given(company, ...yard)
    .when(remove('alice'))
    .refuses('last-admin')
  given(company, ...yard)
    .when(set('alice', 'Viewer', 'Editor'))
    .refuses('last-admin')
  given(company, ...yard)
    .when(set('alice', 'Admin', 'Editor'))
    .records(memberRolesSet('alice', 'Editor', 'Admin'))
  const two = [...yard, memberRolesSet('bob', 'Admin')] as const
  given(company, ...two)
    .when(remove('alice'))
    .records(memberRemoved('alice'))
  given(company, ...two)
    .when(set('alice', 'Viewer'))
    .records(memberRolesSet('alice', 'Viewer'))
  given(company, ...two, memberRemoved('alice'))
    .when(remove('bob'))
    .refuses('last-admin')
})

it('knows its members, with the revision that set their roles, and who was one', () => {
  const { state } = given(
    company,
    ...yard,
    memberRolesSet('bob', 'Editor'),
    memberRolesSet('carol', 'Viewer'),
    memberRemoved('bob'),
  )
  expect(state?.members.toJS()).toStrictEqual({
    alice: { userId: 'alice', roles: ['Admin'], revision: 1 },
    carol: { userId: 'carol', roles: ['Viewer'], revision: 3 },
  })
  expect(state?.formerMembers.toJS()).toStrictEqual({ bob: true })
})

it('folds from the fields it knows', () => {
  const richer = {
    ...companyRegistered,
    data: { ...companyRegistered.data, country: 'AT' },
  } as unknown as CompanyEvent
  expect(given(company, richer).state).not.toHaveProperty('country')
  expect(given(company, memberRolesSet('bob', 'Editor')).state).toBeUndefined()
})
