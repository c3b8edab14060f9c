import { clock, now } from '../../../../src/lib/clocks.ts'
import { startProjector } from '../../../../src/projections/engine/projector/projector.ts'
import { createReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { connectEventStore } from '../../../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres } from '../../../../src/stores/postgres/postgres.ts'
import { createIntake } from '../../../../src/stores/subscription/intake.ts'
import { samples } from '../../samples.ts'

/**
 * A process of its own with a projector of the sample projections, until SIGTERM or its parent ends:
 * `node projectorProcess.ts <eventStoreUrl> <databaseUrl> <schema> <owner>`.
 */
const [eventStoreUrl, databaseUrl, schema, owner] = process.argv.slice(2) as [string, string, string, string]
const eventStore = connectEventStore(eventStoreUrl)
const postgres = connectPostgres({ url: databaseUrl, name: owner, size: 2, queryTimeoutMs: 5_000 })
const projector = startProjector({
  eventStore,
  intake: createIntake({ eventStore, clock }),
  postgres,
  readModels: createReadModels(schema, samples),
  owner,
  now,
  clock,
  observe: { leading: (leading) => report({ leading }) },
})
report({ pid: process.pid })
process.stdin.resume().once('end', () => process.exit())
process.once('SIGTERM', async () => {
  await projector.stop()
  await Promise.all([eventStore.close(), postgres.close()])
  process.exit()
})

function report(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
