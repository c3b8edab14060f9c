import type { JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { accessTokenFault } from '../../src/identity/accessToken.ts'

/** The claims below are those that the named providers send. */

function fault(claims: JWTPayload, typ: unknown = 'JWT', parties?: readonly string[]) {
  return accessTokenFault({ typ } as { typ?: string }, claims, parties)
}

const entra = {
  ver: '2.0',
  oid: 'o',
  tid: 't',
  azp: 'portal',
  azpacr: '0',
  preferred_username: 'a@b.example',
}
const keycloak = { azp: 'portal', sid: 's', acr: '1', jti: 'j' }

describe('accessTokenFault', () => {
  it.each([
    ['an access token of Entra ID for a person', { ...entra, scp: 'access_as_user' }],
    ['an access token of Entra ID for a program', { ...entra, roles: ['Operator'], idtyp: 'app' }],
    ['an access token of Entra ID for a program without roles', entra],
    ['an access token of Keycloak', { ...keycloak, typ: 'Bearer', scope: 'openid profile' }],
    [
      'an access token of an old Keycloak, with the nonce of its login',
      { ...keycloak, typ: 'Bearer', scope: 'x', nonce: 'n' },
    ],
    ['a token with a nonce and a delegated scope', { ...entra, scp: 'access_as_user', nonce: 'n' }],
  ])('accepts %s', (_, claims) => {
    expect(fault(claims)).toBeUndefined()
  })

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', 'application/jwt', undefined])(
    'accepts the header typ %j',
    (typ) => {
      expect(accessTokenFault({ typ } as { typ?: string }, entra, undefined)).toBeUndefined()
    },
  )

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id+jwt', 'at+jwt2', 'xjwt', '', null, 7, ['JWT'], {}])(
    'refuses the header typ %j',
    (typ) => {
      expect(fault(entra, typ)).toMatch(/header "typ"/)
    },
  )

  it.each([
    ['an ID token of Entra ID', { ver: '2.0', oid: 'o', tid: 't', nonce: 'n' }],
    [
      'an ID token of Entra ID with the roles of its user',
      { ver: '2.0', oid: 'o', tid: 't', nonce: 'n', roles: ['Operator'] },
    ],
    ['an ID token of Keycloak', { ...keycloak, typ: 'ID', at_hash: 'h' }],
    [
      'an ID token of Keycloak with a scope that a mapper has added',
      { ...keycloak, typ: 'ID', scope: 'openid' },
    ],
    ['a token with at_hash but no scope', { at_hash: 'h' }],
    ['a token with c_hash but no scope', { c_hash: 'h' }],
    ['a token whose nonce is null', { nonce: null }],
  ])('refuses %s', (_, claims) => {
    expect(fault(claims)).toMatch(/not an access token/)
  })

  it.each(['Logout', 'Refresh', 'Offline', 'bearer ', '', null, ['Bearer']])(
    'refuses the claim typ %j of Keycloak',
    (typ) => {
      expect(fault({ ...keycloak, scope: 'x', typ })).toMatch(/not an access token/)
    },
  )

  it('refuses a logout token whose header typ is JWT', () => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    expect(fault({ sub: 's', sid: 's', jti: 'j', events })).toMatch(/not an access token/)
  })
})

describe('accessTokenFault with authorized parties', () => {
  const parties = ['portal', 'mes']

  it.each([{ azp: 'portal' }, { azp: 'mes' }, { client_id: 'mes' }])('accepts %j', (claims) => {
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
  ])('refuses %j', (claims) => {
    expect(fault(claims, 'JWT', parties)).toMatch(/claim "azp" names a client/)
  })
})
