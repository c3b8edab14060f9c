import { join } from 'node:path'
import { runHeatmark as runInside } from '../../src/cli/heatmark/program.ts'
import { cleanEnvironment, root, type ServiceProcess, startProcess } from './serviceProcess.ts'

/** Runs the operators' command, with the settings of the service that are given, and no others. */

export interface Ran {
  readonly code: number | NodeJS.Signals
  readonly stdout: string
  readonly stderr: string
}

/** Run the command in this process: a start of Node with all modules takes most of the time of a command. */
export async function runHeatmark(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [stdout, stderr] = [memory(), memory()]
  const interruption = () => new AbortController().signal
  const code = await runInside(args, { env: cleanEnvironment(env), stdout, stderr, interruption })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** Start the command in a process of its own, as `npx heatmark` does. */
export function startHeatmark(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServiceProcess {
  return startProcess(process.execPath, [join(root, 'src/cli/heatmark.ts'), ...args], env)
}

/** Run the command in a process of its own to its end. */
export async function runHeatmarkProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const started = startHeatmark(args, env)
  const code = await started.ended
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}

function memory() {
  let all = ''
  return {
    write(text: string) {
      all += text
    },
    text: () => all,
  }
}
