import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LocalRows } from '../../../src/embedded/backup/localRows.ts'
import { leaveOutStrays } from '../../../src/embedded/backup/strays.ts'
import { ensureStore } from '../../../src/projections/engine/schema/store.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { startNode, type TestNode } from '../../support/node.ts'

/** Compares checkpoints of a backup with its events. */

let node: TestNode
let storeId: string
let there: { position: number; event_id: string }
beforeAll(async () => {
  node = await startNode()
  const store = connectEventStore(node.url)
  storeId = await ensureStore(store, randomUUID, () => new Date())
  const { id, position } = (await store.last())!
  there = { position, event_id: id }
  await store.close()
})
afterAll(() => node.stop())

const lost = { position: 9_000_000, event_id: randomUUID() }
const ofAnotherStore = { store_id: randomUUID(), policy: 'ruleTagging', ...lost }
function own(policy: string, at: typeof there) {
  return { store_id: storeId, policy, ...at }
}

function saved(...cursors: object[]): LocalRows {
  return {
    version: 1,
    rows: {
      policy_cursor: cursors as LocalRows['rows'][string],
      policy_job: [{ store_id: storeId }, { store_id: ofAnotherStore.store_id }],
      policy_parked: [{ store_id: storeId }, { store_id: ofAnotherStore.store_id }],
      rule_evaluation: [{ event_id: there.event_id }],
      last_used: [{ key_id: 'k' }],
    },
  }
}

it('leaves everything as it is while the events have what this store is followed up to', () => {
  const rows = saved(own('ruleTagging', there), ofAnotherStore)
  expect(leaveOutStrays(rows, node.dbFile)).toBe(rows)
})

it('drops what the registry says, of this store alone, when one of its checkpoints is lost', () => {
  const rows = saved(own('ruleTagging', there), own('another', lost), ofAnotherStore)
  expect(leaveOutStrays(rows, node.dbFile).rows).toEqual({
    policy_cursor: [ofAnotherStore],
    policy_job: [{ store_id: ofAnotherStore.store_id }],
    policy_parked: [{ store_id: ofAnotherStore.store_id }],
    rule_evaluation: [],
    webhook_place: [],
    log_anchor: [],
    log_checkpoint: [],
    last_used: [{ key_id: 'k' }],
  })
})
