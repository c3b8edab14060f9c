import { LRUCache } from 'lru-cache'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { atMost } from '../lib/atMost.ts'
import { now } from '../lib/clocks.ts'

/**
 * The storage of the embedded identity provider: sessions, logins and refresh tokens, in memory. A restart ends them
 * all. The least recently used entries are dropped beyond the bound, so that requests cannot fill the memory.
 */

const maxEntries = 10_000

/** @param findClient the client with this id, if it is not one of the provider's fixed clients */
export function createProviderStorage(
  findClient: (clientId: string) => AdapterPayload | undefined,
): (model: string) => Adapter {
  const entries = new LRUCache<string, AdapterPayload>(atMost(maxEntries))

  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`
    return {
      find: async (id) => (model === 'Client' ? findClient(id) : entries.get(keyOf(id))),
      findByUid: async (uid) =>
        [...entries].find(([key, entry]) => key.startsWith(keyOf('')) && entry.uid === uid)?.[1],
      // Only the device flow has user codes, and it is off.
      findByUserCode: async () => undefined,
      upsert: async (id, payload, seconds) =>
        void entries.set(keyOf(id), payload, { ttl: seconds ? seconds * 1_000 : 0 }),
      consume: async (id) => {
        const entry = entries.get(keyOf(id))
        if (entry) entry.consumed = Math.floor(now().getTime() / 1_000)
      },
      destroy: async (id) => void entries.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, entry] of entries) if (entry.grantId === grantId) entries.delete(key)
      },
    }
  }
}
