import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { patient, type TestStore } from './store.ts'

/** A local event store node in a process of its own. */
export interface TestNode extends TestStore {
  port: number
  pid: number
  dbFile: string
  /** Everything that the node wrote to standard error. */
  stderr: () => string
  /** Send a signal and wait until the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
}

export interface NodeSettings {
  /** By default a temporary file, which `stop` removes. */
  dbFile?: string
  /** By default 32, as on a real server. */
  liveBuffer?: number
  /** By default any free port. */
  port?: number
}

export const nodeMain = new URL('../../src/embedded/eventStore/main.ts', import.meta.url).pathname

/**
 * Start a node and wait until it listens. It never outlives this process.
 * @throws Error with the node's standard error when it ends instead
 */
export async function startNode({ dbFile, liveBuffer, port }: NodeSettings = {}): Promise<TestNode> {
  const folder = dbFile === undefined ? temporaryFolder() : undefined
  const file = dbFile ?? join(folder!, 'events.db')
  const settings = ['--port', String(port ?? 0), '--live-buffer', String(liveBuffer ?? 32)]
  const child = spawn(process.execPath, [nodeMain, '--db', file, ...settings, '--stdin-guard'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  // A killed process breaks its pipe. Only its end matters here.
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close')
  const listeningLine = await Promise.race([firstLine(child), ended.then(() => undefined)])
  if (listeningLine === undefined) throw new Error(`the node has not started: ${stderr}`)
  const { listening: url } = JSON.parse(listeningLine) as { listening: string }

  async function kill(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await ended
  }

  return {
    url: patient(url),
    port: Number(new URL(url).port),
    pid: child.pid!,
    dbFile: file,
    stderr: () => stderr,
    kill,
    async stop() {
      await kill('SIGTERM')
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Create a folder that the test removes. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'heatmark-node-'))
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  return undefined
}
