import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'

/**
 * `npm run test:containers [-- FILTER …]`: the specs of HTTP, commands, projections and the event store,
 * against a real EventStoreDB and a real PostgreSQL in containers. Specs that have to spoil or kill a store
 * start an embedded one, here as everywhere.
 */

const eventStorePort = 2_113
const postgresPort = 5_432
const credentials = { user: 'heatmark', password: 'heatmark', database: 'heatmark' }
const specs = ['test/http', 'test/commands', 'test/projections', 'test/e2e', 'test/embedded/eventStore']

const startEventStore = () =>
  new GenericContainer('eventstore/eventstore:23.10.1-jammy')
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_MEM_DB: 'true',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
    })
    .withExposedPorts(eventStorePort)
    .withWaitStrategy(Wait.forHttp('/health/live', eventStorePort).forStatusCode(204))
    .start()

const startPostgres = () =>
  new GenericContainer('postgres:18')
    .withEnvironment({
      POSTGRES_USER: credentials.user,
      POSTGRES_PASSWORD: credentials.password,
      POSTGRES_DB: credentials.database,
    })
    .withCommand(['postgres', '-c', 'max_connections=300'])
    .withExposedPorts(postgresPort)
    // It starts twice: once to be set up, once to stay.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start()

const engine = await getContainerRuntimeClient().catch((error: Error) => error)
if (engine instanceof Error) {
  console.log(`skipped: no container engine here (${engine.message})`)
  process.exit(0)
}

const [eventStore, postgres] = await Promise.all([startEventStore(), startPostgres()])
try {
  const { user, password, database } = credentials
  const filters = process.argv.slice(2)
  const vitest = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs'),
      'run',
      ...(filters.length > 0 ? filters : specs),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        EVENTSTORE_URL: `esdb://${eventStore.getHost()}:${eventStore.getMappedPort(eventStorePort)}?tls=false`,
        DATABASE_URL: `postgres://${user}:${password}@${postgres.getHost()}:${postgres.getMappedPort(postgresPort)}/${database}`,
      },
    },
  )
  const [code] = await once(vitest, 'exit')
  process.exitCode = code ?? 1
} finally {
  await Promise.all([eventStore.stop(), postgres.stop()])
}
