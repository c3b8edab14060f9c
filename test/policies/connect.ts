import { randomUUID } from 'node:crypto'
import type { HearingExecutor } from '../../src/commands/executor/command.ts'
import { createExecutor } from '../../src/commands/executor/execute.ts'
import type { RuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import { clock, now } from '../../src/lib/clocks.ts'
import { createReader } from '../../src/projections/engine/reading/reader.ts'
import { followPositions } from '../../src/projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import type { EventStore } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres } from '../../src/stores/postgres/postgres.ts'
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
  const positions = followPositions({ url: databaseUrl, readModels, clock, now })
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

export function executorOf(store: EventStore, rules: RuleBook): HearingExecutor {
  return createExecutor({
    store,
    persons: noNames,
    now,
    clock,
    newId: randomUUID,
    cacheBytes: 8_000_000,
    rules,
  })
}
