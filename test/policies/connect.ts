import { randomUUID } from 'node:crypto'
import type { Execute } from '../../src/commands/command.ts'
import { createExecutor } from '../../src/commands/execute.ts'
import type { RuleBook } from '../../src/domain/ruleBook.ts'
import { connectEventStore, type EventStore } from '../../src/eventStore.ts'
import { connectPostgres } from '../../src/postgres.ts'
import { createReader } from '../../src/projections/reading/reader.ts'
import { followPositions } from '../../src/projections/reading/waitFor.ts'

/** Connect a policy, in this process or in one of its own, to the stores. */
export async function connect({
  eventStoreUrl,
  databaseUrl,
  schema,
}: {
  eventStoreUrl: string
  databaseUrl: string
  schema: string
}) {
  const store = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'policies', size: 4 })
  const positions = followPositions({
    ...{ url: databaseUrl, schema, clock: () => performance.now(), now: () => new Date() },
  })
  return {
    store,
    postgres,
    positions,
    reader: createReader({ postgres, schema, streams: 1 }),
    async close() {
      await positions.close()
      await postgres.close()
      await store.close()
    },
  }
}

export function executorOf(store: EventStore, rules: RuleBook): Execute {
  return createExecutor({ store, now: () => new Date(), newId: randomUUID, cacheBytes: 8_000_000, rules })
    .execute
}
