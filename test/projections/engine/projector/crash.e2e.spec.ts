import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noStream, StoreUnavailable } from '../../../../src/stores/eventStore.ts'
import { type Holder, hold } from '../../../support/holder.ts'
import { startNode, type TestNode } from '../../../support/node.ts'
import { isFullRun, sized } from '../../../support/size.ts'
import { until } from '../../../support/until.ts'
import { company, metadata, type SampleEvent, samples } from '../../samples.ts'
import { type Stage, setStage } from '../../stage.ts'

const total = sized(4_000, 20_000)
const [kills, atOnce] = sized([3, 50], [60, 4])

/** The same for every run: what is killed when is all that chance decides. */
const history: readonly SampleEvent[] = Array.from({ length: total }, (_, index): SampleEvent => {
  const data = { companyId: company(index % 4), item: (index * 7) % 90 }
  switch (index % 6) {
    case 3:
      return { type: 'ItemCounted', data: { ...data, items: [data.item, (data.item + 4) % 90], by: index } }
    case 4:
      return { type: 'ItemNoted', data: { ...data, note: `${index}|more` } }
    case 5:
      return { type: 'ItemRemoved', data }
    default:
      return { type: 'ItemPut', data: { ...data, label: `label ${index}`, tags: { index } } }
  }
})

let stage: Stage
let node: TestNode
let projector: Holder

const script = new URL('./projectorProcess.ts', import.meta.url).pathname
// The same owner each time: the one before is dead, so it need not wait until the lease has expired.
const startProjector = () =>
  hold(script, [node.url, stage.database.url, stage.readModels.schema, 'the projector'])

beforeAll(async () => {
  node = await startNode()
  stage = await setStage(samples, node)
  projector = await startProjector()
})
afterAll(async () => {
  await projector.end('SIGKILL')
  await node.stop()
  await stage.close()
})

const victims: Record<string, () => Promise<unknown>> = {
  async projector() {
    await projector.end('SIGKILL')
    projector = await startProjector()
  },
  async node() {
    await node.kill('SIGKILL')
    node = await startNode({ dbFile: node.dbFile, port: node.port })
  },
  connections: () =>
    stage.postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'the projector'`,
    ),
}

/** Records events, and asks again with the same ids until they are known to be there. */
const record = async (events: readonly SampleEvent[], revision: number) => {
  const same = events.map((event) => ({ ...event, id: randomUUID(), metadata: metadata() }))
  for (;;) {
    try {
      return await stage.eventStore.append('history', revision, same)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }
}

test(
  'whatever is killed while a history is recorded and folded, the rows are those of a fold from scratch',
  async () => {
    let recorded = 0
    let killed = 0
    const recording = async () => {
      let revision = noStream
      while (recorded < total) {
        // Neither gets far ahead of the other.
        await until(() => killed + 2 >= (recorded * kills) / total)
        revision = (await record(history.slice(recorded, recorded + atOnce), revision)).revision
        recorded += atOnce
      }
    }
    const killing = async () => {
      const names = Object.keys(victims)
      for (; killed < kills; killed++) {
        const due = ((killed + Math.random()) * total) / kills
        await until(() => recorded >= due)
        await victims[names[Math.floor(Math.random() * names.length)]!]!()
      }
    }
    await Promise.all([recording(), killing()])

    const { position } = (await stage.eventStore.last())!
    await until(async () => (await stage.states()).every((state) => state.position === position))
    for (const projection of samples)
      expect(await stage.rows(projection)).toEqual(await stage.rowsFromScratch(projection))
    expect(await Array.fromAsync(stage.eventStore.readStream('history', 0))).toHaveLength(total)
  },
  isFullRun ? 900_000 : undefined,
)
