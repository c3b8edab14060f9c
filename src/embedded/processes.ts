import { type ChildProcess, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { clock } from '../lib/clocks.ts'

/** A running process: its arguments and its working folder ('' where the platform does not tell). */
interface RunningProcess {
  pid: number
  args: string[]
  cwd: string
}

/**
 * All processes that this user may inspect, except zombies: a killed process keeps its pid until its parent
 * collects it, and signal 0 would call it alive.
 */
export function runningProcesses(): RunningProcess[] {
  if (process.platform !== 'linux') return processesByPs()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processByProc(Number(name)))
    .filter((entry) => entry !== undefined)
}

/** Whether the process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return 'ZX'.includes(stateByProc(pid)) === false
  return processesByPs().some((found) => found.pid === pid)
}

/** Send a signal; ignore a process that is gone already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Send each signal in turn, and wait after each one for `gone`; return whether it became true. */
export async function endWith(
  steps: { send: () => void; waitMs: number }[],
  isGone: () => boolean,
): Promise<boolean> {
  for (const step of steps) {
    step.send()
    if (await waitUntil(isGone, step.waitMs)) return true
  }
  return isGone()
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Describe the end of a process, with its last words if there are any. */
export function endOf(code: number | null, by: NodeJS.Signals | null, lastWords: string): string {
  return `${by ?? `code ${code}`}${lastWords && `; it last said: ${lastWords}`}`
}

/** Stop a process and resolve when it has ended. A second call waits for the same end. */
export type Stopper = (() => Promise<void>) & { wasCalled(): boolean }

/**
 * Return a function that stops a child: it sends each signal in turn until the child has ended. `abort` has the
 * same effect. If this process exits without either, the child gets the first signal at least.
 */
export function stopperOf(
  child: ChildProcess,
  steps: { signal: NodeJS.Signals; waitMs: number }[],
  abort?: AbortSignal,
): Stopper {
  const onExit = () => child.kill(steps[0]!.signal)
  process.once('exit', onExit)
  let stopping: Promise<boolean> | undefined
  const stop = async () => {
    stopping ??= endWith(
      steps.map(({ signal, waitMs }) => ({ send: () => child.kill(signal), waitMs })),
      () => hasEnded(child),
    )
    await stopping
  }
  abort?.addEventListener('abort', stop)
  child.once('exit', () => {
    process.removeListener('exit', onExit)
    abort?.removeEventListener('abort', stop)
  })
  return Object.assign(stop, { wasCalled: () => stopping !== undefined })
}

async function waitUntil(condition: () => boolean, ceilingMs: number): Promise<boolean> {
  const end = clock() + ceilingMs
  while (!condition()) {
    if (clock() > end) return false
    await pause(10)
  }
  return true
}

function processByProc(pid: number): RunningProcess | undefined {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // A zombie and a kernel thread have no arguments.
    if (args[0] === '') return undefined
    return { pid, args, cwd: readlinkSync(`/proc/${pid}/cwd`) }
  } catch {
    return undefined // gone meanwhile, or another user's
  }
}

/** The state in /proc/pid/stat, after a name that may hold blanks and brackets; 'X' when the process is gone. */
function stateByProc(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
  } catch {
    return 'X'
  }
}

function processesByPs(): RunningProcess[] {
  return execFileSync('ps', ['-axo', 'pid=,stat=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, stat]) => pid && !stat?.startsWith('Z'))
    .map(([pid, , ...args]) => ({ pid: Number(pid), args, cwd: '' }))
}
