import type { Command } from 'commander'
import type { Projection } from '../../projections/engine/projection.ts'
import { companyId, reasonText, someText, userId, wholeNumber } from './arguments.ts'
import type { Runner } from './host.ts'

// Each command loads what it works with when it is called, so that the help appears at once.

/** Add every command: its arguments, options and help, and the function that does its work. */
export function addCommands(program: Command, runner: Runner): void {
  addStart(program, runner)
  addLooks(program, runner)
  addEvents(program, runner)
  addReadModels(program, runner)
  addStreams(program, runner)
  addPolicies(program, runner)
  addPersons(program, runner)
  addDocuments(program, runner)
  addAudit(program, runner)
  addBackups(program, runner)
  addCompletion(program, runner)
}

function addStart(program: Command, { host, report, onStores }: Runner): void {
  program
    .command('start')
    .description('start the service on the stores that the environment names')
    .option(
      '--embedded',
      'also start every store, and the identity provider, that the environment does not name',
    )
    .action(async (options) => (await import('./start.ts')).start(options))

  program
    .command('setup')
    .description(
      'check the settings, prepare both stores, make the signing key, and register a company with its first Admin; a repeat changes nothing',
    )
    .requiredOption('--company <name>', 'the name of the company', someText)
    .requiredOption(
      '--admin <user>',
      'the id of its first Admin, as tokens of the identity provider have it',
      userId,
    )
    .action(async ({ company, admin }) => {
      const { settingsOf, setUp } = await import('./setup.ts')
      const { env } = host
      const means = { config: settingsOf(env), env }
      await onStores((stores, output) => setUp(stores, { name: company, admin }, means, output))
    })

  program
    .command('token')
    .description('print an access token of the embedded identity provider, and nothing else')
    .argument('<client>', 'the name of the client, such as editor', someText)
    .action(async (client) => {
      const { printToken } = await import('./token.ts')
      await report((output) => printToken(client, host.env, output))
    })
}

function addLooks(program: Command, { host, report, onStores }: Runner): void {
  program
    .command('status')
    .description('show the position of each read model; exit code 1 when one has stopped or is behind')
    .action(async () => onStores((await import('./status.ts')).showStatus))

  program
    .command('doctor')
    .description(
      'check everything that the service depends on, and say what to do; exit code 1 when there is a problem',
    )
    .action(async () => {
      const { examine } = await import('./doctor.ts')
      await report((output) => examine(host.env, output))
    })
}

function addEvents(program: Command, { host, onStores }: Runner): void {
  const events = program.command('events').description('show the recorded events')
  events
    .command('tail')
    .description('show the last events')
    .option('--company <id>', 'only events of this company', companyId)
    .option('--stream <name>', 'only events of this stream', someText)
    .option('--type <type>', 'only events of this type', someText)
    .option('-n, --count <count>', 'the number of events', wholeNumber, 20)
    .option('-f, --follow', 'also show new events, until interrupted')
    .action(async ({ count, follow, ...filter }) => {
      const { tailEvents } = await import('./events.ts')
      await onStores(({ eventStore }, output) =>
        tailEvents(eventStore, { filter, count, ...(follow && { until: host.interruption() }) }, output),
      )
    })
  events
    .command('show')
    .description('show one event with all its data')
    .argument('<position>', 'the position of the event', wholeNumber)
    .action(async (position) => {
      const { showEvent } = await import('./events.ts')
      await onStores(({ eventStore }, output) => showEvent(eventStore, position, output))
    })
}

function addReadModels(program: Command, { host, onStores }: Runner): void {
  const readModels = program.command('projections').description('inspect and repair the read models')
  readModels
    .command('list')
    .description('show the position and rows of each, and its problem; exit code 1 when one has a problem')
    .action(async () => onStores((await import('./status.ts')).listProjections))
  readModels
    .command('rebuild')
    .description('build it again from the first event, also while the service runs; a stopped one runs again')
    .argument('[name]', 'the name of the projection')
    .option('--all', 'all projections, in one pass')
    .option('--dry-run', 'change nothing, but show the differences; exit code 1 when there are any')
    .action(async (name, { all, dryRun }, command: Command) => {
      const which = await choose(command, name, all)
      const { rebuildProjections, verifyProjections } = await import('./projections.ts')
      await onStores((stores, output) =>
        dryRun
          ? verifyProjections(stores, which, { asRebuilt: true, signal: host.interruption() }, output)
          : rebuildProjections(stores, which, host.interruption(), output),
      )
    })
  readModels
    .command('verify')
    .description(
      'compare its rows with a fold of all events; exit code 1 when they differ, or when it has stopped',
    )
    .argument('[name]', 'the name of the projection')
    .option('--all', 'all projections, in one pass')
    .action(async (name, { all }, command: Command) => {
      const which = await choose(command, name, all)
      const { verifyProjections } = await import('./projections.ts')
      await onStores((stores, output) =>
        verifyProjections(stores, which, { asRebuilt: false, signal: host.interruption() }, output),
      )
    })
  readModels
    .command('skip')
    .description(
      'let a projection skip, for good, the event at which it stopped, or the first that it skips by itself: decisions rely on its rows again',
    )
    .argument('<name>', 'the name of the projection')
    .requiredOption('--reason <text>', 'why it may skip the event, for readers of the status', reasonText)
    .action(async (name, { reason }, command: Command) => {
      const [projection] = await choose(command, name, false)
      const { skipStoppedEvent } = await import('./projections.ts')
      await onStores((stores, output) => skipStoppedEvent(stores, projection!, reason, output))
    })
  readModels
    .command('prune')
    .description(
      'drop the tables of other releases and of killed rebuilds; exit code 1 when such a release still runs',
    )
    .action(async () => onStores((await import('./projections.ts')).pruneSchemas))
}

/** @throws CommanderError for wrong usage */
async function choose(
  command: Command,
  name: string | undefined,
  all: boolean | undefined,
): Promise<readonly Projection[]> {
  const { projections } = await import('../../projections/all.ts')
  const named = projections.filter((projection) => projection.name === name)
  if ((name === undefined) !== (all === true))
    return command.error('error: name one projection, or use --all')
  if (all) return projections
  if (named.length > 0) return named
  return command.error(
    `error: there is no projection ${name}; there are ${projections.map((one) => one.name).join(', ')}`,
  )
}

function addStreams(program: Command, { onStores }: Runner): void {
  const stream = program.command('stream').description('show one aggregate')
  stream
    .command('show')
    .description('show its events and the state they fold to; exit code 1 when some cannot be folded')
    .argument('<name>', 'the stream, as "events tail" shows it before the @', someText)
    .option('--revision <revision>', 'the state at this revision', wholeNumber)
    .action(async (name, { revision }) => {
      const { showStream } = await import('./stream.ts')
      await onStores(({ eventStore }, output) => showStream(eventStore, name, revision, output))
    })
}

function addPolicies(program: Command, { host, onStores }: Runner): void {
  program
    .command('policies')
    .description('let a policy do its work once more')
    .command('sweep')
    .description(
      'let the service do the work of a policy once more in every company, and wait for it; exit code 1 when some companies are not done',
    )
    .argument('<name>', 'the name of the policy, as "heatmark doctor" shows it')
    .action(async (name, _options, command: Command) => {
      const { sweptPolicies } = await import('../../policies/all.ts')
      const policy = sweptPolicies.find((one) => one.name === name)
      if (!policy)
        return command.error(
          `error: ${name} is no policy that can be swept. Name one of these: ${sweptPolicies.map((one) => one.name).join(', ')}.`,
        )
      const { sweepPolicy } = await import('./policies.ts')
      await onStores((stores, output) => sweepPolicy(stores, policy, host.interruption(), output))
    })
}

function addPersons(program: Command, { onStores }: Runner): void {
  const persons = program.command('persons').description('delete names of persons')
  persons
    .command('erase')
    .description(
      'remove a member, and delete the name for good; exit code 1 when a record must be kept and --confirm is missing',
    )
    .argument('<user>', 'the id of the person, who is or was a member', userId)
    .requiredOption('--company <id>', 'the company that erases the name', companyId)
    .option('--confirm', 'also when the person has done acts of responsibility within ten years')
    .action(async (user, { company, confirm = false }) => {
      const { erasePerson } = await import('./persons.ts')
      await onStores((stores, output) =>
        erasePerson(stores, { userId: user, companyId: company, isConfirmed: confirm }, output),
      )
    })
}

function addDocuments(program: Command, { host, onStores }: Runner): void {
  const documents = program.command('documents').description('look after the files of documents')
  documents
    .command('sweep')
    .description('remove the objects that no event names, if they are older than a day')
    .option('--dry-run', 'remove nothing, but count them')
    .action(async ({ dryRun = false }) => {
      const { documentsPlace, sweepDocuments } = await import('./documents.ts')
      await onStores((stores, output) => sweepDocuments(stores, documentsPlace(host.env), { dryRun }, output))
    })
  documents
    .command('verify')
    .description('read and hash every file that events name; exit code 1 when one is missing or has changed')
    .action(async () => {
      const { documentsPlace, verifyDocuments } = await import('./documents.ts')
      await onStores((stores, output) =>
        verifyDocuments(stores, documentsPlace(host.env), host.interruption(), output),
      )
    })
}

function addAudit(program: Command, { host, report, onStores }: Runner): void {
  const audit = program.command('audit').description('check the history that the service has recorded')
  audit
    .command('verify')
    .description(
      'check the export of a company, without the service and its stores; exit code 1 when something is wrong',
    )
    .argument('<export>', 'the ZIP file, or the folder to which it was unpacked', someText)
    .option('--checkpoint <files...>', 'older checkpoints, which the export must continue')
    .option(
      '--keys <files...>',
      'key sets that you got by another way than the export; one of their keys must have signed it',
    )
    .option('--tsa <files...>', 'root certificates of the timestamp authority, which it publishes')
    .action(async (path, trusted) => {
      const { auditExport } = await import('./audit/audit.ts')
      await report((output) => auditExport(path, trusted, output))
    })
  audit
    .command('check')
    .description(
      'read the history of every company again, and compare it with its last checkpoint; exit code 1 when one was changed',
    )
    .action(async () => onStores((await import('./audit/check.ts')).checkHistories))
  audit
    .command('replace-key')
    .description('sign the histories with a new key from now on; SIGNING_KEY names the present key')
    .argument(
      '<file>',
      'the PEM file with the new private key, or with the public key of --command',
      someText,
    )
    .option('--command <program>', 'the program that signs with the new key', someText)
    .option('--lost', 'nobody has the present key any more, so it cannot vouch for the new one')
    .action(async (file, { lost = false, command }) => {
      const { announceNewKey } = await import('./audit/replaceKey.ts')
      await onStores((stores, output) =>
        announceNewKey(stores, { place: { file, command }, isLost: lost, env: host.env }, output),
      )
    })
}

function addBackups(program: Command, { host, report }: Runner): void {
  program
    .command('backup')
    .description('save the data directory of the embedded stack, whether it runs or not')
    .argument('<directory>', 'the folder to create; it must not exist', someText)
    .action(async (directory) => {
      const { backup } = await import('./backup.ts')
      await report((output) => backup(directory, host.env, host.interruption(), output))
    })
  program
    .command('restore')
    .description('create a data directory of the embedded stack from a backup')
    .argument('<directory>', 'the folder of the backup', someText)
    .option('--replace', 'move the present data directory aside')
    .action(async (directory, options) => {
      const { restore } = await import('./backup.ts')
      await report((output) => restore(directory, options, host.env, host.interruption(), output))
    })
}

function addCompletion(program: Command, { host }: Runner): void {
  program
    .command('completion')
    .description('print a script that makes bash complete these commands')
    .action(async () => {
      const { bashCompletion } = await import('./completion.ts')
      host.stdout.write(bashCompletion(program))
    })
}
