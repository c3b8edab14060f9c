import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** Anyone may ask whether the service is ready, as often as they like: that costs requests nothing. */

const service = await own(startTestService())
const sql = await own(new pg.Client({ connectionString: service.settings.DATABASE_URL! }))
beforeAll(async () => {
  await sql.connect()
})

const ask = async (): Promise<number> => (await fetch(`${service.url}/health/ready`)).status
/** When the connections of each use last began a statement. */
const lastStatements = async () => {
  const { rows } = await sql.query<{ use: string; at: string }>(
    `SELECT application_name AS use, max(query_start)::text AS at FROM pg_stat_activity
     WHERE datname = current_database() GROUP BY 1`,
  )
  return new Map(rows.map(({ use, at }) => [use, at]))
}

it('checks the stores once for many calls within a second, on connections of its own', async () => {
  await until(async () => (await ask()) === 200)
  // A machine that stands still for a second lets the look get old: then it is tried again.
  await until(async () => {
    const began = performance.now()
    await ask()
    const before = await lastStatements()
    const statuses = await Promise.all(Array.from({ length: 50 }, ask))
    const after = await lastStatements()
    if (performance.now() - began > 900) return false
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(after.get('heatmark health')).toBeDefined()
    expect(after.get('heatmark health')).toBe(before.get('heatmark health'))
    expect(after.get('heatmark')).toBe(before.get('heatmark'))
    return true
  })
})
