import { randomUUID } from 'node:crypto'
import { keepHeapSmall } from '../../src/lib/heap.ts'
import { projections } from '../../src/projections/all.ts'
import { createReadModels, type ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../src/projections/engine/schema/schema.ts'
import type { EventStore } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import { connectPostgres, type Postgres } from '../../src/stores/postgres/postgres.ts'
import { readTask } from '../processes.ts'

/** Read models for a process that works on them and reports its time and memory. */

export interface Prepared {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly schema: string
}

export interface Worked {
  readonly events: number
  readonly milliseconds: number
  /** Highest resident memory of the process. */
  readonly peakMiB: number
}

/** Create a schema of empty tables under a new store id, so every call gets tables of its own. */
export async function prepareReadModels(eventStoreUrl: string, databaseUrl: string): Promise<Prepared> {
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 1 })
  try {
    await migrateLocal(postgres)
    const { schema } = await ensureSchema(postgres, randomUUID(), projections)
    return { eventStoreUrl, databaseUrl, schema }
  } finally {
    await postgres.close()
  }
}

/** The size of the database, with the rows that are dead. */
export async function databaseBytes(url: string): Promise<number> {
  const postgres = connectPostgres({ url, name: 'bench', size: 1 })
  const [row] = await postgres.query<{ bytes: number }>(
    'SELECT pg_database_size(current_database())::float AS bytes',
  )
  await postgres.close()
  return row!.bytes
}

export interface Stage {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly readModels: ReadModels
}

/** Read the task from stdin, run `work`, and print its time and memory. */
export async function perform(work: (stage: Stage) => Promise<number>): Promise<void> {
  keepHeapSmall()
  const { eventStoreUrl, databaseUrl, schema } = await readTask<Prepared>()
  const eventStore = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 3 })
  const began = performance.now()
  const events = await work({ eventStore, postgres, readModels: createReadModels(schema, projections) })
  const milliseconds = performance.now() - began
  const worked: Worked = { events, milliseconds, peakMiB: process.resourceUsage().maxRSS / 1_024 }
  process.stdout.write(JSON.stringify(worked), () => process.exit())
}
