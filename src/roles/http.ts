import packageJson from '../../package.json' with { type: 'json' }
import { createHealth, type Health, sharedHealth } from '../health.ts'
import { createApp, createMetricsApp } from '../http/app.ts'
import { createAuthenticate } from '../http/authenticate.ts'
import { createInFlight } from '../http/inFlight.ts'
import { gaugeConnections, gaugeHeld } from '../http/metrics.ts'
import { routes } from '../http/routes.ts'
import { type Listening, listen } from '../http/server.ts'
import type { Authenticate } from '../http/services.ts'
import { createApiKeys } from '../identity/apiKeys.ts'
import { createMemberships } from '../identity/memberships.ts'
import { createProviderKeys, type ProviderKeys } from '../identity/providerKeys.ts'
import { createTokens } from '../identity/tokens.ts'
import { lookAtPolicies } from '../policies/standing.ts'
import { access, type FoundKey, findApiKeys } from '../projections/access.ts'
import { projections } from '../projections/all.ts'
import { createLastUsed } from '../projections/lastUsed.ts'
import { findMissingTables } from '../projections/operations/missingTables.ts'
import { createOperations } from '../projections/operations/operations.ts'
import { watchFirstBuild } from '../projections/reading/firstBuild.ts'
import { gathered } from '../projections/reading/gathered.ts'
import { createLookUp } from '../projections/reading/lookUp.ts'
import type { Ground } from './ground.ts'

/** Requests under way at the end get this long. */
const finishWithinMs = 2_000

const plainHttpWarning =
  'OIDC_ALLOW_HTTP=true: the keys of the identity provider may come over plain HTTP, so whoever alters that traffic ' +
  'can sign in as anybody. Give the provider https:// addresses, and remove this setting.'

async function serve({ closing }: Ground, ...args: Parameters<typeof listen>): Promise<Listening> {
  const listening = await listen(...args)
  closing.push(() => listening.close(finishWithinMs))
  return listening
}

/** Who calls: by token or by API key, and what the caller may do. */
const authentication = (ground: Ground, providerKeys: ProviderKeys): Authenticate => {
  const { config, log, metrics, postgres, schema, now, closing } = ground
  const lastUsed = createLastUsed({
    postgres,
    onError: (error) => log.warn(`last use of API keys: ${error.message}`),
  })
  closing.push(() => lastUsed.close())
  const lookUp = createLookUp(postgres, schema, access)
  const findKeys = (hashes: readonly string[]) => lookUp<FoundKey>((tables) => findApiKeys(tables, hashes))
  const { asked } = metrics.cache('memberships')
  return createAuthenticate({
    tokens: createTokens(config.identity, providerKeys, now),
    apiKeys: createApiKeys({ find: gathered(findKeys, ({ hash }) => hash), now, used: lastUsed.note }),
    memberships: createMemberships({ ...ground, observe: { asked } }),
    failureLimit: config.http.authFailureLimit,
    apiRateLimit: config.http.apiRateLimit,
    now,
  })
}

export interface Serving {
  readonly url: string
  readonly health: Health
}

/** The role `http`: the interface. @throws Error when it cannot listen where it is to */
export const startServing = async (ground: Ground): Promise<Serving> => {
  const { config, log, metrics, clock, poolFor, closing } = ground
  if (config.identity.allowHttp) log.warn(plainHttpWarning)
  const providerKeys = createProviderKeys({ ...config.identity, clock })
  closing.push(async () => providerKeys.close())
  const operations = createOperations({
    ...ground,
    postgres: poolFor('operations', { size: 3 }),
    requests: ground.postgres,
    projections,
  })
  closing.push(() => operations.close())
  const firstBuild = watchFirstBuild({ ...ground, projections })
  closing.push(() => firstBuild.close())
  const health = healthOf(ground, providerKeys)
  const inFlight = createInFlight(config.http.inFlightBytes)
  gaugeHeld(metrics.registry, inFlight)
  const app = createApp({
    ...ground,
    inFlight,
    projections,
    operations,
    routes,
    authenticate: authentication(ground, providerKeys),
    listCacheBytes: config.http.listCacheBytes,
    observeLists: metrics.cache('lists'),
    firstBuild,
    health: sharedHealth(health, clock),
    metrics: metrics.registry,
    version: packageJson.version,
    trustProxy: config.http.trustProxy,
  })
  const { url, connections } = await serve(ground, app, config.http)
  gaugeConnections(metrics.registry, connections)
  return { url, health }
}

/** Of a pool of its own: neither does a look wait for requests, nor a request for looks. */
function healthOf(ground: Ground, providerKeys: ProviderKeys): Health {
  const { schema, storeId, poolFor } = ground
  const postgres = poolFor('health')
  return createHealth({
    ...ground,
    projections,
    lookAtPolicies: () => lookAtPolicies(postgres, storeId, ground.policyNames),
    findMissing: (states) => findMissingTables(postgres, schema, projections, states),
    askProvider: providerKeys.ask,
  })
}

/** Figures are worth having of a process that does nothing but project, too: on a port of their own, if one is named. */
export const serveMetrics = async (ground: Ground): Promise<void> => {
  const { metricsPort: port, ...others } = ground.config.http
  if (port === undefined) return
  await serve(ground, createMetricsApp({ ...ground, metrics: ground.metrics.registry }), { ...others, port })
}
