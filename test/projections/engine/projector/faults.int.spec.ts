import { cpSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import type { EventStore } from '../../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../../src/stores/eventStoreDb/connect.ts'
import { quoteIdentifier } from '../../../../src/stores/postgres/postgres.ts'
import { startNode, temporaryFolder } from '../../../support/node.ts'
import { startProxy } from '../../../support/proxy.ts'
import { sized } from '../../../support/size.ts'
import { until } from '../../../support/until.ts'
import { company, type SampleEvent, samples } from '../../samples.ts'
import { type Stage, setStage } from '../../stage.ts'

/**
 * Networks and stores that fail. Each test spoils its own: an embedded node and a database, with a proxy
 * before each. They mostly wait, so they wait at the same time.
 */

const closings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closings) await close()
})

const spoil = async () => {
  const stage = await setStage()
  const databaseProxy = await startProxy(stage.database.url)
  const storeProxy = await startProxy(stage.node.url)
  const eventStore = connectEventStore(storeProxy.url)
  closings.push(async () => {
    await stage.close()
    await eventStore.close()
    await Promise.all([databaseProxy.close(), storeProxy.close()])
  })
  return { stage, databaseProxy, storeProxy, eventStore }
}

/** The usual ones are seconds. */
const periods = { watchEvery: 100, giveUpAfter: 300 }

const put = (item: number, label = 'a'): SampleEvent => ({
  type: 'ItemPut',
  data: { companyId: company(1), item, label, tags: [] },
})

const reached = (stage: Stage, position: number) =>
  until(async () => (await stage.states()).every((state) => state.position >= position))

const expectRowsFromScratch = async (stage: Stage) => {
  for (const projection of samples)
    expect(await stage.rows(projection)).toEqual(await stage.rowsFromScratch(projection))
}

test.concurrent('PostgreSQL goes in the middle of batches and comes back: all is as if it had not', async () => {
  const { stage, databaseProxy } = await spoil()
  const conditions: string[] = []
  const projector = stage.project({
    databaseUrl: databaseProxy.url,
    observe: { condition: (message) => conditions.push(message) },
  })
  for (let round = 0; round < sized(1, 3); round++) {
    for (let item = 0; item < 30; item++) {
      await stage.append(put(item, `round ${round}`))
      if (item === 10) databaseProxy.refuse()
    }
    await until(() => projector.status().condition)
    databaseProxy.accept()
    await reached(stage, (await stage.append(put(99))).position)
  }
  expect(conditions.join()).toMatch(/PostgreSQL/)
  await until(() => projector.status().leading && projector.status().condition === undefined)
  await expectRowsFromScratch(stage)
})

test.concurrent('a connection to PostgreSQL that died without a word is given up', async () => {
  const { stage, databaseProxy } = await spoil()
  stage.project({ databaseUrl: databaseProxy.url, queryTimeoutMs: 500 })
  await reached(stage, (await stage.append(put(1))).position)
  databaseProxy.silence()
  await reached(stage, (await stage.append(put(2))).position)
  await expectRowsFromScratch(stage)
})

test.concurrent('with every projection stopped, the condition from before it could lead is cleared', async () => {
  const { stage, databaseProxy } = await spoil()
  await stage.postgres.query(`UPDATE ${stage.readModels.stateTable} SET status = 'failed'`)
  databaseProxy.refuse()
  const projector = stage.project({ databaseUrl: databaseProxy.url })
  await until(() => projector.status().condition)
  databaseProxy.accept()
  await until(() => projector.status().leading)
  await until(() => projector.status().condition === undefined)
})

test.concurrent('a batch that fails again and again is told of once, until it is through', async () => {
  const { stage } = await spoil()
  const schema = quoteIdentifier(stage.readModels.schema)
  await stage.postgres.query(
    `CREATE FUNCTION ${schema}.full() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER full_disk BEFORE UPDATE ON ${schema}.checkpoint EXECUTE FUNCTION ${schema}.full()`,
  )
  const { position } = await stage.append(put(1))
  const conditions: string[] = []
  let terms = 0
  const projector = stage.project({
    observe: { condition: (message) => conditions.push(message), leading: (now) => now && terms++ },
  })
  await until(() => terms >= 2)
  expect(projector.status().condition).toContain('no space left')
  expect(conditions).toHaveLength(1)
  await stage.postgres.query(`DROP TRIGGER full_disk ON ${schema}.checkpoint`)
  await reached(stage, position)
  await until(() => projector.status().condition === undefined)
})

const lease = async ({ postgres }: Stage) => {
  const [held] = await postgres.query<{ condition: string | null; free: boolean }>(
    'SELECT condition, expires_at < clock_timestamp() AS free FROM heatmark_local.lease',
  )
  return held
}

test.concurrent('whoever cannot work lets the lease go, and says why beside it', async () => {
  const { stage } = await spoil()
  const { position } = await stage.append(put(1))
  await stage.postgres.query(`UPDATE ${stage.readModels.stateTable} SET position = $1, event_id = $2`, [
    position,
    crypto.randomUUID(),
  ])
  stage.project()
  await until(async () => {
    const { condition, free } = (await lease(stage)) ?? {}
    return free && condition?.includes('event-store-went-back')
  })
})

test.concurrent('the event store goes and comes back: the projector follows again by itself', async () => {
  const { stage, storeProxy, eventStore } = await spoil()
  const projector = stage.project({ eventStore })
  await reached(stage, (await stage.append(put(1))).position)
  storeProxy.refuse()
  await until(() => projector.status().condition)
  const { position } = await stage.append(put(2))
  storeProxy.accept()
  await reached(stage, position)
  await until(() => projector.status().condition === undefined)
  await expectRowsFromScratch(stage)
})

test.concurrent('a leader that cannot reach the event store leaves the lead to one that can', async () => {
  const { stage, storeProxy, eventStore } = await spoil()
  const cutOff = stage.project({ eventStore, periods })
  await until(() => cutOff.status().leading)
  await reached(stage, (await stage.append(put(1))).position)
  const healthy = stage.project()
  storeProxy.refuse()
  await reached(stage, (await stage.append(put(2))).position)
  expect(healthy.status()).toEqual({ leading: true, condition: undefined })
  await until(() => !cutOff.status().leading)
  await expectRowsFromScratch(stage)
})

/** The store, but for its first subscription, which takes no notice of any event. */
const silentOnce = (store: EventStore): EventStore => {
  let subscriptions = 0
  return {
    ...store,
    async *subscribe(position, signal) {
      if (subscriptions++ > 0) yield* store.subscribe(position, signal)
      else await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  }
}

test.concurrent.for([
  {
    where: 'on a connection that is alive',
    prepare: async () => {
      const { stage } = await spoil()
      return { stage, eventStore: silentOnce(stage.eventStore), silence: () => {} }
    },
  },
  {
    where: 'with its connection',
    prepare: async () => {
      const { stage, storeProxy } = await spoil()
      // The client finds a dead connection by its pings, and warns that they are too frequent for production.
      const warning = vi.spyOn(console, 'warn').mockReturnValue()
      const eventStore = connectEventStore(`${storeProxy.url}&keepAliveInterval=300&keepAliveTimeout=300`)
      warning.mockRestore()
      closings.push(eventStore.close)
      return { stage, eventStore, silence: storeProxy.silence }
    },
  },
])('a subscription that died without a word, $where, is opened again', async ({ prepare }) => {
  const { stage, eventStore, silence } = await prepare()
  const dropped: string[] = []
  stage.project({ eventStore, periods, onDropped: (reason) => dropped.push(reason) })
  // The first event is the store's own.
  await until(async () => (await stage.states()).every(({ position }) => position > 0))
  silence()
  const { position } = await stage.append(put(2))
  await reached(stage, position)
  expect(dropped.length).toBeGreaterThan(0)
  await expectRowsFromScratch(stage)
})

// On its own: it starts processes, one after the other.
test('does not follow a rewound store until the right one is back', async ({ onTestFinished }) => {
  const node = await startNode()
  const stage = await setStage(samples, node)
  const folder = temporaryFolder()
  onTestFinished(async () => {
    await stage.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const projector = stage.project()
  const { port, dbFile } = node
  const older = join(folder, basename(dbFile))
  await reached(stage, (await stage.append(put(1))).position)
  await node.kill('SIGTERM')
  // With its password, as a backup of the data directory has it.
  cpSync(dirname(dbFile), folder, { recursive: true })

  /** Connections to its port are tried again only after a while. */
  const startAgain = async (file = dbFile) => {
    const started = await startNode({ dbFile: file, port })
    await until(() => stage.eventStore.last())
    return started
  }
  const present = await startAgain()
  const { position } = await stage.append(put(2))
  await reached(stage, position)
  await present.stop()

  const past = await startAgain(older)
  await until(() => projector.status().condition?.includes('event-store-went-back'))
  // Another second event, which stands where the first one stood.
  const elsewhere = connectEventStore(past.url)
  const [first] = await Array.fromAsync(elsewhere.readAll(0))
  await elsewhere.append('samples-other', -1, [{ ...first!, ...put(3), id: crypto.randomUUID() }])
  await elsewhere.close()
  expect((await lease(stage))?.condition).toContain('event-store-went-back')
  expect(await stage.states()).toMatchObject([{ position }, { position }])
  await past.stop()

  const again = await startAgain()
  await reached(stage, (await stage.append(put(4))).position)
  await until(() => projector.status().condition === undefined)
  await expectRowsFromScratch(stage)
  await again.stop()
})
