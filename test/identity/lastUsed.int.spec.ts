import { beforeEach, expect, test } from 'vitest'
import { createLastUsed } from '../../src/identity/lastUsed.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import { ownDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/** When keys were last used, written now and then. */

const { postgres } = await ownDatabase()
let writes: number
/** The number of writes that fail next. */
let failing: number

await migrateLocal(postgres)
beforeEach(async () => {
  writes = 0
  failing = 0
  await postgres.query('TRUNCATE heatmark_local.last_used')
})

const errors: string[] = []
const start = () =>
  createLastUsed({
    postgres: {
      query: (text, values) => {
        writes += 1
        return failing-- > 0 ? Promise.reject(new Error('not now')) : postgres.query(text, values)
      },
    },
    onError: ({ message }) => errors.push(message),
    gatherMs: 20,
  })
const at = (time: string) => new Date(`2026-03-01T${time}Z`)
const written = async () =>
  Object.fromEntries(
    (
      await postgres.query<{ keyId: string; time: string }>(
        'SELECT key_id AS "keyId", last_used_at AS time FROM heatmark_local.last_used',
        [],
      )
    ).map(({ keyId, time }) => [keyId, time]),
  )

test('a thousand uses of ten keys are one write, to the minute', async () => {
  const lastUsed = start()
  for (let n = 0; n < 1_000; n++) lastUsed.note(`key ${n % 10}`, at('12:00:00.500'))
  lastUsed.note('key 3', at('12:01:59.999'))
  await until(() => writes > 0)
  await lastUsed.close()
  expect(writes).toBe(1)
  expect(await written()).toMatchObject({
    'key 2': '2026-03-01T12:00:00.000Z',
    'key 3': '2026-03-01T12:01:00.000Z',
  })
})

test('the end writes what is left, and no minute twice', async () => {
  const lastUsed = start()
  lastUsed.note('key', at('12:00:00'))
  await until(() => writes === 1)
  lastUsed.note('key', at('12:00:59'))
  await lastUsed.close()
  expect(writes).toBe(1)
  const other = start()
  other.note('key', at('12:05:00'))
  await other.close()
  expect(await written()).toEqual({ key: '2026-03-01T12:05:00.000Z' })
})

test('a node whose clock is behind does not turn time back', async () => {
  const [ahead, behind] = [start(), start()]
  ahead.note('key', at('12:05:00'))
  await ahead.close()
  behind.note('key', at('12:04:00'))
  await behind.close()
  expect(await written()).toEqual({ key: '2026-03-01T12:05:00.000Z' })
})

test('what could not be written is written later', async () => {
  failing = 2
  const lastUsed = start()
  lastUsed.note('key', at('12:00:00'))
  await until(async () => (await written()).key !== undefined)
  await lastUsed.close()
  expect(writes).toBe(3)
  expect(errors).toEqual(['not now', 'not now'])
})
