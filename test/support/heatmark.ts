import { join } from 'node:path'
import { root, type ServiceProcess, startProcess } from './serviceProcess.ts'

/** The operators' command as a process of its own, as `npx heatmark` runs it. */

export const startHeatmark = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServiceProcess => startProcess(process.execPath, [join(root, 'src/cli/heatmark.ts'), ...args], env)

export interface Ran {
  readonly code: number | NodeJS.Signals
  readonly stdout: string
  readonly stderr: string
}

export const runHeatmark = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> => {
  const started = startHeatmark(args, env)
  const code = await started.ended
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}
