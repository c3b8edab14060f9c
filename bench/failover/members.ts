import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EventStore } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres, type Postgres } from '../../src/stores/postgres/postgres.ts'
import { startProxy, type TcpProxy } from '../../test/support/proxy.ts'

/** Processes of the service that compete for one lease. Each reaches PostgreSQL through a proxy of its own. */

export type Role = 'projector' | 'policies'

/** The ways in which a leader is lost, and how that process comes back. */
export const losses = {
  SIGKILL: {
    lose: ({ child }: Member) => child.kill('SIGKILL'),
    back: (member: Member) => member.startAgain(),
  },
  SIGSTOP: {
    lose: ({ child }: Member) => child.kill('SIGSTOP'),
    back: async ({ child }: Member) => void child.kill('SIGCONT'),
  },
  'connection cut': {
    lose: ({ proxy }: Member) => proxy.refuse(),
    back: async ({ proxy }: Member) => proxy.accept(),
  },
} as const

export interface Member {
  /** The `application_name` of its connections. */
  readonly name: string
  readonly proxy: TcpProxy
  readonly child: ChildProcess
  startAgain(): Promise<void>
  end(): Promise<void>
}

export interface Stores {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly eventStore: EventStore
  readonly postgres: Postgres
}

export function openStores(eventStoreUrl: string, databaseUrl: string): Stores {
  return {
    eventStoreUrl,
    databaseUrl,
    eventStore: connectEventStore(eventStoreUrl),
    postgres: connectPostgres({ url: databaseUrl, name: 'measure', size: 2 }),
  }
}

const main = join(import.meta.dirname, '../../src/main.ts')

export async function startMember(
  { eventStoreUrl, databaseUrl }: Stores,
  role: Role,
  name: string,
): Promise<Member> {
  const proxy = await startProxy(databaseUrl)
  const url = new URL(proxy.url)
  url.searchParams.set('application_name', name)
  let child = await start(role, eventStoreUrl, url.href)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    name,
    proxy,
    get child() {
      return child
    },
    async startAgain() {
      await kill()
      child = await start(role, eventStoreUrl, url.href)
    },
    async end() {
      await kill()
      await proxy.close()
    },
  }
}

const leaseOf: Record<Role, string> = { projector: 'projector/', policies: 'ruleTagging/' }

/** Find the member that holds the role's lease now. */
export async function leaderOf(
  { postgres }: Stores,
  role: Role,
  members: readonly Member[],
): Promise<Member | undefined> {
  const [holder] = await postgres.query<{ name: string }>(
    `SELECT a.application_name AS name FROM heatmark_local.lease l
     JOIN pg_stat_activity a ON a.pid = l.backend_pid AND a.backend_start = l.backend_start
     WHERE starts_with(l.name, $1) AND l.expires_at > clock_timestamp()`,
    [leaseOf[role]],
  )
  return members.find(({ name }) => name === holder?.name)
}

/** Start a process and wait until it logs that it has started. */
async function start(role: Role, eventStoreUrl: string, databaseUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      EVENTSTORE_URL: eventStoreUrl,
      DATABASE_URL: databaseUrl,
      PROCESS_ROLES: role,
      // Required, but no request is sent.
      OIDC_ISSUER: 'https://login.example',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout! })) if (line.includes('"started"')) break
  child.stdout!.resume()
  if (child.exitCode !== null) throw new Error(`a process with the role ${role} has not started`)
  return child
}
