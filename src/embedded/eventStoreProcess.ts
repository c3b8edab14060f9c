import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makePrivateFolder } from './files.ts'
import { endOf, endWith, runningProcesses, signal, stopperOf } from './processes.ts'

export interface RunningEventStore {
  /** The connection string. It names a socket in the data directory. */
  url: string
  pid: number
  /** Stops the node, by force after 1.5 s, which loses no acknowledged event. */
  stop(): Promise<void>
}

interface EventStoreOptions {
  /** Holds the events in `events.sqlite`, and the socket. */
  dataDir: string
  /** Events that a live subscription may fall behind before it is dropped; the node has a default. */
  liveBuffer?: number
  log?: (line: string) => void
  /** Aborts a start that is under way. */
  signal?: AbortSignal
  /** Called once, with the reason, if the node ends without `stop`. */
  onExit?: (reason: string) => void
}

const main = fileURLToPath(new URL('./eventStore/main.ts', import.meta.url))

/**
 * Start the local event store node, as a process of its own that ends when this one does. First
 * stop any node that a killed Heatmark left running on this file.
 * @throws Error of one line with the node's own message
 */
export async function startEventStore(options: EventStoreOptions): Promise<RunningEventStore> {
  const { dataDir, liveBuffer, log = () => {}, onExit } = options
  makePrivateFolder(dataDir)
  const file = join(realpathSync(dataDir), 'events.sqlite')
  await stopOrphans(file, log)
  const args = [main, '--db', file, '--stdin-guard']
  if (liveBuffer !== undefined) args.push('--live-buffer', String(liveBuffer))
  // Detached, because Ctrl-C reaches the whole process group, and the parent decides the order of stopping.
  const child = spawn(process.execPath, args, { stdio: 'pipe', detached: true })
  child.stdin.on('error', () => {}) // the child may be gone already
  const stop = stopperOf(child, hardening, options.signal)
  let lastWords = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastWords = line.replace(/^event store: /, '')
    log(`event store: ${lastWords}`)
  })
  const url = await addressOf(child, () => lastWords)
  child.once('exit', (code, by) => {
    if (!stop.wasCalled()) onExit?.(endOf(code, by, lastWords))
  })
  return { url, pid: child.pid!, stop }
}

const hardening = [{ signal: 'SIGTERM', waitMs: 1_500 } as const, { signal: 'SIGKILL', waitMs: 500 } as const]

/** Wait for the node's first line on stdout, which says where it listens. */
function addressOf(child: ChildProcess, lastWords: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the event store node does not start: ${why}`))
    createInterface({ input: child.stdout! }).once('line', (line) => {
      if (line.includes('"listening"')) return resolve(JSON.parse(line).listening)
      child.kill('SIGKILL')
      fail(`it said "${line}" instead of where it listens`)
    })
    child.once('error', (error) => fail(error.message))
    child.once('close', (code, by) => fail(lastWords() || `it ended with ${by ?? `code ${code}`}`))
  })
}

/**
 * Stop the nodes that a killed Heatmark left running on this file, and recognise them by their arguments. The
 * caller holds the lock of the data directory, so no living Heatmark started them.
 */
async function stopOrphans(file: string, log: (line: string) => void): Promise<void> {
  const processesLeft = () =>
    runningProcesses()
      .filter(({ args }) => args.includes('--stdin-guard') && args[args.indexOf('--db') + 1] === file)
      .map(({ pid }) => pid)
  const pids = processesLeft()
  if (pids.length === 0) return
  log(`stopping the event store node that was left running on ${file} (pid ${pids.join(', ')})`)
  const sendAll = (name: NodeJS.Signals) => {
    for (const pid of processesLeft()) signal(pid, name)
  }
  const ended = await endWith(
    [
      { send: () => sendAll('SIGTERM'), waitMs: 2_000 },
      { send: () => sendAll('SIGKILL'), waitMs: 3_000 },
    ],
    () => processesLeft().length === 0,
  )
  if (!ended)
    throw new Error(`an event store node left running on ${file} (pid ${processesLeft()}) does not end`)
}
