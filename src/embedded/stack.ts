import { join, resolve } from 'node:path'
import { portalAddressFault } from '../config/faultsTogether.ts'
import { isLoopback } from '../lib/loopback.ts'
import { documentsFolder } from './backup/manifest.ts'
import { rememberedCheckpointKey } from './checkpointKey.ts'
import { lockDataDir } from './dataDirLock.ts'
import { removeDevFile, writeDevFile } from './devFile.ts'
import { startEventStore } from './eventStoreProcess.ts'
import {
  type ClientName,
  clientNames,
  type DevCompany,
  devCompanies,
  type Identities,
  identityClients,
  peopleOf,
  rememberedIdentities,
} from './identities.ts'
import { type IdentityProvider, startIdentityProvider } from './identityProvider.ts'
import { startPostgres } from './postgres.ts'
import { supervise } from './supervisor.ts'

export interface StackOptions {
  /** The stack reads EVENTSTORE_URL, DATABASE_URL and OIDC_ISSUER (it starts those not named) and TOKEN_RATE_LIMIT. */
  env: Readonly<Record<string, string | undefined>>
  dataDir: string
  log: (line: string) => void
  /** Called when the node or PostgreSQL ended by itself and is started again at the same address. */
  onExit?: (name: string, reason: string) => void
  /** Events that a live subscription may fall behind before it is dropped; the node has a default. */
  liveBuffer?: number
  /** Aborts the start. Only `stop` ends servers that have started. */
  signal?: AbortSignal
}

/** The content of `dev.json` beside `baseUrl`. Servers that the stack did not start are as the environment names them. */
export interface DevFile {
  authUrl?: string
  tenant?: string
  tokenUrl?: string
  scope?: string
  eventStoreUrl: string
  databaseUrl: string
  companyId: string
  otherCompanyId: string
  clients: Partial<Record<ClientName, { clientId: string; clientSecret: string }>>
  /** The people who can log in, with their passwords. */
  people: Partial<Record<ClientName, { userName: string; name: string; password: string }>>
}

export interface Stack {
  /** The environment variables that name the started servers. */
  settings: Record<string, string>
  /** The folder of documents, for a service whose environment names no bucket. */
  documentsFolder: string
  dev: DevFile
  /** The companies to register at every start, which is harmless to repeat; none without the identity provider. */
  companies: DevCompany[]
  /** Tells the identity provider the service's address, and writes `dev.json` with it; returns the file. */
  writeDevFile(baseUrl: string): string
  /** The present processes. */
  pids(): { eventStore?: number; postgres?: number }
  /** Stops the started servers, all at once, within 11 s, and unlocks the data directory. */
  stop(): Promise<void>
}

/**
 * Start the servers that the environment does not name, all on 127.0.0.1 with their data in the data directory:
 * the local event store node, PostgreSQL, an identity provider.
 * @throws Error of one line when one cannot start; then nothing is left running
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = resolve(options.dataDir)
  const unlock = lockDataDir(dataDir)
  removeDevFile(dataDir)
  const stops: (() => Promise<void>)[] = []
  let stopping: Promise<void> | undefined
  const stop = () => {
    removeDevFile(dataDir)
    // All at once, so that a server that does not answer does not delay the others.
    stopping ??= Promise.all(stops.map((end) => end())).then(unlock)
    return stopping
  }
  try {
    const identities = rememberedIdentities(dataDir)
    const starting = startServers({ ...options, dataDir }, identities)
    for (const one of await Promise.allSettled(starting))
      if (one.status === 'fulfilled' && one.value) stops.push(one.value.stop)
    const [eventStore, postgres, provider] = await Promise.all(starting)
    const settings: Record<string, string> = {
      ...(eventStore && { EVENTSTORE_URL: eventStore.server.url }),
      ...(postgres && { DATABASE_URL: postgres.server.url }),
      ...(provider && {
        OIDC_ISSUER: provider.issuer,
        OIDC_AUDIENCE: provider.audience,
        OIDC_PROGRAM_SCOPE: provider.scope,
      }),
      ...(!options.env.SIGNING_KEY && { SIGNING_KEY: rememberedCheckpointKey(dataDir) }),
      ...(provider && !portalAddressFault(options.env) && portalSettings(identities, provider)),
    }
    const named = { ...options.env, ...settings }
    const { EVENTSTORE_URL: eventStoreUrl = '', DATABASE_URL: databaseUrl = '' } = named
    const dev = devOf(identities, provider, { eventStoreUrl, databaseUrl })
    return {
      settings,
      dev,
      stop,
      documentsFolder: join(dataDir, documentsFolder),
      companies: provider ? devCompanies(identities) : [],
      writeDevFile: (baseUrl) => {
        provider?.servePortalAt(claimedUrl(options.env) ?? baseUrl)
        return writeDevFile(dataDir, { baseUrl, ...dev })
      },
      pids: () => ({ eventStore: eventStore?.pid(), postgres: postgres?.pid() }),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The starts of event store, PostgreSQL and identity provider; undefined for those that the environment names. */
function startServers(options: StackOptions, identities: Identities) {
  const { env, dataDir, log, onExit, liveBuffer, signal } = options
  const eventStore = () =>
    supervise({
      name: 'event store',
      start: (how) => startEventStore({ dataDir, liveBuffer, log, ...how }),
      log,
      onExit,
      signal,
    })
  const postgres = () =>
    supervise({
      name: 'PostgreSQL',
      start: (how) => startPostgres({ dataDir, log, ...how }),
      log,
      onExit,
      signal,
    })
  return [
    env.EVENTSTORE_URL ? undefined : eventStore(),
    env.DATABASE_URL ? undefined : postgres(),
    env.OIDC_ISSUER ? undefined : startProvider(dataDir, identities, env, log),
  ] as const
}

/** `<api_id>` of the service, as its configuration expects it by default. */
const apiId = 'heatmark'

function startProvider(
  dataDir: string,
  identities: Identities,
  env: StackOptions['env'],
  log: (line: string) => void,
): Promise<IdentityProvider> {
  const tokenLimit = env.TOKEN_RATE_LIMIT ? Number(env.TOKEN_RATE_LIMIT) : undefined
  const { tenant } = identities
  return startIdentityProvider({
    dataDir,
    clients: identityClients(identities),
    people: peopleOf(identities),
    portal: { ...identities.portal, publicUrl: claimedUrl(env) },
    tenant,
    apiId,
    tokenLimit,
    log,
  })
}

function portalSettings({ portal }: Identities, { scope }: IdentityProvider): Record<string, string> {
  return {
    OIDC_CLIENT_ID: portal.clientId,
    OIDC_CLIENT_SECRET: portal.clientSecret,
    OIDC_SCOPE: `openid profile ${scope}`,
  }
}

/** The service's address when a portal there could use the provider beside those on loopback. */
function claimedUrl({ PUBLIC_URL: publicUrl }: StackOptions['env']): string | undefined {
  if (!publicUrl?.startsWith('https:') || isLoopback(new URL(publicUrl).hostname)) return undefined
  return publicUrl.replace(/\/+$/, '')
}

function devOf(
  identities: Identities,
  provider: IdentityProvider | undefined,
  stores: { eventStoreUrl: string; databaseUrl: string },
): DevFile {
  const { tenant, companyId, otherCompanyId, clients } = identities
  if (!provider) return { ...stores, companyId, otherCompanyId, clients: {}, people: {} }
  const { authUrl, tokenUrl, scope } = provider
  const credentials = clientNames.map((name) => {
    const { clientId, clientSecret } = clients[name]
    return [name, { clientId, clientSecret }]
  })
  return {
    authUrl,
    tenant,
    tokenUrl,
    scope,
    ...stores,
    companyId,
    otherCompanyId,
    clients: Object.fromEntries(credentials),
    people: Object.fromEntries(
      peopleOf(identities).accounts.map(({ userName, name }) => [
        userName,
        { userName, name, password: identities.password },
      ]),
    ),
  }
}
