import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, expect, it } from 'vitest'
import { createTokens, type Tokens } from '../../src/identity/tokens.ts'
import { audience, tokenRules } from '../support/identity.ts'

const issuer = 'https://login.example'
const hour = 3_600
const start = Date.parse('2026-03-01T12:00:00Z') / 1_000
const pair = await generateKeyPair('ES256', { extractable: true })

let seconds: number
let published: boolean
let looked: number
let tokens: Tokens
beforeEach(() => {
  seconds = start
  published = true
  looked = 0
  const find = async () => {
    looked += 1
    return pair.publicKey
  }
  tokens = createTokens(tokenRules(issuer), { find, holds: () => published }, () => new Date(seconds * 1_000))
})

function tokenUntil(exp: number, claims = {}) {
  return new SignJWT({ iss: issuer, aud: audience, oid: 'me', exp, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .sign(pair.privateKey)
}

it('verifies a token once while nothing changes', async () => {
  const token = await tokenUntil(start + hour)
  const first = await tokens.verify(token)
  expect(await tokens.verify(token)).toBe(first)
  expect(looked).toBe(1)
})

it('tells which claim of a signed token has another value than the settings', async () => {
  const heard: string[] = []
  const keys = { find: async () => pair.publicKey, holds: () => true }
  const telling = createTokens(
    tokenRules(issuer),
    keys,
    () => new Date(seconds * 1_000),
    (claim) => heard.push(claim),
  )
  for (const claims of [{ aud: 'another' }, { iss: 'https://other.example' }, {}])
    await telling.verify(await tokenUntil(start + hour, claims)).catch(() => {})
  expect(heard).toEqual(['aud', 'iss'])
})

it('recalls the caller of a verified token until it expires or its key is withdrawn', async () => {
  const token = await tokenUntil(start + hour)
  expect(tokens.recall(token)).toBeUndefined()
  const caller = await tokens.verify(token)
  expect(tokens.recall(token)).toBe(caller)
  published = false
  expect(tokens.recall(token)).toBeUndefined()
  published = true
  await tokens.verify(token)
  seconds += hour + 5
  expect(tokens.recall(token)).toBeUndefined()
})

it('verifies a token again after 24 hours, however late it expires', async () => {
  const token = await tokenUntil(start + 365 * 24 * hour)
  await tokens.verify(token)
  seconds += 24 * hour - 1
  await tokens.verify(token)
  expect(looked).toBe(1)
  seconds += 1
  await tokens.verify(token)
  expect(looked).toBe(2)
})

it('verifies a token again when the provider has withdrawn its key', async () => {
  const token = await tokenUntil(start + hour)
  await tokens.verify(token)
  published = false
  await tokens.verify(token)
  expect(looked).toBe(2)
})

it('asks for the thumbprint of the key that signed the token', async () => {
  const asked: string[] = []
  const find = async () => pair.publicKey
  const holds = (thumbprint: string) => asked.push(thumbprint) > 0
  const remembering = createTokens(tokenRules(issuer), { find, holds }, () => new Date(seconds * 1_000))
  const token = await tokenUntil(start + hour)
  for (const _ of [1, 2]) await remembering.verify(token)
  expect(asked).toEqual([await calculateJwkThumbprint(await exportJWK(pair.publicKey))])
})

it('refuses a remembered token once it has expired', async () => {
  const token = await tokenUntil(start + hour)
  await tokens.verify(token)
  seconds += hour + 5
  await expect(tokens.verify(token)).rejects.toThrow('The token has expired.')
})
