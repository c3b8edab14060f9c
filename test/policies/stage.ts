import { randomUUID } from 'node:crypto'
import type { CommandContext, Execute } from '../../src/commands/executor/command.ts'
import {
  type MillCertificate,
  millCertificate,
  millCertificateKey,
  millCertificateStream,
} from '../../src/domain/certificates/certificate.ts'
import { fold } from '../../src/domain/kernel/aggregate.ts'
import type { Recorded, Stored } from '../../src/domain/kernel/event.ts'
import { toNewestVersion } from '../../src/domain/kernel/versions.ts'
import type { RuleAssignmentsReplaced } from '../../src/domain/rulePacks/ruleAssignments.ts'
import type { RuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import { clock, now } from '../../src/lib/clocks.ts'
import { concurrently } from '../../src/lib/concurrently.ts'
import { type RunningPolicy, startPolicy } from '../../src/policies/host.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { ruleTagging } from '../../src/policies/ruleTagging.ts'
import type { HostOptions } from '../../src/policies/work.ts'
import { projections } from '../../src/projections/all.ts'
import { startProjector } from '../../src/projections/engine/projector/projector.ts'
import type { Reader } from '../../src/projections/engine/reading/reader.ts'
import type { Positions } from '../../src/projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../src/projections/engine/schema/schema.ts'
import { ensureStore } from '../../src/projections/engine/schema/store.ts'
import { type EventStore, noStream } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import { connectPostgres, type Postgres } from '../../src/stores/postgres/postgres.ts'
import { createIntake } from '../../src/stores/subscription/intake.ts'
import { certificateIdentity, certificateRegistered } from '../domain/verdict/facts.ts'
import { alice } from '../support/given.ts'
import { createDatabase } from '../support/postgres.ts'
import { startStore } from '../support/store.ts'
import { connect, executorOf } from './connect.ts'

export type Hosted = RunningPolicy & { readonly conditions: string[] }

/** A store, a database and a projector for evaluating rule packs. */
export interface Stage {
  readonly eventStoreUrl: string
  readonly databaseUrl: string
  readonly storeId: string
  readonly readModels: ReadModels
  readonly store: EventStore
  readonly postgres: Postgres
  readonly reader: Reader
  readonly positions: Positions
  /** The commands of a node of a release with these rule packs. */
  node(rules: RuleBook): Execute
  /** Start the policy of such a release, by default with the stage's `positions`. */
  policy(rules: RuleBook, more?: Partial<HostOptions>): Hosted
  /** Start any policy on this stage. */
  host(policy: Policy, more?: Partial<HostOptions>): Hosted
  /** Progress of the evaluation that the last decision on the pack began. */
  evaluation(
    companyId: string,
    rulePackId?: string,
  ): Promise<{ done: number; total: number; finished: boolean } | undefined>
  certificate(companyId: string, id: string): Promise<NonNullable<MillCertificate>>
  close(): Promise<void>
}

export const context: CommandContext = { actor: alice, correlationId: 'a correlation' }

export async function setStage(): Promise<Stage> {
  const [node, database] = await Promise.all([startStore(), createDatabase()])
  const store = connectEventStore(node.url)
  const local = connectPostgres({ url: database.url, name: 'stage', size: 2 })
  const storeId = await ensureStore(store, randomUUID, now)
  await migrateLocal(local)
  const readModels = await ensureSchema(local, storeId, projections)
  const place = { eventStoreUrl: node.url, databaseUrl: database.url, readModels }
  const two = connectPostgres({ url: database.url, name: 'projector', size: 2 })
  const intake = createIntake({ eventStore: store, clock })
  const projector = startProjector({
    eventStore: store,
    intake,
    postgres: two,
    readModels,
    owner: randomUUID(),
    now,
    clock,
  })
  const means = await connect(place)
  const stops: (() => Promise<void>)[] = []
  const host = (policy: Policy, more: Partial<HostOptions> = {}): Hosted => {
    const conditions: string[] = []
    const own = connectPostgres({ url: database.url, name: 'policy', size: 2 })
    const running = startPolicy(policy, {
      eventStore: store,
      intake,
      postgres: own,
      reader: means.reader,
      positions: means.positions,
      storeId,
      clock,
      owner: randomUUID(),
      observe: { condition: (message) => void conditions.push(message) },
      ...more,
    })
    const stop = async () => {
      await running.stop()
      await own.close()
    }
    stops.push(stop)
    return {
      conditions,
      status: running.status,
      async stop() {
        stops.splice(stops.indexOf(stop), 1)
        await stop()
      },
    }
  }

  return {
    ...place,
    storeId,
    store,
    postgres: local,
    reader: means.reader,
    positions: means.positions,
    node: (rules) => executorOf(store, rules).execute,
    policy(rules, more) {
      const { execute, noteEvent } = executorOf(store, rules)
      const policy = ruleTagging({
        eventStore: store,
        postgres: local,
        execute,
        noteEvent,
        judgeByOwnRules: () => async () => new Map(),
        newId: randomUUID,
      })
      return host(policy, more)
    },
    host,
    async evaluation(companyId, rulePackId = 'house') {
      const [row] = await local.query<{ done: number; total: number; finished: boolean }>(
        `SELECT done, total, finished FROM heatmark_local.rule_evaluation
         WHERE company_id = $1 AND rule_pack_id = $2 ORDER BY updated_at DESC`,
        [companyId, rulePackId],
      )
      return row
    },
    async certificate(companyId, id) {
      const stream = millCertificate.streamName(millCertificateKey(companyId, id))
      const events = await Array.fromAsync(store.readStream(stream, 0))
      const newest = events.map((event) => toNewestVersion(millCertificate.events, event))
      return fold(millCertificate, undefined, newest as unknown as Stored<never>[])!
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()))
      await projector.stop()
      await means.close()
      await two.close()
      await local.close()
      await store.close()
      await node.stop()
      await database.drop()
    },
  }
}

/** Make every parked company of the policy due, as if the time until its next try had passed. */
export async function passTimeUntilNextTry({ postgres }: Stage, policy: string): Promise<void> {
  const sql = 'UPDATE heatmark_local.policy_parked SET next_try_at = clock_timestamp() WHERE policy = $1'
  await postgres.query(sql, [policy])
}

/** Append registrations without an evaluation, and return the ids of the certificates. */
export async function registerMany(
  { store }: Stage,
  companyId: string,
  count: number,
  thicknessOf: (n: number) => number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await concurrently(64, ids, (millCertificationId, n) => {
    const { type, data } = certificateRegistered({ thicknessMm: thicknessOf(n) })
    const numbers = { certificateNumber: `MC-${n}`, heatNumber: 'H 1' }
    const metadata = {
      actor: alice,
      occurredAt: new Date().toISOString(),
      correlationId: 'c',
      schemaVersion: 1,
    }
    const registered = { ...data, ...certificateIdentity, ...numbers, companyId, millCertificationId }
    return store.append(millCertificateStream(millCertificateKey(companyId, millCertificationId)), noStream, [
      { type, data: registered, metadata, id: randomUUID() },
    ])
  })
  return ids
}

/** Return the events of rule packs on each subject of a company, in order. */
export async function recordedByRules(
  { store }: Stage,
  companyId: string,
): Promise<Map<string, Recorded<RuleAssignmentsReplaced>[]>> {
  const found = new Map<string, Recorded<RuleAssignmentsReplaced>[]>()
  for await (const event of store.readAll(0)) {
    if (event.type !== 'RuleAssignmentsReplaced') continue
    const replaced = event as Recorded<RuleAssignmentsReplaced>
    if (replaced.data.companyId !== companyId) continue
    found.set(replaced.data.subjectId, [...(found.get(replaced.data.subjectId) ?? []), replaced])
  }
  return found
}
