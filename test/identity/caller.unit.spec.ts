import { expect, it } from 'vitest'
import { type CallerClaims, callerOf } from '../../src/identity/caller.ts'

const claims: CallerClaims = {
  userClaim: 'oid',
  nameClaim: 'name',
  rolesClaim: 'roles',
  platformRoles: { PlatformAdmin: 'PlatformAdmin', Operator: 'Operator' },
}
const caller = { id: 'me', name: 'Me', kind: 'application', platformRoles: [] }

it('is who Entra ID says', () => {
  const token = { oid: 'me', name: 'Me', roles: ['Operator', 'Reader'], scp: 'access_as_user' }
  expect(callerOf(token, claims)).toEqual({ ...caller, kind: 'user', platformRoles: ['Operator'] })
  expect(callerOf({ ...token, idtyp: 'app' }, claims)).toMatchObject({ kind: 'application' })
})

it('is who Keycloak says', () => {
  const token = {
    sub: 'me',
    preferred_username: 'Me',
    realm_access: { roles: ['hm-operator'] },
    resource_access: { heatmark: { roles: ['hm-admin'] } },
  }
  const realm = {
    ...claims,
    userClaim: 'sub',
    rolesClaim: 'realm_access.roles',
    platformRoles: { PlatformAdmin: 'hm-admin', Operator: 'hm-operator' },
  }
  expect(callerOf(token, realm)).toEqual({ ...caller, platformRoles: ['Operator'] })
  const client = { ...realm, rolesClaim: 'resource_access.heatmark.roles' }
  expect(callerOf({ ...token, sid: 's' }, client)).toEqual({
    ...caller,
    kind: 'user',
    platformRoles: ['PlatformAdmin'],
  })
})

it('is found under a claim with dots in its own name, and not on the way to nowhere', () => {
  const named = { ...claims, userClaim: 'https://id.example/user.id', rolesClaim: 'a.b.c' }
  expect(callerOf({ 'https://id.example/user.id': 'me', a: { b: null }, name: 'Me' }, named)).toEqual(caller)
  expect(callerOf({ a: 'text' }, { ...claims, userClaim: 'a.length' })).toBeUndefined()
  expect(callerOf({ oid: 'me' }, { ...claims, userClaim: 'constructor.name' })).toBeUndefined()
})

it('has a name for people: cut, well-formed, and the id when there is none', () => {
  expect(callerOf({ oid: 'me', name: ' ' }, claims)).toMatchObject({ name: 'me' })
  expect(callerOf({ oid: 'me', displayName: 'Mo' }, { ...claims, nameClaim: 'displayName' })).toMatchObject({
    name: 'Mo',
  })
  const { name } = callerOf({ oid: 'me', name: `\0${'x'.repeat(300)}` }, claims)!
  expect(name).toBe('x'.repeat(199))
  expect(callerOf({ oid: 'me', name: `${'x'.repeat(199)}😀` }, claims)?.name.isWellFormed()).toBe(true)
})

it('has no role from a claim that is no list', () => {
  expect(callerOf({ oid: 'me', name: 'Me', roles: 'Operator' }, claims)).toEqual(caller)
  expect(callerOf({ oid: 'me', name: 'Me', roles: { 0: 'Operator' } }, claims)).toEqual(caller)
})
