import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** The variable that tells `endWithStarter.ts` which process has started the one that it is loaded in. */
const variable = 'TEST_STARTER'

/** The ends of standard input, output and error of a started process. */
type Streams = readonly ['ignore' | 'pipe', 'pipe', 'pipe']

/**
 * Start a process, as `spawn` does. One that runs Node ends when this process has ended, however this one ended: a
 * worker of Vitest that is killed leaves no service behind.
 */
export function spawnHere(
  command: string,
  args: readonly string[],
  { stdio, env = process.env, ...options }: SpawnOptions & { readonly stdio: Streams },
): ChildProcess {
  if (command !== process.execPath) return spawn(command, args, { ...options, env, stdio: [...stdio] })
  return spawn(command, ['--import', guard, ...args], {
    ...options,
    env: { ...env, [variable]: String(process.pid) },
    stdio: [...stdio, 'ipc'],
  })
}

const guard = new URL('endWithStarter.ts', import.meta.url).href
