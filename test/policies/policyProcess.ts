import { randomUUID } from 'node:crypto'
import { clock } from '../../src/lib/clocks.ts'
import { startPolicy } from '../../src/policies/host.ts'
import { ruleTagging } from '../../src/policies/ruleTagging.ts'
import { projections } from '../../src/projections/all.ts'
import { createReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { createIntake } from '../../src/stores/subscription/intake.ts'
import { reviewOf } from './approvals.ts'
import { connect, executorOf } from './connect.ts'
import { thickRelease } from './thick.ts'

/**
 * Runs the policies of a release that ships the pack of thick plates, in a process of its own until its parent
 * ends: `node policyProcess.ts <eventStoreUrl> <databaseUrl> <schema> <storeId>`.
 */
const [eventStoreUrl, databaseUrl, schema, storeId] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
]
const {
  store: eventStore,
  postgres,
  reader,
  positions,
} = await connect({ eventStoreUrl, databaseUrl, readModels: createReadModels(schema, projections) })
const intake = createIntake({ eventStore, clock })
const { execute, noteEvent } = executorOf(eventStore, thickRelease(1, 40))
for (const policy of [
  ruleTagging({
    eventStore,
    postgres,
    execute,
    noteEvent,
    newId: randomUUID,
    judgeByOwnRules: () => async () => new Map(),
  }),
  reviewOf({ store: eventStore, reader }),
])
  startPolicy(policy, {
    eventStore,
    intake,
    postgres,
    reader,
    positions,
    storeId,
    clock,
    owner: randomUUID(),
  })
process.stdin.resume().once('end', () => process.exit())
