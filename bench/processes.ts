import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type DevFile, fetchToken } from '../src/cli/runningService.ts'

/** Starts processes: the measured part runs in one, and its load in another. */

export const root = join(import.meta.dirname, '..')

/** Start a peer: a script whose first line of output is its address. */
export async function startPeer(script: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'bench/peers', script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  return { url: line, pid: child.pid!, stop: () => endOf(child) }
}

/** Start a local event store node on a file. */
export async function startNode(file: string) {
  const child = spawn(
    process.execPath,
    [join(root, 'src/embedded/eventStore/main.ts'), '--db', file, '--port', '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  return { url: JSON.parse(line).listening as string, pid: child.pid!, stop: () => endOf(child) }
}

/** Run a load script to its end and parse the JSON that it prints. */
export async function runLoad<Result>(script: string, task: object): Promise<Result> {
  const child = spawn(process.execPath, [join(root, 'bench', script)], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(task))
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk
  if (child.exitCode) throw new Error(`${script} failed`)
  return JSON.parse(text)
}

/** Read the task of a load script from stdin. */
export async function readTask<Task>(): Promise<Task> {
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
    readonly people: Readonly<Record<string, { userName: string; password: string }>>
  }
  readonly pid: number
  token(client: string): Promise<string>
  stop(): Promise<void>
}

/** Start the service as `npm start` does, with rate limits so high that no request is refused. */
export async function startService(): Promise<MeasuredService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heatmark-bench-'))
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=32', join(root, 'src/main.ts'), '--embedded'],
    {
      env: {
        ...process.env,
        PORT: '0',
        HEATMARK_DATA_DIR: dataDir,
        API_RATE_LIMIT: '1000000000',
        AUTH_FAILURE_LIMIT: '1000000000',
        TOKEN_RATE_LIMIT: '1000000',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
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

/** Run `measure` on a service of its own, and stop the service. */
export async function withService<Measured>(
  measure: (service: MeasuredService) => Promise<Measured>,
): Promise<Measured> {
  const service = await startService()
  try {
    return await measure(service)
  } finally {
    await service.stop()
  }
}

export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1_024
}

export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
