#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { examine } from './heatmark/doctor.ts'
import { showEvent, tailEvents } from './heatmark/events.ts'
import { createOutput, type Output } from './heatmark/output.ts'
import { showStatus } from './heatmark/status.ts'
import { openStores, type Stores, storeUrls } from './heatmark/stores.ts'
import { showStream } from './heatmark/stream.ts'

/**
 * `npx heatmark`: what operators and auditors do with the stores.
 * Exit codes: 0 all is well; 1 a finding (behind, stopped, different); 2 wrong usage; 3 it could not be done.
 */
const exitCodes = { well: 0, finding: 1, usage: 2, failed: 3 }

const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

const program = new Command('heatmark')
  .description('Looks after a Heatmark: its events, its read models, its stores')
  .version(packageJson.version)
  .option('--json', 'answer in JSON, for machines')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCodes.well : exitCodes.usage))
  .addHelpText(
    'after',
    `
The stores are those that EVENTSTORE_URL and DATABASE_URL name, else those of the embedded stack that runs here.
Exit codes: 0 all is well, 1 a finding, 2 wrong usage, 3 it could not be done.`,
  )

/** Runs a command; false is a finding. */
const report = async (work: (output: Output) => Promise<unknown>): Promise<void> => {
  const well = await work(createOutput(program.opts().json === true, console.log))
  process.exitCode = well === false ? exitCodes.finding : exitCodes.well
}

/** Runs a command on the stores; false is a finding. */
const onStores = (work: (stores: Stores, output: Output) => Promise<unknown>): Promise<void> =>
  report(async (output) => {
    const stores = openStores(storeUrls(process.env))
    try {
      return await work(stores, output)
    } finally {
      await stores.close()
    }
  })

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())

program
  .command('status')
  .description('how far each read model is; exit code 1 when one has stopped or is behind')
  .action(() => onStores(showStatus))

program
  .command('doctor')
  .description(
    'looks at everything the service depends on, and says what to do; exit code 1 when something is',
  )
  .action(() => report((output) => examine(process.env, output)))

const events = program.command('events').description('the facts')
events
  .command('tail')
  .description('the last events')
  .option('--company <id>', 'of this company')
  .option('--stream <name>', 'of this stream')
  .option('--type <type>', 'of this type')
  .option('-n, --count <count>', 'so many', wholeNumber, 20)
  .option('-f, --follow', 'and those that come, until interrupted')
  .action(({ count, follow, ...filter }) =>
    onStores(({ eventStore }, output) =>
      tailEvents(eventStore, { filter, count, follow: follow === true, signal: interrupted.signal }, output),
    ),
  )
events
  .command('show')
  .description('one event, whole')
  .argument('<position>', 'where it stands', wholeNumber)
  .action((position) => onStores(({ eventStore }, output) => showEvent(eventStore, position, output)))

const stream = program.command('stream').description('one aggregate')
stream
  .command('show')
  .description('its events, and the state that they fold to')
  .argument('<name>', 'the stream, as events tail shows it')
  .option('--revision <revision>', 'as of this revision', wholeNumber)
  .action((name, { revision }) =>
    onStores(({ eventStore }, output) => showStream(eventStore, name, revision, output)),
  )

try {
  await program.parseAsync()
} catch (error) {
  console.error(`heatmark: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = exitCodes.failed
}
// The store's client may keep its connection; what was printed is written out first.
process.stdout.write('', () => process.exit())
