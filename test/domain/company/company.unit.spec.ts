import { describe, expect, it } from 'vitest'
import {
  company,
  type RegisteredCompany,
  registerCompany,
  setCompanySettings,
  setReleasePolicy,
} from '../../../src/domain/company/company.ts'
import type { CompanyEvent, Role, Traces } from '../../../src/domain/company/companyEvents.ts'
import {
  erasePerson,
  keysAtOnce,
  narrowMemberKeys,
  removeMember,
  rolesAt,
  setMemberRoles,
  wasEverMember,
} from '../../../src/domain/company/members.ts'
import {
  completePolicy,
  defaultReleasePolicy,
  type ReleasePolicy,
} from '../../../src/domain/verdict/releasePolicy.ts'
import { alice, companyId, given, id, timeOf } from '../../support/given.ts'
import {
  companyRegistered,
  memberKeysNarrowed,
  memberRemoved,
  memberRolesChanged,
  memberRolesSet,
  personErased,
} from '../verdict/facts.ts'

const yard = [companyRegistered, memberRolesSet('alice', 'Admin')] as const
function register(name: string) {
  return (state: unknown, context: Parameters<typeof registerCompany>[2]) =>
    registerCompany(state as RegisteredCompany, { companyId, name }, context)
}

const set =
  (userId: string, ...wanted: Role[]) =>
  (state: RegisteredCompany) =>
    setMemberRoles(state, { userId, wanted })
function remove(userId: string) {
  return (state: RegisteredCompany) => removeMember(state, userId)
}

it('is registered with its creator as Admin', () =>
  given(company).when(register('Yard')).records(companyRegistered, memberRolesSet(alice.id, 'Admin')))

it('is registered once: a repeat records nothing, and another name is refused', () => {
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
    .records(memberRolesChanged('bob', ['Editor'], 'Viewer'))
})

it('refuses that a former Admin changes members, whatever read models still show', () => {
  const setBy = (by: string) => (state: RegisteredCompany) =>
    setMemberRoles(state, { userId: 'bob', wanted: ['Admin'], by })
  const removed = [...yard, memberRolesSet('bob', 'Admin'), memberRemoved('bob')] as const
  given(company, ...removed)
    .when(setBy('bob'))
    .refuses('forbidden')
  given(company, ...yard, memberRolesSet('bob', 'Editor'))
    .when(setBy('bob'))
    .refuses('forbidden')
  given(company, ...yard)
    .when(setBy('alice'))
    .records(memberRolesSet('bob', 'Admin'))
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
    .records(memberRolesChanged('alice', ['Admin'], 'Editor', 'Admin'))
  const two = [...yard, memberRolesSet('bob', 'Admin')] as const
  given(company, ...two)
    .when(remove('alice'))
    .records(memberRemoved('alice'))
  given(company, ...two)
    .when(set('alice', 'Viewer'))
    .records(memberRolesChanged('alice', ['Admin'], 'Viewer'))
  given(company, ...two, memberRemoved('alice'))
    .when(remove('bob'))
    .refuses('last-admin')
})

it('knows its members, with the revision that set their roles', () => {
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
  expect(['alice', 'bob', 'dave'].map((userId) => wasEverMember(state, userId))).toEqual([true, true, false])
})

it('knows which roles an account had at a position', () => {
  const events = [memberRolesSet('bob', 'Editor'), memberRolesSet('bob', 'Viewer'), memberRemoved('bob')]
  const { state } = given(company, ...yard, ...events, memberRolesSet('bob', 'Admin'))
  const roles = [29, 30, 39, 40, 50, 59, 60, 99].map((position) => rolesAt(state, 'bob', position))
  expect(roles).toEqual([[], ['Editor'], ['Editor'], ['Viewer'], [], [], ['Admin'], ['Admin']])
  expect(rolesAt(state, 'carol', 99)).toEqual([])
})

describe('narrowing keys of an account', () => {
  const narrow =
    (keyIds: string[], ...left: Role[]) =>
    (state: RegisteredCompany) =>
      narrowMemberKeys(state, { userId: 'bob', roles: left }, keyIds)
  const both = [id(1), id(2)]

  it('records it once for each key, in portions that fit into one append', () => {
    given(company, ...yard)
      .when(narrow(both))
      .records(memberKeysNarrowed('bob', both))
    const first = given(company, ...yard, memberKeysNarrowed('bob', [id(1)]))
    first.when(narrow(both)).records(memberKeysNarrowed('bob', [id(2)]))
    first.when(narrow([id(1)])).recordsNothing()
    const many = Array.from({ length: keysAtOnce + 1 }, (_, n) => id(n))
    given(company, ...yard)
      .when(narrow(many))
      .records(memberKeysNarrowed('bob', many.slice(0, keysAtOnce)))
  })

  it('takes roles, and never gives one back', () => {
    const planner = given(company, ...yard, memberKeysNarrowed('bob', both, 'Planner', 'Viewer'))
    planner.when(narrow(both, 'Viewer', 'Planner', 'Quality')).recordsNothing()
    planner
      .when(narrow(both, 'Planner', 'Quality'))
      .records(memberKeysNarrowed('bob', both, 'Planner', 'Quality'))
    const { state } = given(
      company,
      ...yard,
      memberKeysNarrowed('bob', both, 'Planner', 'Viewer'),
      memberKeysNarrowed('bob', [id(1)], 'Planner', 'Quality'),
    )
    expect(state?.narrowedKeys.toJS()).toEqual({
      [id(1)]: { userId: 'bob', roles: ['Planner'] },
      [id(2)]: { userId: 'bob', roles: ['Planner', 'Viewer'] },
    })
  })
})

it('records settings that differ from the present ones', () => {
  const set = (requireIfMatch: boolean) => (state: RegisteredCompany) =>
    setCompanySettings(state, { requireIfMatch, cutterIdleMinutes: 30, longestKeyDays: null })
  const required = {
    type: 'CompanySettingsSet',
    data: {
      companyId,
      requireIfMatch: true,
      cutterIdleMinutes: 30,
      longestKeyDays: null,
      changes: [{ field: 'requireIfMatch', from: false, to: true }],
    },
  } as const
  given(company, companyRegistered).when(set(false)).recordsNothing()
  given(company, companyRegistered).when(set(true)).records(required)
  given(company, companyRegistered, required).when(set(true)).recordsNothing()
  expect(given(company, ...yard, required).state).toMatchObject({
    settings: { requireIfMatch: true, cutterIdleMinutes: 30, longestKeyDays: null },
    settingsRevision: yard.length,
  })
})

it('folds only the fields that it knows', () => {
  const richer = {
    ...companyRegistered,
    data: { ...companyRegistered.data, country: 'AT' },
  } as unknown as CompanyEvent
  expect(given(company, richer).state).not.toHaveProperty('country')
  expect(given(company, memberRolesSet('bob', 'Editor')).state).toBeUndefined()
})

describe('the erasure of a person', () => {
  const noTraces: Traces = { responsibleActs: 0 }
  const traces: Traces = { responsibleActs: 2 }
  const erase =
    (found: Traces, isConfirmed = false) =>
    (state: RegisteredCompany) =>
      erasePerson(state, 'bob', found, isConfirmed)
  const former = [...yard, memberRolesSet('bob', 'Planner'), memberRemoved('bob')] as const

  it('is recorded with the traces that it leaves', () => {
    given(company, ...former)
      .when(erase(noTraces))
      .records(personErased('bob'))
    given(company, ...former)
      .when(erase(traces, true))
      .records(personErased('bob', 2))
  })

  it('is recorded once, and again after the person was admitted again', () => {
    given(company, ...former, personErased('bob'))
      .when(erase(traces))
      .recordsNothing()
    given(company, ...former, personErased('bob'), memberRolesSet('bob', 'Viewer'))
      .when(erase(noTraces))
      .records(personErased('bob'))
  })

  it('is refused while acts of responsibility must be kept, unless that is confirmed', () =>
    given(company, ...former)
      .when(erase(traces))
      .refuses('record-must-be-kept', { count: 2 }))

  it('stands in the state until the person is admitted again', () => {
    const { state } = given(company, ...former, personErased('bob', 2))
    expect(state!.erasures.get('bob')).toEqual({ erasedAt: timeOf(4), ...traces })
    const { state: later } = given(company, ...former, personErased('bob'), memberRolesSet('bob', 'Viewer'))
    expect(later!.erasures.has('bob')).toBe(false)
  })
})

describe('the release policy', () => {
  const wish: ReleasePolicy = {
    ...defaultReleasePolicy,
    severities: { 'grade-substitute': 'Flag', 'grade-mismatch': 'Block' },
    byExecutionClass: { EXC3: { 'no-certificate': 'Flag' } },
  }
  const setting = (policy: ReleasePolicy) => (state: RegisteredCompany) => setReleasePolicy(state, policy)
  const changes = [
    { field: 'severities/grade-substitute', from: 'Block', to: 'Flag' },
    { field: 'byExecutionClass/EXC3/no-certificate', from: 'Block', to: 'Flag' },
  ]
  const wished: CompanyEvent = { type: 'ReleasePolicySet', data: { companyId, ...wish, changes } }

  it('records each difference from the policy before', () =>
    given(company, ...yard)
      .when(setting(wish))
      .records(wished))

  it('is the same whether it states the defaults or leaves them out', () => {
    given(company, ...yard)
      .when(setting(completePolicy(defaultReleasePolicy)))
      .recordsNothing()
    given(company, ...yard, wished)
      .when(setting(completePolicy(wish)))
      .recordsNothing()
  })
})
