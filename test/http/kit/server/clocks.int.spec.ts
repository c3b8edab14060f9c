import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPostgres, type Postgres } from '../../../../src/stores/postgres/postgres.ts'
import { startTestService, type TestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** A node of the service whose clock is not PostgreSQL's: to the node, PostgreSQL's clock is set by the spec. */

let service: TestService
let node: Awaited<ReturnType<TestService['startAnother']>>
let postgres: Postgres
beforeAll(async () => {
  service = await startTestService()
  postgres = connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 1 })
  await postgres.query(`
    CREATE SCHEMA clocks;
    CREATE TABLE clocks.ahead AS SELECT interval '0' AS by;
    CREATE FUNCTION clocks.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS 'SELECT pg_catalog.clock_timestamp() + by FROM clocks.ahead';
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = clocks, pg_catalog, public', current_database());
    END $$`)
  // It does not lead: leases, which go by PostgreSQL's clock, are the first node's business.
  node = await service.startAnother({ PROCESS_ROLES: 'http' })
})
afterAll(async () => {
  await node.stop()
  await postgres.close()
  await service.stop()
})

const setAhead = (by: string) => postgres.query('UPDATE clocks.ahead SET by = $1::interval', [by])
let tags = 0
const create = () =>
  service.send('editor', 'POST', 'millcert-tags', {
    at: node.url,
    body: { name: `Tag ${++tags}`, color: '#c00' },
  })
const readiness = async () => {
  const response = await fetch(`${node.url}/health/ready`)
  return (await response.json()) as { notReady?: string[] }
}
const refuses = () => until(async () => (await create()).status === 503)
const records = () => until(async () => (await create()).status === 201)

describe("a node whose clock and PostgreSQL's differ", () => {
  it.each([
    ['6 minutes', 'ahead of'],
    ['-6 minutes', 'behind'],
  ])('by %s records nothing until they agree again, and serves reads', async (ahead, which) => {
    await setAhead(ahead)
    await refuses()
    const refused = await create()
    expect(refused.body).toMatchObject({ code: 'clocks-differ', status: 503 })
    expect(refused.body.detail).toContain(`PostgreSQL's clock is 6 minutes ${which} this node's`)
    expect(refused.headers.get('retry-after')).toBe('1')
    const { body } = await service.send('viewer', 'GET', 'millcert-tags', { at: node.url })
    expect(body.map(({ name }: { name: string }) => name)).not.toContain(`Tag ${tags}`)
    await until(async () => (await readiness()).notReady?.includes('clock') ?? false)

    await setAhead('0')
    await records()
    await until(async () => !((await readiness()).notReady ?? []).includes('clock'))
  })
})
