import { parseArgs } from 'node:util'
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js'
import { startNode } from './node.ts'

/**
 * The local event store node as a process:
 *
 *   node src/embedded/eventStore/main.ts --db FILE [--port 0] [--live-buffer 32] [--stdin-guard]
 *
 * Once it listens it prints one JSON line: {"listening":{"host":"127.0.0.1","port":12345}}. It stops on
 * SIGINT, SIGTERM and SIGHUP. Callers need the password in eventStore.json beside FILE. With --stdin-guard it also stops when its standard input ends, because then its parent
 * is gone. An error is one line on standard error.
 */

// grpc-js would write errors of its own beside that line.
setLogVerbosity(logVerbosity.NONE)

// Only this user may read the files with events, from the moment that they are made.
process.umask(0o077)

try {
  await run()
} catch (error) {
  quit((error as Error).message)
}

async function run(): Promise<void> {
  const { db, ...options } = parseCommandLine()
  if (db === undefined) throw new Error('--db FILE is missing')
  await serve(db, options)
}

function parseCommandLine() {
  return parseArgs({
    options: {
      db: { type: 'string' },
      port: { type: 'string', default: '0' },
      'live-buffer': { type: 'string', default: '32' },
      'stdin-guard': { type: 'boolean', default: false },
    },
  }).values
}

type Options = Omit<ReturnType<typeof parseCommandLine>, 'db'>

async function serve(file: string, options: Options): Promise<void> {
  const node = await startNode({
    file,
    host: '127.0.0.1',
    port: wholeNumber('--port', options.port, 65_535),
    liveBuffer: wholeNumber('--live-buffer', options['live-buffer'], 1_000_000),
    full: say,
    failed: quit,
  })
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    node.stop().then(
      () => process.exit(0),
      (error: Error) => quit(error.message),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  if (options['stdin-guard']) process.stdin.resume().on('end', stop).on('close', stop).on('error', stop)
  print({ listening: { host: node.host, port: node.port } })
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= most) return value
  throw new Error(`${name} must be a whole number up to ${most}, not '${text}'`)
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function say(line: string): void {
  process.stderr.write(`event store: ${line.replaceAll('\n', ' ')}\n`)
}

function quit(line: string): void {
  say(line)
  process.exit(1)
}
