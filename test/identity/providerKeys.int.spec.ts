import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProviderKeys, type ProviderKeys, refreshEveryMs } from '../../src/identity/providerKeys.ts'
import { createTokens } from '../../src/identity/tokens.ts'
import { audience, type IdentityProvider, startIdentityProvider, tokenRules } from '../support/identity.ts'
import { ceilingMs, soonMs, until } from '../support/until.ts'

const minute = 60_000
let provider: IdentityProvider
let keys: ProviderKeys
let now: number

function addressOf(issuer: string) {
  return { issuer, jwksUrl: undefined, allowHttp: false, clock: () => now }
}

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

/** Let time pass, and start the background requests that become due. */
function pass(ms: number) {
  now += ms
  vi.advanceTimersByTime(ms)
}

function isGood(token: string) {
  return jwtVerify(token, keys.find, { issuer: provider.issuer, audience }).then(
    () => true,
    (error) => {
      if (error.code === 'ERR_JWKS_NO_MATCHING_KEY') return false
      throw error
    },
  )
}
function invented(n: number) {
  return provider.token({ oid: String(n) }, { kid: `invented-${n}` })
}

describe('a key rotation', () => {
  it('takes effect with the first token of the new key', async () => {
    const before = await provider.token()
    expect(await isGood(before)).toBe(true)
    await provider.rotate('kept')
    expect(await isGood(await provider.token())).toBe(true)
    expect(await isGood(before)).toBe(true)
    expect(provider.fetches()).toBe(2)
  })

  it('works four times in a row', async () => {
    for (let round = 0; round < 4; round++) {
      expect(await isGood(await provider.token())).toBe(true)
      await provider.rotate(round % 2 === 0 ? 'kept' : 'replaced')
    }
  })
})

describe('a key that the provider has withdrawn', () => {
  it('is refused from the first response that lacks it', async () => {
    const before = await provider.token()
    expect(await isGood(before)).toBe(true)
    await provider.rotate()
    expect(await isGood(await provider.token())).toBe(true)
    expect(await isGood(before)).toBe(false)
  })

  it('is refused within five minutes although no token causes a request', async () => {
    const before = await provider.token()
    expect(await isGood(before)).toBe(true)
    await provider.rotate()
    pass(refreshEveryMs)
    await until(() => provider.fetches() === 2)
    await until(async () => !(await isGood(before)))
    expect(refreshEveryMs).toBe(5 * minute)
  })

  it('invalidates the remembered tokens that it signed, and no others', async () => {
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

describe('a token without a key id', () => {
  it('is accepted when any key of the provider has signed it', async () => {
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
  it('cause five requests in a row, and then one every ten seconds', async () => {
    for (let n = 0; n < 200; n++) expect(await isGood(await invented(n))).toBe(false)
    expect(provider.fetches()).toBe(1 + 5)
    now += 10_000
    for (let n = 200; n < 250; n++) expect(await isGood(await invented(n))).toBe(false)
    expect(provider.fetches()).toBe(1 + 5 + 1)
    expect(await isGood(await provider.token())).toBe(true)
  })

  it('cause one request when they arrive at the same time', async () => {
    expect(await isGood(await provider.token())).toBe(true)
    const tokens = await Promise.all(Array.from({ length: 5 }, (_, n) => invented(n)))
    expect(await Promise.all(tokens.map(isGood))).toEqual(tokens.map(() => false))
    expect(provider.fetches()).toBe(2)
  })
})

describe('while the provider is unavailable', () => {
  it('no token is judged, and the service recovers without a restart', async () => {
    const token = await provider.token()
    await provider.stop()
    await expect(isGood(token)).rejects.toMatchObject({ code: 'provider-unavailable' })
    await expect(keys.ask()).rejects.toMatchObject({ code: 'provider-unavailable' })
    await provider.start()
    expect(await isGood(token)).toBe(true)
    await keys.ask()
  })

  it('its last keys are accepted for a day', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 200_000
    expect(await isGood(await provider.token({ exp }))).toBe(true)
    const token = await provider.token({ exp })
    await provider.stop()
    now += 11 * minute
    expect(await isGood(token)).toBe(true)
    expect(keys.serves()).toBe(true)
    await expect(isGood(await invented(1))).rejects.toMatchObject({ code: 'provider-unavailable' })
    now += 23 * 60 * minute
    expect(await isGood(token)).toBe(true)
    now += 60 * minute
    await expect(isGood(token)).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect(keys.serves()).toBe(false)
    await provider.start()
  })

  it.each([
    { status: 500, body: '{}' },
    { status: 200, body: 'no JSON' },
    { status: 200, body: '{"keys":7}' },
  ])('it gets five requests in a row, and then one a second: %j', async (answer) => {
    provider.answer(answer)
    for (let n = 0; n < 100; n++)
      await expect(isGood(await provider.token({ oid: String(n) }))).rejects.toMatchObject({
        code: 'provider-unavailable',
      })
    expect(provider.fetches()).toBe(1 + 5)
    now += 1_000
    await expect(isGood(await provider.token())).rejects.toMatchObject({ code: 'provider-unavailable' })
    await expect(isGood(await provider.token())).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect(provider.fetches()).toBe(1 + 5 + 1)
    provider.answer(undefined)
    now += 1_000
    expect(await isGood(await provider.token())).toBe(true)
  })
})

describe('while the provider hangs', () => {
  it('tokens of its last keys are verified without waiting for the pending request', async () => {
    keys.close()
    keys = createProviderKeys({ ...addressOf(provider.issuer), answerWithinMs: ceilingMs })
    await isGood(await provider.token())
    provider.answer('nothing')
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, n) => provider.token({ oid: String(n) })))
    for (const passing of [5 * minute, 6 * minute, 60 * minute]) {
      pass(passing)
      await until(() => provider.fetches() > 1)
      const started = performance.now()
      expect(await Promise.all(tokens.map(isGood))).toEqual(tokens.map(() => true))
      expect(performance.now() - started).toBeLessThan(soonMs)
    }
  })

  it('a token of an unknown key waits once for discovery and keys together', async () => {
    keys.close()
    keys = createProviderKeys({ ...addressOf(provider.issuer), answerWithinMs: 100 })
    provider.answer('nothing')
    const token = await provider.token()
    const limits = vi.spyOn(AbortSignal, 'timeout')
    await expect(isGood(token)).rejects.toThrow(/timeout/)
    expect(limits).toHaveBeenCalledOnce()
    limits.mockRestore()
  })
})

describe('ask', () => {
  it('makes at most one request a second', async () => {
    for (let n = 0; n < 20; n++) await keys.ask()
    expect(provider.fetches()).toBe(1)
    now += 1_000
    await Promise.all([keys.ask(), keys.ask(), keys.ask()])
    expect(provider.fetches()).toBe(2)
    await provider.stop()
    now += 1_000
    await expect(keys.ask()).rejects.toMatchObject({ code: 'provider-unavailable' })
    await provider.start()
    await keys.ask()
  })
})
