import { expect, it } from 'vitest'
import { type CallerClaims, callerOf } from '../../src/identity/caller.ts'

const claims: CallerClaims = {
  userClaim: 'oid',
  nameClaim: 'name',
  rolesClaim: 'roles',
  platformRoles: { PlatformAdmin: 'PlatformAdmin', Operator: 'Operator' },
}
const caller = { id: 'me', name: 'Me', kind: 'application', platformRoles: [] }

it('reads a user and an application from the claims of Entra ID', () => {
  const token = { oid: 'me', name: 'Me', roles: ['Operator', 'Reader'], scp: 'access_as_user' }
  expect(callerOf(token, claims)).toEqual({ ...caller, kind: 'user', platformRoles: ['Operator'] })
  expect(callerOf({ ...token, idtyp: 'app' }, claims)).toMatchObject({ kind: 'application' })
})

it.each(['client_id', 'azp', 'cid'])(
  'takes a token whose subject is its client in %s for a program',
  (claim) => {
    const token = { oid: 'me', sub: 'importer', scp: ['heatmark'] }
    expect(callerOf({ ...token, [claim]: 'importer' }, claims)).toMatchObject({ kind: 'application' })
    expect(callerOf({ ...token, [claim]: 'another' }, claims)).toMatchObject({ kind: 'user' })
  },
)

it('reads the realm roles and the client roles of Keycloak', () => {
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

it('finds a claim with dots in its own name, and no user along a path that does not exist', () => {
  const named = { ...claims, userClaim: 'https://id.example/user.id', rolesClaim: 'a.b.c' }
  expect(callerOf({ 'https://id.example/user.id': 'me', a: { b: null }, name: 'Me' }, named)).toEqual(caller)
  expect(callerOf({ a: 'text' }, { ...claims, userClaim: 'a.length' })).toBeUndefined()
  expect(callerOf({ oid: 'me' }, { ...claims, userClaim: 'constructor.name' })).toBeUndefined()
})

it('cuts the name to well-formed text, and uses the id when there is no name', () => {
  expect(callerOf({ oid: 'me', name: ' ' }, claims)).toMatchObject({ name: 'me' })
  expect(callerOf({ oid: 'me', displayName: 'Mo' }, { ...claims, nameClaim: 'displayName' })).toMatchObject({
    name: 'Mo',
  })
  const { name } = callerOf({ oid: 'me', name: `\0${'x'.repeat(300)}` }, claims)!
  expect(name).toBe('x'.repeat(199))
  expect(callerOf({ oid: 'me', name: `${'x'.repeat(199)}😀` }, claims)?.name.isWellFormed()).toBe(true)
})

it.each([
  [{ email: 'Erika@Example.org', email_verified: true }, 'erika@example.org'],
  [{ email: 'erika@example.org', xms_edov: true }, 'erika@example.org'],
  [{ email: 'erika@example.org' }, undefined],
  [{ email: 'erika@example.org', email_verified: false }, undefined],
  [{ email: 'erika@example.org', email_verified: false, xms_edov: true }, undefined],
  [{ email: 'erika@example.org', email_verified: 'true' }, undefined],
  [{ email: 'еrika@example.org', email_verified: true }, undefined],
  [{ email: 'erika@exаmple.org', email_verified: true }, undefined],
  [{ email: ['erika@example.org'], email_verified: true }, undefined],
])('reads an e-mail address only if it is verified, and in ASCII: %j', (email, verified) => {
  expect(callerOf({ oid: 'me', ...email }, claims)?.verifiedEmail).toBe(verified)
})

it('grants no role when the roles claim is not a list', () => {
  expect(callerOf({ oid: 'me', name: 'Me', roles: 'Operator' }, claims)).toEqual(caller)
  expect(callerOf({ oid: 'me', name: 'Me', roles: { 0: 'Operator' } }, claims)).toEqual(caller)
})
