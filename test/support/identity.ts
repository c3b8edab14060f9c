import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import type { TokenRules } from '../../src/identity/tokens.ts'

/** The public part of an identity provider in this process: discovery, keys that a spec can change, and tokens. */

export interface IdentityProvider {
  readonly issuer: string
  /** Sign a token with the present key, with these claims and header members besides the usual ones. */
  token(
    claims?: JWTPayload & { [claim: string]: unknown },
    header?: Partial<JWTHeaderParameters>,
  ): Promise<string>
  /** Publish a new key, in place of the present one or beside it. */
  rotate(present?: 'replaced' | 'kept'): Promise<void>
  publicKeys(): readonly JWK[]
  /** Return how often the keys were fetched. */
  fetches(): number
  /** Answer this in place of the keys, or never answer; undefined answers the keys again. */
  answer(instead: { status: number; body: string } | 'nothing' | undefined): void
  stop(): Promise<void>
  start(): Promise<void>
}

export const audience = 'api://heatmark'

/** Return the rules that accept this provider's tokens. */
export function tokenRules(issuer: string): TokenRules {
  return {
    issuer,
    audiences: [audience],
    algorithms: ['ES256', 'RS256'],
    authorizedParties: undefined,
    userClaim: 'oid',
    nameClaim: 'name',
    rolesClaim: 'roles',
    platformRoles: { PlatformAdmin: 'PlatformAdmin', Operator: 'Operator' },
  }
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let generation = 0
  let fetched = 0
  let instead: Parameters<IdentityProvider['answer']>[0]
  const newKey = async () => {
    generation += 1
    const kid = `key-${generation}`
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
  }
  let key = await newKey()
  let published: readonly JWK[] = [key.jwk]

  const server = createServer((req, res) => {
    const answer = (body: string, status = 200) => {
      res.writeHead(status, { 'content-type': 'application/json' })
      res.end(body)
    }
    if (req.url?.endsWith('/.well-known/openid-configuration'))
      return answer(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }))
    fetched += 1
    if (instead === 'nothing') return
    if (instead) return answer(instead.body, instead.status)
    answer(JSON.stringify({ keys: published }))
  })
  const start = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  await start(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}/tenant/v2.0`

  return {
    issuer,
    token: (claims = {}, header = {}) =>
      new SignJWT({
        iss: issuer,
        aud: audience,
        exp: Math.floor(Date.now() / 1_000) + 3_600,
        oid: 'somebody',
        name: 'Some Body',
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...header })
        .sign(key.privateKey),
    async rotate(present = 'replaced') {
      key = await newKey()
      published = present === 'kept' ? [...published, key.jwk] : [key.jwk]
    },
    publicKeys: () => published,
    fetches: () => fetched,
    answer(other) {
      instead = other
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    start: () => start(port),
  }
}
