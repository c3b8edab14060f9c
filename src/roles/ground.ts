import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Executor } from '../commands/command.ts'
import { createExecutor } from '../commands/execute.ts'
import type { Config } from '../config.ts'
import type { RuleBook } from '../domain/ruleBook.ts'
import { connectEventStore, type EventStore, StoreUnavailable } from '../eventStore.ts'
import { addGauges } from '../gauges.ts'
import { migrateLocal } from '../localSchema/migrate.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { policyNames } from '../policies/all.ts'
import { lookAtPolicies, type PolicyStanding } from '../policies/standing.ts'
import { connectPostgres, type Postgres, PostgresUnavailable } from '../postgres.ts'
import { projections } from '../projections/all.ts'
import { listRunningRuns } from '../projections/operations/runs.ts'
import { createReader, type Reader } from '../projections/reading/reader.ts'
import { followPositions, type Positions } from '../projections/reading/waitFor.ts'
import { ensureSchema } from '../projections/schema/schema.ts'
import { ensureStore } from '../projections/schema/store.ts'
import { recordInOneHistory } from './oneHistory.ts'
import { recordByRightClock } from './rightClock.ts'

/** What every process of the service stands on, whatever its roles: both stores, commands, and reads. */
export interface Ground {
  readonly config: Config
  readonly log: Logger
  readonly metrics: Metrics
  readonly rules: RuleBook
  readonly eventStore: EventStore
  /** For requests. */
  readonly postgres: Postgres
  /** A pool of two connections, unless told, for one use alone, so that nobody waits for what requests do. */
  poolFor(use: string, more?: { readonly size?: number; readonly queryTimeoutMs?: number }): Postgres
  readonly storeId: string
  readonly schema: string
  readonly positions: Positions
  readonly reader: Reader
  readonly executor: Executor
  readonly policyNames: readonly string[]
  readonly lookAtPolicies: () => Promise<readonly PolicyStanding[]>
  readonly clock: () => number
  readonly now: () => Date
  readonly newId: () => string
  /** What has been started, to be ended in reverse. */
  readonly closing: (() => Promise<unknown>)[]
}

const retryMs = 1_000
/** No request waits longer for one statement; what is known to take less or more says so itself. */
const queryTimeoutMs = 15_000
/** Large lists streamed at once; each holds a connection. */
const streams = 3

const clock = () => performance.now()
const now = () => new Date()
const newId = randomUUID

/** The store's id and the read models' schema, as soon as both stores can be reached. */
const prepare = async (
  eventStore: EventStore,
  postgres: Postgres,
  log: Logger,
  signal: AbortSignal,
): Promise<{ storeId: string; schema: string }> => {
  const onCopied = (projection: string, from: string) =>
    log.info({ projection, from }, 'rows copied from another release')
  for (;;) {
    try {
      const storeId = await ensureStore(eventStore, newId, now)
      await migrateLocal(postgres)
      return { storeId, schema: await ensureSchema(postgres, storeId, projections, { onCopied, signal }) }
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof PostgresUnavailable)) throw error
      log.warn(`waiting: ${error.message}`)
      await pause(retryMs, undefined, { signal })
    }
  }
}

/**
 * Whoever calls it ends what is in `closing`, also when this throws.
 * @throws Error one line that says what cannot start
 */
export const prepareGround = async (
  config: Config,
  log: Logger,
  rules: RuleBook,
  closing: Ground['closing'],
  signal: AbortSignal,
): Promise<Ground> => {
  const { url, poolSize } = config.database
  const connect = (name: string, more: { size: number; queryTimeoutMs?: number }): Postgres => {
    const onError = (error: Error) => log.warn(`PostgreSQL: ${error.message}`)
    const pool = connectPostgres({ url, name, onError, ...more })
    closing.push(() => pool.close())
    return pool
  }
  const metrics = createMetrics()
  const eventStore = connectEventStore(config.eventStoreUrl)
  closing.push(() => eventStore.close())
  const postgres = connect('heatmark', { size: poolSize, queryTimeoutMs })
  const { storeId, schema } = await prepare(eventStore, postgres, log, signal)
  const positions = followPositions({
    ...{ url, schema, clock, now },
    onError: (error) => log.warn(`positions: ${error.message}`),
  })
  closing.push(() => positions.close())

  const executor = createExecutor({
    ...{ store: eventStore, now, newId, rules },
    cacheBytes: config.commandCacheBytes,
    onAppend: metrics.appended,
    observeStates: metrics.cache('commands'),
  })

  const ground: Ground = {
    ...{ config, log, metrics, rules, eventStore, postgres, storeId, schema, positions },
    ...{ clock, now, newId, closing },
    poolFor: (use, more) => connect(`heatmark ${use}`, { size: 2, ...more }),
    reader: createReader({ postgres, schema, streams }),
    executor: recordByRightClock(recordInOneHistory(executor, positions), positions.clockSkew),
    policyNames,
    lookAtPolicies: () => lookAtPolicies(postgres, storeId, policyNames),
  }
  const listRuns = () => listRunningRuns(postgres, schema)
  addGauges({ ...ground, registry: metrics.registry, listRuns })
  return ground
}
