import { afterAll, beforeAll, expect, test } from 'vitest'
import { clock, now } from '../../../src/clocks.ts'
import { prune } from '../../../src/projections/operations/prune.ts'
import { rebuild } from '../../../src/projections/operations/rebuild.ts'
import { type Projection, table, text } from '../../../src/projections/projection.ts'
import { startProjector } from '../../../src/projections/projector/projector.ts'
import { foldInMemory } from '../../../src/projections/rows/fold.ts'
import type { ReadModels } from '../../../src/projections/schema/readModels.ts'
import { type EnsureOptions, ensureSchema, readStates } from '../../../src/projections/schema/schema.ts'
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
const projectFor = (readModels: ReadModels) => {
  const pool = projectorPool(stage.database.url)
  const projector = startProjector({
    ...{ eventStore: stage.eventStore, postgres: pool, readModels },
    ...{ owner: crypto.randomUUID(), now, clock },
  })
  return async () => {
    await projector.stop()
    await pool.close()
  }
}

const reached = (readModels: ReadModels, position: number) =>
  until(async () =>
    (await readStates(stage.postgres, readModels)).every((state) => state.position === position),
  )

const events = () => Array.fromAsync(stage.eventStore.readAll(0))
const expectRows = async (readModels: ReadModels, projection: Projection, end = Number.POSITIVE_INFINITY) => {
  const folded = (await events()).filter(({ position }) => position <= end)
  expect(await rowsOf(stage.postgres, readModels, projection)).toEqual(
    allByKey(projection, foldInMemory(projection, folded)),
  )
}
const stateIn = async (readModels: ReadModels, { name }: Projection) =>
  (await readStates(stage.postgres, readModels)).find((state) => state.name === name)!

test('two releases run side by side, each on rows of its own; what the old one leaves is pruned', async () => {
  const old = stage.project()
  await stage.append(...Array.from({ length: 50 }, (_, item) => put(item)))

  const next = [shouting, log]
  const readModels = await ensure(next)
  expect(readModels.schema).not.toBe(stage.readModels.schema)
  const stop = projectFor(readModels)
  const { position } = await stage.append(put(3), put(99))
  for (const one of [stage.readModels, readModels]) await reached(one, position)
  await expectRows(stage.readModels, items)
  await expectRows(readModels, shouting)

  expect(await prune(stage.postgres, readModels)).toEqual({ dropped: [], inUse: [stage.readModels.schema] })
  await old.stop()
  expect(await prune(stage.postgres, readModels)).toEqual({ dropped: [stage.readModels.schema], inUse: [] })
  expect(await prune(stage.postgres, readModels)).toEqual({ dropped: [], inUse: [] })

  const { position: last } = await stage.append(put(100))
  await reached(readModels, last)
  await stop()
  // For the tests that follow.
  expect((await ensure(samples)).schema).toBe(stage.readModels.schema)
})

test('a release that only adds a handler has rows of its own, and takes over what has not changed', async () => {
  const old = stage.project()
  const before = await stage.append(note('before|both'))
  await reached(stage.readModels, before.position)

  const next = [noting, log]
  const copied: [string, string][] = []
  const readModels = await ensure(next, { onCopied: (...copy) => void copied.push(copy) })
  expect(copied).toEqual([['log', stage.readModels.schema]])
  expect(await stateIn(readModels, log)).toEqual({ ...(await stateIn(stage.readModels, log)), generation: 1 })
  await expectRows(readModels, log)
  expect(await stateIn(readModels, noting)).toMatchObject({ position: 0, eventId: null })

  const stop = projectFor(readModels)
  const { position } = await stage.append(note('after'), put(101))
  for (const one of [stage.readModels, readModels]) await reached(one, position)
  await expectRows(stage.readModels, items)
  await expectRows(readModels, noting)
  for (const one of [stage.readModels, readModels]) await expectRows(one, log)
  await stop()
  await old.stop()
})

test('copies rows and checkpoint in one snapshot, from the present generation, while they are written', async () => {
  const old = stage.project()
  await rebuild({
    ...{ eventStore: stage.eventStore, postgres: stage.postgres },
    ...{ readModels: stage.readModels, clock },
  })
  expect((await stateIn(stage.readModels, items)).generation).toBe(2)
  let writing = true
  const write = async () => {
    for (let item = 200; writing; item += 2) await stage.append(put(item), note(`${item}`))
  }
  const written = write()
  const copies: ReadModels[] = []
  for (let round = 0; round < 10; round += 1) copies.push(await ensure([...samples, extra(`round${round}`)]))
  writing = false
  await written
  const positions = new Set<number>()
  for (const readModels of copies) {
    for (const projection of samples) {
      const { position } = await stateIn(readModels, projection)
      await expectRows(readModels, projection, position)
      positions.add(position)
    }
  }
  expect(positions.size).toBeGreaterThan(3)
  await old.stop()
})

test('copies the furthest of several schemas once, however many processes start', async () => {
  const { position } = await stage.append(put(300))
  const old = stage.project()
  await reached(stage.readModels, position)
  await old.stop()
  const copied: string[] = []
  const onCopied = (projection: string, from: string) => void copied.push(`${projection} ${from}`)
  const projections = [...samples, extra('furthest')]
  const made = await Promise.all(Array.from({ length: 4 }, () => ensure(projections, { onCopied })))
  expect(new Set(made.map(({ schema }) => schema)).size).toBe(1)
  expect(copied).toEqual([`items ${stage.readModels.schema}`, `log ${stage.readModels.schema}`])
  expect(await stateIn(made[0]!, items)).toMatchObject({ position, status: 'running' })
})

test('a projection that has stopped, or lacks a column, is folded from the first event on', async () => {
  const [stopped, lacking] = [extra('stopped'), extra('lacking')]
  const release = [...samples, stopped, lacking]
  const readModels = await ensure(release)
  const stop = projectFor(readModels)
  const { position } = await stage.append(put(301))
  await reached(readModels, position)
  await stop()
  await stage.postgres.query(
    `UPDATE ${readModels.checkpointTable} SET status = 'failed' WHERE name = 'stopped';
     ALTER TABLE ${readModels.tableName('lacking', 1)} DROP COLUMN id CASCADE`,
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
  const readModels = await ensure(projections, { onCopied: (projection) => void copied.push(projection) })
  expect(copied).toEqual(['items', 'log'])
  await expectRows(readModels, items, (await stateIn(readModels, items)).position)
})
