import { LRUCache } from 'lru-cache'
import { atMost } from '../lib/atMost.ts'
import type { Postgres } from '../stores/postgres/postgres.ts'

/**
 * When API keys were last used, to the minute: one write for all keys together, and for a key no more than
 * one a minute, however many requests it makes.
 */
interface LastUsed {
  /** Costs no write by itself. */
  note(keyId: string, at: Date): void
  /** Writes what is still to be written. */
  close(): Promise<void>
}

interface LastUsedOptions {
  readonly postgres: Pick<Postgres, 'query'>
  /** Called when writing fails. It is tried again. */
  readonly onError?: (error: Error) => void
  /** Uses are gathered for this long, by default a second. */
  readonly gatherMs?: number
}

const minuteMs = 60_000
/** The most keys remembered. Beyond it, the key used longest ago is forgotten, and may be written twice in a minute. */
const maxKeys = 50_000

/** Writes in the order of ids, so that two nodes never wait for each other. */
const upsert = `
  INSERT INTO heatmark_local.last_used AS known (key_id, last_used_at)
  SELECT * FROM unnest($1::text[], $2::timestamptz[]) AS used (key_id, last_used_at) ORDER BY key_id
  ON CONFLICT (key_id) DO UPDATE SET last_used_at = EXCLUDED.last_used_at
  WHERE known.last_used_at < EXCLUDED.last_used_at`

export function createLastUsed({
  postgres,
  onError = () => {},
  gatherMs = 1_000,
}: LastUsedOptions): LastUsed {
  /** The last minute of use of each key, and of the keys whose minute is not written yet. */
  const noted = new LRUCache<string, number>(atMost(maxKeys))
  const pending = new LRUCache<string, number>(atMost(maxKeys))
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const write = async (): Promise<void> => {
    const batch = [...pending]
    if (batch.length === 0) return
    pending.clear()
    const times = batch.map(([, minute]) => new Date(minute).toISOString())
    await postgres.query(upsert, [batch.map(([keyId]) => keyId), times]).catch((error) => {
      for (const [keyId, minute] of batch) if (!pending.has(keyId)) pending.set(keyId, minute)
      throw error
    })
  }

  const writeSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = write().catch((error) => {
        onError(error as Error)
        writeSoon()
      })
    }, gatherMs)
  }

  return {
    note(keyId, at) {
      const minute = Math.floor(at.getTime() / minuteMs) * minuteMs
      if ((noted.get(keyId) ?? -1) >= minute) return
      noted.set(keyId, minute)
      pending.set(keyId, minute)
      writeSoon()
    },
    async close() {
      await writing
      clearTimeout(timer)
      await write().catch((error) => onError(error as Error))
    },
  }
}
