import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * `npm run test:containers [-- FILTER …]`: the specs of HTTP, commands, projections and the event store,
 * against a real EventStoreDB and a real PostgreSQL in containers. Specs that have to spoil or kill a store
 * start an embedded one, here as everywhere.
 */

const specs = ['test/http', 'test/commands', 'test/projections', 'test/e2e', 'test/embedded/eventStore']

const compose = (...rest: string[]) =>
  execFileSync('docker', ['compose', '-f', join(import.meta.dirname, 'compose.yml'), ...rest], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()

if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) {
  console.log('skipped: no container engine here (docker info)')
  process.exit(0)
}

try {
  compose('up', '--detach', '--wait')
  const filters = process.argv.slice(2)
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...(filters.length > 0 ? filters : specs)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      EVENTSTORE_URL: `esdb://${compose('port', 'eventstore', '2113')}?tls=false`,
      DATABASE_URL: `postgres://heatmark:heatmark@${compose('port', 'postgres', '5432')}/heatmark`,
    },
  })
  process.exitCode = status ?? 1
} finally {
  compose('down', '--volumes')
}
