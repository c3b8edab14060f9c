import { randomUUID } from 'node:crypto'
import { jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { clock, now } from '../../src/lib/clocks.ts'
import type { Projection } from '../../src/projections/engine/projection.ts'
import { type ProjectorObserver, startProjector } from '../../src/projections/engine/projector/projector.ts'
import type { ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { ensureSchema, type ProjectionState, readStates } from '../../src/projections/engine/schema/schema.ts'
import { ensureStore } from '../../src/projections/engine/schema/store.ts'
import { type Appended, type EventStore, noStream } from '../../src/stores/eventStore.ts'
import { openClient } from '../../src/stores/eventStoreDb/client.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import type { Leading } from '../../src/stores/leading/leading.ts'
import { createRenewals } from '../../src/stores/leading/renewals.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import { connectPostgres, type Postgres } from '../../src/stores/postgres/postgres.ts'
import { createIntake } from '../../src/stores/subscription/intake.ts'
import type { IntakePeriods } from '../../src/stores/subscription/receiver.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { startStore, type TestStore } from '../support/store.ts'
import { foldInMemory } from './foldInMemory.ts'
import { metadata, type SampleEvent, samples } from './samples.ts'
import { allByKey, rowsOf } from './tables.ts'

/**
 * A store, a database and the sample projections' schema in it: what the engine's specs play on. They append
 * events that stop projections, and count what the store holds, so it is a local node whatever
 * EVENTSTORE_URL names.
 */
export interface Stage {
  node: TestStore
  database: TestDatabase
  eventStore: EventStore
  postgres: Postgres
  readModels: ReadModels
  /** Appends to the stream of the first event's company. */
  append(...events: readonly SampleEvent[]): Promise<Appended>
  /** A projector of its own pool; `settings` replace what the stage would give it. */
  project(settings?: ProjectorSettings): Leading
  states(): Promise<ProjectionState[]>
  state(name: string): Promise<ProjectionState>
  /** Rows of a projection in PostgreSQL, and of a fold of the whole store in memory. */
  rows(projection: Projection): Promise<unknown>
  rowsFromScratch(projection: Projection): Promise<unknown>
  close(): Promise<void>
}

export interface ProjectorSettings {
  eventStore?: EventStore
  databaseUrl?: string
  owner?: string
  observe?: ProjectorObserver
  projections?: readonly Projection[]
  now?: () => Date
  passOverFaults?: () => Promise<void>
  queryTimeoutMs?: number
  periods?: IntakePeriods
  onDropped?: (reason: string) => void
}

/** A projector's pool, as the service has it. */
export const projectorPool = (url: string, queryTimeoutMs = 5_000): Postgres =>
  connectPostgres({ url, name: 'projector', size: 2, queryTimeoutMs })

/** @param own by default an empty store; the stage stops it */
export async function setStage(
  projections: readonly Projection[] = samples,
  own?: TestStore,
): Promise<Stage> {
  const [node, database] = await Promise.all([own ?? startStore(), createDatabase()])
  const eventStore = connectEventStore(node.url)
  const client = openClient(node.url)
  const postgres = connectPostgres({ url: database.url, name: 'test', size: 4 })
  const storeId = await ensureStore(eventStore, randomUUID, () => new Date())
  await migrateLocal(postgres)
  const readModels = await ensureSchema(postgres, storeId, projections)
  const stream = `samples-${randomUUID()}`
  const stops: (() => Promise<void>)[] = []
  let revision = noStream

  const states = () => readStates(postgres, readModels)
  return {
    node,
    database,
    eventStore,
    postgres,
    readModels,
    async append(...events) {
      const appended = await client.appendToStream(
        stream,
        events.map((event) => jsonEvent({ metadata: metadata() as never, ...event, id: randomUUID() })),
        { expectedRevision: revision === noStream ? NO_STREAM : BigInt(revision) },
      )
      revision = Number(appended.nextExpectedRevision)
      return { revision, position: Number(appended.position!.commit) }
    },
    project(settings = {}) {
      const pool = projectorPool(settings.databaseUrl ?? database.url, settings.queryTimeoutMs)
      const followed = settings.eventStore ?? eventStore
      const { onDropped, periods } = settings
      const projector = startProjector({
        eventStore: followed,
        intake: createIntake({
          eventStore: followed,
          clock,
          ...(onDropped && { onDropped }),
          ...(periods && { periods }),
        }),
        postgres: pool,
        readModels: settings.projections ? readModels.only(settings.projections) : readModels,
        owner: settings.owner ?? randomUUID(),
        now: settings.now ?? now,
        clock,
        ...(settings.passOverFaults && { passOverFaults: settings.passOverFaults }),
        ...(settings.observe && { observe: settings.observe }),
        renewals: createRenewals(pool, 100),
      })
      const stop = async () => {
        await projector.stop()
        await pool.close().catch(() => {})
      }
      stops.push(stop)
      return { ...projector, stop }
    },
    states,
    async state(name) {
      return (await states()).find((state) => state.name === name)!
    },
    async rows(projection) {
      const { generation } = (await states()).find(({ name }) => name === projection.name)!
      return rowsOf(postgres, readModels, projection, generation)
    },
    async rowsFromScratch(projection) {
      const events = await Array.fromAsync(eventStore.readAll(0))
      return allByKey(projection, foldInMemory(projection, events))
    },
    async close() {
      for (const stop of stops) await stop()
      await eventStore.close()
      await client.dispose()
      await postgres.close()
      await node.stop()
      await database.drop()
    },
  }
}
