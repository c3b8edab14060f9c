import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import type { Execute } from './commands/command.ts'
import { createExecutor } from './commands/execute.ts'
import type { Config } from './config.ts'
import { connectEventStore, type EventStore, StoreUnavailable } from './eventStore.ts'
import { addGauges } from './gauges.ts'
import { createHealth } from './health.ts'
import { createApp, createMetricsApp } from './http/app.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { routes } from './http/routes.ts'
import { type Listening, listen } from './http/server.ts'
import { createApiKeys } from './identity/apiKeys.ts'
import { createProviderKeys } from './identity/jwks.ts'
import { createMemberships } from './identity/memberships.ts'
import { createTokens } from './identity/tokens.ts'
import { createMetrics } from './metrics.ts'
import { lookAtPolicy as policyStanding } from './policies/cursor.ts'
import { startRuleTagging } from './policies/ruleTagging.ts'
import { connectPostgres, type Postgres, PostgresUnavailable } from './postgres.ts'
import { access, type FoundKey, findApiKeys } from './projections/access.ts'
import { projections } from './projections/all.ts'
import { gathered } from './projections/gathered.ts'
import { createLastUsed } from './projections/lastUsed.ts'
import { migrateLocal } from './projections/local.ts'
import { createLookUp } from './projections/lookUp.ts'
import { createOperations } from './projections/operations.ts'
import { startProjector } from './projections/projector.ts'
import { createReader } from './projections/reader.ts'
import { listRunningRuns } from './projections/runningRuns.ts'
import { ensureSchema } from './projections/schema.ts'
import { ensureStore } from './projections/store.ts'
import { followPositions } from './projections/waitFor.ts'
import type { RulePack } from './rulePacks/compile.ts'
import { loadRulePacks } from './rulePacks/load.ts'
import { createRuleBook } from './rulePacks/ruleBook.ts'

/** The service in this process: whichever of its roles the configuration names, wired together once. */
export interface Service {
  /** Where HTTP is served; undefined without that role. */
  readonly url: string | undefined
  readonly execute: Execute
  /** Resolves once the read models show this position, or after some seconds. */
  shown(position: number): Promise<unknown>
  /** In order: takes no more requests, finishes what runs, gives the lease back, closes connections. */
  stop(): Promise<void>
}

const retryMs = 1_000
/** How long a start waits for what it has recorded itself. */
const shownWithinMs = 5_000
/** Requests under way at the end get this long. */
const finishWithinMs = 2_000
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
  for (;;) {
    try {
      const storeId = await ensureStore(eventStore, newId, now)
      await migrateLocal(postgres)
      return { storeId, schema: await ensureSchema(postgres, storeId, projections) }
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof PostgresUnavailable)) throw error
      log.warn(`waiting: ${error.message}`)
      await pause(retryMs, undefined, { signal })
    }
  }
}

/**
 * @param rulePacks those of the release, unless told
 * @throws Error one line that says what cannot start
 */
export const startService = async (
  config: Config,
  log: Logger,
  signal: AbortSignal,
  rulePacks?: readonly RulePack[],
): Promise<Service> => {
  const rules = createRuleBook(rulePacks ?? (await loadRulePacks()))
  const metrics = createMetrics()
  const eventStore = connectEventStore(config.eventStoreUrl)
  const database = {
    url: config.database.url,
    onError: (error: Error) => log.warn(`PostgreSQL: ${error.message}`),
  }
  const postgres = connectPostgres({ ...database, name: 'heatmark', size: config.database.poolSize })
  const closing: (() => Promise<unknown>)[] = [() => eventStore.close(), () => postgres.close()]
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }

  try {
    const { storeId, schema } = await prepare(eventStore, postgres, log, signal)
    const positions = followPositions({
      url: config.database.url,
      schema,
      clock,
      onError: (error) => log.warn(`positions: ${error.message}`),
    })
    closing.push(() => positions.close())
    const lookAtPolicy = () => policyStanding(postgres, storeId)
    const listRuns = () => listRunningRuns(postgres, schema)
    addGauges({ registry: metrics.registry, eventStore, positions, lookAtPolicy, listRuns, now })
    const { commandCacheBytes: cacheBytes } = config
    const execute = createExecutor({
      store: eventStore,
      now,
      newId,
      cacheBytes,
      rules,
      onAppend: metrics.appended,
      observeStates: metrics.cache('commands'),
    })
    const reader = createReader({ postgres, schema, streams })

    if (config.roles.includes('projector')) {
      const two = connectPostgres({
        ...database,
        name: 'heatmark projector',
        size: 2,
        queryTimeoutMs: 30_000,
      })
      const projector = startProjector({
        eventStore,
        postgres: two,
        schema,
        projections,
        owner: newId(),
        now,
        observe: {
          ...metrics.projector,
          stopped: (projection, code, message) =>
            log.error({ projection, code }, `projection stopped: ${message}`),
          trouble: (message) => log.warn(`projector: ${message}`),
        },
      })
      closing.push(
        () => two.close(),
        () => projector.stop(),
      )
    }

    if (config.roles.includes('policies')) {
      const own = connectPostgres({ ...database, name: 'heatmark policies', size: 2, queryTimeoutMs: 30_000 })
      const policy = startRuleTagging({
        ...{ eventStore, postgres: own, reader, positions, execute, storeId, owner: newId(), newId },
        observe: { ...metrics.ruleTagging, trouble: (message) => log.warn(`rule packs: ${message}`) },
      })
      closing.push(
        () => own.close(),
        () => policy.stop(),
      )
    }

    const serve = async (...args: Parameters<typeof listen>): Promise<Listening> => {
      const listening = await listen(...args)
      closing.push(() => listening.close(finishWithinMs))
      return listening
    }
    let url: string | undefined
    if (config.roles.includes('http')) {
      const { http, identity } = config
      const providerKeys = createProviderKeys({ ...identity, clock })
      const tokens = createTokens(identity, providerKeys.find, now)
      const lastUsed = createLastUsed({
        postgres,
        onError: (error) => log.warn(`last use of API keys: ${error.message}`),
      })
      closing.push(() => lastUsed.close())
      const lookUp = createLookUp(postgres, schema, access)
      const findKeys = (hashes: readonly string[]) =>
        lookUp<FoundKey>((tables) => findApiKeys(tables, hashes))
      const apiKeys = createApiKeys({
        find: gathered(findKeys, ({ hash }) => hash),
        now,
        used: lastUsed.note,
      })
      const authenticate = createAuthenticate({
        tokens,
        apiKeys,
        memberships: createMemberships({
          reader,
          positions,
          clock,
          observe: { asked: metrics.cache('memberships').asked },
        }),
        failureLimit: http.authFailureLimit,
        apiRateLimit: http.apiRateLimit,
        now,
      })
      const beside = connectPostgres({ ...database, name: 'heatmark operations', size: 2 })
      const operations = createOperations({ eventStore, postgres: beside, schema, projections, newId, clock })
      closing.push(
        () => beside.close(),
        () => operations.close(),
      )
      const dependencies = {
        operations,
        execute,
        reader,
        positions,
        clock,
        listCacheBytes: http.listCacheBytes,
        observeLists: metrics.cache('lists'),
        projections,
        rules,
        authenticate,
        log,
        routes,
        health: createHealth({
          eventStore,
          positions,
          projections,
          lookAtPolicy,
          askProvider: providerKeys.ask,
          clock,
        }),
        metrics: metrics.registry,
        version: packageJson.version,
        now,
        trustProxy: http.trustProxy,
        newId,
      }
      url = (await serve(createApp(dependencies), http)).url
    }
    // Figures are worth having of a process that does nothing but project, too.
    const { host, metricsPort, tls } = config.http
    if (metricsPort !== undefined)
      await serve(createMetricsApp(metrics.registry), { host, port: metricsPort, tls })
    return {
      url,
      execute,
      shown: (position) => positions.waitFor(projections, position, shownWithinMs),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
