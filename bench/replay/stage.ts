import { randomUUID } from 'node:crypto'
import type { EventStore } from '../../src/eventStore.ts'
import { connectEventStore } from '../../src/eventStoreDb/connect.ts'
import { migrateLocal } from '../../src/localSchema/migrate.ts'
import { connectPostgres, type Postgres } from '../../src/postgres.ts'
import { projections } from '../../src/projections/all.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { createReadModels, type ReadModels } from '../../src/projections/schema/readModels.ts'
import { ensureSchema } from '../../src/projections/schema/schema.ts'
import { readTask } from '../processes.ts'

/** Read models for a process that works on them and reports its time and memory. */

export interface Prepared {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly schema: string
  /** Names of projections; undefined means all of this release. */
  readonly names?: readonly string[]
}

export interface Worked {
  readonly events: number
  readonly milliseconds: number
  /** Highest resident memory of the process. */
  readonly peakMiB: number
}

/** Create a schema of empty tables under a new store id, so every call gets tables of its own. */
export async function prepareReadModels(
  eventStoreUrl: string,
  databaseUrl: string,
  names?: readonly string[],
): Promise<Prepared> {
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 1 })
  try {
    await migrateLocal(postgres)
    const { schema } = await ensureSchema(postgres, randomUUID(), named(names))
    return { eventStoreUrl, databaseUrl, schema, ...(names && { names }) }
  } finally {
    await postgres.close()
  }
}

export interface Stage {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly readModels: ReadModels
}

/** Read the task from stdin, run `work`, and print its time and memory. */
export async function perform(work: (stage: Stage) => Promise<number>): Promise<void> {
  const { eventStoreUrl, databaseUrl, schema, names } = await readTask<Prepared>()
  const eventStore = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 3 })
  const began = performance.now()
  const events = await work({ eventStore, postgres, readModels: createReadModels(schema, named(names)) })
  const milliseconds = performance.now() - began
  const worked: Worked = { events, milliseconds, peakMiB: process.resourceUsage().maxRSS / 1_024 }
  process.stdout.write(JSON.stringify(worked), () => process.exit())
}

function named(names: readonly string[] | undefined): readonly Projection[] {
  return projections.filter(({ name }) => names?.includes(name) ?? true)
}
