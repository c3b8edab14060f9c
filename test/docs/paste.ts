import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { cleanEnvironment, root } from '../support/serviceProcess.ts'

/**
 * Paste the commands of a page into one shell, so that each sees the variables of those before it, and return the output
 * of each.
 * @param dataDir of the embedded service that they call
 */
export async function pasteAll(commands: readonly string[], dataDir: string): Promise<string[]> {
  const mark = '--- next command ---'
  const script = commands.map((command) => `${command}\necho '${mark}'`).join('\n')
  const shell = spawn('bash', ['-uo', 'pipefail', '-c', script], {
    cwd: root,
    // With a socket as input, bash believes that somebody logs in from afar, and reads its start files.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment({
      HEATMARK_DATA_DIR: dataDir,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    }),
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  await once(shell, 'close')
  return output.split(`${mark}\n`).slice(0, -1)
}
