import { createHmac, createPublicKey, type KeyObject } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { startHttp } from '../../../support/http.ts'
import { audience, startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'
import { isFullRun, sized } from '../../../support/size.ts'
import { echoRoute } from '../../routes.ts'

/** Tokens made to get in: each is refused with 401, and never with anything else. */

/** So that leeways are told to the second. */
const clock = new Date('2026-03-01T12:00:00.000Z')
const now = clock.getTime() / 1_000

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

const identity = await own(startIdentityProvider())
const service = await own(
  startHttp({
    identity,
    routes: [echoRoute('/api/who', 'caller')],
    failureLimit: 1_000_000,
    now: () => clock,
  }),
)
afterAll(() => agent.destroy())

/** Sent byte by byte as it stands, which `fetch` would not do. */
const statusOf = (authorization: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    request({ agent, hostname, port, path: '/api/who', headers: { authorization } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!))
    })
      .on('error', reject)
      .end()
  })
const answerTo = (token: string) => statusOf(`Bearer ${token}`)
const valid = { exp: now + 600, oid: 'me' }
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = () => ({ iss: identity.issuer, aud: audience, ...valid })
const unsigned = (header: object, signature = '') => `${part(header)}.${part(claims())}.${signature}`

/** Everything at once, but no more than the connections can take. */
const statuses = async (tokens: readonly string[]): Promise<Set<number>> =>
  new Set(await Promise.all(tokens.map(answerTo)))

it('admits the token that all others are made from', async () => {
  expect(await answerTo(await identity.token(valid))).toBe(200)
})

describe('a signature', () => {
  it.each(['none', 'None', 'NONE', 'nOnE', ''])('by the algorithm %j is refused', async (alg) => {
    expect(await answerTo(unsigned({ alg }))).toBe(401)
    expect(await answerTo(unsigned({ alg, kid: 'key-1' }, 'AAAA'))).toBe(401)
  })

  it('by HMAC with the public key as its secret, in any encoding, is refused', async () => {
    const [jwk] = identity.publicKeys() as [JWK]
    const key: KeyObject = createPublicKey({ key: jwk as object, format: 'jwk' })
    const secrets = [
      JSON.stringify(jwk),
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      Buffer.from(jwk.x!, 'base64url'),
      jwk.x!,
      '',
    ]
    for (const secret of secrets)
      for (const [alg, hash] of [
        ['HS256', 'sha256'],
        ['HS384', 'sha384'],
        ['HS512', 'sha512'],
      ] as const) {
        const signed = `${part({ alg, kid: jwk.kid })}.${part(claims())}`
        const mac = createHmac(hash, secret).update(signed).digest('base64url')
        expect(await answerTo(`${signed}.${mac}`)).toBe(401)
      }
  })

  it('by a key that the token holds, or gives the address of, is refused', async () => {
    let visits = 0
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const own = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES256' }
    const host = createServer((_, res) => {
      visits += 1
      res.end(JSON.stringify({ keys: [own] }))
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`
    for (const kid of ['own', 'key-1', undefined])
      for (const bait of [{ jwk: own }, { jku: url }, { x5u: url }, { x5c: ['AAAA'] }, { iss: url }]) {
        const token = await new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES256', ...(kid && { kid }), ...bait })
          .sign(privateKey)
        expect(await answerTo(token)).toBe(401)
      }
    expect(visits).toBe(0)
    await new Promise((resolve) => host.close(resolve))
  })

  it('with a critical header is refused', async () => {
    for (const crit of [['exp'], ['b64'], ['made-up'], []])
      expect(await answerTo(unsigned({ alg: 'ES256', kid: 'key-1', crit, b64: false }, 'AAAA'))).toBe(401)
  })

  it('of another provider is refused', async () => {
    const other = await startIdentityProvider()
    for (const kid of ['key-1', 'key-2', '', '../../etc/passwd', "' OR 1=1 --", 'ключ', '__proto__'])
      expect(await answerTo(await other.token({ ...valid, iss: identity.issuer }, { kid }))).toBe(401)
    await other.stop()
  })
})

describe('claims', () => {
  it.each([
    { iss: 'https://elsewhere.example' },
    { iss: undefined },
    { iss: [] as unknown as string },
    { aud: 'api://elsewhere' },
    { aud: [] },
    { aud: undefined },
    { aud: 'api://heatmarK' },
    { exp: undefined },
    { exp: now - 5 },
    { exp: -1 },
    { exp: '9999999999' as unknown as number },
    { nbf: now + 6 },
    { nbf: 'soon' as unknown as number },
    { oid: 'ме' },
    { oid: 'me\u0000' },
    { oid: 'me\u200b' },
    { oid: ' me' },
    { oid: '' },
    { oid: ['me'] },
    { oid: { toString: 'me' } },
  ])('are refused with %j', async (wrong) => {
    expect(await answerTo(await identity.token({ ...valid, ...wrong }))).toBe(401)
  })

  it('are accepted within the leeway of five seconds', async () => {
    expect(await answerTo(await identity.token({ ...valid, exp: now - 4 }))).toBe(200)
    expect(await answerTo(await identity.token({ ...valid, nbf: now + 5 }))).toBe(200)
  })

  it('may have any characters in the name, and a role in another spelling grants nothing', async () => {
    const token = await identity.token({
      ...valid,
      name: 'Ме😀\u202e\ud800\u0000',
      roles: ['Oреrator', 'operator', 'Operator ', { toString: 'Operator' }],
    })
    expect(await answerTo(token)).toBe(200)
    const response = await fetch(`${service.url}/api/who`, { headers: { authorization: `Bearer ${token}` } })
    expect(((await response.json()) as { platformRoles: unknown }).platformRoles).toEqual([])
  })
})

describe('a request', () => {
  it('with a token that is too long is refused', async () => {
    expect(await answerTo(await identity.token({ ...valid, padding: 'x'.repeat(10_000) }))).toBe(200)
    expect(await answerTo('x'.repeat(15_000))).toBe(401)
    expect(await answerTo(`${'a.'.repeat(7_000)}a`)).toBe(401)
    // Node's own limit of all headers together.
    expect(await answerTo(await identity.token({ ...valid, padding: 'x'.repeat(20_000) }))).toBe(431)
  })

  it('with a valid token that has any one bit flipped is refused', async () => {
    const token = await identity.token(valid)
    const flipped = [...Buffer.from(token)].flatMap((byte, at) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => {
        const bytes = Buffer.from(token)
        bytes[at] = byte ^ (1 << bit)
        return bytes.toString('latin1')
      }),
    )
    // HTTP cannot carry control characters in a header.
    const sendable = flipped.filter((text) => [...text].every((one) => one >= ' ' && one !== '\x7f'))
    expect(sendable.length).toBeGreaterThan(5 * token.length)
    expect(await statuses(sendable)).toEqual(new Set([401]))
    expect(await answerTo(token)).toBe(200)
  })

  it('with a valid token that has a character missing, doubled or added is refused', async () => {
    const token = await identity.token(valid)
    const bent = [...token].flatMap((character, at) => [
      token.slice(0, at) + token.slice(at + 1),
      token.slice(0, at) + character + token.slice(at),
    ])
    const padded = [`${token}=`, `${token}==`, `${token}.`, `.${token}`, token.replaceAll('.', '..')]
    const others = [...bent, ...padded].filter((other) => other !== token)
    expect(await statuses(isFullRun ? others : others.filter((_, index) => index % 3 === 0))).toEqual(
      new Set([401]),
    )
  })

  it('with any other header, claims and signature is refused', async () => {
    const json = fc.jsonValue()
    const header = fc.record(
      {
        alg: fc.oneof(fc.constantFrom('ES256', 'RS256', 'EdDSA', 'none', 'HS256'), json),
        kid: fc.oneof(fc.constant('key-1'), json),
        typ: json,
        crit: json,
        b64: json,
        zip: json,
        jwk: json,
        enc: json,
      },
      { requiredKeys: [] },
    )
    const segment = fc.oneof(
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc.stringMatching(/^[\w.~+/-]{0,20}$/),
    )
    await fc.assert(
      fc.asyncProperty(header, segment, segment, async (of, payload, signature) => {
        for (const token of [
          `${part(of)}.${payload}.${signature}`,
          `${part(of)}.${part(claims())}.${signature}`,
        ])
          expect(await answerTo(token)).toBe(401)
      }),
      { numRuns: sized(100, 2_000) },
    )
  })

  it('with any other Authorization header is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[\x21-\x7e\x80-\xff][\x20-\x7e\x80-\xff]{0,60}$/),
        async (text) => {
          for (const header of [text, `Bearer ${text}`, `Bearer: ${text}`, `bearer\t${text}`])
            expect(await statusOf(header.trim())).toBe(401)
        },
      ),
      { numRuns: sized(100, 2_000) },
    )
  })
})
