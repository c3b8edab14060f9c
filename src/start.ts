import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type DestinationStream, type Logger, pino } from 'pino'
import { type Config, readConfig } from './config/config.ts'
import { Refusal } from './domain/kernel/refusal.ts'
import { clock } from './lib/clocks.ts'
import { messageOf } from './lib/failure.ts'
import { gatherLines } from './lib/gatherLines.ts'
import { findRelease } from './lib/release.ts'
import { openDoor } from './processes/parts/http.ts'
import { type Service, startService } from './service.ts'
import { rewoundCode } from './stores/subscription/checkpoint.ts'

/** Starts the service, with its log, and stops it at a signal. With `--embedded`, the stack is around it. */

const embedded = process.argv.includes('--embedded')
const interrupted = new AbortController()
/**
 * The ends of the parts that were started, which run in reverse. Each returns the names of the steps that did not end
 * in order.
 */
const started: (() => Promise<readonly string[]>)[] = []
/** Undefined until the service has started. */
let running: Service | undefined
/** Write a line about the stop. */
let say: (line: string) => void = (line) => console.log(line)

async function stop(): Promise<readonly string[]> {
  const faulty: string[] = []
  for (const end of started.splice(0).reverse()) faulty.push(...(await end()))
  return faulty
}

/** The most bytes of lines that wait for a standard output that takes none. Further lines are lost. */
const waitingLines = 1_048_576

/** Ignore an output that takes no more: lines of the log may be lost, but the service goes on. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

/** Log to standard output. */
function createLog(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: waitingLines })
  output.on('error', () => {})
  return pino({ level }, gatherLines(output))
}

/**
 * Log to a file, because the banner is on standard output, and errors to standard error, too. A start that waits says
 * there why it waits.
 */
function createEmbeddedLog(level: string, file: DestinationStream): Logger {
  return pino(
    { level },
    pino.multistream([
      { level: 'trace', stream: gatherLines(file) },
      {
        level: 'warn',
        stream: { write: (line) => void ((!running || isError(line)) && process.stderr.write(line)) },
      },
    ]),
  )
}

function isError(line: string): boolean {
  return JSON.parse(line).level >= pino.levels.values.error!
}

async function start() {
  const unknown = process.argv.slice(2).find((argument) => argument !== '--embedded')
  if (unknown) throw new Error(`unknown argument ${unknown}: there is only --embedded`)
  const first = readConfig(process.env, { embedded })
  await (embedded ? startWithStack(first) : startAlone(first))
}

async function startAlone(config: Config) {
  const log = createLog(config.logLevel)
  const service = await startService(config, log, interrupted.signal)
  started.push(service.stop)
  running = service
  say = (line) => log.info(line)
  log.info({ ...findRelease(), url: service.url, processRoles: config.processRoles }, 'started')
}

async function startWithStack(first: Config) {
  const startedAt = clock()
  // Imported only here: an image of the service is built without the packages of the embedded stack.
  const { banner, buildPortalPages, openLogFile, provision, startStack } = await import('./embedded/index.ts')
  const log = createEmbeddedLog(first.logLevel, openLogFile(join(first.dataDir, 'heatmark.log')))
  let isStackUp = false
  const startingStack = startStack({
    env: process.env,
    dataDir: first.dataDir,
    log: (line) => (isStackUp ? log.info(line) : console.log(line)),
    signal: interrupted.signal,
  })
  stopOnceStarted(startingStack, (stack) => stack.stop())
  // The stack locks the data directory first: a second start is told that, and not that its port is in use.
  const opening = first.processRoles.includes('http')
    ? openDoor({ config: first, release: findRelease(), log, newId: randomUUID, clock })
    : undefined
  if (opening) stopOnceStarted(opening, (door) => door.close())
  // Without the pages the API serves all the same.
  const building = buildPortalPages(interrupted.signal).then(
    () => undefined,
    (error: Error) => error,
  )
  const [stack, door] = await Promise.all([startingStack, opening])
  isStackUp = true
  interrupted.signal.throwIfAborted()
  const named = readConfig({ ...process.env, ...stack.settings })
  const config = { ...named, documents: named.documents ?? { folder: stack.documentsFolder } }
  const fault = await building
  interrupted.signal.throwIfAborted()
  if (fault) log.warn({ err: fault }, 'the pages of the portal could not be built')
  const service = await startService(config, log, interrupted.signal, { door })
  started.push(service.stop)
  running = service
  // The banner shows a command, which needs the companies and roles at once.
  await provision(service.executor.execute, stack.companies, randomUUID).catch((error) => {
    // Everything else can still be read.
    if (!(error instanceof Refusal && error.code === rewoundCode)) throw error
    console.error(`heatmark: ${error.code}: ${error.message} docs/operations.md says how.`)
  })
  if (!service.url) return
  const notReady = await service.notReady()
  interrupted.signal.throwIfAborted()
  stack.writeDevFile(service.url)
  const took = clock() - startedAt
  console.log(banner(service.url, stack.dev, config.dataDir, { release: findRelease(), took, notReady }))
}

/** A part that fails to start has nothing to stop. */
function stopOnceStarted<Part>(starting: Promise<Part>, end: (part: Part) => Promise<unknown>) {
  started.push(() => starting.then(end, () => {}).then(() => []))
}

async function fail(error: unknown) {
  console.error(`heatmark: ${messageOf(error)}`)
  process.exitCode = 1
  interrupted.abort()
  await stop().catch(() => {})
  process.exit(1)
}

/** End with the stack of an unexpected error, unless the service survives it. */
function failUnforeseen(error: unknown) {
  if (running?.survives(error)) return
  return fail(error instanceof Error ? error.stack : error)
}

async function end(because: string) {
  if (interrupted.signal.aborted) return
  const began = clock()
  interrupted.abort()
  // An interrupted start fails because of this interruption.
  await starting.catch(() => {})
  const faulty = await stop()
  const how = faulty.length === 0 ? 'in order' : `but not in order: ${faulty.join(', ')}`
  say(`heatmark: stopped on ${because} after ${((clock() - began) / 1_000).toFixed(1)} s, ${how}`)
  process.exit(0)
}

/**
 * `npm start` and `npx` pass on no signal but SIGINT and SIGTERM, may be killed, and `npx` passes SIGTERM to a shell that
 * ends alone: stop when what started this has ended.
 */
function endWithNpm() {
  const npm = process.ppid
  const watch = () => process.ppid === npm || end('the end of npm').catch(fail)
  setInterval(watch, lookForNpmEveryMs).unref()
}

const lookForNpmEveryMs = 500

const starting = start()
starting.catch((error) => (interrupted.signal.aborted ? undefined : fail(error)))
// A terminal sends Ctrl-C to every process of the command, and npm passes it on again: only the first one counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end(signal).catch(fail))
if (['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '')) endWithNpm()
process.on('uncaughtException', failUnforeseen)
