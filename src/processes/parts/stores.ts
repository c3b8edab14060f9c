import { setTimeout as pause } from 'node:timers/promises'
import { projections } from '../../projections/all.ts'
import { createReader, type Reader } from '../../projections/engine/reading/reader.ts'
import { followPositions, type Positions } from '../../projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../projections/engine/schema/schema.ts'
import { ensureStore } from '../../projections/engine/schema/store.ts'
import { type EventStore, StoreUnavailable } from '../../stores/eventStore.ts'
import { connectEventStore } from '../../stores/eventStoreDb/connect.ts'
import { createRenewals, type Renewals } from '../../stores/leading/renewals.ts'
import { migrateLocal } from '../../stores/localSchema/migrate.ts'
import {
  connectPostgres,
  type Postgres,
  type PostgresOptions,
  PostgresUnavailable,
} from '../../stores/postgres/postgres.ts'
import { createIntake, type Intake } from '../../stores/subscription/intake.ts'
import type { Runtime } from './runtime.ts'
import { settingFault } from './settingFault.ts'

/** Both stores of a process, prepared for this release, and the read models in them. */
export interface Stores {
  readonly eventStore: EventStore
  readonly intake: Intake
  /** Take a new client of the event store, after a fault of the present one. */
  readonly replaceClient: () => void
  /** Whether the store refused the last append because its disk is full. */
  readonly isStoreFull: () => boolean
  readonly storeId: string
  /** The connections that all requests share. */
  readonly requests: Postgres
  /** Open a pool for one use (two connections by default), so that it never waits for requests. */
  openPool(use: string, options?: PoolOptions): Postgres
  /** The read models of this release. */
  readonly readModels: ReadModels
  readonly positions: Positions
  readonly reader: Reader
  /** Renews all leases of this process. */
  readonly renewals: Renewals
}

type PoolOptions = Partial<Pick<PostgresOptions, 'size' | 'queryTimeoutMs' | 'settings'>>

/**
 * Connect to both stores, and wait until they are ready for this release.
 * @throws Error with one line that says what is wrong
 */
export async function connectStores(runtime: Runtime, signal: AbortSignal): Promise<Stores> {
  const { config, log, metrics, clock, now, shutdown } = runtime
  const eventStore = connectEventStore(config.eventStoreUrl)
  shutdown.add('event store', () => eventStore.close())
  const requests = openPool(runtime, 'heatmark', { size: config.database.poolSize, queryTimeoutMs })
  // Two connections are left for credentials, memberships and commands.
  const reads = Math.max(1, config.database.poolSize - 2)
  const { storeId, readModels } = await prepareStores(runtime, eventStore, requests, signal)
  const positions = followPositions({
    url: config.database.url,
    readModels,
    clock,
    now,
    onError: (error) => log.warn(`positions: ${error.message}`),
  })
  shutdown.add('positions', () => positions.close())
  return {
    eventStore,
    intake: createIntake({ eventStore, clock, onDropped: metrics.subscriptionDropped }),
    storeId,
    requests,
    readModels,
    positions,
    replaceClient: eventStore.replaceClient,
    isStoreFull: eventStore.isFull,
    openPool: (use, options) => openPool(runtime, `heatmark ${use}`, { size: 2, ...options }),
    renewals: createRenewals(openPool(runtime, 'heatmark leases', ofLeases)),
    reader: createReader({
      postgres: requests,
      postgresOfStreams: openPool(runtime, 'heatmark streams', ofStreams),
      readModels,
      positions,
      clock,
      streams,
      reads,
    }),
  }
}

/** Limit for each statement of a request. A statement with another limit states it. */
const queryTimeoutMs = 15_000
/** Large lists that are streamed at once. Each holds a connection as long as its client reads it. */
const streams = 3
/** A stream never takes a connection that credentials, sessions or commands need. */
const ofStreams = { size: streams, queryTimeoutMs }
/** A renewal that took longer would come too late. */
const ofLeases = { size: 1, queryTimeoutMs: 4_000 }
const retryMs = 1_000

function openPool(
  { config, log, shutdown }: Runtime,
  name: string,
  options: PoolOptions & { readonly size: number },
): Postgres {
  const onError = (error: Error) => log.warn(`PostgreSQL: ${error.message}`)
  const pool = connectPostgres({ url: config.database.url, name, onError, ...options })
  shutdown.add(`connections "${name}"`, () => pool.close())
  return pool
}

/**
 * Prepare both stores for this release.
 * @throws StoreUnavailable, PostgresUnavailable; Error with what to do when no later try can succeed
 */
export async function prepareOnce(
  { newId, now }: Pick<Runtime, 'newId' | 'now'>,
  eventStore: EventStore,
  postgres: Postgres,
): Promise<Pick<Stores, 'storeId' | 'readModels'>> {
  try {
    const storeId = await ensureStore(eventStore, newId, now)
    // The store may let this user read its own streams and not $all, which every projection follows.
    await eventStore.last()
    await migrateLocal(postgres)
    return { storeId, readModels: await ensureSchema(postgres, storeId, projections) }
  } catch (error) {
    const fault = isUnavailable(error) && settingFault(error)
    throw fault ? new Error(fault) : error
  }
}

function isUnavailable(error: unknown): error is StoreUnavailable | PostgresUnavailable {
  return error instanceof StoreUnavailable || error instanceof PostgresUnavailable
}

/** Prepare both stores for this release, and try again while one of them cannot be reached. */
async function prepareStores(
  { log, newId, now }: Runtime,
  eventStore: EventStore,
  postgres: Postgres,
  signal: AbortSignal,
): Promise<Pick<Stores, 'storeId' | 'readModels'>> {
  let lastMessage = ''
  for (;;) {
    try {
      return await prepareOnce({ newId, now }, eventStore, postgres)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (error.message !== lastMessage) log.warn(`waiting: ${error.message}`)
      lastMessage = error.message
      await pause(retryMs, undefined, { signal })
    }
  }
}
