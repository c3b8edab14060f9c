import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { createInterface } from 'node:readline'
import { spawnHere } from './spawnHere.ts'

export interface Holder {
  /** Everything that it reported, one object a line. */
  said: Record<string, unknown>
  log: string[]
  child: ChildProcess
  /** Send the signal and wait until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Start a script of test/support in a process of its own, and wait until it reports a `pid`.
 * @throws Error with the script's stderr when it ends before that
 */
export function hold(script: string, args: string[], options: SpawnOptions = {}): Promise<Holder> {
  const child = spawnHere(process.execPath, [script, ...args], {
    ...options,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  const said: Record<string, unknown> = {}
  const log: string[] = []
  let complaints = ''
  child.stderr!.on('data', (chunk) => {
    complaints += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => reject(new Error(complaints)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const report = JSON.parse(line)
      if (report.log) log.push(report.log)
      else Object.assign(said, report)
      if (report.pid) resolve({ said, log, child, end })
    })
  })
}
