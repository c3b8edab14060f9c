import { startPostgres } from '../../src/embedded/postgres.ts'

/** Holds a PostgreSQL in a process of its own until SIGTERM: `node postgresHolder.ts <dataDir>`. */
const postgres = await startPostgres({ dataDir: process.argv[2]!, log: (line) => report({ log: line }) })
report({ url: postgres.url, pid: postgres.pid })
const idle = setInterval(() => {}, 60_000)
process.once('SIGTERM', async () => {
  clearInterval(idle)
  await postgres.stop()
})

function report(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
