import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** An identity provider's public half in this process: discovery, keys that a spec can change, and tokens. */

export interface IdentityProvider {
  readonly issuer: string
  /** Signed with the present key; claims besides those that every token has. */
  token(
    claims?: JWTPayload & { [claim: string]: unknown },
    options?: { alg?: string; kid?: string },
  ): Promise<string>
  /** A new key replaces the present one. */
  rotate(): Promise<void>
  /** How often the keys were fetched. */
  fetches(): number
  stop(): Promise<void>
  start(): Promise<void>
}

export const audience = 'api://heatmark'

export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  let generation = 0
  let fetched = 0
  const newKey = async () => {
    generation += 1
    const kid = `key-${generation}`
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
  }
  let key = await newKey()

  const server = createServer((req, res) => {
    const answer = (body: object) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify(body))
    }
    if (req.url?.endsWith('/.well-known/openid-configuration'))
      return answer({ issuer, jwks_uri: `${issuer}/keys` })
    fetched += 1
    answer({ keys: [key.jwk] })
  })
  const start = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  await start(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}/tenant/v2.0`

  return {
    issuer,
    token: (claims = {}, { alg = 'ES256', kid = key.kid } = {}) =>
      new SignJWT({
        iss: issuer,
        aud: audience,
        exp: Math.floor(Date.now() / 1_000) + 3_600,
        oid: 'somebody',
        name: 'Some Body',
        ...claims,
      })
        .setProtectedHeader({ alg, kid })
        .sign(key.privateKey),
    async rotate() {
      key = await newKey()
    },
    fetches: () => fetched,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    start: () => start(port),
  }
}
