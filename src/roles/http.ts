import packageJson from '../../package.json' with { type: 'json' }
import type { Executor } from '../commands/command.ts'
import type { RuleBook } from '../domain/ruleBook.ts'
import { createHealth, type Health, sharedHealth } from '../health.ts'
import { createApp, createMetricsApp } from '../http/kit/app.ts'
import { createAuthenticate } from '../http/kit/authentication/authenticate.ts'
import { createInFlight } from '../http/kit/limits/inFlight.ts'
import { gaugeConnections, gaugeHeld } from '../http/kit/server/metrics.ts'
import { type Listening, listen } from '../http/kit/server/server.ts'
import type { Authenticate } from '../http/kit/services.ts'
import { routes } from '../http/routes.ts'
import { createApiKeys } from '../identity/apiKeys.ts'
import { createLastUsed } from '../identity/lastUsed.ts'
import { createMemberships, type Memberships } from '../identity/memberships.ts'
import { createProviderKeys, type ProviderKeys } from '../identity/providerKeys.ts'
import { createTokens } from '../identity/tokens.ts'
import { policyNames } from '../policies/all.ts'
import { lookAtPolicies } from '../policies/standing.ts'
import { access, type FoundKey, findApiKeys } from '../projections/access.ts'
import { projections } from '../projections/all.ts'
import { findMissingTables } from '../projections/operations/missingTables.ts'
import { createOperations, type Operations } from '../projections/operations/operations.ts'
import { type FirstBuild, watchFirstBuild } from '../projections/reading/firstBuild.ts'
import { gathered } from '../projections/reading/gathered.ts'
import { createLookUp } from '../projections/reading/lookUp.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

export interface Serving {
  readonly url: string
  readonly health: Health
}

/** Start the role `http`: the interface. @throws Error when its address cannot be listened at */
export async function startServing(
  runtime: Runtime,
  stores: Stores,
  executor: Executor,
  rules: RuleBook,
): Promise<Serving> {
  const { config, log, metrics, clock, now, newId } = runtime
  const { positions, reader } = stores
  if (config.identity.allowHttp) log.warn(plainHttpWarning)
  const providerKeys = openProviderKeys(runtime)
  const health = watchHealth(runtime, stores, providerKeys)
  const inFlight = createInFlight(config.http.inFlightBytes)
  gaugeHeld(metrics.registry, inFlight)
  const app = createApp({
    ...{ executor, rules, positions, reader, projections, routes, inFlight, log, clock, now, newId },
    operations: openOperations(runtime, stores),
    firstBuild: openFirstBuild(runtime, stores),
    authenticate: openAuthentication(runtime, stores, providerKeys),
    listCacheBytes: config.http.listCacheBytes,
    observeLists: metrics.cache('lists'),
    health: sharedHealth(health, clock),
    metrics: metrics.registry,
    version: packageJson.version,
    trustProxy: config.http.trustProxy,
  })
  const { url, connections } = await serve(runtime, 'HTTP', app, config.http)
  gaugeConnections(metrics.registry, connections)
  return { url, health }
}

/** Serve `/metrics` at a port of its own, if one is named: for processes without HTTP, too. */
export async function serveMetrics(runtime: Runtime): Promise<void> {
  const { config, log, metrics, newId } = runtime
  const { metricsPort: port, ...options } = config.http
  if (port === undefined) return
  const app = createMetricsApp({ metrics: metrics.registry, log, newId })
  await serve(runtime, 'metrics', app, { ...options, port })
}

/** Limit for the requests that a shutdown finds under way. */
const finishWithinMs = 2_000

const plainHttpWarning =
  'OIDC_ALLOW_HTTP=true: the service fetches the keys of the identity provider over plain HTTP, so anyone who alters ' +
  'that traffic can sign in as any user. Give the provider https:// addresses, and remove this setting.'

async function serve(
  { shutdown }: Runtime,
  name: string,
  ...args: Parameters<typeof listen>
): Promise<Listening> {
  const listening = await listen(...args)
  shutdown.add(name, () => listening.close(finishWithinMs))
  return listening
}

function openProviderKeys({ config, clock, shutdown }: Runtime): ProviderKeys {
  const providerKeys = createProviderKeys({ ...config.identity, clock })
  shutdown.add('provider keys', async () => providerKeys.close())
  return providerKeys
}

/** Requests and health have pools of their own, so that neither waits for the other. */
function watchHealth({ clock }: Runtime, stores: Stores, providerKeys: ProviderKeys): Health {
  const { eventStore, storeId, schema, positions, openPool } = stores
  const postgres = openPool('health')
  return createHealth({
    ...{ eventStore, positions, projections, policyNames, clock },
    lookAtPolicies: () => lookAtPolicies(postgres, storeId, policyNames),
    findMissing: (states) => findMissingTables(postgres, schema, projections, states),
    askProvider: providerKeys.ask,
  })
}

function openOperations({ clock, newId, shutdown }: Runtime, stores: Stores): Operations {
  const { eventStore, requests, schema, openPool } = stores
  const operations = createOperations({
    ...{ eventStore, requests, schema, projections, clock, newId },
    postgres: openPool('operations', { size: 3 }),
  })
  shutdown.add('operations', () => operations.close())
  return operations
}

function openFirstBuild({ shutdown }: Runtime, stores: Stores): FirstBuild {
  const { eventStore, requests: postgres, schema, positions } = stores
  const firstBuild = watchFirstBuild({ eventStore, postgres, schema, positions, projections })
  shutdown.add('first build', () => firstBuild.close())
  return firstBuild
}

/** Find out who calls, by token or by API key, and what the caller may do. */
function openAuthentication(runtime: Runtime, stores: Stores, providerKeys: ProviderKeys): Authenticate {
  const { config, now } = runtime
  return createAuthenticate({
    tokens: createTokens(config.identity, providerKeys, now),
    apiKeys: openApiKeys(runtime, stores),
    memberships: openMemberships(runtime, stores),
    failureLimit: config.http.authFailureLimit,
    apiRateLimit: config.http.apiRateLimit,
    now,
  })
}

function openApiKeys({ log, now, shutdown }: Runtime, stores: Stores): ReturnType<typeof createApiKeys> {
  const { requests: postgres, schema } = stores
  const lastUsed = createLastUsed({
    postgres,
    onError: (error) => log.warn(`last use of API keys: ${error.message}`),
  })
  shutdown.add('last use of API keys', () => lastUsed.close())
  const lookUp = createLookUp(postgres, schema, access)
  const findKeys = (hashes: readonly string[]) => lookUp<FoundKey>((tables) => findApiKeys(tables, hashes))
  return createApiKeys({ find: gathered(findKeys, ({ hash }) => hash), now, used: lastUsed.note })
}

function openMemberships({ metrics, clock }: Runtime, { reader, positions }: Stores): Memberships {
  const { asked } = metrics.cache('memberships')
  return createMemberships({ reader, positions, clock, observe: { asked } })
}
