import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * An API key is `hmk_`, 32 random bytes in base62, and the CRC-32 of all that in base62. The checksum
 * reveals a mistyped key without a look-up. The service stores only the key's SHA-256 hash.
 */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const scheme = 'hmk_'
/** 32 bytes are below 62^43, a CRC-32 below 62^6. */
const secretLength = 43
const checksumLength = 6
const shape = new RegExp(`^${scheme}[0-9A-Za-z]{${secretLength + checksumLength}}$`)
/** The owner recognises a key by its first characters, which reveal less than 30 of its 256 bits. */
const prefixLength = scheme.length + 5

export function newApiKey(random: (size: number) => Buffer = randomBytes) {
  const secret = scheme + base62(BigInt(`0x${random(32).toString('hex')}`), secretLength)
  const key = secret + checksumOf(secret)
  return { key, fingerprint: { prefix: key.slice(0, prefixLength), hash: hashOf(key) } }
}

/** False means that the service cannot have issued this key. */
export function isWellFormed(key: string): boolean {
  return shape.test(key) && checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
}

/** SHA-256, in hexadecimal. */
export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function checksumOf(text: string): string {
  return base62(BigInt(crc32(text)), checksumLength)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text
}
