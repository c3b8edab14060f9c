import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type IdentityProvider, startIdentityProvider } from '../src/embedded/identityProvider.ts'
import { startPostgres } from '../src/embedded/postgres.ts'
import type { CommandTask, LoadResult } from './commandLoad.ts'
import { cpuTimes } from './cpuTimes.ts'
import { endOf, root, runLoad, startNode } from './processes.ts'
import { startProxy } from './proxy.ts'
import { databaseBytes } from './replay/stage.ts'
import type { Figure } from './report.ts'
import { prepareTags } from './tags.ts'

/**
 * The process roles in processes of their own: two for HTTP behind a proxy, two projectors and two for policies, of which
 * one of each leads. Measures what each takes for a command, and what callers see when one of each is killed.
 * EVENTSTORE_URL names the event store, if it is set.
 */

const section = 'roles'
const perSecond = 60
const seconds = 10
const killAfterMs = 3_000
const companies = 500
const figure = (what: string, value: number, unit: string): Figure => ({ section, what, value, unit })

export async function roles(): Promise<Figure[]> {
  const stage = await startStage()
  try {
    return await measure(stage)
  } finally {
    await stage.stop()
  }
}

type Stage = Awaited<ReturnType<typeof startStage>>

async function measure(stage: Stage): Promise<Figure[]> {
  // The first of each leads.
  const [http, projector, policies] = [
    await stage.start('http'),
    await stage.start('projector'),
    await stage.start('policies'),
  ]
  const second = await stage.start('http')
  await Promise.all([stage.start('projector'), stage.start('policies')])
  const proxy = await startProxy([http.url, second.url])
  const { urls, bearer } = await prepareTags({ url: proxy.url, token: stage.token })
  const load = () =>
    runLoad<LoadResult>('commandLoad.ts', {
      urls,
      token: bearer,
      inFlight: 64,
      seconds,
      perSecond,
    } satisfies CommandTask)
  await load()

  const parts = {
    'the HTTP nodes': [http, second],
    'the projector': [projector],
    policies: [policies],
    ...stage.stores,
  }
  const spent = () => Object.values(parts).map((some) => some.reduce((sum, { pid }) => sum + cpuOf(pid), 0))
  const before = spent()
  const usual = await load()
  const after = spent()
  const figures = [
    ...told('nothing is killed', usual),
    ...Object.keys(parts).map((part, index) =>
      figure(`CPU of ${part} for a command`, (after[index]! - before[index]!) / (perSecond * seconds), 'ms'),
    ),
  ]
  for (const [name, victim] of Object.entries({
    'an HTTP node': http,
    'the leading projector': projector,
    'the leading policies': policies,
  })) {
    const [result] = await Promise.all([load(), pause(killAfterMs).then(() => victim.kill())])
    figures.push(...told(`${name} is killed`, result))
  }
  figures.push(...(await costOfCompanies(stage, proxy.url, bearer)))
  await stage.verify()
  proxy.stop()
  return figures
}

/** CPU time of a process with its children. */
function cpuOf(pid: number): number {
  return Object.values(cpuTimes(pid)).reduce((sum, one) => sum + one, 0)
}

function told(when: string, { p50Ms, p99Ms, failed }: LoadResult): Figure[] {
  return [
    figure(`${perSecond} commands/s, ${when}: p50`, p50Ms, 'ms'),
    figure(`${perSecond} commands/s, ${when}: p99`, p99Ms, 'ms'),
    figure(
      `${perSecond} commands/s, ${when}: failed, or answered before the rows show it`,
      failed,
      `of ${perSecond * seconds}`,
    ),
  ]
}

/** Measure the bytes of a company that has nothing yet. */
async function costOfCompanies(stage: Stage, url: string, bearer: string): Promise<Figure[]> {
  const before = await stage.bytes()
  for (let n = 0; n < companies; n++) {
    const response = await fetch(`${url}/api/companies`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ companyId: crypto.randomUUID(), name: `Other ${n}` }),
    })
    if (!response.ok) throw new Error(`POST /companies: ${response.status} ${await response.text()}`)
  }
  const after = await stage.bytes()
  return Object.keys(after).map((place) =>
    figure(`a company without records, in ${place}`, (after[place]! - before[place]!) / companies, 'bytes'),
  )
}

async function startStage() {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const file = join(folder, 'events.sqlite')
  const store = process.env.EVENTSTORE_URL ? undefined : await startNode(file)
  const postgres = await startPostgres({ dataDir: folder })
  const identity = await startProvider(folder)
  const env = {
    ...process.env,
    PORT: '0',
    ...(store && { EVENTSTORE_URL: store.url }),
    DATABASE_URL: postgres.url,
    OIDC_ISSUER: identity.issuer,
    OIDC_AUDIENCE: identity.audience,
    API_RATE_LIMIT: '1000000000',
  }
  const running: { stop(): Promise<void> }[] = []
  return {
    stores: { PostgreSQL: [postgres], ...(store && { 'the event store': [store] }) },
    token: () => tokenOf(identity),
    verify: () => verifyRows(env),
    async start(role: 'http' | 'projector' | 'policies') {
      const started = await startRole({ ...env, PROCESS_ROLES: role })
      running.push(started)
      return started
    },
    async bytes(): Promise<Record<string, number>> {
      const sizes = ['', '-wal'].map((end) => statSync(file + end, { throwIfNoEntry: false })?.size ?? 0)
      return {
        PostgreSQL: await databaseBytes(postgres.url),
        ...(store && { 'the event store': sizes[0]! + sizes[1]! }),
      }
    },
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
      await Promise.all([identity.stop(), postgres.stop(), store?.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const admin = { clientId: 'admin', clientSecret: 'secret' }

function startProvider(dataDir: string): Promise<IdentityProvider> {
  return startIdentityProvider({
    dataDir,
    clients: [{ ...admin, oid: 'admin', name: 'Admin', roles: ['PlatformAdmin'] }],
    people: { password: '', accounts: [] },
    portal: { clientId: 'portal', clientSecret: 'secret' },
    tenant: 'bench',
    apiId: 'heatmark',
  })
}

async function tokenOf({ tokenUrl, scope }: IdentityProvider): Promise<string> {
  const form = {
    grant_type: 'client_credentials',
    client_id: admin.clientId,
    client_secret: admin.clientSecret,
    scope,
  }
  const response = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Start a process of the service, and wait until it says that it has started. */
async function startRole(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['--max-semi-space-size=32', join(root, 'src/main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let url = ''
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.includes('"msg":"started"')) continue
    url = (JSON.parse(line) as { url?: string }).url ?? ''
    break
  }
  child.stdout!.resume()
  return { url, pid: child.pid!, kill: () => child.kill('SIGKILL'), stop: () => endOf(child) }
}

/** @throws Error when the rows are not those of a fold of all events */
async function verifyRows(env: NodeJS.ProcessEnv): Promise<void> {
  const args = [join(root, 'src/cli/heatmark.ts'), 'projections', 'verify', '--all']
  const verify = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(verify, 'exit')
  if (code !== 0) throw new Error('the rows differ from a fold of the events')
}
