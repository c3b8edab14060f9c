import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProviderKeys, type ProviderKeys, ProviderUnavailable } from '../../src/identity/jwks.ts'
import { createTokens } from '../../src/identity/tokens.ts'
import { audience, type IdentityProvider, startIdentityProvider } from '../support/identity.ts'

/** The provider's keys: how they come and go, and what the provider is spared. */

const minute = 60_000
let provider: IdentityProvider
let keys: ProviderKeys
let now: number

beforeEach(async () => {
  provider = await startIdentityProvider()
  now = 0
  keys = createProviderKeys({ issuer: provider.issuer, jwksUrl: undefined, clock: () => now })
})
afterEach(() => provider.stop())

const isGood = (token: string) =>
  jwtVerify(token, keys.find, { issuer: provider.issuer, audience }).then(
    () => true,
    (error) => {
      if (error.code === 'ERR_JWKS_NO_MATCHING_KEY') return false
      throw error
    },
  )
const invented = (n: number) => provider.token({ oid: String(n) }, { kid: `invented-${n}` })

describe('a rotation', () => {
  it('is noticed by the first token of the new key, and leaves those of the old one good', async () => {
    const [before, unseen] = [await provider.token(), await provider.token({ oid: 'unseen' })]
    expect(await isGood(before)).toBe(true)
    await provider.rotate()
    expect(await isGood(await provider.token())).toBe(true)
    expect(await isGood(before)).toBe(true)
    expect(await isGood(unseen)).toBe(true)
    expect(provider.fetches()).toBe(2)
  })

  it('may follow another', async () => {
    for (let round = 0; round < 4; round++) {
      expect(await isGood(await provider.token())).toBe(true)
      await provider.rotate(round % 2 === 0 ? 'kept' : 'replaced')
    }
  })

  it('ends a key that was withdrawn, ten minutes after it was last there', async () => {
    const before = await provider.token({ exp: Math.floor(Date.now() / 1_000) + 7_200 })
    expect(await isGood(before)).toBe(true)
    await provider.rotate()
    now += 5 * minute
    expect(await isGood(await provider.token())).toBe(true)
    expect(await isGood(before)).toBe(true)
    now += 5 * minute + 1
    expect(await isGood(before)).toBe(false)
  })

  it('that no token tells of is found within ten minutes', async () => {
    expect(await isGood(await provider.token())).toBe(true)
    const before = await provider.token()
    await provider.rotate()
    now += 10 * minute
    expect(await isGood(before)).toBe(false)
  })
})

describe('a token without the name of a key', () => {
  it('may be signed with any that the provider has', async () => {
    const tokens = createTokens(
      {
        issuer: provider.issuer,
        audiences: [audience],
        algorithms: ['ES256'],
        userClaim: 'oid',
        nameClaim: 'name',
        rolesClaim: 'roles',
        platformRoles: { PlatformAdmin: 'PlatformAdmin', Operator: 'Operator' },
      },
      keys.find,
      () => new Date(),
    )
    await provider.rotate('kept')
    await provider.rotate('kept')
    const token = await provider.token({ oid: 'me' }, { kid: undefined } as object)
    expect(decodeProtectedHeader(token)).not.toHaveProperty('kid')
    expect(await tokens.verify(token)).toMatchObject({ id: 'me' })
    const other = await startIdentityProvider()
    const foreign = await other.token({ iss: provider.issuer }, { kid: undefined } as object)
    await expect(tokens.verify(foreign)).rejects.toThrow(/signature/)
    await other.stop()
  })
})

describe('invented key ids', () => {
  it('cost the provider five requests in a row, and then one in ten seconds', async () => {
    for (let n = 0; n < 200; n++) expect(await isGood(await invented(n))).toBe(false)
    expect(provider.fetches()).toBe(1 + 5)
    now += 10_000
    for (let n = 200; n < 250; n++) expect(await isGood(await invented(n))).toBe(false)
    expect(provider.fetches()).toBe(1 + 5 + 1)
    expect(await isGood(await provider.token())).toBe(true)
  })

  it('cost one request when they come all at once', async () => {
    expect(await isGood(await provider.token())).toBe(true)
    const tokens = await Promise.all(Array.from({ length: 5 }, (_, n) => invented(n)))
    expect(await Promise.all(tokens.map(isGood))).toEqual(tokens.map(() => false))
    expect(provider.fetches()).toBe(2)
  })
})

describe('while the provider cannot be asked', () => {
  it('at the start, no token is found good or bad; afterwards all is well without a restart', async () => {
    const token = await provider.token()
    await provider.stop()
    await expect(isGood(token)).rejects.toThrow(ProviderUnavailable)
    await expect(keys.ask()).rejects.toThrow(ProviderUnavailable)
    await provider.start()
    expect(await isGood(token)).toBe(true)
    await keys.ask()
  })

  it('its last keys go on for a day', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 200_000
    expect(await isGood(await provider.token({ exp }))).toBe(true)
    const token = await provider.token({ exp })
    await provider.stop()
    now += 11 * minute
    expect(await isGood(token)).toBe(true)
    await expect(isGood(await invented(1))).rejects.toThrow(ProviderUnavailable)
    now += 23 * 60 * minute
    expect(await isGood(token)).toBe(true)
    now += 60 * minute
    await expect(isGood(token)).rejects.toThrow(ProviderUnavailable)
    await provider.start()
  })

  it.each([
    { status: 500, body: '{}' },
    { status: 200, body: 'no JSON' },
    { status: 200, body: '{"keys":7}' },
  ])('it is left alone more and more: %j', async (answer) => {
    provider.answer(answer)
    for (let n = 0; n < 100; n++)
      await expect(isGood(await provider.token({ oid: String(n) }))).rejects.toThrow(ProviderUnavailable)
    expect(provider.fetches()).toBe(1 + 5)
    now += 1_000
    await expect(isGood(await provider.token())).rejects.toThrow(ProviderUnavailable)
    await expect(isGood(await provider.token())).rejects.toThrow(ProviderUnavailable)
    expect(provider.fetches()).toBe(1 + 5 + 1)
    provider.answer(undefined)
    now += 1_000
    expect(await isGood(await provider.token())).toBe(true)
  })

  it('a provider that calls itself something else is none', async () => {
    const { port } = new URL(provider.issuer)
    const issuer = `http://127.0.0.1:${port}/another`
    const other = createProviderKeys({ issuer, jwksUrl: undefined, clock: () => now })
    await expect(other.ask()).rejects.toThrow(`calls itself ${provider.issuer}`)
  })
})

describe('whether it can be asked', () => {
  it('is asked once a second at most', async () => {
    for (let n = 0; n < 20; n++) await keys.ask()
    expect(provider.fetches()).toBe(1)
    now += 1_000
    await Promise.all([keys.ask(), keys.ask(), keys.ask()])
    expect(provider.fetches()).toBe(2)
    await provider.stop()
    now += 1_000
    await expect(keys.ask()).rejects.toThrow(ProviderUnavailable)
    await provider.start()
    await keys.ask()
  })
})
