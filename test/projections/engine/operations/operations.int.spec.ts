import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { clock } from '../../../../src/lib/clocks.ts'
import { createOperations } from '../../../../src/projections/engine/operations/operations.ts'
import type { Postgres } from '../../../../src/stores/postgres/postgres.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'
import { items } from '../../samples.ts'
import { setStage } from '../../stage.ts'

/** Runs that a service carries out for operators. */

const stage = await own(setStage())

test('the next run may begin as soon as the row of the last one says that it has ended', async () => {
  const heard = Promise.withResolvers<void>()
  /** Hears only later that the end of the first run was written. */
  const postgres: Postgres = {
    ...stage.postgres,
    async query<Row>(text: string, values?: readonly unknown[]) {
      const rows = await stage.postgres.query<Row>(text, values)
      if (values?.includes('succeeded')) await heard.promise
      return rows
    },
  }
  const operations = createOperations({
    eventStore: stage.eventStore,
    postgres,
    requests: stage.postgres,
    readModels: stage.readModels,
    newId: randomUUID,
    clock,
  })
  const first = await operations.start('verify', items)
  await until(async () => (await operations.find(first))?.status === 'succeeded')
  const starting = operations.start('verify', items)
  heard.resolve()
  expect(await starting).not.toBe(first)
  await operations.close()
})
