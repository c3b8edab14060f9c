import { Command, CommanderError } from 'commander'
import { messageOf } from '../../lib/failure.ts'
import { showHidden } from '../../lib/hiddenCharacters.ts'
import { findRelease, nameOf } from '../../lib/release.ts'
import { addCommands } from './commands.ts'
import type { Host, Runner } from './host.ts'
import { createOutput } from './output.ts'

export const exitCodes = { well: 0, finding: 1, usage: 2, failed: 3 }

/** Run the command that these arguments name, and return its exit code. Errors are written to `stderr`. */
export async function runHeatmark(args: readonly string[], host: Host): Promise<number> {
  let code = exitCodes.well
  const program = createProgram(host)
  const report: Runner['report'] = async (work) => {
    const well = await work(createOutput(program.opts().json === true, host.stdout, host.stderr))
    if (well === false) code = exitCodes.finding
  }
  const onStores: Runner['onStores'] = (work) =>
    report(async (output) => {
      const { openStores, storeUrls } = await import('./stores.ts')
      const stores = openStores(storeUrls(host.env))
      try {
        return await work(stores, output)
      } finally {
        await stores.close()
      }
    })
  addCommands(program, { host, report, onStores })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // Commander has already printed the error, the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.well : exitCodes.usage
    await explain(error, host)
    return exitCodes.failed
  }
}

function createProgram({ stdout, stderr }: Host): Command {
  return new Command('heatmark')
    .description('Inspects and repairs a Heatmark: its events, read models and stores')
    .version(nameOf(findRelease()))
    .option('--json', 'print JSON, for programs')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .addHelpText(
      'after',
      `
EVENTSTORE_URL and DATABASE_URL name the stores. Without them, the commands use the embedded stack that runs here.
Exit codes: 0 all is well, 1 a finding, 2 wrong usage, 3 the command failed, 130 ended by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.`,
    )
}

async function explain(error: unknown, { env, stderr }: Host): Promise<void> {
  stderr.write(`heatmark: ${showHidden(messageOf(error))}\n`)
  const { adviceOn } = await import('./advice.ts')
  const advice = adviceOn(error, env)
  if (advice) stderr.write(`→ ${advice}\n`)
}
