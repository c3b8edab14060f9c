import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { z } from 'zod'

/**
 * Encrypts what a session or a login must keep but nobody may read: tokens in the database, and the state of a login
 * in the browser. The key is derived from the client's secret, so that nodes share it without a setting of its own.
 */
export interface Sealing<Content> {
  /** With `until`, nothing can be opened afterwards. */
  seal(content: Content, until?: Date): Promise<string>
  /** Return undefined for anything that was not sealed for this use with this secret, or is too old. */
  open(sealed: string): Promise<Content | undefined>
}

const enc = 'A256GCM'

/** @param use a value that was sealed for one use cannot be opened for another */
export function createSealing<Schema extends z.ZodObject>(
  secret: string,
  use: string,
  schema: Schema,
  now: () => Date,
): Sealing<z.infer<Schema>> {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', `heatmark ${use}`, 32))

  return {
    seal(content, until) {
      const token = new EncryptJWT({ content }).setProtectedHeader({ alg: 'dir', enc })
      if (until) token.setExpirationTime(until)
      return token.encrypt(key)
    },
    async open(sealed) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: [enc],
          currentDate: now(),
        })
        return schema.parse(payload.content)
      } catch {
        return undefined
      }
    },
  }
}
