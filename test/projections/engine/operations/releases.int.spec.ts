import { expect, test } from 'vitest'
import { clock, now } from '../../../../src/lib/clocks.ts'
import { prune } from '../../../../src/projections/engine/operations/prune.ts'
import type { Projection } from '../../../../src/projections/engine/projection.ts'
import { startProjector } from '../../../../src/projections/engine/projector/projector.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema, projectorLease, readStates } from '../../../../src/projections/engine/schema/schema.ts'
import { ensureStore } from '../../../../src/projections/engine/schema/store.ts'
import { createIntake } from '../../../../src/stores/subscription/intake.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { company, items, log, type SampleEvent, samples } from '../../samples.ts'
import { projectorPool, setStage } from '../../stage.ts'
import { allByKey, rowsOf } from '../../tables.ts'

const stage = await own(setStage())
const storeId = await ensureStore(stage.eventStore, crypto.randomUUID, () => new Date())

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

const ensure = (projections: readonly Projection[]) => ensureSchema(stage.postgres, storeId, projections)

/** The projector of another release. */
const projectFor = (readModels: ReadModels) => {
  const pool = projectorPool(stage.database.url)
  const projector = startProjector({
    eventStore: stage.eventStore,
    intake: createIntake({ ...stage, clock }),
    postgres: pool,
    readModels,
    owner: crypto.randomUUID(),
    now,
    clock,
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
  // As the lease of a projector that was lost before the clock of the database was set back.
  await stage.postgres.query(
    `UPDATE heatmark_local.lease SET expires_at = clock_timestamp() + interval '1 hour', backend_pid = 0 WHERE name = $1`,
    [projectorLease(stage.readModels.schema)],
  )
  expect(await prune(stage.postgres, readModels)).toEqual({ dropped: [stage.readModels.schema], inUse: [] })
  expect(await prune(stage.postgres, readModels)).toEqual({ dropped: [], inUse: [] })

  const { position: last } = await stage.append(put(100))
  await reached(readModels, last)
  await stop()
  // For the tests that follow.
  expect((await ensure(samples)).schema).toBe(stage.readModels.schema)
})

test('a release that only adds a handler has rows of its own, and leaves those of the other as they are', async () => {
  const old = stage.project()
  const before = await stage.append(note('before|both'))
  await reached(stage.readModels, before.position)

  const next = [noting, log]
  const readModels = await ensure(next)
  for (const state of await readStates(stage.postgres, readModels))
    expect(state).toMatchObject({ position: 0, eventId: null })

  const stop = projectFor(readModels)
  const { position } = await stage.append(note('after'), put(101))
  for (const one of [stage.readModels, readModels]) await reached(one, position)
  await expectRows(stage.readModels, items)
  await expectRows(readModels, noting)
  for (const one of [stage.readModels, readModels]) await expectRows(one, log)
  await stop()
  await old.stop()
})
