import { randomUUID } from 'node:crypto'
import { binaryEvent } from '@eventstore/db-client'
import { beforeAll, expect, it } from 'vitest'
import { registerCertificate } from '../../src/commands/certificates/certificates.ts'
import { subscribeRulePack } from '../../src/commands/rulePacks/rulePacks.ts'
import type { EventMetadata } from '../../src/domain/kernel/event.ts'
import { order } from '../../src/domain/orders/order.ts'
import { readPolicyStatuses } from '../../src/policies/policyStatus.ts'
import { ruleTaggingName } from '../../src/policies/ruleTagging.ts'
import { createHealth, type Health, keepFromServing } from '../../src/processes/monitoring/health.ts'
import { projections } from '../../src/projections/all.ts'
import { signerLease } from '../../src/proofs/signing/signing.ts'
import { noStream } from '../../src/stores/eventStore.ts'
import { openClient } from '../../src/stores/eventStoreDb/client.ts'
import { readLeaseStatus } from '../../src/stores/leading/leaseStatus.ts'
import { certificateContent } from '../domain/verdict/facts.ts'
import { own } from '../support/own.ts'
import { until } from '../support/until.ts'
import { context, passTimeUntilNextTry, setStage } from './stage.ts'
import { thickRelease } from './thick.ts'

/** The state of the policy as every process reports it, also without the role. */

let health: Health
/** Milliseconds by which this process's clock is ahead. */
let ahead = 0
const stage = await own(setStage())
beforeAll(async () => {
  health = createHealth({
    eventStore: stage.store,
    isStoreFull: () => false,
    positions: stage.positions,
    projections,
    askProvider: async () => {},
    lastKeysServe: () => true,
    policyNames: [ruleTaggingName],
    readPolicyStatuses: async () => [await look()],
    readSignerStatus: () => readLeaseStatus(stage.postgres, signerLease(stage.storeId)),
    readSenderStatus: async () => null,
    findMissing: async () => new Map(),
    findSkips: async () => [],
    clock: () => performance.now() + ahead,
  })
})

async function look() {
  return (await readPolicyStatuses(stage.postgres, stage.storeId, [ruleTaggingName]))[0]!
}

async function part() {
  return (await health()).find(({ name }) => name === 'policy ruleTagging')!
}

async function head() {
  return (await stage.store.last())!.position
}

const [release1, release2] = [thickRelease(1, 40), thickRelease(2, 20)]

it('is ready until its checkpoint stands still for too long, and never stops requests', async () => {
  expect(await look()).toEqual({
    name: ruleTaggingName,
    held: false,
    condition: null,
    position: 0,
    since: null,
    jobs: 0,
    servedAt: null,
    parked: 0,
  })
  expect(await part()).toMatchObject({ ready: true })
  ahead += 10_000
  expect(await part()).toMatchObject({ ready: true })
  ahead += 10_000
  expect(await part()).toEqual({ name: 'policy ruleTagging', ready: false, background: true })

  const policy = stage.policy(release1)
  await until(async () => (await part()).ready)
  await until(async () => policy.status().position === (await head()))
  expect(policy.status()).toEqual({ leading: true, condition: undefined, position: await head() })
  expect(await look()).toMatchObject({ held: true, condition: null, position: await head() })
  // Every event is handled, so a checkpoint that stands still is in order.
  ahead += 60_000
  expect(await part()).toMatchObject({ ready: true })
  await policy.stop()
  expect(policy.status().leading).toBe(false)
  expect((await look()).held).toBe(false)
})

it('is not ready while a company is parked', async () => {
  const policy = stage.policy(release1)
  await until(async () => (await part()).ready)
  await stage.postgres.query(
    `INSERT INTO heatmark_local.policy_parked
     SELECT $1, $2, gen_random_uuid(), 'the roof leaks', 1, now(), now() + interval '1 hour'`,
    [stage.storeId, ruleTaggingName],
  )
  expect(await part()).toEqual({ name: 'policy ruleTagging', ready: false, background: true })
  await stage.postgres.query('DELETE FROM heatmark_local.policy_parked')
  expect(await part()).toMatchObject({ ready: true })
  await policy.stop()
})

it('waits for a read model that has stopped, and blocks nothing else', async () => {
  let stopped = true
  const policy = stage.policy(release1, {
    positions: {
      positionOf: (projections) => (stopped ? 0 : stage.positions.positionOf(projections)),
      // The answer for a projection that has stopped before the position comes at once.
      waitFor: async (...asked) => !stopped && stage.positions.waitFor(...asked),
    },
  })
  const { position } = await stage.node(release1)(subscribeRulePack(randomUUID(), 'house'), context)
  await until(() => policy.status().condition === 'the read models are behind')
  expect((await look()).position).toBeLessThan(position)
  stopped = false
  await until(async () => (await look()).position >= position)
  expect(policy.status().condition).toBeUndefined()
  await policy.stop()
})

it('reports why it cannot work, until another policy can', async () => {
  const companyId = randomUUID()
  const newer = stage.node(release2)
  const numbers = { certificateNumber: 'MC-1', heatNumber: 'H 1' }
  await newer(registerCertificate(companyId, numbers, certificateContent({ thicknessMm: 30 })), context)
  const { position } = await newer(subscribeRulePack(companyId, 'house'), context)

  const old = stage.policy(release1, { giveUpMs: 100, makeWayEveryMs: 0 })
  await until(async () => (await look()).condition?.includes('does not ship'))
  expect(await part()).toMatchObject({ ready: false })
  await until(() => old.status().condition?.includes('does not ship'))
  expect(await look()).toMatchObject({ parked: 1, jobs: 0 })

  const policy = stage.policy(release2)
  await until(async () => {
    // The older process may have taken another turn, and put the company off again.
    await passTimeUntilNextTry(stage, ruleTaggingName)
    return (await part()).ready && (await look()).position >= position
  })
  expect(await look()).toMatchObject({ condition: null, parked: 0 })
  await until(() => old.status().condition === undefined)
  expect(old.status().leading).toBe(false)
  await Promise.all([old.stop(), policy.stop()])
})

it('passes events without actor and time, or not in JSON, as another program may write them', async () => {
  const policy = stage.policy(release1)
  const [companyId, orderId] = [randomUUID(), randomUUID()]
  const event = { id: randomUUID(), type: 'OrderRegistered', data: { companyId, orderId } }
  // The name of a property that every JavaScript object inherits.
  const strange = { id: randomUUID(), type: 'constructor', data: null as unknown as object }
  const theirs = [event, strange].map((one) => ({ ...one, metadata: undefined as unknown as EventMetadata }))
  await stage.store.append(order.streamName(randomUUID()), noStream, theirs)
  const client = openClient(stage.eventStoreUrl)
  await client.appendToStream('scans', binaryEvent({ type: 'OrderRegistered', data: Buffer.from([1]) }))
  await client.dispose()
  const position = await head()
  await until(async () => (await look()).position >= position)
  await policy.stop()
})

it('names a signer that does not sign, and serves requests without it', async () => {
  const signer = async () => (await health()).find(({ name }) => name === 'signer')!
  expect(await signer()).toMatchObject({ ready: true })
  const set = (expiry: string, condition: string | null) =>
    stage.postgres.query(
      `INSERT INTO heatmark_local.lease (name, owner, backend_pid, backend_start, fencing, expires_at, condition)
       VALUES ($1, 'another', 0, now(), 1, ${expiry}, $2)
       ON CONFLICT (name) DO UPDATE SET expires_at = EXCLUDED.expires_at, condition = EXCLUDED.condition`,
      [signerLease(stage.storeId), condition],
    )
  await set(`now() + interval '3 s'`, 'history-diverged: company 1')
  expect(await signer()).toEqual({ name: 'signer', ready: false, background: true })
  expect(keepFromServing([await signer()])).toEqual([])
  await set(`now() + interval '3 s'`, null)
  expect(await signer()).toMatchObject({ ready: true })
  await set(`'-infinity'`, null)
  expect(await signer()).toMatchObject({ ready: true })
  ahead += 20_000
  expect(await signer()).toMatchObject({ ready: false })
})
