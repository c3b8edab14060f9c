import { join } from 'node:path'
import { defaultDataDir } from '../../config/config.ts'
import { readDevFile } from '../../embedded/devFile.ts'
import { projections } from '../../projections/all.ts'
import { type ReadModels, readModelsOf } from '../../projections/engine/schema/readModels.ts'
import { storeIdOf } from '../../projections/engine/schema/store.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { connectEventStore } from '../../stores/eventStoreDb/connect.ts'
import { connectPostgres, type Postgres } from '../../stores/postgres/postgres.ts'
import { lookForSchema, NoReadModels, unusedStore } from './readModels.ts'

/** The stores. Operators' commands use them directly, so they work also when the service does not run. */
export interface Stores {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  /** The address of `postgres`. */
  readonly databaseUrl: string
  readonly close: () => Promise<void>
}

interface StoreUrls {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
}

/** Tell which stores belong to the embedded stack: those that the environment does not name. */
export function areEmbedded({ EVENTSTORE_URL, DATABASE_URL }: NodeJS.ProcessEnv) {
  return { eventStore: !EVENTSTORE_URL, postgres: !DATABASE_URL }
}

/** Return the addresses in EVENTSTORE_URL and DATABASE_URL, or else those of the embedded stack that runs here. */
export function storeUrls(env: NodeJS.ProcessEnv): StoreUrls {
  const { EVENTSTORE_URL, DATABASE_URL } = env
  if (EVENTSTORE_URL && DATABASE_URL) return { eventStoreUrl: EVENTSTORE_URL, databaseUrl: DATABASE_URL }
  const dataDir = env.HEATMARK_DATA_DIR || defaultDataDir
  const dev = readDevFile(dataDir)
  if (dev === undefined)
    throw new Error(
      `no stores found: set EVENTSTORE_URL and DATABASE_URL, or start the embedded stack ("npm start"), which writes ${join(dataDir, 'dev.json')} for as long as it runs`,
    )
  const { eventStoreUrl, databaseUrl } = JSON.parse(dev) as StoreUrls
  return { eventStoreUrl: EVENTSTORE_URL || eventStoreUrl, databaseUrl: DATABASE_URL || databaseUrl }
}

export function openStores({ eventStoreUrl, databaseUrl }: StoreUrls): Stores {
  const eventStore = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'heatmark cli', size: 3 })
  return {
    eventStore,
    postgres,
    databaseUrl,
    async close() {
      await postgres.close()
      await eventStore.close()
    },
  }
}

/**
 * Return this release's read models for that store. Nothing is written, also to a store that no service has used.
 * @throws Failure `no-read-models`
 */
export async function findReadModels({ eventStore, postgres }: Stores): Promise<ReadModels> {
  const storeId = await storeIdOf(eventStore)
  if (!storeId) throw new NoReadModels(unusedStore)
  const readModels = readModelsOf(storeId, projections)
  const { fault } = await lookForSchema(postgres, readModels.schema)
  if (fault) throw new NoReadModels(fault)
  return readModels
}
