import { createHmac, randomBytes } from 'node:crypto'

/** A salt in hex. Without it, nobody can tell by trying whether a hash is that of a name. */
export function newSalt(): string {
  return randomBytes(32).toString('hex')
}

/** Return the hash that events hold in place of a person's name: HMAC-SHA-256 of its UTF-8 bytes, in hex. */
export function nameHashOf(salt: string, name: string): string {
  return createHmac('sha256', Buffer.from(salt, 'hex')).update(name).digest('hex')
}
