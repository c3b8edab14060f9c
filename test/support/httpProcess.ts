import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cleanEnvironment } from './serviceProcess.ts'
import type { TestService } from './testService.ts'

/** A process that serves HTTP beside a service of a spec, and does no other work, so that a spec can kill it. */
export interface HttpProcess {
  readonly process: ChildProcess
  readonly url: string
  /** Kill it, and wait until it is gone. */
  kill(): Promise<void>
}

/** @param more settings beside those of the service */
export async function startHttpProcess(
  { settings, documentsFolder }: Pick<TestService, 'settings' | 'documentsFolder'>,
  more: Readonly<Record<string, string>> = {},
): Promise<HttpProcess> {
  const main = new URL('./httpProcessMain.ts', import.meta.url).pathname
  const started = spawn(process.execPath, [main, documentsFolder], {
    env: cleanEnvironment({ ...settings, PROCESS_ROLES: 'http', ...more }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(started, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${code} before it served`)
  })
  const [line] = await Promise.race([once(started.stdout, 'data'), ended])
  return {
    process: started,
    url: String(line).trim(),
    async kill() {
      started.kill('SIGKILL')
      await once(started, 'close')
    },
  }
}
