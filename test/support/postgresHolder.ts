import { startPostgres } from '../../src/embedded/postgres.ts'

/** A process of its own that holds a PostgreSQL: `node postgresHolder.ts <dataDir>`, until SIGTERM. */
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
