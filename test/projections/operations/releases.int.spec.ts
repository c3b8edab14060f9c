import { afterAll, beforeAll, expect, test } from 'vitest'
import { prune } from '../../../src/projections/operations/prune.ts'
import { rebuild } from '../../../src/projections/operations/rebuild.ts'
import { type Projection, table, text } from '../../../src/projections/projection.ts'
import { startProjector } from '../../../src/projections/projector/projector.ts'
import { foldInMemory } from '../../../src/projections/rows/fold.ts'
import { type EnsureOptions, ensureSchema, readStates } from '../../../src/projections/schema/schema.ts'
import { tableName } from '../../../src/projections/schema/sql.ts'
import { ensureStore } from '../../../src/projections/schema/store.ts'
import { until } from '../../support/until.ts'
import { company, items, log, type SampleEvent, samples } from '../samples.ts'
import { projectorPool, type Stage, setStage } from '../stage.ts'
import { allByKey, rowsOf } from '../tables.ts'

let stage: Stage
let storeId: string
beforeAll(async () => {
  stage = await setStage()
  storeId = await ensureStore(stage.eventStore, crypto.randomUUID, () => new Date())
})
afterAll(() => stage.close())

const put = (item: number): SampleEvent => ({
  type: 'ItemPut',
  data: { companyId: company(1), item, label: `label ${item}`, tags: [] },
})
const note = (text: string): SampleEvent => ({
  type: 'ItemNoted',
  data: { companyId: company(1), item: 3, note: text },
})

/** The next release shows labels in capitals. */
const shouting: Projection = {
  ...items,
  version: 2,
  handlers: {
    ...items.handlers,
    ItemPut: {
      ...items.handlers.ItemPut!,
      apply: (rows, event) => {
        const { label } = event.data as { label: string }
        items.handlers.ItemPut!.apply(rows, { ...event, data: { ...event.data, label: label.toUpperCase() } })
      },
    },
  },
}

/** The next release also handles notes, and nothing else has changed. */
const noting: Projection = {
  ...items,
  handlers: {
    ...items.handlers,
    ItemNoted: {
      touches: ({ data }) => {
        const { companyId, item } = data as { companyId: string; item: number }
        return { item: [[companyId, item]] }
      },
      apply: (rows, { data }) => {
        const { companyId, item, note } = data as { companyId: string; item: number; note: string }
        rows.item!.update([companyId, item], { label: note })
      },
    },
  },
}

/** A projection that makes a schema another one, and that no event moves. */
const extra = (name: string): Projection => ({
  name,
  version: 1,
  tables: { [name]: table({ columns: { id: text }, key: ['id'] }) as never },
  handlers: {},
})

const ensure = (projections: readonly Projection[], options?: EnsureOptions) =>
  ensureSchema(stage.postgres, storeId, projections, options)

/** The projector of another release. */
const projectFor = (schema: string, projections: readonly Projection[]) => {
  const pool = projectorPool(stage.database.url)
  const projector = startProjector({
    ...{ eventStore: stage.eventStore, postgres: pool, schema, projections },
    ...{ owner: crypto.randomUUID(), now: () => new Date() },
  })
  return async () => {
    await projector.stop()
    await pool.close()
  }
}

const reached = (schema: string, position: number) =>
  until(async () => (await readStates(stage.postgres, schema)).every((state) => state.position === position))

const events = () => Array.fromAsync(stage.eventStore.readAll(0))
const expectRows = async (schema: string, projection: Projection, end = Number.POSITIVE_INFINITY) => {
  const folded = (await events()).filter(({ position }) => position <= end)
  expect(await rowsOf(stage.postgres, schema, projection)).toEqual(
    allByKey(projection, foldInMemory(projection, folded)),
  )
}
const stateIn = async (schema: string, { name }: Projection) =>
  (await readStates(stage.postgres, schema)).find((state) => state.name === name)!

test('two releases run side by side, each on rows of its own; what the old one leaves is pruned', async () => {
  const old = stage.project()
  await stage.append(...Array.from({ length: 50 }, (_, item) => put(item)))

  const next = [shouting, log]
  const schema = await ensure(next)
  expect(schema).not.toBe(stage.schema)
  const stop = projectFor(schema, next)
  const { position } = await stage.append(put(3), put(99))
  for (const one of [stage.schema, schema]) await reached(one, position)
  await expectRows(stage.schema, items)
  await expectRows(schema, shouting)

  expect(await prune(stage.postgres, schema, next)).toEqual({ dropped: [], inUse: [stage.schema] })
  await old.stop()
  expect(await prune(stage.postgres, schema, next)).toEqual({ dropped: [stage.schema], inUse: [] })
  expect(await prune(stage.postgres, schema, next)).toEqual({ dropped: [], inUse: [] })

  const { position: last } = await stage.append(put(100))
  await reached(schema, last)
  await stop()
  // For the tests that follow.
  expect(await ensure(samples)).toBe(stage.schema)
})

test('a release that only adds a handler has rows of its own, and takes over what has not changed', async () => {
  const old = stage.project()
  const before = await stage.append(note('before|both'))
  await reached(stage.schema, before.position)

  const next = [noting, log]
  const copied: [string, string][] = []
  const schema = await ensure(next, { onCopied: (...copy) => void copied.push(copy) })
  expect(copied).toEqual([['log', stage.schema]])
  expect(await stateIn(schema, log)).toEqual({ ...(await stateIn(stage.schema, log)), generation: 1 })
  await expectRows(schema, log)
  expect(await stateIn(schema, noting)).toMatchObject({ position: 0, eventId: null })

  const stop = projectFor(schema, next)
  const { position } = await stage.append(note('after'), put(101))
  for (const one of [stage.schema, schema]) await reached(one, position)
  await expectRows(stage.schema, items)
  await expectRows(schema, noting)
  for (const one of [stage.schema, schema]) await expectRows(one, log)
  await stop()
  await old.stop()
})

test('copies rows and checkpoint in one snapshot, from the present generation, while they are written', async () => {
  const old = stage.project()
  await rebuild({
    ...{ eventStore: stage.eventStore, postgres: stage.postgres, schema: stage.schema },
    ...{ projections: samples, clock: () => performance.now() },
  })
  expect((await stateIn(stage.schema, items)).generation).toBe(2)
  let writing = true
  const write = async () => {
    for (let item = 200; writing; item += 2) await stage.append(put(item), note(`${item}`))
  }
  const written = write()
  const schemas: string[] = []
  for (let round = 0; round < 10; round += 1) schemas.push(await ensure([...samples, extra(`round${round}`)]))
  writing = false
  await written
  const positions = new Set<number>()
  for (const schema of schemas) {
    for (const projection of samples) {
      const { position } = await stateIn(schema, projection)
      await expectRows(schema, projection, position)
      positions.add(position)
    }
  }
  expect(positions.size).toBeGreaterThan(3)
  await old.stop()
})

test('copies the furthest of several schemas once, however many processes start', async () => {
  const { position } = await stage.append(put(300))
  const old = stage.project()
  await reached(stage.schema, position)
  await old.stop()
  const copied: string[] = []
  const onCopied = (projection: string, from: string) => void copied.push(`${projection} ${from}`)
  const projections = [...samples, extra('furthest')]
  const made = await Promise.all(Array.from({ length: 4 }, () => ensure(projections, { onCopied })))
  expect(new Set(made).size).toBe(1)
  expect(copied).toEqual([`items ${stage.schema}`, `log ${stage.schema}`])
  expect(await stateIn(made[0]!, items)).toMatchObject({ position, status: 'running' })
})

test('a projection that has stopped, or lacks a column, is folded from the first event on', async () => {
  const [stopped, lacking] = [extra('stopped'), extra('lacking')]
  const release = [...samples, stopped, lacking]
  const schema = await ensure(release)
  const stop = projectFor(schema, release)
  const { position } = await stage.append(put(301))
  await reached(schema, position)
  await stop()
  await stage.postgres.query(
    `UPDATE "${schema}".projection SET status = 'failed' WHERE name = 'stopped';
     ALTER TABLE ${tableName(schema, 'lacking', 1)} DROP COLUMN id CASCADE`,
  )
  const next = await ensure([...release, extra('another')])
  expect(await stateIn(next, items)).toMatchObject({ position })
  for (const projection of [stopped, lacking])
    expect(await stateIn(next, projection)).toMatchObject({ status: 'running', position: 0, eventId: null })
})

test('leaves nothing of a broken copy, and the next start copies again', async () => {
  const projections = [...samples, extra('broken')]
  const ending = new AbortController()
  const broken = ensure(projections, { onCopied: () => ending.abort(), signal: ending.signal })
  await expect(broken).rejects.toThrow()
  const copied: string[] = []
  const schema = await ensure(projections, { onCopied: (projection) => void copied.push(projection) })
  expect(copied).toEqual(['items', 'log'])
  await expectRows(schema, items, (await stateIn(schema, items)).position)
})
