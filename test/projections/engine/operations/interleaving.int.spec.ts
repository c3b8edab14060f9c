import { beforeAll, expect, test } from 'vitest'
import { clock } from '../../../../src/lib/clocks.ts'
import { prune } from '../../../../src/projections/engine/operations/prune.ts'
import { rebuild } from '../../../../src/projections/engine/operations/rebuild.ts'
import type { ReplayOptions } from '../../../../src/projections/engine/operations/replay.ts'
import { verify } from '../../../../src/projections/engine/operations/verify.ts'
import { StoreUnavailable } from '../../../../src/stores/eventStore.ts'
import type { Connection, Postgres } from '../../../../src/stores/postgres/postgres.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'
import { company, items, type SampleEvent } from '../../samples.ts'
import { setStage } from '../../stage.ts'

/** Something happens just before one statement of a rebuild or a prune, where there is little time as a rule. */

const stage = await own(setStage())
beforeAll(async () => {
  for (let start = 0; start < 1_600; start += 200)
    await stage.append(...Array.from({ length: 200 }, (_, index) => put(start + index)))
})

const put = (item: number): SampleEvent => ({
  type: 'ItemPut',
  data: { companyId: company(1), item, label: 'a', tags: [item] },
})
const options = (more: Partial<ReplayOptions> = {}): ReplayOptions => ({
  eventStore: stage.eventStore,
  postgres: stage.postgres,
  readModels: stage.readModels.only([items]),
  clock,
  ...more,
})
const folded = ({ position }: { position: number }) =>
  until(async () => (await stage.state('items')).position >= position)

/** PostgreSQL, with something that happens once before the first statement that says so. */
const before = (
  statement: string,
  happen: () => Promise<unknown>,
  postgres: Postgres = stage.postgres,
): Postgres => {
  let happened = false
  const watched = (connection: Connection): Connection => ({
    async query(text, values, limits) {
      if (text.includes(statement) && !happened) {
        happened = true
        await happen()
      }
      return connection.query(text, values, limits)
    },
    batch: connection.batch,
    copy: (text, chunks) => connection.copy(text, chunks),
    release: (broken) => connection.release(broken),
  })
  return {
    ...postgres,
    connect: async () => watched(await postgres.connect()),
    transaction: (work) => postgres.transaction((connection) => work(watched(connection))),
  }
}

test('a prune leaves the tables alone that a rebuild has just put to use', async () => {
  const postgres = before('pg_try_advisory_xact_lock', () => rebuild(options()))
  expect((await prune(postgres, stage.readModels)).dropped).toEqual([])
  const { generation } = await stage.state('items')
  const [live] = await stage.postgres.query<{ there: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS there',
    [stage.readModels.tableName('item', generation)],
  )
  expect(live).toEqual({ there: true })
})

test('a switch that is given up undoes none of the rows that were on their way', async () => {
  const projector = stage.project()
  await folded(await stage.append(put(1)))
  // Rows that go, rows that change and new rows: three statements, begun when the rebuild is nearly there.
  const many: SampleEvent[] = [
    ...Array.from(
      { length: 10 },
      (_, index): SampleEvent => ({
        type: 'ItemRemoved',
        data: { companyId: company(1), item: 1_000 + index },
      }),
    ),
    {
      type: 'ItemCounted',
      data: { companyId: company(1), items: Array.from({ length: 500 }, (_, index) => index), by: 1 },
    },
    ...Array.from({ length: 600 }, (_, index) => put(5_000 + index)),
  ]
  const nearlyThere = before('ANALYZE', async () => folded(await stage.append(...many)))
  let hiccups = 0
  const postgres = before(
    'LOCK TABLE',
    async () => {
      await folded(await stage.append(put(9_000)))
      hiccups = 1
    },
    nearlyThere,
  )
  const eventStore = {
    ...stage.eventStore,
    async *readAllInPortions(position: number) {
      if (hiccups-- > 0) throw new StoreUnavailable(new Error('a hiccup'))
      yield* stage.eventStore.readAllInPortions(position)
    },
  }
  await rebuild(options({ postgres, eventStore }))
  expect(hiccups).toBeLessThan(0)
  expect((await verify(options())).differenceCount).toBe(0)
  await projector.stop()
})

test('a switch is given up before it writes: the last question to the store comes first', async () => {
  const projector = stage.project()
  await folded(await stage.append(put(1)))
  await projector.stop()
  const states = stage.readModels.stateTable
  await stage.postgres.query(`UPDATE ${states} SET status = 'failed' WHERE name = 'items'`)
  let hiccups = 0
  const postgres = before('LOCK TABLE', async () => {
    const { position } = await stage.append(put(9_001))
    const { id } = (await stage.eventStore.eventAt(position))!
    await stage.postgres.query(`UPDATE ${states} SET position = $1, event_id = $2 WHERE name <> 'items'`, [
      position,
      id,
    ])
    hiccups = 1
  })
  const eventStore = {
    ...stage.eventStore,
    async eventAt(position: number) {
      if (hiccups-- > 0) throw new StoreUnavailable(new Error('a hiccup'))
      return stage.eventStore.eventAt(position)
    },
  }
  await rebuild(options({ postgres, eventStore }))
  expect(hiccups).toBeLessThan(0)
  expect((await verify(options())).differenceCount).toBe(0)
})
