import { afterAll, beforeAll, expect, test } from 'vitest'
import { prune } from '../../../src/projections/operations/prune.ts'
import type { Projection } from '../../../src/projections/projection.ts'
import { startProjector } from '../../../src/projections/projector/projector.ts'
import { foldInMemory } from '../../../src/projections/rows/fold.ts'
import { ensureSchema, readStates } from '../../../src/projections/schema/schema.ts'
import { ensureStore } from '../../../src/projections/schema/store.ts'
import { until } from '../../support/until.ts'
import { company, items, log, type SampleEvent } from '../samples.ts'
import { projectorPool, type Stage, setStage } from '../stage.ts'
import { allByKey, rowsOf } from '../tables.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

const put = (item: number): SampleEvent => ({
  type: 'ItemPut',
  data: { companyId: company(1), item, label: `label ${item}`, tags: [] },
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

test('two releases run side by side, each on rows of its own; what the old one leaves is pruned', async () => {
  const old = stage.project()
  await stage.append(...Array.from({ length: 50 }, (_, item) => put(item)))

  const storeId = await ensureStore(stage.eventStore, crypto.randomUUID, () => new Date())
  const schema = await ensureSchema(stage.postgres, storeId, [shouting, log])
  expect(schema).not.toBe(stage.schema)
  const pool = projectorPool(stage.database.url)
  const next = startProjector({
    eventStore: stage.eventStore,
    postgres: pool,
    schema,
    projections: [shouting, log],
    owner: 'next',
    now: () => new Date(),
  })
  const { position } = await stage.append(put(3), put(99))
  for (const one of [stage.schema, schema])
    await until(async () =>
      (await readStates(stage.postgres, one)).every((state) => state.position === position),
    )

  const events = await Array.fromAsync(stage.eventStore.readAll(0))
  for (const [one, projection] of [
    [stage.schema, items],
    [schema, shouting],
  ] as const)
    expect(await rowsOf(stage.postgres, one, projection)).toEqual(
      allByKey(projection, foldInMemory(projection, events)),
    )

  expect(await prune(stage.postgres, schema, [shouting, log])).toEqual({ dropped: [], inUse: [stage.schema] })
  await old.stop()
  expect(await prune(stage.postgres, schema, [shouting, log])).toEqual({ dropped: [stage.schema], inUse: [] })
  expect(await prune(stage.postgres, schema, [shouting, log])).toEqual({ dropped: [], inUse: [] })

  const { position: last } = await stage.append(put(100))
  await until(async () =>
    (await readStates(stage.postgres, schema)).every((state) => state.position === last),
  )
  await next.stop()
  await pool.close()
})
