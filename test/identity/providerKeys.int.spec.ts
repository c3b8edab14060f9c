import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProviderUnavailable } from '../../src/identity/provider.ts'
import { createProviderKeys, type ProviderKeys, refreshEveryMs } from '../../src/identity/providerKeys.ts'
import { createTokens } from '../../src/identity/tokens.ts'
import { audience, type IdentityProvider, startIdentityProvider, tokenRules } from '../support/identity.ts'
import { until } from '../support/until.ts'

/** The provider's keys: how they come and go, and what the provider is spared. */

const minute = 60_000
let provider: IdentityProvider
let keys: ProviderKeys
let now: number

const addressOf = (issuer: string) => ({ issuer, jwksUrl: undefined, allowHttp: false, clock: () => now })

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  provider = await startIdentityProvider()
  now = 0
  keys = createProviderKeys(addressOf(provider.issuer))
})
afterEach(async () => {
  keys.close()
  vi.useRealTimers()
  await provider.stop()
})

/** Lets time pass, and the background requests that are due in it begin. */
const pass = (ms: number) => {
  now += ms
  vi.advanceTimersByTime(ms)
}

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
  it('is noticed by the first token of the new key', async () => {
    const before = await provider.token()
    expect(await isGood(before)).toBe(true)
    await provider.rotate('kept')
    expect(await isGood(await provider.token())).toBe(true)
    expect(await isGood(before)).toBe(true)
    expect(provider.fetches()).toBe(2)
  })

  it('may follow another', async () => {
    for (let round = 0; round < 4; round++) {
      expect(await isGood(await provider.token())).toBe(true)
      await provider.rotate(round % 2 === 0 ? 'kept' : 'replaced')
    }
  })
})

describe('a key that the provider has withdrawn', () => {
  it('ends with the first answer that lacks it', async () => {
    const before = await provider.token()
    expect(await isGood(before)).toBe(true)
    await provider.rotate()
    expect(await isGood(await provider.token())).toBe(true)
    expect(await isGood(before)).toBe(false)
  })

  it('ends within five minutes though no token asks', async () => {
    const before = await provider.token()
    expect(await isGood(before)).toBe(true)
    await provider.rotate()
    pass(refreshEveryMs)
    await until(() => provider.fetches() === 2)
    await until(async () => !(await isGood(before)))
    expect(refreshEveryMs).toBe(5 * minute)
  })

  it('takes its remembered tokens with it, and leaves those of another key', async () => {
    const tokens = createTokens(tokenRules(provider.issuer), keys, () => new Date())
    const withdrawn = await provider.token({ oid: 'withdrawn' })
    await tokens.verify(withdrawn)
    await provider.rotate()
    const kept = await provider.token({ oid: 'kept' })
    await tokens.verify(kept)
    await expect(tokens.verify(withdrawn)).rejects.toThrow(/signature/)
    await provider.rotate('kept')
    await tokens.verify(await provider.token())
    const fetched = provider.fetches()
    expect(await tokens.verify(kept)).toMatchObject({ id: 'kept' })
    expect(provider.fetches()).toBe(fetched)
  })
})

describe('a token without the name of a key', () => {
  it('may be signed with any that the provider has', async () => {
    const tokens = createTokens(tokenRules(provider.issuer), keys, () => new Date())
    await provider.rotate('kept')
    await provider.rotate('kept')
    const token = await provider.token({ oid: 'me' }, { kid: undefined } as object)
    expect(decodeProtectedHeader(token)).not.toHaveProperty('kid')
    expect(await tokens.verify(token)).toMatchObject({ id: 'me' })
    const fetched = provider.fetches()
    expect(await tokens.verify(token)).toMatchObject({ id: 'me' })
    expect(provider.fetches()).toBe(fetched)
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
})

describe('while the provider hangs', () => {
  it('tokens of its last keys are verified at once, whatever is being fetched', async () => {
    await isGood(await provider.token())
    provider.answer('nothing')
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, n) => provider.token({ oid: String(n) })))
    for (const passing of [5 * minute, 6 * minute, 60 * minute]) {
      pass(passing)
      await until(() => provider.fetches() > 1)
      const started = performance.now()
      expect(await Promise.all(tokens.map(isGood))).toEqual(tokens.map(() => true))
      expect(performance.now() - started).toBeLessThan(2_000)
    }
  })

  it('a token of no known key waits for one request, discovery and keys together, and then for none', async () => {
    provider.answer('nothing')
    const started = performance.now()
    await expect(isGood(await provider.token())).rejects.toThrow(/timeout/)
    expect(performance.now() - started).toBeLessThan(7_000)
  }, 20_000)
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
