import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientName } from '../../src/embedded/identities.ts'
import { spawnHere } from './spawnHere.ts'
import { keepLog } from './suiteLog.ts'
import { until } from './until.ts'

/** Runs the service in a process of its own, started as users start it. It never outlives this process. */

export interface ServiceProcess {
  readonly pid: number
  stdout(): string
  stderr(): string
  /** Send to this process alone, or with `group` to its whole group, as a terminal sends Ctrl-C. */
  signal(name: NodeJS.Signals, to?: 'group'): void
  /** Resolves at the end of the process, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Send the signal (by default SIGTERM) and wait for the end. */
  end(name?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** Contents of `dev.json`. */
export interface DevFile {
  readonly baseUrl: string
  readonly authUrl: string
  readonly tenant: string
  readonly tokenUrl: string
  readonly scope: string
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly companyId: string
  readonly otherCompanyId: string
  readonly clients: Record<ClientName, { clientId: string; clientSecret: string }>
  readonly people: Record<ClientName, { userName: string; name: string; password: string }>
}

export interface EmbeddedService extends ServiceProcess {
  readonly dataDir: string
  readonly url: string
  readonly dev: DevFile
}

export interface ServiceNode extends ServiceProcess {
  /** Empty without the process role `http`. */
  readonly url: string
}

export const root = join(import.meta.dirname, '../..')
const main = join(root, 'src/main.ts')

/** Return this process's environment without the settings of the service, and with `more`. */
export function cleanEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { EVENTSTORE_URL: _, DATABASE_URL: __, OIDC_ISSUER: ___, ...kept } = process.env
  const ours = Object.keys(kept).filter((name) => /^(HEATMARK_|OIDC_|PORT$|HOST$|LOG_LEVEL$)/.test(name))
  for (const name of ours) delete kept[name]
  return { ...kept, ...more }
}

/** Start a command as the leader of a new process group. */
export function startProcess(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServiceProcess {
  const child = spawnHere(command, args, {
    cwd: root,
    env: cleanEnvironment(env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const signal = (name: NodeJS.Signals, to?: 'group') => {
    try {
      process.kill(to === 'group' ? -child.pid! : child.pid!, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  const endWithUs = () => signal('SIGTERM')
  process.once('exit', endWithUs)
  const ended = once(child, 'close').then(([code, by]) => {
    process.removeListener('exit', endWithUs)
    return (code ?? by) as number | NodeJS.Signals
  })
  return {
    pid: child.pid!,
    stdout: () => stdout,
    stderr: () => stderr,
    signal,
    ended,
    end(name = 'SIGTERM') {
      signal(name)
      return ended
    },
  }
}

export function readDevFile(dataDir: string): DevFile {
  return JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8'))
}

/** Run `npm start`, or the script behind it, on a data directory, with embedded stores and identity provider. */
export async function startEmbedded(
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
  [command, ...args]: readonly [string, ...string[]] = [process.execPath, main, '--embedded'],
): Promise<EmbeddedService> {
  const started = startProcess(command, args, { PORT: '0', HEATMARK_DATA_DIR: dataDir, ...more })
  void started.ended.then(() => {
    const log = join(dataDir, 'heatmark.log')
    keepLog(started.stdout() + started.stderr() + (existsSync(log) ? readFileSync(log, 'utf8') : ''))
  })
  await untilItSays(started, /Ctrl-C stops everything/)
  const dev = readDevFile(dataDir)
  return { ...started, dataDir, url: dev.baseUrl, dev }
}

/** Start a node of the service on the stores and the identity provider that the settings name. */
export async function startServiceNode(settings: Readonly<Record<string, string>>): Promise<ServiceNode> {
  const started = startProcess(process.execPath, [main], { PORT: '0', ...settings })
  void started.ended.then(() => keepLog(started.stdout() + started.stderr()))
  const [line] = await untilItSays(started, /^.*"msg":"started".*$/m)
  return { ...started, url: (JSON.parse(line) as { url?: string }).url ?? '' }
}

const tokens = new Map<string, Promise<string>>()

/** Return an access token of a client of the embedded stack, the same one while this process runs. */
export function tokenOf({ tokenUrl, scope, clients }: DevFile, client: ClientName): Promise<string> {
  const { clientId, clientSecret } = clients[client]
  // Another stack may have the same address later, but never the same secret.
  const name = `${tokenUrl} ${clientId} ${clientSecret}`
  const known = tokens.get(name) ?? fetchToken(tokenUrl, scope, clientId, clientSecret)
  tokens.set(name, known)
  return known
}

async function fetchToken(url: string, scope: string, id: string, secret: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      scope,
    }),
  })
  if (!response.ok) throw new Error(`${url} answers ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

/** Wait until stdout has these words. @throws Error with the output when the process ends instead */
async function untilItSays(started: ServiceProcess, words: RegExp): Promise<RegExpExecArray> {
  let end: unknown
  void started.ended.then((how) => {
    end = how
  })
  await until(() => words.test(started.stdout()) || end !== undefined)
  const said = words.exec(started.stdout())
  if (!said) throw new Error(`the service ended with ${end}: ${started.stderr() || started.stdout()}`)
  return said
}
