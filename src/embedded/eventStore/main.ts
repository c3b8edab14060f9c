import { parseArgs } from 'node:util'
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js'
import { startNode } from './node.ts'

/**
 * The local event store node as a process:
 *
 *   node src/embedded/eventStore/main.ts --db FILE [--port N] [--live-buffer 32] [--stdin-guard]
 *
 * It listens at the socket FILE.socket, for this user alone; with --port on that port of 127.0.0.1, for everybody on
 * this machine. Once it listens it prints one JSON line with its address: {"listening":"esdb+unix:///…"}. It stops on
 * SIGINT, SIGTERM and SIGHUP. With --stdin-guard it also stops when its standard input ends, because then its parent
 * is gone. An error is one line on standard error.
 */

// grpc-js would write errors of its own beside that line.
setLogVerbosity(logVerbosity.NONE)

// Only this user may read the files with events and reach the socket, from the moment that they are made.
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
      port: { type: 'string' },
      'live-buffer': { type: 'string', default: '32' },
      'stdin-guard': { type: 'boolean', default: false },
    },
  }).values
}

type Options = Omit<ReturnType<typeof parseCommandLine>, 'db'>

async function serve(file: string, options: Options): Promise<void> {
  const node = await startNode({
    file,
    port: options.port === undefined ? undefined : wholeNumber('--port', options.port, 65_535),
    liveBuffer: wholeNumber('--live-buffer', options['live-buffer'], 1_000_000),
    full: say,
    onFailure: quit,
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
  print({ listening: node.url })
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
