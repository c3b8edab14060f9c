import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clock, now } from '../../../../src/lib/clocks.ts'
import { encodeNotice, type Notice } from '../../../../src/projections/engine/projector/notice.ts'
import type { Changes } from '../../../../src/projections/engine/reading/knownStates.ts'
import { followPositions, type Positions } from '../../../../src/projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import { migrateLocal } from '../../../../src/stores/localSchema/migrate.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { startProxy, type TcpProxy } from '../../../support/proxy.ts'
import { until } from '../../../support/until.ts'
import { items, log, samples } from '../../samples.ts'

/** A node that follows positions; the projector's part is played by hand. */

const { url, postgres } = await ownDatabase({ size: 4 })
let proxy: TcpProxy
let positions: Positions
let readModels: ReadModels
let heardChanges: Changes[]

beforeAll(async () => {
  await migrateLocal(postgres)
  proxy = await startProxy(url)
})
afterAll(async () => {
  await positions.close()
  await proxy.close()
})
beforeEach(async () => {
  await positions?.close()
  readModels = await ensureSchema(postgres, randomUUID(), samples)
  positions = followPositions({
    url: proxy.url,
    readModels,
    clock,
    now,
    catchUpWithinMs: 0,
    lookEveryMs: 20,
  })
  await until(() => positions.statuses().length === 2)
  heardChanges = []
  positions.onChange((changes) => heardChanges.push(changes))
  // Notifications arrive from here on.
  await until(async () => {
    await postgres.query('SELECT pg_notify($1, $2)', [readModels.schema, 'anything'])
    return heardChanges.length > 0
  })
  await namedFrom(0)
  await set('position = 0')
  await until(() => positions.positionOf(samples) === 0)
  heardChanges.length = 0
})

const notify = (notice: Partial<Notice>) =>
  postgres.query('SELECT pg_notify($1, $2)', [
    readModels.schema,
    encodeNotice({ from: 0, to: 0, moved: { items: 1, log: 1 }, stopped: [], changed: [], ...notice }),
  ])
const set = (assignments: string, names = ['items', 'log']) =>
  postgres.query(`UPDATE ${readModels.stateTable} SET ${assignments} WHERE name = ANY($1)`, [names])

/** Commit batches until a notice names what changed in one, which a look may find first. */
async function namedFrom(start: number): Promise<void> {
  let position = start
  await until(async () => {
    await set(`position = ${position + 1}`)
    await notify({ from: position, to: ++position, changed: [{ companyId: company, projection: 'items' }] })
    return Array.isArray(heardChanges.at(-1))
  })
}

const company = randomUUID()

test('a waiter goes on once the position is heard, and after what changed has been dropped', async () => {
  const order: string[] = []
  positions.onChange(() => order.push('dropped'))
  const waiting = positions.waitFor(samples, 10, 30_000).then((result) => order.push(`waited: ${result}`))
  await set('position = 10')
  await notify({ to: 10, changed: [{ companyId: company, projection: 'items' }] })
  await waiting
  expect(order).toEqual(['dropped', 'waited: true'])
  expect(heardChanges).toEqual([[{ companyId: company, projection: 'items' }]])
  expect(positions.positionOf(samples)).toBe(10)
  expect(await positions.waitFor(samples, 10, 0)).toBe(true)
})

test('hears of a batch of this process at once, and its notification is no news', async () => {
  const changed = [{ companyId: randomUUID(), projection: 'log' }]
  await set('position = 10')
  positions.hear({ from: 0, to: 10, moved: { items: 1, log: 1 }, stopped: [], changed })
  expect(heardChanges).toEqual([changed])
  expect(await positions.waitFor(samples, 10, 0)).toBe(true)
  await notify({ to: 10, changed })
  await namedFrom(10)
  expect(heardChanges.filter((changes) => JSON.stringify(changes) === JSON.stringify(changed))).toHaveLength(
    1,
  )
})

test('returns false when the position is not reached in time', async () => {
  expect(await positions.waitFor([items], 10, 20)).toBe(false)
})

test('a position that no notification told is found by looking, and then anything may have changed', async () => {
  const waiting = positions.waitFor([items, log], 10, 30_000)
  await set('position = 10')
  expect(await waiting).toBe(true)
  expect(heardChanges).toContain('*')
})

test('a notification that does not say which projections took part only tells to look', async () => {
  await set('position = 10')
  const { moved: _, ...notice } = { from: 0, to: 99, moved: {}, stopped: [], changed: [] }
  await postgres.query('SELECT pg_notify($1, $2)', [readModels.schema, JSON.stringify(notice)])
  expect(await positions.waitFor([items, log], 10, 30_000)).toBe(true)
  expect(positions.positionOf([items, log])).toBe(10)
  expect(heardChanges).toContain('*')
})

test('a notification after a lost one says that anything may have changed', async () => {
  await set('position = 20')
  await notify({ from: 10, to: 20, changed: [{ companyId: company, projection: 'items' }] })
  expect(await positions.waitFor([items], 20, 30_000)).toBe(true)
  expect(heardChanges[0]).toBe('*')
})

test('a projection that is behind is behind for those who wait for it, and for no others', async () => {
  await set('position = 30', ['items'])
  expect(await positions.waitFor([items], 30, 30_000)).toBe(true)
  expect(positions.positionOf([items, log])).toBe(0)
  expect(await positions.waitFor([items, log], 30, 20)).toBe(false)
  // The projector takes up the one that is behind; what it told is complete, as far as this node can know.
  heardChanges.length = 0
  await set('position = 20', ['log'])
  await notify({ from: 0, to: 20, moved: { log: 1 }, changed: [{ companyId: company, projection: 'log' }] })
  expect(await positions.waitFor([items, log], 20, 30_000)).toBe(true)
  expect(heardChanges).toEqual([[{ companyId: company, projection: 'log' }]])
  expect(positions.positionOf([items])).toBe(30)
})

test('nobody waits for a projection that has stopped; what went before it stopped can be waited for', async () => {
  const waiting = positions.waitFor(samples, 10, 30_000)
  await set(`status = 'failed', position = 5`, ['log'])
  await set('position = 10', ['items'])
  await notify({ to: 10, stopped: ['log'] })
  expect(await waiting).toBe(false)
  await until(() =>
    positions.statuses().some(({ status, position }) => status === 'failed' && position === 5),
  )
  expect(await positions.waitFor(samples, 10, 30_000)).toBe(false)
  expect(await positions.waitFor(samples, 5, 30_000)).toBe(true)
  expect(await positions.waitFor([items], 10, 30_000)).toBe(true)
})

test('reports that anything may have changed after a rebuild, or when rows stay behind what was heard', async () => {
  await set('position = 10')
  await notify({ to: 10 })
  await positions.waitFor(samples, 10, 30_000)
  heardChanges.length = 0
  await set('generation = 2', ['items'])
  await until(() => heardChanges.includes('*'))
  heardChanges.length = 0
  await set('position = 3')
  await until(() => heardChanges.includes('*'))
  expect(positions.positionOf(samples)).toBe(3)
})

test('takes no position back while the projector may write again what a crash of PostgreSQL has lost', async () => {
  await set('position = 10')
  await notify({ to: 10 })
  await positions.waitFor(samples, 10, 30_000)
  const patient = followPositions({ url, readModels, clock, now })
  await until(() => patient.statuses().length === 2)
  const changes: Changes[] = []
  patient.onChange((change) => changes.push(change))
  const lookedAt = patient.lastLookedAt
  await set('position = 3')
  await until(() => positions.positionOf(samples) === 3)
  const heardAt = patient.lastHeardAt
  await until(() => patient.lastHeardAt > heardAt)
  expect(patient.positionOf(samples)).toBe(10)
  await set('position = 10')
  await until(() => patient.lastLookedAt > lookedAt)
  expect(changes).toEqual([])
  await patient.close()
})

test('a node that is cut off knows when it heard last, and catches up by itself', async () => {
  proxy.refuse()
  await set('position = 10')
  const waiting = positions.waitFor(samples, 10, 60_000)
  await until(() => performance.now() - Math.max(positions.lastHeardAt, positions.lastLookedAt) > 300)
  const acceptedAt = performance.now()
  proxy.accept()
  expect(await waiting).toBe(true)
  await until(() => positions.lastHeardAt > acceptedAt && positions.lastLookedAt > acceptedAt)
  heardChanges.length = 0
  // Listening again too: this change is named.
  await namedFrom(10)
})

test('releases its waiters when it is closed', async () => {
  const waiting = positions.waitFor(samples, 10, 60_000)
  await positions.close()
  expect(await waiting).toBe(false)
})
