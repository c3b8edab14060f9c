import { startStack } from '../../src/embedded/stack.ts'

/** A process of its own that holds an embedded stack: `node stackHolder.ts <dataDir>`, until SIGTERM. */
const report = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)
try {
  const stack = await startStack({
    env: {},
    dataDir: process.argv[2]!,
    log: (line) => report({ log: line }),
  })
  stack.writeDevFile('http://127.0.0.1:8080')
  const idle = setInterval(() => {}, 60_000)
  process.once('SIGTERM', async () => {
    clearInterval(idle)
    await stack.stop()
  })
  report({ settings: stack.settings, pids: stack.pids(), pid: process.pid })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
