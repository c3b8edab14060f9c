import { startStack } from '../../src/embedded/stack.ts'

try {
  const stack = await startStack({ env: {}, dataDir: process.argv[2]!, log: (line) => report({ log: line }) })
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

/** Holds an embedded stack in a process of its own until SIGTERM: `node stackHolder.ts <dataDir>`. */
function report(what: object) {
  return process.stdout.write(`${JSON.stringify(what)}\n`)
}
