import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * An API key: `hmk_`, 32 random bytes in base62, and a CRC-32 of what stands before it in base62, so that a
 * mistyped key is told apart without a look-up. The service keeps only its SHA-256 hash.
 */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const scheme = 'hmk_'
/** 32 bytes are below 62^43, a CRC-32 below 62^6. */
const secretLength = 43
const checksumLength = 6
const shape = new RegExp(`^${scheme}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

const base62 = (value: bigint, length: number): string => {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/** SHA-256, in hex. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Its owner recognises a key by its first characters; they give away less than 30 of its 256 bits. */
const prefixLength = scheme.length + 5

export const newApiKey = (random: (size: number) => Buffer = randomBytes) => {
  const secret = scheme + base62(BigInt(`0x${random(32).toString('hex')}`), secretLength)
  const key = secret + checksum(secret)
  return { key, print: { prefix: key.slice(0, prefixLength), hash: hashOf(key) } }
}

/** False for what cannot be a key of ours, whoever holds it. */
export const isWellFormed = (key: string): boolean =>
  shape.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
