import { join } from 'node:path'
import { root, type ServiceProcess, startProcess } from './serviceProcess.ts'

/** Run the operators' command in a process of its own, as `npx heatmark` does. */

export function startHeatmark(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServiceProcess {
  return startProcess(process.execPath, [join(root, 'src/cli/heatmark.ts'), ...args], env)
}

export interface Ran {
  readonly code: number | NodeJS.Signals
  readonly stdout: string
  readonly stderr: string
}

export async function runHeatmark(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const started = startHeatmark(args, env)
  const code = await started.ended
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}
