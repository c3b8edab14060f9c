import type { Membership } from '../domain/account.ts'
import type { FoundKey } from '../projections/access.ts'
import { hashOf, isWellFormed } from './apiKeyFormat.ts'
import type { Caller } from './caller.ts'

/** API keys as credentials: looked up on every request, so that a deleted one is refused at once. */

/** The key is no good; the message says why in words that may be shown. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused'
}

export interface KeyHolder {
  readonly keyId: string
  /** The account that created the key, without its platform roles. */
  readonly caller: Caller
  /** All that the key may do: its owner's memberships as they were when it was created. */
  readonly snapshot: readonly Membership[]
}

export interface ApiKeys {
  /** @throws KeyRefused, PostgresUnavailable */
  verify(key: string): Promise<KeyHolder>
}

export interface ApiKeysOptions {
  /** The live key of this hash. @throws PostgresUnavailable */
  readonly find: (hash: string) => Promise<FoundKey | undefined>
  readonly now: () => Date
  /** Told of every use. */
  readonly used: (keyId: string, at: Date) => void
}

export function createApiKeys({ find, now, used }: ApiKeysOptions): ApiKeys {
  return {
    async verify(key) {
      // A slip of the pen costs no look-up, and its checksum tells it apart from a guess.
      if (!isWellFormed(key)) throw new KeyRefused('The API key is mistyped or incomplete.')
      const hash = hashOf(key)
      const found = await find(hash)
      if (!found) throw new KeyRefused('The API key is unknown or has been deleted.')
      const at = now()
      if (found.expiresAt !== null && Date.parse(found.expiresAt) <= at.getTime())
        throw new KeyRefused('The API key has expired.')
      used(found.keyId, at)
      const { keyId, userId, userName, userKind, snapshot } = found
      return { keyId, caller: { id: userId, name: userName, kind: userKind, platformRoles: [] }, snapshot }
    },
  }
}
