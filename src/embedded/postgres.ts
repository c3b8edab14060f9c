import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import pg from 'pg'
import { diskFault, makePrivateFolder, readJson, writePrivateJson } from './files.ts'
import { freePort, isFree } from './ports.ts'
import { findPostgres, type PostgresPrograms } from './postgresPrograms.ts'
import { endOf, endWith, hasEnded, runningProcesses, type Stopper, signal, stopperOf } from './processes.ts'

export interface RunningPostgres {
  /** The `postgres://` url of the service's own database, as its superuser. */
  url: string
  port: number
  /** The pid of the postmaster. */
  pid: number
  /** Shuts down fast, by force after 10 s. No commit is lost either way. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Holds the data in the folder `postgres`, port and password in `postgres.json` (mode 0600). */
  dataDir: string
  /** The only port to use. By default the port of the last start, or another if that one is taken. */
  port?: number
  log?: (line: string) => void
  /** Aborts a start that is under way. */
  signal?: AbortSignal
  /** Called once, with the reason, if the server ends without `stop`. */
  onExit?: (reason: string) => void
}

const user = 'heatmark'
const database = 'heatmark'
/** Generous: recovery after a crash replays the log since the last checkpoint, which takes seconds. */
const startMs = 120_000

/**
 * Start PostgreSQL on 127.0.0.1, on the port of the last start unless that is taken now. The first start makes
 * the data directory, with a random password. First stop any server that a killed Heatmark left running on this
 * data directory.
 * @throws Error of one line that names the fault and the place
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, log = () => {}, onExit } = options
  makePrivateFolder(dataDir)
  const programs = findPostgres(join(dataDir, 'postgres'), log)
  await stopOrphans(programs.data, log)
  const access = rememberAccess(dataDir)
  await initialise(programs, access.password, options.signal)
  const start = (port: number) => spawnServer(programs, port, log, options.signal)
  const server = options.port ? await start(options.port) : await listenSomewhere(start, access.port)
  if (server.port !== access.port) writePrivateJson(accessFile(dataDir), { ...access, port: server.port })
  const urlOf = (name: string) => `postgres://${user}:${access.password}@127.0.0.1:${server.port}/${name}`
  try {
    await createDatabase(urlOf('postgres'))
    if (hasEnded(server.child)) throw new Error(server.lastWords())
  } catch (error) {
    await server.stop()
    throw new Error(`PostgreSQL in ${programs.data} started, but: ${(error as Error).message}`)
  }
  server.child.once('exit', (code, by) => {
    if (!server.stop.wasCalled()) onExit?.(endOf(code, by, server.lastWords()))
  })
  return { url: urlOf(database), port: server.port, pid: server.child.pid!, stop: server.stop }
}

interface Access {
  port: number
  password: string
}

function accessFile(dataDir: string): string {
  return join(dataDir, 'postgres.json')
}

function rememberAccess(dataDir: string): Access {
  const access = readJson(accessFile(dataDir)) as Access | undefined
  if (access) return access
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new Error(
      `${accessFile(dataDir)}, which holds the password of ${join(dataDir, 'postgres')}, is missing: ` +
        'remove that folder too, and Heatmark builds it again from the events',
    )
  }
  // Written before the data directory is made, so that no kill can leave one without its password.
  const made = { port: 0, password: randomBytes(24).toString('hex') }
  writePrivateJson(accessFile(dataDir), made)
  return made
}

/** Make the data directory under another name first, so that a killed initdb leaves none that looks complete. */
async function initialise(programs: PostgresPrograms, password: string, abort?: AbortSignal): Promise<void> {
  const { data, owner } = programs
  if (existsSync(join(data, 'PG_VERSION'))) return
  const draft = `${data}.new`
  const passwordFile = `${data}.password`
  try {
    rmSync(draft, { recursive: true, force: true })
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (owner) chownSync(passwordFile, owner.uid, owner.gid)
    // Text sorts by code point, as the service's lists do. There is no sync: if a power cut spoils the data in
    // the first seconds, they are built again from the events.
    const [file, args, spawnOptions] = programs.command('initdb', [
      '--pgdata',
      draft,
      '--username',
      user,
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--no-sync',
      '--no-instructions',
    ])
    const child = spawn(file, args, {
      ...spawnOptions,
      env: environment,
      signal: abort,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const lastWords = listenTo(child, () => {})
    const ended = await new Promise<number | string | null>((resolve) => {
      // An aborted initdb goes on for a moment: wait for its end before its files are removed.
      child.once('error', (error) => child.pid === undefined && resolve(error.message))
      child.once('close', (code, by) => resolve(code ?? by))
    })
    if (ended !== 0) throw new Error(lastWords() || `initdb ended with ${ended}`)
    renameSync(draft, data)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw new Error(`PostgreSQL's data directory ${data} cannot be made: ${diskFault(error)}`)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

interface Listening {
  child: ChildProcess
  port: number
  stop: Stopper
  lastWords: () => string
}

/** Start the server. Try again when another process takes the port after it was found free. */
async function listenSomewhere(
  start: (port: number) => Promise<Listening>,
  preferred: number,
): Promise<Listening> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? preferred : 0)
    try {
      return await start(port)
    } catch (error) {
      if (attempt === 5 || (await isFree(port))) throw error
    }
  }
}

function spawnServer(
  programs: PostgresPrograms,
  port: number,
  log: (line: string) => void,
  abort?: AbortSignal,
): Promise<Listening> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // A statement in the log would show company values.
    log_min_error_statement: 'panic',
    log_min_messages: 'log',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [file, args, spawnOptions] = programs.command('postgres', ['-D', programs.data, ...flags])
  return new Promise((resolve, reject) => {
    // Detached, because Ctrl-C reaches the whole process group, and the parent decides the order of stopping.
    const child = spawn(file, args, {
      ...spawnOptions,
      env: environment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const stop = stopperOf(child, hardening, abort)
    const fail = (why: string) => {
      clearTimeout(timer)
      reject(new Error(`PostgreSQL did not start in ${programs.data}: ${why}`))
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`not ready after ${startMs / 1000} s; it last said: ${lastWords()}`)
    }, startMs)
    const lastWords = listenTo(child, (line) => {
      if (/PANIC|terminated by signal|not properly shut down/.test(line)) log(`PostgreSQL: ${line}`)
      if (!line.includes('ready to accept connections')) return
      clearTimeout(timer)
      resolve({ child, port, stop, lastWords })
    })
    child.once('error', (error) => fail(error.message))
    child.once('close', (code, by) => fail(lastWords() || `it ended with ${by ?? `code ${code}`}`))
  })
}

/** A shutdown writes a checkpoint, which takes seconds on a busy disk. After one by force, the next start recovers. */
const hardening = [
  { signal: 'SIGINT', waitMs: 10_000 } as const,
  { signal: 'SIGQUIT', waitMs: 500 } as const,
  { signal: 'SIGKILL', waitMs: 300 } as const,
]

/** Without the caller's PG* variables, which would change the programs. C keeps their messages in English. */
const environment = { PATH: process.env.PATH, LC_ALL: 'C' }

/** Read the output of a program line by line. Return the line that best explains its end. */
function listenTo(child: ChildProcess, onLine: (line: string) => void): () => string {
  let rest = ''
  let worst = ''
  let last = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines.filter((line) => line.trim())) {
      if (/FATAL|PANIC|error:/.test(line)) worst ||= line
      last = line
      onLine(line)
    }
  })
  // The text before the level is the time and the pid, or the name of the program.
  return () => (worst || last || rest).replace(/^.*?(FATAL|PANIC|LOG|error):\s*/, '').trim()
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const databases = await client.query('SELECT FROM pg_database WHERE datname = $1', [database])
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${database}`)
  } finally {
    await client.end()
  }
}

/**
 * Stop the processes that a killed Heatmark left running on this data directory. A server and its backends have
 * their data directory as working folder, which identifies them; a pid in a file could be another process's by
 * now. The caller holds the lock of the data directory, so no living Heatmark started them.
 * @throws Error of one line when they do not end
 */
async function stopOrphans(data: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const processesLeft = () => processesOf(data)
  if (processesLeft().length > 0) {
    const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    log(`stopping the PostgreSQL that was left running on ${data} (pid ${postmaster})`)
    const ended = await endWith(
      [
        // SIGINT ends the postmaster; to a backend it means to cancel a query.
        { send: () => processesLeft().includes(postmaster) && signal(postmaster, 'SIGINT'), waitMs: 3_000 },
        { send: () => endAll(data, 'SIGQUIT'), waitMs: 1_000 },
        { send: () => endAll(data), waitMs: 5_000 },
      ],
      () => processesLeft().length === 0,
    )
    if (!ended) throw new Error(`a PostgreSQL left running on ${data} (pid ${processesLeft()}) does not end`)
  }
  // PostgreSQL would take any process that has this pid by now for its predecessor.
  rmSync(pidFile, { force: true })
}

function endAll(data: string, name: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of processesOf(data)) signal(pid, name)
}

function processesOf(data: string): number[] {
  const folder = realpathSync(data)
  return runningProcesses()
    .filter(({ args }) => basename(args[0]!.split(':')[0]!) === 'postgres')
    .filter(({ args, cwd }) => cwd === folder || args[args.indexOf('-D') + 1] === data)
    .map(({ pid }) => pid)
}
