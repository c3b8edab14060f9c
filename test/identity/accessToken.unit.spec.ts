import type { JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { accessTokenFault } from '../../src/identity/accessToken.ts'

/** Which of a provider's JWTs are access tokens: the claims are those that the named providers send. */

const fault = (claims: JWTPayload, typ: unknown = 'JWT', parties?: readonly string[]) =>
  accessTokenFault({ typ } as { typ?: string }, claims, parties)

const entra = {
  ver: '2.0',
  oid: 'o',
  tid: 't',
  azp: 'portal',
  azpacr: '0',
  preferred_username: 'a@b.example',
}
const keycloak = { azp: 'portal', sid: 's', acr: '1', jti: 'j' }

describe('an access token', () => {
  it.each([
    ['of Entra ID for a person', { ...entra, scp: 'access_as_user' }],
    ['of Entra ID for a program', { ...entra, roles: ['Operator'], idtyp: 'app' }],
    ['of Entra ID for a program without roles', entra],
    ['of Keycloak', { ...keycloak, typ: 'Bearer', scope: 'openid profile' }],
    [
      'of an old Keycloak, with the nonce of its login',
      { ...keycloak, typ: 'Bearer', scope: 'x', nonce: 'n' },
    ],
    ['with the nonce of its login and a scope', { ...entra, scp: 'access_as_user', nonce: 'n' }],
  ])('%s is taken', (_, claims) => {
    expect(fault(claims)).toBeUndefined()
  })

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', 'application/jwt', undefined])(
    'may be of type %j',
    (typ) => {
      expect(accessTokenFault({ typ } as { typ?: string }, entra, undefined)).toBeUndefined()
    },
  )

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id+jwt', 'at+jwt2', 'xjwt', '', null, 7, ['JWT'], {}])(
    'may not be of type %j',
    (typ) => {
      expect(fault(entra, typ)).toMatch(/header "typ"/)
    },
  )
})

describe('an ID token', () => {
  it.each([
    ['of Entra ID', { ver: '2.0', oid: 'o', tid: 't', nonce: 'n' }],
    [
      'of Entra ID, with the roles of its user',
      { ver: '2.0', oid: 'o', tid: 't', nonce: 'n', roles: ['Operator'] },
    ],
    ['of Keycloak', { ...keycloak, typ: 'ID', at_hash: 'h' }],
    ['of Keycloak with a scope that a mapper has put in', { ...keycloak, typ: 'ID', scope: 'openid' }],
    ['with at_hash alone', { at_hash: 'h' }],
    ['with c_hash alone', { c_hash: 'h' }],
    ['whose nonce is null', { nonce: null }],
  ])('%s is refused', (_, claims) => {
    expect(fault(claims)).toMatch(/not an access token/)
  })
})

it.each(['Logout', 'Refresh', 'Offline', 'bearer ', '', null, ['Bearer']])(
  'a token of Keycloak that is for %j is refused',
  (typ) => {
    expect(fault({ ...keycloak, scope: 'x', typ })).toMatch(/not an access token/)
  },
)

it('a logout token is refused, also one that is typed as any JWT', () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  expect(fault({ sub: 's', sid: 's', jti: 'j', events })).toMatch(/not an access token/)
})

describe('with authorised parties', () => {
  const parties = ['portal', 'mes']

  it.each([{ azp: 'portal' }, { azp: 'mes' }, { client_id: 'mes' }])('%j is let in', (claims) => {
    expect(fault(claims, 'JWT', parties)).toBeUndefined()
  })

  it.each([
    {},
    { azp: 'other' },
    { azp: 'Portal' },
    { azp: '' },
    { azp: ['portal'] },
    { azp: 'other', client_id: 'portal' },
    { azp: null, client_id: 'other' },
    { client_id: 'portal,mes' },
  ])('%j is not', (claims) => {
    expect(fault(claims, 'JWT', parties)).toBe('The token\'s claim "azp" is not what it must be.')
  })
})
