import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Executor } from './commands/executor/command.ts'
import type { Config } from './config/config.ts'
import { createImportReader, type ImportReader } from './imports/reader.ts'
import { clock, now } from './lib/clocks.ts'
import { findRelease } from './lib/release.ts'
import { policyNames } from './policies/all.ts'
import { readPolicyStatuses } from './policies/policyStatus.ts'
import { addGauges } from './processes/monitoring/gauges.ts'
import { type Health, keepFromServing } from './processes/monitoring/health.ts'
import { createMetrics } from './processes/monitoring/metrics.ts'
import { createCommands } from './processes/parts/commands.ts'
import { boundDailyBytes, readDailyBytes } from './processes/parts/dailyBytes.ts'
import { type Door, openDoor, serveMetrics, startServing } from './processes/parts/http.ts'
import { startPolicies } from './processes/parts/policies.ts'
import { startProjecting } from './processes/parts/projector.ts'
import type { Runtime } from './processes/parts/runtime.ts'
import { createShutdown } from './processes/parts/shutdown.ts'
import { connectStores, type Stores } from './processes/parts/stores.ts'
import { countEndpoints } from './projections/company/webhooks.ts'
import { listRunningRuns } from './projections/engine/operations/runs.ts'
import { signerLease } from './proofs/signing/signing.ts'
import { loadRulePacks, type ShippedRulePack } from './rulePacks/load.ts'
import { createOwnRules } from './rulePacks/ownRules/ownRules.ts'
import { createRuleBook } from './rulePacks/ruleBook.ts'
import { isClientFault } from './stores/eventStoreDb/clientFault.ts'
import { readLeaseStatus } from './stores/leading/leaseStatus.ts'
import { senderLease } from './webhooks/sender.ts'

/** The service in this process: what the process roles in the configuration ask for, wired together once. */
export interface Service {
  /** The address of the HTTP interface; undefined without that role. */
  readonly url: string | undefined
  readonly executor: Executor
  /** Wait some seconds until requests can be served. Return the names of the parts that are not ready by then. */
  notReady(): Promise<readonly string[]>
  /**
   * Return whether this process can go on after an error that nobody heard. After one of the event store's client it can:
   * the error is logged and counted, and another client takes over.
   */
  survives(error: unknown): boolean
  /**
   * Refuse new requests, finish the ones under way, give the leases back, and close all connections. Return the names of
   * the steps that failed or did not end in time.
   */
  stop(): Promise<readonly string[]>
}

/** Parts that a start may be given. */
export interface Parts {
  /** By default the rule packs of this release. */
  readonly rulePacks?: readonly ShippedRulePack[]
  /** By default the service opens one. */
  readonly door?: Door | undefined
  /** By default it reads each file in a process of its own. */
  readonly importReader?: ImportReader
  /** How long a read waits for the read models to reach Min-Position, by default 5 s. */
  readonly minPositionWithinMs?: number
  /** How long a revocation waits until the read models show it, by default 10 s. */
  readonly revokedWithinMs?: number
  /** How long a removal waits until no node has the membership in memory, by default 1.1 s. */
  readonly membershipsEndWithinMs?: number
}

/** @throws Error with one line that says what cannot start */
export async function startService(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  {
    rulePacks,
    door: openedDoor,
    importReader = createImportReader(clock),
    minPositionWithinMs = 5_000,
    revokedWithinMs,
    membershipsEndWithinMs,
  }: Parts = {},
): Promise<Service> {
  const shutdown = createShutdown(log)
  const release = findRelease()
  const metrics = createMetrics(release)
  const runtime = { config, release, log, metrics, shutdown, now, clock, newId: randomUUID }
  const { processRoles } = config
  try {
    const door = processRoles.includes('http') ? (openedDoor ?? (await openDoor(runtime))) : undefined
    if (door) shutdown.add('HTTP', door.close)
    const rules = createRuleBook(rulePacks ?? (await loadRulePacks()))
    const stores = await connectStores(runtime, signal)
    addStoreGauges(runtime, stores)
    const cacheBytes = config.commandCacheBytes
    const dailyBytes = boundDailyBytes(runtime, stores)
    const commands = createCommands({ ...runtime, cacheBytes, dailyBytes }, stores, rules)
    const { executor } = commands
    const ownRules = createOwnRules(clock)
    shutdown.add('rules of companies', () => ownRules.close())
    if (processRoles.includes('projector')) startProjecting(runtime, stores)
    if (processRoles.includes('policies')) startPolicies(runtime, stores, executor, ownRules)
    const given = {
      rules,
      ownRules,
      importReader,
      minPositionWithinMs,
      revokedWithinMs,
      membershipsEndWithinMs,
    }
    const serving = door ? await startServing(runtime, door, stores, commands, given) : undefined
    await serveMetrics(runtime)
    return {
      url: serving?.url,
      executor,
      notReady: async () => (serving ? notReady(serving.health, signal) : []),
      survives: (error) => survives(runtime, stores, error),
      stop: shutdown.run,
    }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

/** Whether the error is one of the event store's client. Then another client takes over. */
function survives({ log, metrics }: Runtime, stores: Stores, error: unknown): boolean {
  if (!isClientFault(error)) return false
  log.error({ err: error }, 'the client of the event store failed; another one takes over')
  metrics.clientFailed()
  stores.replaceClient()
  return true
}

function addStoreGauges(runtime: Runtime, stores: Stores): void {
  const { metrics, now } = runtime
  const { eventStore, storeId, requests, reader, readModels, positions } = stores
  addGauges({
    registry: metrics.registry,
    eventStore,
    positions,
    now,
    readPolicyStatuses: () => readPolicyStatuses(requests, storeId, policyNames),
    readSignerStatus: () => readLeaseStatus(requests, signerLease(storeId)),
    readSenderStatus: () => readLeaseStatus(requests, senderLease(storeId)),
    countEndpoints: () => countEndpoints(reader),
    listRuns: () => listRunningRuns(requests, readModels),
    readDailyBytes: () => readDailyBytes(runtime, stores),
  })
}

const readyWithinMs = 5_000
const lookEveryMs = 100

async function notReady(health: Health, signal: AbortSignal): Promise<readonly string[]> {
  const until = clock() + readyWithinMs
  for (; ; await pause(lookEveryMs, undefined, { signal })) {
    const parts = keepFromServing(await health())
    if (parts.length === 0 || clock() > until) return parts.map(({ name }) => name)
  }
}
