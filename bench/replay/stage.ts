import { randomUUID } from 'node:crypto'
import { connectEventStore, type EventStore } from '../../src/eventStore.ts'
import { migrateLocal } from '../../src/localSchema/migrate.ts'
import { connectPostgres, type Postgres } from '../../src/postgres.ts'
import { projections } from '../../src/projections/all.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { ensureSchema } from '../../src/projections/schema/schema.ts'
import { readTask } from '../processes.ts'

/** Read models over a store, for a process that works on them and says what it took. */

export interface ReadModels {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly schema: string
  /** Of the projections; all of this release unless told. */
  readonly names?: readonly string[]
}

export interface Worked {
  readonly events: number
  readonly milliseconds: number
  /** The most memory that the process had, resident. */
  readonly peakMiB: number
}

const named = (names: readonly string[] | undefined): readonly Projection[] =>
  projections.filter(({ name }) => names?.includes(name) ?? true)

/** A schema of empty tables over what is taken for another store each time. */
export const createReadModels = async (
  eventStoreUrl: string,
  databaseUrl: string,
  names?: readonly string[],
): Promise<ReadModels> => {
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 1 })
  try {
    await migrateLocal(postgres)
    const schema = await ensureSchema(postgres, randomUUID(), named(names))
    return { eventStoreUrl, databaseUrl, schema, ...(names && { names }) }
  } finally {
    await postgres.close()
  }
}

export interface Stage {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly schema: string
  readonly projections: readonly Projection[]
}

/** Carries out what the process was asked for on stdin, and prints what it took. */
export const perform = async (work: (stage: Stage) => Promise<number>): Promise<void> => {
  const { eventStoreUrl, databaseUrl, schema, names } = await readTask<ReadModels>()
  const eventStore = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 3 })
  const began = performance.now()
  const events = await work({ eventStore, postgres, schema, projections: named(names) })
  const milliseconds = performance.now() - began
  const worked: Worked = { events, milliseconds, peakMiB: process.resourceUsage().maxRSS / 1_024 }
  process.stdout.write(JSON.stringify(worked), () => process.exit())
}
