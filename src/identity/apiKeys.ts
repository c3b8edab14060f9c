import type { Membership } from '../domain/company/account.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import type { FoundKey } from '../projections/company/apiKeyQueries.ts'
import { hashOf, isWellFormed } from './apiKeyFormat.ts'
import type { Caller } from './caller.ts'

/** API keys are looked up on every request, so that a deleted key is refused at once. */

/** The key is not valid. The message gives the reason and may be shown to the caller. */
interface KeyHolder {
  readonly keyId: string
  /** The account that created the key, without its platform roles. */
  readonly caller: Caller
  /** The permissions of the key: the memberships that its owner had when the key was created. */
  readonly snapshot: readonly Membership[]
}

export interface ApiKeys {
  /** @throws Refusal `invalid-api-key`; PostgresUnavailable */
  verify(key: string): Promise<KeyHolder>
}

interface ApiKeysOptions {
  /** Find the key with this hash that has not been deleted. @throws PostgresUnavailable */
  readonly find: (hash: string) => Promise<FoundKey | undefined>
  readonly now: () => Date
  /** Called on every use of a key. */
  readonly onUsed: (keyId: string, at: Date) => void
}

export function createApiKeys({ find, now, onUsed }: ApiKeysOptions): ApiKeys {
  return {
    async verify(key) {
      // A mistyped key fails its checksum, so it costs no look-up.
      if (!isWellFormed(key))
        throw new Refusal(
          'invalid-api-key',
          'The API key is mistyped or incomplete. Send all of it as it was shown.',
        )
      const hash = hashOf(key)
      const stored = await find(hash)
      if (!stored)
        throw new Refusal(
          'invalid-api-key',
          'The API key is unknown or has been deleted. Create another one.',
        )
      const at = now()
      if (stored.expiresAt !== null && Date.parse(stored.expiresAt) <= at.getTime())
        throw new Refusal('invalid-api-key', 'The API key has expired. Create another one.')
      onUsed(stored.keyId, at)
      const { keyId, userId, userKind, snapshot } = stored
      const owner = { id: userId, name: '', kind: userKind }
      return { keyId, caller: { ...owner, platformRoles: [] }, snapshot }
    },
  }
}
