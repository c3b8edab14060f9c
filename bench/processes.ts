import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type DevFile, fetchToken } from '../src/cli/runningService.ts'

/** Everything measured runs in a process of its own, as does whatever puts load on it. */

const root = join(import.meta.dirname, '..')

const endOf = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

/** A peer: a script that prints where it listens as its first line. */
export const startPeer = async (script: string, env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [join(root, 'bench/peers', script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  return { url: line, pid: child.pid!, stop: () => endOf(child) }
}

/** The local event store node on a file. */
export const startNode = async (file: string) => {
  const child = spawn(process.execPath, [join(root, 'src/embedded/eventStore/main.ts'), '--db', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  const { host, port } = JSON.parse(line).listening
  return { url: `esdb://${host}:${port}?tls=false`, pid: child.pid!, stop: () => endOf(child) }
}

/** Runs a load script to its end; it prints one line of JSON. */
export const runLoad = async <Result>(script: string, task: object): Promise<Result> => {
  const child = spawn(process.execPath, [join(root, 'bench', script)], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(task))
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk
  if (child.exitCode) throw new Error(`${script} failed`)
  return JSON.parse(text)
}

/** What a load script was asked to do. */
export const readTask = async <Task>(): Promise<Task> => {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}

export interface MeasuredService {
  readonly url: string
  readonly dataDir: string
  readonly dev: DevFile & {
    readonly eventStoreUrl: string
    readonly databaseUrl: string
    readonly otherCompanyId: string
  }
  readonly pid: number
  token(client: string): Promise<string>
  stop(): Promise<void>
}

/** The whole service as `npm start` runs it, with the limiter's ceilings raised so that nothing is refused. */
export const startService = async (): Promise<MeasuredService> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), '--embedded'], {
    env: {
      ...process.env,
      PORT: '0',
      HEATMARK_DATA_DIR: dataDir,
      API_RATE_LIMIT: '1000000000',
      AUTH_FAILURE_LIMIT: '1000000000',
      TOKEN_RATE_LIMIT: '1000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout! })) if (line.startsWith('Ctrl-C')) break
  child.stdout!.resume()
  const dev = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8'))
  return {
    url: dev.baseUrl,
    dataDir,
    dev,
    pid: child.pid!,
    token: (client) => fetchToken(dev, client),
    async stop() {
      await endOf(child)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Resident memory of a process, in MiB. */
export const residentMiB = (pid: number): number => {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1_024
}
