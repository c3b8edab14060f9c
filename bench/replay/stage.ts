import { randomUUID } from 'node:crypto'
import { projections } from '../../src/projections/all.ts'
import { log } from '../../src/projections/audit/log.ts'
import { ownColumns, type Projection, pastName } from '../../src/projections/engine/projection.ts'
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
  /** Names of projections; undefined means all of this release. */
  readonly names?: readonly string[]
  readonly leftOut?: LeftOut
}

/** A part of the record that the read models are built without. */
export type LeftOut = 'log' | 'former rows'

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
  leftOut?: LeftOut,
): Promise<Prepared> {
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 1 })
  try {
    await migrateLocal(postgres)
    const { schema } = await ensureSchema(postgres, randomUUID(), chosen({ names, leftOut }))
    return { eventStoreUrl, databaseUrl, schema, ...(names && { names }), ...(leftOut && { leftOut }) }
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
  const { eventStoreUrl, databaseUrl, schema, ...choice } = await readTask<Prepared>()
  const eventStore = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'bench', size: 3 })
  const began = performance.now()
  const events = await work({ eventStore, postgres, readModels: createReadModels(schema, chosen(choice)) })
  const milliseconds = performance.now() - began
  const worked: Worked = { events, milliseconds, peakMiB: process.resourceUsage().maxRSS / 1_024 }
  process.stdout.write(JSON.stringify(worked), () => process.exit())
}

interface Choice {
  readonly names?: readonly string[] | undefined
  readonly leftOut?: LeftOut | undefined
}

function chosen({ names, leftOut }: Choice): readonly Projection[] {
  const wanted = projections.filter(({ name }) => names?.includes(name) ?? true)
  if (leftOut === 'log') return wanted.filter(({ name }) => name !== log.name)
  return leftOut ? wanted.map(withoutFormerRows) : wanted
}

function withoutFormerRows(projection: Projection): Projection {
  const tables = Object.entries(projection.tables)
  const past = new Set(tables.flatMap(([name, { versioned }]) => (versioned ? [pastName(name)] : [])))
  return {
    ...projection,
    tables: Object.fromEntries(
      tables
        .filter(([name]) => !past.has(name))
        .map(([name, table]) => [name, { ...table, columns: ownColumns(table), versioned: false }]),
    ),
  }
}
