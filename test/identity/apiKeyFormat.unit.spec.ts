import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hashOf, isWellFormed, newApiKey } from '../../src/identity/apiKeyFormat.ts'

const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => newApiKey(() => Buffer.from(bytes)))
const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

it('makes a key of hmk_, 43 characters for 32 bytes, and 6 for the checksum', () => {
  const { key, fingerprint } = newApiKey()
  expect(key).toMatch(/^hmk_[0-9A-Za-z]{49}$/)
  expect(fingerprint).toEqual({
    prefix: key.slice(0, 9),
    hash: createHash('sha256').update(key).digest('hex'),
  })
  expect(fingerprint.hash).toBe(hashOf(key))
})

it('makes the known key of 32 zero bytes, and a well-formed key of the largest bytes', () => {
  expect(newApiKey(() => Buffer.alloc(32)).key).toBe('hmk_00000000000000000000000000000000000000000000uyjgb')
  expect(isWellFormed(newApiKey(() => Buffer.alloc(32, 255)).key)).toBe(true)
})

it('makes a thousand different keys', () => {
  const made = new Set(Array.from({ length: 1_000 }, () => newApiKey().key))
  expect(made.size).toBe(1_000)
})

it('recognises a mistyped character, swapped neighbours and a truncated key', () => {
  fc.assert(
    fc.property(keys, fc.nat(52), fc.constantFrom(...characters), fc.nat(52), ({ key }, at, typed, cut) => {
      expect(isWellFormed(key)).toBe(true)
      const mistyped = key.slice(0, at) + typed + key.slice(at + 1)
      expect(isWellFormed(mistyped)).toBe(mistyped === key)
      const swapped = key.slice(0, at) + (key[at + 1] ?? '') + key[at] + key.slice(at + 2)
      expect(isWellFormed(swapped)).toBe(swapped === key)
      expect(isWellFormed(key.slice(0, cut))).toBe(false)
      expect(isWellFormed(`${key}${typed}`)).toBe(false)
      expect(isWellFormed(` ${key}`)).toBe(false)
    }),
  )
})

it('refuses any text that is not a key', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isWellFormed(text)).toBe(false)
      expect(isWellFormed(`hmk_${text}`)).toBe(false)
    }),
  )
})
