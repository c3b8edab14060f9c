import type { RequestListener } from 'node:http'
import { createChecks } from '../../admission/checks.ts'
import { createInFlight } from '../../admission/inFlight.ts'
import { slotsFor } from '../../admission/kinds.ts'
import { createLargeBodies } from '../../admission/largeBodies.ts'
import { createSlots } from '../../admission/slots.ts'
import { createUnread } from '../../admission/unread.ts'
import { createDryRuns } from '../../commands/executor/dryRun.ts'
import { runWorkflow } from '../../commands/executor/workflow.ts'
import { createApp, createMetricsApp, createStartingApp } from '../../http/kit/app.ts'
import { readPages } from '../../http/kit/portal/pages.ts'
import { gaugeBounds } from '../../http/kit/server/metrics.ts'
import { type Listening, listen } from '../../http/kit/server/server.ts'
import type { Services } from '../../http/kit/services.ts'
import { nameOfEnum } from '../../http/namedEnums.ts'
import { openPages, routes } from '../../http/routes.ts'
import { createInvitations } from '../../identity/invitations.ts'
import type { ProviderKeys } from '../../identity/providerKeys.ts'
import { createStillMay } from '../../identity/stillMay.ts'
import { createImportRows } from '../../imports/importRows.ts'
import { policyNames } from '../../policies/all.ts'
import { readPolicyStatuses } from '../../policies/policyStatus.ts'
import { pagesFolder } from '../../portalBuild/paths.ts'
import { findMissingTables } from '../../projections/engine/operations/missingTables.ts'
import { createOperations, type Operations } from '../../projections/engine/operations/operations.ts'
import { type FirstBuild, watchFirstBuild } from '../../projections/engine/reading/firstBuild.ts'
import { readSkips } from '../../projections/engine/schema/skips.ts'
import { createCompanyLog } from '../../proofs/signing/companyLog.ts'
import { createExports } from '../../proofs/signing/exports.ts'
import { signerLease } from '../../proofs/signing/signing.ts'
import { readLeaseStatus } from '../../stores/leading/leaseStatus.ts'
import { reachOf } from '../../webhooks/publicNetworks.ts'
import { createSecrets } from '../../webhooks/secrets.ts'
import { senderLease } from '../../webhooks/sender.ts'
import { createHealth, type Health, reportHealth, sharedHealth } from '../monitoring/health.ts'
import { openCallers } from './callers.ts'
import type { Commands } from './commands.ts'
import { openDocuments } from './documents.ts'
import { openKeys } from './keys.ts'
import { startRuns } from './runs.ts'
import type { Runtime } from './runtime.ts'
import type { Shutdown } from './shutdown.ts'
import type { Stores } from './stores.ts'

/** The address of the interface, which answers from the beginning. */
export interface Door {
  readonly listening: Listening
  /** Serve requests by this application from now on. */
  open(app: RequestListener): void
  /** Accept no more requests, and finish those under way. A second call waits for the same end. */
  close(): Promise<void>
  /** Aborted as it closes. */
  readonly closing: AbortSignal
}

/**
 * Listen, and say that the process runs, until the application is ready.
 * @throws Error when the address cannot be listened at
 */
export async function openDoor({
  config,
  release,
  log,
  newId,
  clock,
}: Pick<Runtime, 'config' | 'release' | 'log' | 'newId' | 'clock'>): Promise<Door> {
  let app: RequestListener = createStartingApp({ release, log, newId, publicUrl: config.http.publicUrl })
  const listening = await listen((req, res) => app(req, res), { ...config.http, clock })
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  return {
    listening,
    open: (ready) => {
      app = ready
    },
    close() {
      closing.abort()
      closed ??= listening.close(finishWithinMs)
      return closed
    },
    closing: closing.signal,
  }
}

export interface Serving {
  readonly url: string
  readonly health: Health
}

type Given = Pick<
  Services,
  'rules' | 'ownRules' | 'importReader' | 'minPositionWithinMs' | 'revokedWithinMs' | 'membershipsEndWithinMs'
>

/** Start the process role `http`: the interface. */
export async function startServing(
  runtime: Runtime,
  door: Door,
  stores: Stores,
  { executor, persons }: Commands,
  given: Given,
): Promise<Serving> {
  const { config, log, metrics, shutdown, clock, now, newId } = runtime
  const { eventStore, positions, reader, readModels } = stores
  const { url, connections } = door.listening
  const callers = openCallers(runtime, stores, () => config.http.publicUrl ?? url)
  const { providerKeys, memberships, portal } = callers
  const health = watchHealth(clock, stores, providerKeys)
  const bounds = boundsOf(runtime)
  const documents = await openDocuments(runtime, stores)
  const record = openRecord(runtime, stores)
  const app = createApp({
    ...given,
    executor,
    persons,
    routes: [...routes, ...openPages],
    nameOfEnum,
    ...bounds,
    eventStore,
    positions,
    reader,
    readModels,
    log,
    clock,
    now,
    newId,
    closing: door.closing,
    documents,
    ...openWebhooks(runtime, stores),
    ...rowsThatWait(runtime, stores, { executor, persons }),
    runs: startRuns(runtime, stores, {
      executor,
      documents,
      rules: given.rules,
      ownRules: given.ownRules,
      ...record,
      stillMay: createStillMay({ memberships, reader }),
    }),
    operations: openOperations(runtime, stores),
    ...record,
    firstBuild: openFirstBuild(shutdown, stores),
    ...callers.authentication,
    tokenUrl: providerKeys.tokenUrl,
    settingsOf: callers.settingsOf,
    portal,
    pages: portal && readPages(pagesFolder),
    health: sharedHealth(reportHealth(health, log), clock),
    ...settingsOf(runtime),
  })
  door.open(app)
  // Requests are finished before the parts end that they need.
  shutdown.add('HTTP', door.close)
  gaugeBounds(metrics.registry, { ...bounds, connections })
  return { url, health }
}

function settingsOf({ config: { http, identity }, metrics, release }: Runtime) {
  return {
    release,
    programScope: identity.programScope,
    listCacheBytes: http.listCacheBytes,
    observeLists: metrics.cache,
    metrics: metrics.registry,
    trustProxy: http.trustProxy,
    publicUrl: http.publicUrl,
    corsOrigins: http.corsOrigins,
  }
}

/** Rows of `heatmark_local` that wait for a person. */
function rowsThatWait({ config, newId }: Runtime, stores: Stores, { executor, persons }: Commands) {
  const { requests, storeId } = stores
  return {
    imports: createImportRows(requests, storeId, config.importsOfCompany),
    invitations: createInvitations(stores, {
      run: (workflow, context) => runWorkflow(workflow, { ...executor, newId }, context),
      persons,
    }),
  }
}

/** Requests share these bounds of memory and processor time. */
function boundsOf({ config, clock }: Runtime) {
  return {
    inFlight: createInFlight(config.http.inFlightBytes),
    unread: createUnread(unreadBytes),
    changeStreams: createSlots(slotsFor.changeStreams),
    checks: createChecks(clock),
    largeBodies: createLargeBodies(),
    beginDryRun: createDryRuns(config.commandCacheBytes / 4),
  }
}

/** The most bytes of answers that clients have not read. The largest answer has a quarter of them. */
const unreadBytes = 268_435_456

/** Serve `/metrics` at a port of its own, if one is named: for processes without HTTP, too. */
export async function serveMetrics({ config, log, metrics, shutdown, newId, clock }: Runtime): Promise<void> {
  const { metricsPort: port, ...options } = config.http
  if (port === undefined) return
  const app = createMetricsApp({ metrics: metrics.registry, log, newId, publicUrl: options.publicUrl })
  const listening = await listen(app, { ...options, port, setting: 'METRICS_PORT', clock })
  shutdown.add('metrics', () => listening.close(finishWithinMs))
}

/** Limit for the requests that a shutdown finds under way. */
const finishWithinMs = 2_000

/** Requests and health have pools of their own, so that neither waits for the other. */
function watchHealth(
  clock: () => number,
  { eventStore, isStoreFull, storeId, readModels, positions, openPool }: Stores,
  providerKeys: ProviderKeys,
): Health {
  const postgres = openPool('health')
  return createHealth({
    eventStore,
    isStoreFull,
    positions,
    policyNames,
    clock,
    projections: readModels.projections,
    readPolicyStatuses: () => readPolicyStatuses(postgres, storeId, policyNames),
    readSignerStatus: () => readLeaseStatus(postgres, signerLease(storeId)),
    readSenderStatus: () => readLeaseStatus(postgres, senderLease(storeId)),
    findMissing: (states) => findMissingTables(postgres, readModels, states),
    findSkips: () => readSkips(postgres, readModels),
    askProvider: providerKeys.ask,
    lastKeysServe: providerKeys.serves,
  })
}

function openWebhooks(
  { config, now }: Runtime,
  { requests }: Stores,
): Pick<Services, 'webhookSecrets' | 'webhookReach'> {
  return {
    webhookSecrets: createSecrets(requests, now),
    webhookReach: reachOf(config.webhookNetworks),
  }
}

/** The exports of the history, and its log. */
function openRecord(runtime: Runtime, stores: Stores): Pick<Services, 'exports' | 'companyLog'> {
  const { eventStore, requests: postgres, storeId, reader, positions } = stores
  const options = { eventStore, postgres, storeId, reader, keys: openKeys(runtime, stores) }
  return { exports: createExports(options), companyLog: createCompanyLog({ ...options, positions }) }
}

function openOperations(
  { clock, newId, shutdown }: Runtime,
  { eventStore, requests, readModels, openPool }: Stores,
): Operations {
  const operations = createOperations({
    eventStore,
    requests,
    readModels,
    clock,
    newId,
    postgres: openPool('operations', { size: 3 }),
  })
  shutdown.add('operations', () => operations.close())
  return operations
}

function openFirstBuild(
  shutdown: Shutdown,
  { eventStore, requests: postgres, readModels, positions }: Stores,
): FirstBuild {
  const firstBuild = watchFirstBuild({ eventStore, postgres, readModels, positions })
  shutdown.add('first build', () => firstBuild.close())
  return firstBuild
}
