import { randomUUID } from 'node:crypto'
import { clock, now } from '../../src/clocks.ts'
import type { Executor } from '../../src/commands/command.ts'
import { createExecutor } from '../../src/commands/execute.ts'
import type { RuleBook } from '../../src/domain/ruleBook.ts'
import type { EventStore } from '../../src/eventStore.ts'
import { connectEventStore } from '../../src/eventStoreDb/connect.ts'
import { connectPostgres } from '../../src/postgres.ts'
import { createReader } from '../../src/projections/reading/reader.ts'
import { followPositions } from '../../src/projections/reading/waitFor.ts'
import type { ReadModels } from '../../src/projections/schema/readModels.ts'
import { noNames } from '../support/noNames.ts'

/** Connect a policy, in this process or in one of its own, to the stores. */
export async function connect({
  eventStoreUrl,
  databaseUrl,
  readModels,
}: {
  eventStoreUrl: string
  databaseUrl: string
  readModels: ReadModels
}) {
  const store = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'policies', size: 4 })
  const positions = followPositions({
    ...{ url: databaseUrl, readModels, clock, now },
  })
  return {
    store,
    postgres,
    positions,
    reader: createReader({ postgres, readModels, positions, clock, streams: 1 }),
    async close() {
      await positions.close()
      await postgres.close()
      await store.close()
    },
  }
}

export function executorOf(store: EventStore, rules: RuleBook): Executor {
  return createExecutor({
    ...{ store, persons: noNames, now, clock, newId: randomUUID, cacheBytes: 8_000_000, rules },
  })
}
