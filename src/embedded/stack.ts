import { join, resolve } from 'node:path'
import { lockDataDir } from './dataDirLock.ts'
import { startEventStore } from './eventStoreProcess.ts'
import { writePrivateJson } from './files.ts'
import {
  type ClientName,
  clientNames,
  type DevCompany,
  devCompanies,
  type Identities,
  identityClients,
  rememberedIdentities,
} from './identities.ts'
import { type IdentityProvider, startIdentityProvider } from './identityProvider.ts'
import { startPostgres } from './postgres.ts'
import { supervise } from './supervisor.ts'

export interface StackOptions {
  /** Read: EVENTSTORE_URL, DATABASE_URL, OIDC_ISSUER (each started unless named), TOKEN_RATE_LIMIT. */
  env: Readonly<Record<string, string | undefined>>
  dataDir: string
  log: (line: string) => void
  /** Told when the node or PostgreSQL ended by itself; it is being started again on the same port. */
  onExit?: (name: string, reason: string) => void
  /** Events that a live subscription may fall behind before it is dropped; the node's default when absent. */
  liveBuffer?: number
  /** Breaks the start off; what has started is ended by `stop` alone. */
  signal?: AbortSignal
}

/** What `dev.json` says, beside `baseUrl`; what is not of the stack's making is as the environment names it. */
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
}

export interface Stack {
  /** The environment variables that name what was started. */
  settings: Record<string, string>
  dev: DevFile
  /** To be registered at every start, which is harmless to repeat; none without the identity provider. */
  companies: DevCompany[]
  /** Writes `dev.json` (mode 0600), once the service's address is known; returns the file. */
  writeDevFile(baseUrl: string): string
  /** The processes that run now. */
  pids(): { eventStore?: number; postgres?: number }
  /** Stops what was started, all at once, within 3 s, and gives the data directory back. */
  stop(): Promise<void>
}

/**
 * Starts whatever the environment does not name, all on 127.0.0.1 with its data in the data directory: the
 * local event store node, PostgreSQL, an identity provider.
 * @throws Error of one line when something cannot start; nothing is left running then
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, log, onExit, liveBuffer, signal } = options
  const dataDir = resolve(options.dataDir)
  const unlock = lockDataDir(dataDir)
  const stops: (() => Promise<void>)[] = []
  let stopping: Promise<void> | undefined
  const stop = () => {
    // None needs another to stop: one that does not answer costs the others no time.
    stopping ??= Promise.all(stops.map((end) => end())).then(unlock)
    return stopping
  }
  try {
    const identities = rememberedIdentities(dataDir)
    const starting = [
      env.EVENTSTORE_URL
        ? undefined
        : supervise({
            name: 'event store',
            start: (how) => startEventStore({ dataDir, liveBuffer, log, ...how }),
            ...{ log, onExit, signal },
          }),
      env.DATABASE_URL
        ? undefined
        : supervise({
            name: 'PostgreSQL',
            start: (how) => startPostgres({ dataDir, log, ...how }),
            ...{ log, onExit, signal },
          }),
      env.OIDC_ISSUER ? undefined : startProvider(dataDir, identities, env, log),
    ] as const
    const started = await Promise.allSettled(starting)
    for (const one of started) {
      if (one.status === 'fulfilled' && one.value) stops.push(one.value.stop)
    }
    const [eventStore, postgres, provider] = await Promise.all(starting)
    const settings: Record<string, string> = {
      ...(eventStore && { EVENTSTORE_URL: eventStore.server.url }),
      ...(postgres && { DATABASE_URL: postgres.server.url }),
      ...(provider && { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: provider.audience }),
    }
    const { EVENTSTORE_URL: eventStoreUrl = '', DATABASE_URL: databaseUrl = '' } = { ...env, ...settings }
    const dev = devOf(identities, provider, { eventStoreUrl, databaseUrl })
    return {
      ...{ settings, dev, stop },
      companies: provider ? devCompanies(identities) : [],
      writeDevFile: (baseUrl) => {
        const file = join(dataDir, 'dev.json')
        writePrivateJson(file, { baseUrl, ...dev })
        return file
      },
      pids: () => ({ eventStore: eventStore?.pid(), postgres: postgres?.pid() }),
    }
  } catch (error) {
    await stop()
    throw error
  }
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
    tenant,
    apiId,
    tokenLimit,
    log,
  })
}

function devOf(
  { tenant, companyId, otherCompanyId, clients }: Identities,
  provider: IdentityProvider | undefined,
  stores: { eventStoreUrl: string; databaseUrl: string },
): DevFile {
  if (!provider) return { ...stores, companyId, otherCompanyId, clients: {} }
  const { authUrl, tokenUrl, scope } = provider
  const credentials = clientNames.map((name) => {
    const { clientId, clientSecret } = clients[name]
    return [name, { clientId, clientSecret }]
  })
  return {
    ...{ authUrl, tenant, tokenUrl, scope, ...stores, companyId, otherCompanyId },
    clients: Object.fromEntries(credentials),
  }
}
