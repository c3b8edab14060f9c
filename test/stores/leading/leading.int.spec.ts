import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { type Leading, startLeading, type Term } from '../../../src/stores/leading/leading.ts'
import { leaseConditionSql } from '../../../src/stores/leading/lease.ts'
import { migrateLocal } from '../../../src/stores/localSchema/migrate.ts'
import { giveToAnother } from '../../support/otherHolder.ts'
import { ownDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

const { postgres } = await ownDatabase({ size: 10 })
let leading: Leading

await migrateLocal(postgres)
afterEach(() => leading.stop())

async function stillLed({ over }: Term) {
  if (!over.aborted) await once(over, 'abort')
}

/** Starts to lead and returns the name of the lease. */
function start(lead: (term: Term) => Promise<void>): string {
  const leaseName = `work/${randomUUID()}`
  leading = startLeading({
    postgres,
    leaseName,
    lead,
    owner: randomUUID(),
    observe: {},
    longPauseAfter: () => undefined,
  })
  return leaseName
}

async function expiryOf(leaseName: string): Promise<number> {
  const [row] = await postgres.query<{ at: number }>(
    'SELECT extract(epoch FROM expires_at)::float8 * 1000 AS at FROM heatmark_local.lease WHERE name = $1',
    [leaseName],
  )
  return row?.at ?? 0
}

test('renews the lease of work that writes nothing', async () => {
  const leaseName = start(stillLed)
  await until(() => leading.status().leading)
  const first = await expiryOf(leaseName)
  await until(async () => (await expiryOf(leaseName)) > first + 1_500)
  expect(leading.status()).toEqual({ leading: true, condition: undefined })
})

test('ends the term when another process has taken the lease', async () => {
  const terms: Term[] = []
  const leaseName = start(async (term) => {
    terms.push(term)
    await stillLed(term)
  })
  await until(() => terms.length === 1)
  const other = await giveToAnother(postgres, leaseName)
  await until(() => terms[0]!.over.aborted)
  await until(() => !leading.status().leading)
  expect(terms).toHaveLength(1)
  other.release()
})

test('ends the term when a check answers false, and begins the next one at once', async () => {
  const fencing: number[] = []
  start(async (term) => {
    fencing.push(term.lease.fencing)
    term.checkOnRenewal(async () => fencing.length > 1)
    await stillLed(term)
  })
  await until(() => fencing.length === 2)
  expect(fencing).toEqual([1, 2])
})

test('shows the error of a check beside the lease, and goes on with the term', async () => {
  const terms: Term[] = []
  const leaseName = start(async (term) => {
    terms.push(term)
    term.checkOnRenewal(() => Promise.reject(new Error('the cellar is under water')))
    await stillLed(term)
  })
  const besideLease = async () =>
    (await postgres.query<{ text: string }>(`SELECT ${leaseConditionSql('$1')} AS text`, [leaseName]))[0]!
      .text
  await until(async () => (await besideLease()) === 'the cellar is under water')
  expect(terms).toHaveLength(1)
  expect(terms[0]!.over.aborted).toBe(false)
})
