import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { idempotency } from '../../../../src/projections/engine/idempotency.ts'
import {
  defineProjection,
  type Projection,
  table,
  text,
} from '../../../../src/projections/engine/projection.ts'
import { ensureSchema, readStates } from '../../../../src/projections/engine/schema/schema.ts'
import { projectionHash, schemaName } from '../../../../src/projections/engine/schema/sql.ts'
import { migrateLocal } from '../../../../src/stores/localSchema/migrate.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { items, samples } from '../../samples.ts'

const { postgres } = await ownDatabase({ size: 8 })

test('many processes may make the schemas at once', async () => {
  const storeId = randomUUID()
  const made = await Promise.all(
    Array.from({ length: 6 }, async () => {
      await migrateLocal(postgres)
      return ensureSchema(postgres, storeId, samples)
    }),
  )
  expect(new Set(made.map(({ schema }) => schema)).size).toBe(1)
  expect(await readStates(postgres, made[0]!)).toEqual(
    ['items', 'log'].map((name) => ({
      name,
      version: 1,
      status: 'running',
      position: 0,
      eventId: null,
      generation: 1,
      failure: null,
    })),
  )
})

test('another handler, event version or handler of any event is another schema, and another order is not', () => {
  const [handled] = Object.values(items.handlers)
  const raised = { ...items, events: { ItemPut: { version: 2 } } }
  const others: Projection[] = [
    items,
    { ...items, handlers: { ...items.handlers, ItemPainted: handled! } },
    { ...items, handlers: { ItemPut: handled! } },
    { ...items, anyEvent: handled! },
    raised,
  ]
  expect(new Set(others.map(projectionHash)).size).toBe(others.length)
  const reversed = Object.fromEntries(Object.entries(items.handlers).reverse())
  expect(projectionHash({ ...items, handlers: reversed })).toBe(projectionHash(items))
})

test('a new event type, or a new version of one, does not change the hash of a handler of any event', () => {
  const any = { ...items, handlers: {}, anyEvent: Object.values(items.handlers)[0]! }
  const grown = { ...any, events: { ItemPut: { version: 2 }, ItemPainted: {} } }
  expect(projectionHash(grown)).toBe(projectionHash(any))
  expect(idempotency).toMatchObject({ handlers: {}, anyEvent: {} })
})

test('another name, version, column or index is another schema, in whatever order projections are listed', () => {
  const storeId = randomUUID()
  const name = schemaName(storeId, samples)
  expect(schemaName(storeId, samples.toReversed())).toBe(name)
  expect(name.length).toBeLessThanOrEqual(63)
  const others: Projection[] = [
    { ...items, name: 'others' },
    { ...items, version: 2 },
    { ...items, tables: { ...items.tables, more: table({ columns: { id: text }, key: ['id'] }) } },
    { ...items, tables: { ...items.tables, item: { ...items.tables.item!, indexes: [] } } },
  ]
  const names = others.map((other) => schemaName(storeId, [other, ...samples.slice(1)]))
  expect(new Set([name, ...names, schemaName(randomUUID(), samples)]).size).toBe(6)
})

test('two projections cannot have a table of the same name', async () => {
  const twin = { ...items, name: 'twin' }
  await expect(ensureSchema(postgres, randomUUID(), [items, twin])).rejects.toThrow('belongs to items')
  const clash = defineProjection()({
    name: 'clash',
    version: 1,
    tables: { projection: table({ columns: { id: text }, key: ['id'] }) },
    handlers: {},
  })
  await expect(ensureSchema(postgres, randomUUID(), [clash as unknown as Projection])).rejects.toThrow(
    'belongs to the engine',
  )
})
