import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../src/embedded/postgres.ts'
import { clock } from '../src/lib/clocks.ts'
import { projections } from '../src/projections/all.ts'
import { createReader, type Reader } from '../src/projections/engine/reading/reader.ts'
import type { ReadModels } from '../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../src/projections/engine/schema/schema.ts'
import { connectPostgres, type Postgres } from '../src/stores/postgres/postgres.ts'

export interface EmptyReadModels {
  readonly postgres: Postgres
  readonly readModels: ReadModels
  readonly reader: Reader
}

/** Measure on read models without rows, in a PostgreSQL of their own, and drop both afterwards. */
export async function onEmptyReadModels<Result>(
  measure: (given: EmptyReadModels) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const server = await startPostgres({ dataDir })
  const postgres = connectPostgres({ url: server.url, name: 'bench', size: 2 })
  try {
    const readModels = await ensureSchema(postgres, randomUUID(), projections)
    const positions = { knownStates: new Map() }
    const reader = createReader({ postgres, readModels, positions, clock, streams: 1 })
    return await measure({ postgres, readModels, reader })
  } finally {
    await postgres.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
