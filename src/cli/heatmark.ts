#!/usr/bin/env node
import { constants } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import { projections } from '../projections/all.ts'
import type { Projection } from '../projections/projection.ts'
import { adviceOn } from './heatmark/advice.ts'
import { backup, restore } from './heatmark/backup.ts'
import { examine } from './heatmark/doctor.ts'
import { showEvent, tailEvents } from './heatmark/events.ts'
import { createOutput, type Output } from './heatmark/output.ts'
import {
  pruneSchemas,
  rebuildProjections,
  skipStoppedEvent,
  verifyProjections,
} from './heatmark/projections.ts'
import { listProjections, showStatus } from './heatmark/status.ts'
import { openStores, type Stores, storeUrls } from './heatmark/stores.ts'
import { showStream } from './heatmark/stream.ts'

/** `npx heatmark`: what operators and auditors do with the stores. */

/** What a shell says of a process that a signal has ended. */
function endedBy(signal: 'SIGINT' | 'SIGTERM') {
  return 128 + constants.signals[signal]
}
const exitCodes = { well: 0, finding: 1, usage: 2, failed: 3 }

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function someText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}

function reasonText(text: string): string {
  const reason = someText(text).trim()
  if (reason.length > 500) throw new InvalidArgumentError('It must not be longer than 500 characters.')
  return reason
}

function companyId(text: string): string {
  if (!z.guid().safeParse(text).success)
    throw new InvalidArgumentError('It must be the id of a company: a UUID.')
  return text.toLowerCase()
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
Exit codes: 0 all is well, 1 a finding, 2 wrong usage, 3 it could not be done, 130 ended by Ctrl-C, 143 by SIGTERM.`,
  )

/** Runs a command; false is a finding. */
async function report(work: (output: Output) => Promise<unknown>): Promise<void> {
  const well = await work(createOutput(program.opts().json === true, console.log, console.error))
  process.exitCode = well === false ? exitCodes.finding : exitCodes.well
}

/** Runs a command on the stores; false is a finding. */
function onStores(work: (stores: Stores, output: Output) => Promise<unknown>): Promise<void> {
  return report(async (output) => {
    const stores = openStores(storeUrls(process.env))
    try {
      return await work(stores, output)
    } finally {
      await stores.close()
    }
  })
}

let interruptedBy: 'SIGINT' | 'SIGTERM' | undefined

/** For commands that end in order when they are interrupted; the others just end. */
function interruption(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interruptedBy = signal
      interrupted.abort(new Error('interrupted'))
    })
  return interrupted.signal
}

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
  .option('--company <id>', 'of this company', companyId)
  .option('--stream <name>', 'of this stream', someText)
  .option('--type <type>', 'of this type', someText)
  .option('-n, --count <count>', 'so many', wholeNumber, 20)
  .option('-f, --follow', 'and those that come, until interrupted')
  .action(({ count, follow, ...filter }) =>
    onStores(({ eventStore }, output) =>
      tailEvents(eventStore, { filter, count, ...(follow && { until: interruption() }) }, output),
    ),
  )
events
  .command('show')
  .description('one event, whole')
  .argument('<position>', 'where it stands', wholeNumber)
  .action((position) => onStores(({ eventStore }, output) => showEvent(eventStore, position, output)))

/** @throws CommanderError for wrong usage */
function wanted(command: Command, name: string | undefined, all: boolean | undefined): readonly Projection[] {
  const named = projections.filter((projection) => projection.name === name)
  if ((name === undefined) !== (all === true))
    return command.error('error: name one projection, or say --all')
  if (all) return projections
  if (named.length > 0) return named
  return command.error(
    `error: there is no projection ${name}; there are ${projections.map((one) => one.name).join(', ')}`,
  )
}

const readModels = program.command('projections').description('the read models')
readModels
  .command('list')
  .description(
    'every one: how far it is, how many rows it has, what stopped it; exit code 1 when one is in trouble',
  )
  .action(() => onStores(listProjections))
readModels
  .command('rebuild')
  .description(
    'build it again from the first event on, while the service runs; brings back one that has stopped',
  )
  .argument('[name]', 'which one')
  .option('--all', 'all of them, in one pass')
  .option('--dry-run', 'change nothing, but show what would be different; exit code 1 if anything is')
  .action((name, { all, dryRun }, command: Command) => {
    const which = wanted(command, name, all)
    return onStores((stores, output) =>
      dryRun
        ? verifyProjections(stores, which, { asRebuilt: true, signal: interruption() }, output)
        : rebuildProjections(stores, which, interruption(), output),
    )
  })
readModels
  .command('verify')
  .description(
    'compare its rows with a fold of all events; exit code 1 when anything differs, or one has stopped',
  )
  .argument('[name]', 'which one')
  .option('--all', 'all of them, in one pass')
  .action((name, { all }, command: Command) => {
    const which = wanted(command, name, all)
    return onStores((stores, output) =>
      verifyProjections(stores, which, { asRebuilt: false, signal: interruption() }, output),
    )
  })
readModels
  .command('skip')
  .description(
    'let one that has stopped pass over the event at which it stopped, for good, and run again where it is',
  )
  .argument('<name>', 'which one')
  .requiredOption('--reason <text>', 'why it may, for those who read the status later', reasonText)
  .action((name, { reason }, command: Command) => {
    const [projection] = wanted(command, name, false)
    return onStores((stores, output) => skipStoppedEvent(stores, projection!, reason, output))
  })
readModels
  .command('prune')
  .description(
    'drop what other releases and killed rebuilds have left; exit code 1 when one of them still runs',
  )
  .action(() => onStores(pruneSchemas))

const stream = program.command('stream').description('one aggregate')
stream
  .command('show')
  .description('its events, and the state that they fold to; exit code 1 when not all of them can be folded')
  .argument('<name>', 'the stream, as events tail shows it before the @', someText)
  .option('--revision <revision>', 'as of this revision', wholeNumber)
  .action((name, { revision }) =>
    onStores(({ eventStore }, output) => showStream(eventStore, name, revision, output)),
  )

program
  .command('backup')
  .description('saves the data directory of the embedded stack, while it runs or not')
  .argument('<directory>', 'the folder to make; it must not be there', someText)
  .action((directory) => report((output) => backup(directory, process.env, interruption(), output)))
program
  .command('restore')
  .description('makes a data directory of the embedded stack from a backup')
  .argument('<directory>', 'the backup', someText)
  .option('--replace', 'move what is in the data directory aside')
  .action((directory, options) =>
    report((output) => restore(directory, options, process.env, interruption(), output)),
  )

try {
  await program.parseAsync()
} catch (error) {
  console.error(`heatmark: ${error instanceof Error ? error.message : String(error)}`)
  const advice = adviceOn(error, process.env)
  if (advice) console.error(`→ ${advice}`)
  process.exitCode = interruptedBy ? endedBy(interruptedBy) : exitCodes.failed
}
// The store's client may keep its connection; what was printed is written out first.
process.stdout.write('', () => process.exit())
