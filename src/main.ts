import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { readConfig } from './config.ts'
import { Refusal } from './domain/refusal.ts'
import { startService } from './service.ts'
import { rewoundCode } from './subscription/checkpoint.ts'

/**
 * `node src/main.ts` is the service on stores of your own, named by the environment; with `--embedded`
 * whatever the environment does not name is started beside it.
 */

const embedded = process.argv.includes('--embedded')
const interrupted = new AbortController()
/** What has been started, to be stopped in reverse. */
const started: (() => Promise<void>)[] = []

const stop = async () => {
  for (const end of started.splice(0).reverse()) await end()
}

/** To the terminal where that is all there is; beside a banner to a file, with warnings to the terminal. */
const createLog = (level: string, dataDir: string): Logger => {
  if (!embedded) return pino({ level })
  const file = pino.destination({ dest: join(dataDir, 'heatmark.log'), mkdir: true, mode: 0o600, sync: true })
  return pino(
    { level },
    pino.multistream([
      { level: 'trace', stream: file },
      { level: 'error', stream: process.stderr },
    ]),
  )
}

const start = async () => {
  const unknown = process.argv.slice(2).find((argument) => argument !== '--embedded')
  if (unknown) throw new Error(`unknown argument ${unknown}: there is only --embedded`)
  const first = readConfig(process.env, { embedded })
  if (!embedded) {
    const log = createLog(first.logLevel, first.dataDir)
    const service = await startService(first, log, interrupted.signal)
    started.push(service.stop)
    log.info({ url: service.url, roles: first.roles }, 'started')
    return
  }
  const startedAt = performance.now()
  // Loaded only here: an image of the service is built without the packages that it needs.
  const { banner, provision, startStack } = await import('./embedded/index.ts')
  let log: Logger | undefined
  const stack = await startStack({
    env: process.env,
    dataDir: first.dataDir,
    log: (line) => (log ? log.info(line) : console.log(line)),
    signal: interrupted.signal,
  })
  started.push(stack.stop)
  interrupted.signal.throwIfAborted()
  const config = readConfig({ ...process.env, ...stack.settings })
  log = createLog(config.logLevel, config.dataDir)
  const service = await startService(config, log, interrupted.signal)
  started.push(service.stop)
  // Whoever pastes the banner's command at once must be known already.
  await provision(service.executor.execute, stack.companies, randomUUID).catch((error) => {
    // What is there can be read all the same.
    if (!(error instanceof Refusal && error.code === rewoundCode)) throw error
    console.error(`heatmark: ${error.code}: ${error.message} docs/operations.md says how.`)
  })
  if (!service.url) return
  const notReady = await service.notReady()
  interrupted.signal.throwIfAborted()
  stack.writeDevFile(service.url)
  const took = performance.now() - startedAt
  console.log(banner(service.url, stack.dev, config.dataDir, { took, notReady }))
}

const fail = async (error: unknown) => {
  console.error(`heatmark: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
  await stop().catch(() => {})
  process.exit(1)
}

/** What nobody has thought of says where it comes from, too. */
const failUnforeseen = (error: unknown) => fail(error instanceof Error ? error.stack : error)

const end = () => {
  if (interrupted.signal.aborted) return
  interrupted.abort()
  // What a start that is broken off complains of is of our own making.
  const broken = starting.catch(() => {})
  void broken.then(stop).then(() => process.exit(0), fail)
}

const starting = start()
starting.catch((error) => (interrupted.signal.aborted ? undefined : fail(error)))
// A terminal sends Ctrl-C to every process of the command, and npm passes it on once more: the first counts.
process.on('SIGINT', end)
process.on('SIGTERM', end)
process.on('uncaughtException', failUnforeseen)
