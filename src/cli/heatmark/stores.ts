import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultDataDir } from '../../config.ts'
import { connectEventStore, type EventStore } from '../../eventStore.ts'
import { connectPostgres, type Postgres } from '../../postgres.ts'
import { projections } from '../../projections/all.ts'
import { schemaName } from '../../projections/schema/sql.ts'
import { storeIdOf } from '../../projections/schema/store.ts'
import { lookForSchema, NoReadModels, unusedStore } from './readModels.ts'

/** Operators' commands work on the stores themselves: they answer also when the service does not run. */
export interface Stores {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly close: () => Promise<void>
}

export interface StoreUrls {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
}

/** Which of the stores are the embedded stack's, as far as the environment goes. */
export function areEmbedded({ EVENTSTORE_URL, DATABASE_URL }: NodeJS.ProcessEnv) {
  return {
    eventStore: !EVENTSTORE_URL,
    postgres: !DATABASE_URL,
  }
}

/** Those that EVENTSTORE_URL and DATABASE_URL name, else those of the embedded stack that runs here. */
export function storeUrls(env: NodeJS.ProcessEnv): StoreUrls {
  const { EVENTSTORE_URL, DATABASE_URL } = env
  if (EVENTSTORE_URL && DATABASE_URL) return { eventStoreUrl: EVENTSTORE_URL, databaseUrl: DATABASE_URL }
  const file = join(env.HEATMARK_DATA_DIR || defaultDataDir, 'dev.json')
  try {
    const dev = JSON.parse(readFileSync(file, 'utf8')) as StoreUrls
    return {
      eventStoreUrl: EVENTSTORE_URL || dev.eventStoreUrl,
      databaseUrl: DATABASE_URL || dev.databaseUrl,
    }
  } catch {
    throw new Error(
      `which stores? Set EVENTSTORE_URL and DATABASE_URL, or start the embedded stack ("npm start"); there is no ${file}`,
    )
  }
}

export function openStores({ eventStoreUrl, databaseUrl }: StoreUrls): Stores {
  const eventStore = connectEventStore(eventStoreUrl)
  const postgres = connectPostgres({ url: databaseUrl, name: 'heatmark cli', size: 3 })
  return {
    eventStore,
    postgres,
    async close() {
      await postgres.close()
      await eventStore.close()
    },
  }
}

/**
 * The schema that this release's read models have over that store. Whoever looks writes nothing: a store or a
 * database that no service has used is told, not marked. @throws NoReadModels
 */
export async function schemaOf({ eventStore, postgres }: Stores): Promise<string> {
  const storeId = await storeIdOf(eventStore)
  if (!storeId) throw new NoReadModels(unusedStore)
  const schema = schemaName(storeId, projections)
  const { fault } = await lookForSchema(postgres, schema)
  if (fault) throw new NoReadModels(fault)
  return schema
}
