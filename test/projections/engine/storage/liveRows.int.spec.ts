import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Recorded } from '../../../../src/domain/kernel/event.ts'
import type { Projection } from '../../../../src/projections/engine/projection.ts'
import { fold, plan } from '../../../../src/projections/engine/rows/fold.ts'
import type { Row } from '../../../../src/projections/engine/rows/rows.ts'
import { workingRows } from '../../../../src/projections/engine/rows/workingRows.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import { type LiveRows, liveRows } from '../../../../src/projections/engine/storage/liveRows.ts'
import type { Connection } from '../../../../src/stores/postgres/postgres.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { isFullRun, sized } from '../../../support/size.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { histories, portions } from '../../histories.ts'
import { company, items, log, recorded, samples } from '../../samples.ts'
import { allByKey, rowsOf } from '../../tables.ts'

const { postgres } = await ownDatabase()

const readModels = await ensureSchema(postgres, randomUUID(), samples)

const stored = (projection: Projection, remember: number): LiveRows =>
  liveRows(projection, (table) => readModels.tableName(table, 1), remember)

const truncate = () =>
  postgres.query(
    samples
      .flatMap(({ tables }) => Object.keys(tables))
      .map((table) => `TRUNCATE ${readModels.tableName(table, 1)}`)
      .join(';'),
  )

/** Fold and write one batch, as the live projector does. */
const write = async (connection: Connection, projection: Projection, rows: LiveRows, events: Recorded[]) => {
  const working = workingRows(projection, rows.lookUp)
  const planned = plan(projection, events)
  const lookUps = rows.missing(planned)
  const answers = await connection.batch(lookUps.map(({ statement }) => statement))
  for (const [index, { addFound: found }] of lookUps.entries()) found(answers[index] as Row[])
  expect(fold(planned, working)).toBeUndefined()
  const changes = working.take()
  await connection.batch(rows.writing(changes))
  rows.settle(changes)
}

test(
  'folds to the same rows through PostgreSQL, batch by batch, as in memory',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        portions,
        fc.integer({ min: 1, max: 20 }),
        async (events, cut, remember) => {
          await truncate()
          const connection = await postgres.connect()
          try {
            for (const projection of samples) {
              const rows = stored(projection, remember)
              for (const batch of cut(events)) await write(connection, projection, rows, batch)
              expect(await rowsOf(connection, readModels, projection)).toEqual(
                allByKey(projection, foldInMemory(projection, events)),
              )
            }
          } finally {
            connection.release()
          }
        },
      ),
      { numRuns: sized(20, 300) },
    )
  },
  isFullRun ? 600_000 : undefined,
)

test('writes many rows unchanged, and replaces and deletes them like any other', async () => {
  await truncate()
  const labels = ['\\N', '\\.', 'a\tb\r\nc\\', '', 'NULL', '{"a"}', '\u0001\u007f', '😀']
  const puts = Array.from({ length: 3_000 }, (_, item) =>
    recorded(
      {
        type: 'ItemPut',
        data: { companyId: company(1), item, label: labels[item % labels.length]!, tags: { item, labels } },
      },
      item + 1,
    ),
  )
  const notes = puts.map(({ position }) =>
    recorded(
      { type: 'ItemNoted', data: { companyId: company(1), item: 1, note: 'a\\b' } },
      position + 10_000,
    ),
  )
  const changes = puts.flatMap(({ data }, index) => {
    const { item } = data as { item: number }
    const at = 20_000 + index
    if (index % 3 === 0) return [recorded({ type: 'ItemRemoved', data: { companyId: company(1), item } }, at)]
    return [recorded({ type: 'ItemCounted', data: { companyId: company(1), items: [item], by: 2 } }, at)]
  })
  const connection = await postgres.connect()
  for (const projection of [items, log]) {
    const rows = stored(projection, 100)
    for (const batch of [puts, notes, changes]) await write(connection, projection, rows, batch)
    const expected = foldInMemory(projection, [...puts, ...notes, ...changes])
    expect(await rowsOf(connection, readModels, projection)).toEqual(allByKey(projection, expected))
  }
  connection.release()
})

test.each([1, 2_000])('keeps the text of JSON, in the order of its members (%i rows)', async (count) => {
  await truncate()
  const tags = { later: [1e-7, 0.1, null], earlier: { nul: '\0', half: '\udfff', tab: '\t"\\' }, '': true }
  const connection = await postgres.connect()
  const puts = Array.from({ length: count }, (_, item) =>
    recorded({ type: 'ItemPut', data: { companyId: company(1), item, label: 'a', tags } }, item + 1),
  )
  await write(connection, items, stored(items, 100), puts)
  const { item } = await rowsOf(connection, readModels, items)
  expect(item!.size).toBe(count)
  for (const row of item!.values()) expect(JSON.stringify(row.tags)).toBe(JSON.stringify(tags))
  connection.release()
})

test.each([
  ['NUL', '\0', { cause: { code: '22021' } }],
  ['half a surrogate pair', '\udfff', { code: 'unstorable-text' }],
])(
  'refuses a text with %s in a small and a large batch, and the connection stays usable',
  async (_, bad, error) => {
    await truncate()
    const connection = await postgres.connect()
    for (const count of [10, 2_000]) {
      const events = Array.from({ length: count }, (_, item) =>
        recorded(
          {
            type: 'ItemPut',
            data: { companyId: company(1), item, label: item === count - 1 ? bad : 'good', tags: [] },
          },
          item + 1,
        ),
      )
      await expect(write(connection, items, stored(items, 100), events)).rejects.toMatchObject(error)
      await write(connection, items, stored(items, 100), events.slice(0, -1))
      expect((await rowsOf(connection, readModels, items)).item!.size).toBe(count - 1)
      await truncate()
    }
    connection.release()
  },
)
