import { readFileSync } from 'node:fs'
import pg from 'pg'
import { Registry } from 'prom-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../src/embedded/ports.ts'
import { now } from '../../../src/lib/clocks.ts'
import { findRelease } from '../../../src/lib/release.ts'
import { addGauges } from '../../../src/processes/monitoring/gauges.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { PostgresUnavailable } from '../../../src/stores/postgres/postgres.ts'
import { own } from '../../support/own.ts'
import { startStore } from '../../support/store.ts'
import { startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/**
 * The metrics of a running service, and the dashboard that shows them. The policy counts its evaluations, so the store
 * is a local one whatever EVENTSTORE_URL names: others' rule packs would come first.
 */

const metricsPort = await freePort()
const node = await own(startStore())
const service = await own(
  startTestService({
    METRICS_PORT: String(metricsPort),
    EVENTSTORE_URL: node.url,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
  }),
)
const sql = await own(new pg.Client({ connectionString: service.settings.DATABASE_URL! }))
beforeAll(async () => {
  await sql.connect()
})

const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

/** The value of one series, written as Prometheus has it; undefined if there is none. */
const valueIn = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const value = async (series: string) => valueIn(await scrape(), series)

const certificate = (n: number) => ({
  certificateNumber: `MC-${n}`,
  heatNumber: 'H 1',
  grade: 'S355J2',
  inspectionDocument: '3.1',
})
const register = (n: number) =>
  service.send('planner', 'POST', 'millcert/certificates', { body: certificate(n) })
const count = 'heatmark_http_requests_total'

/** The schema of the read models. */
const schemaName = async (): Promise<string> => {
  const { rows } = await sql.query(
    `SELECT table_schema AS name FROM information_schema.tables
     WHERE table_name = 'projection' AND table_schema NOT IN ('public', 'heatmark_local')`,
  )
  return rows[0].name
}

it('are the only thing on their port', async () => {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/health/ready`)
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.json()).toMatchObject({ code: 'not-found', instance: '/health/ready' })
})

it('name the release that runs', async () => {
  const { version, commit } = findRelease()
  expect(await value(`heatmark_build_info{version="${version}",commit="${commit ?? ''}"}`)).toBe(1)
})

describe('requests and commands', () => {
  it('are counted by declared route and status, whatever ids a path has', async () => {
    expect((await register(1)).status).toBe(201)
    await service.send('viewer', 'GET', '/api/company/0c7e4c7a-27d3-4a47-8d3b-1f4f4d2f9a11/production-plans')
    await service.send('viewer', 'GET', '/nothing/here')
    const text = await scrape()
    const certificates = '/api/company/{companyId}/millcert/certificates'
    expect(valueIn(text, `${count}{method="POST",route="${certificates}",status="201"}`)).toBe(1)
    const plans = '/api/company/{companyId}/production-plans'
    expect(valueIn(text, `${count}{method="GET",route="${plans}",status="403"}`)).toBe(1)
    expect(valueIn(text, `${count}{method="GET",route="unknown",status="404"}`)).toBe(1)
    expect(text).not.toContain('0c7e4c7a')
  })

  it('are timed, and so are appends', async () => {
    const appends = 'heatmark_append_duration_seconds_count'
    const before = (await value(appends))!
    await register(2)
    expect(await value(appends)).toBe(before + 1)
    const text = await scrape()
    expect(valueIn(text, 'heatmark_append_duration_seconds_sum')).toBeGreaterThan(0)
    expect(valueIn(text, 'heatmark_append_conflicts_total')).toBe(0)
  })

  it('count as hits or misses of the caches', async () => {
    const memory = (cache: string, result: string, text: string) =>
      valueIn(text, `heatmark_cache_requests_total{cache="${cache}",result="${result}"}`)!
    const list = () => service.send('viewer', 'GET', 'millcert/certificates')
    await list()
    const before = await scrape()
    await list()
    const after = await scrape()
    expect(memory('lists', 'hit', after)).toBe(memory('lists', 'hit', before) + 1)
    expect(memory('lists', 'miss', after)).toBe(memory('lists', 'miss', before))
    expect(memory('memberships', 'hit', after)).toBe(memory('memberships', 'hit', before) + 1)
    const held = valueIn(after, 'heatmark_cache_bytes{cache="lists"}')
    expect(held).toBeGreaterThanOrEqual(JSON.stringify((await list()).body).length)

    // An empty list counts as one entry, which is far more than its two bytes.
    expect((await service.send('viewer', 'GET', 'order-tags/deleted')).body).toEqual([])
    expect(await value('heatmark_cache_bytes{cache="lists"}')).toBeGreaterThan(held! + 700)

    const { body } = await register(3)
    const correct = (manufacturer: string) =>
      service.send('planner', 'PUT', `millcert/certificates/${body.millCertificationId}`, {
        body: { ...certificate(3), manufacturer },
      })
    expect((await correct('One')).status).toBe(200)
    expect(memory('commands', 'hit', await scrape())).toBeGreaterThan(memory('commands', 'hit', after))
    expect(await value('heatmark_cache_bytes{cache="commands"}')).toBeGreaterThan(0)
  })
})

it('counts faults of the event store client from the first scrape on', async () => {
  expect(await value('heatmark_event_store_client_faults_total')).toBe(0)
})

describe('the read models', () => {
  const notReady = async (): Promise<string[]> =>
    (await service.send('viewer', 'GET', '/health/ready')).body.notReady ?? []
  const lag = 'heatmark_projection_lag_seconds{projection="certificates"}'
  const position = 'heatmark_projection_position{projection="certificates"}'

  it('show dropped subscriptions from the first scrape on', async () => {
    expect(await value('heatmark_subscriptions_dropped_total')).toBeDefined()
  })

  it('reach the position of the store, after batches that were counted', async () => {
    await register(10)
    await until(async () => (await value(lag)) === 0)
    const text = await scrape()
    expect(valueIn(text, position)).toBe(valueIn(text, 'heatmark_event_store_position'))
    expect(valueIn(text, 'heatmark_projection_running{projection="certificates"}')).toBe(1)
    expect(valueIn(text, 'heatmark_projector_leading')).toBe(1)
    expect(valueIn(text, 'heatmark_projector_batch_events_sum')).toBeGreaterThan(0)
    expect(valueIn(text, 'heatmark_projector_batch_duration_seconds_count')).toBeGreaterThan(0)
  })

  it('lag more and more while no process projects', async () => {
    await sql.query('BEGIN')
    await sql.query(`SELECT 1 FROM "${await schemaName()}".projection FOR UPDATE`)
    try {
      const stood = await value(position)
      expect((await register(11)).headers.get('projection-status')).toBe('pending')
      const before = (await value(lag))!
      expect(before).toBeGreaterThan(0)
      await until(async () => (await value(lag))! > before)
      expect(await value(position)).toBe(stood)
      const head = await value('heatmark_event_store_position')
      expect(head).toBeGreaterThan(stood!)
      await until(async () => (await notReady()).includes('projection certificates'))
    } finally {
      await sql.query('ROLLBACK')
    }
    await until(async () => (await value(lag)) === 0)
    await until(async () => (await notReady()).length === 0)
  })

  it('show which of them has stopped', async () => {
    const state = (status: string) =>
      schemaName().then((schema) =>
        sql.query(`UPDATE "${schema}".state SET status = $1 WHERE name = 'history'`, [status]),
      )
    const running = (name: string) => value(`heatmark_projection_running{projection="${name}"}`)
    await state('failed')
    await until(async () => (await running('history')) === 0)
    expect(await running('certificates')).toBe(1)
    await state('running')
    await until(async () => (await running('history')) === 1)
  })

  it('show the progress of a rebuild in any process until it falls silent', async () => {
    const progress = 'heatmark_run_progress_ratio{kind="rebuild",projection="tags"}'
    expect(await value(progress)).toBeUndefined()
    const run = (updated: string) =>
      schemaName().then((schema) =>
        sql.query(
          `INSERT INTO heatmark_local.run (run_id, schema, kind, projection, status, detail, updated_at)
           VALUES ('7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d', $1, 'rebuild', 'tags', 'running',
                   '{"progress": 0.25, "eventsPerSecond": 1200}', ${updated})
           ON CONFLICT (run_id) DO UPDATE SET updated_at = EXCLUDED.updated_at`,
          [schema],
        ),
      )
    await run('clock_timestamp()')
    await until(async () => (await value(progress)) === 0.25)
    expect(await value('heatmark_run_events_per_second{kind="rebuild",projection="tags"}')).toBe(1200)
    await run(`clock_timestamp() - interval '1 minute'`)
    await until(async () => (await value(progress)) === undefined)
  })
})

it('show the event bytes of today, and how many companies have used them up', async () => {
  const bytes = 'heatmark_daily_event_bytes'
  const before = (await value(bytes))!
  await register(12)
  await until(async () => (await value(bytes))! > before + 100)
  expect(await value('heatmark_companies_at_daily_bound')).toBe(0)
})

it('show the webhooks by state, with the age of what they have not accepted', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/`
  expect((await service.send('admin', 'POST', 'webhooks', { body: { url: nobody } })).status).toBe(201)
  await until(async () => (await value('heatmark_webhook_endpoints{state="failing"}')) === 1)
  expect(await value('heatmark_webhook_endpoints{state="active"}')).toBe(0)
  expect(await value('heatmark_webhook_requests_total{outcome="unanswered"}')).toBeGreaterThan(0)
  expect(await value('heatmark_webhook_sender_held')).toBe(1)
  expect(await value('heatmark_webhook_sender_condition')).toBe(0)
  await register(14)
  await until(async () => (await value('heatmark_webhook_lag_seconds{state="failing"}'))! > 0)
})

describe('a store that does not answer', () => {
  it('does not delay a scrape: its values are left out', async () => {
    const registry = new Registry()
    const eventStore = connectEventStore(`esdb://127.0.0.1:${await freePort()}?tls=false`)
    const state = { name: 'tags', version: 1, status: 'running', position: 7, generation: 1 } as const
    addGauges({
      registry,
      eventStore,
      now,
      positions: { statuses: () => [{ ...state, eventId: null, failure: null }] },
      readPolicyStatuses: () => Promise.reject(new PostgresUnavailable('gone', true)),
      readSignerStatus: () => Promise.reject(new PostgresUnavailable('gone', true)),
      readSenderStatus: () => Promise.reject(new PostgresUnavailable('gone', true)),
      countEndpoints: () => Promise.reject(new PostgresUnavailable('gone', true)),
      listRuns: () => Promise.reject(new PostgresUnavailable('gone', true)),
      readDailyBytes: () => Promise.reject(new PostgresUnavailable('gone', true)),
    })
    const text = await registry.metrics()
    await eventStore.close()
    expect(text.match(/^heatmark_.*$/gm)).toEqual([
      'heatmark_projection_position{projection="tags"} 7',
      'heatmark_projection_running{projection="tags"} 1',
    ])
  })
})

describe('the policy', () => {
  it('counts the subjects and decisions that it evaluates', async () => {
    const subjects = 'heatmark_policy_evaluated_subjects_total'
    const evaluations = 'heatmark_policy_evaluations_total'
    const lag = 'heatmark_policy_lag_seconds{policy="ruleTagging"}'
    await until(async () => (await value(lag)) === 0)
    const before = await scrape()
    const admin = (method: string, path: string) => service.send('admin', method, path)
    const { length } = (await admin('GET', 'millcert/certificates')).body
    expect((await admin('POST', 'rule-packs/completeness/subscribe')).status).toBe(200)
    await until(async () => (await value(evaluations)) === valueIn(before, evaluations)! + 1)
    expect(await value(subjects)).toBe(valueIn(before, subjects)! + length)
    await until(async () => (await value(lag)) === 0)
    const text = await scrape()
    expect(valueIn(text, 'heatmark_policy_position{policy="ruleTagging"}')).toBe(
      valueIn(text, 'heatmark_event_store_position'),
    )
    expect(valueIn(text, 'heatmark_policy_held{policy="ruleTagging"}')).toBe(1)
    expect(valueIn(text, 'heatmark_policy_condition{policy="ruleTagging"}')).toBe(0)
    expect(valueIn(text, 'heatmark_policy_leading{policy="ruleTagging"}')).toBe(1)
    expect(valueIn(text, 'heatmark_policy_jobs{policy="ruleTagging"}')).toBe(0)
    expect(valueIn(text, 'heatmark_policy_parked_companies{policy="ruleTagging"}')).toBe(0)
  })

  it('lags while a job is open, unless its company is parked', async () => {
    const lag = 'heatmark_policy_lag_seconds{policy="ruleTagging"}'
    const position = 'heatmark_policy_position{policy="ruleTagging"}'
    const store = connectEventStore(node.url)
    const [first] = await Array.fromAsync(store.readAll(0))
    await store.close()
    const ageMs = () => Date.now() - Date.parse(first!.metadata.occurredAt)
    // It waits for a position that the read models never reach.
    await sql.query(
      `INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
       SELECT store_id, policy, gen_random_uuid(), 'order/1', 9e15, gen_random_uuid(), $1
       FROM heatmark_local.policy_cursor`,
      [first!.position],
    )
    const least = ageMs() / 1_000
    const text = await scrape()
    expect(valueIn(text, lag)).toBeGreaterThanOrEqual(least)
    expect(valueIn(text, lag)).toBeLessThanOrEqual(ageMs() / 1_000)
    expect(valueIn(text, position)).toBe(first!.position - 1)
    expect(valueIn(text, 'heatmark_policy_jobs{policy="ruleTagging"}')).toBe(1)

    await sql.query(
      `INSERT INTO heatmark_local.policy_parked
       SELECT store_id, policy, company_id, 'the roof leaks', 1, now(), now() FROM heatmark_local.policy_job`,
    )
    const parked = await scrape()
    expect(valueIn(parked, lag)).toBe(0)
    expect(valueIn(parked, 'heatmark_policy_jobs{policy="ruleTagging"}')).toBe(0)
    expect(valueIn(parked, 'heatmark_policy_parked_companies{policy="ruleTagging"}')).toBe(1)
    await sql.query('DELETE FROM heatmark_local.policy_job; DELETE FROM heatmark_local.policy_parked')
  })
})

describe('the signer', () => {
  it('is held by a process, and nothing keeps it from its work', async () => {
    await until(async () => (await value('heatmark_signer_held')) === 1)
    expect(await value('heatmark_signer_condition')).toBe(0)
  })
})

describe('the dashboard', () => {
  const dashboard = JSON.parse(
    readFileSync(new URL('../../../docs/grafana-dashboard.json', import.meta.url), 'utf8'),
  )
  type Panel = { title: string; targets?: { expr: string; datasource: { uid: string } }[] }
  const panels: Panel[] = dashboard.panels
  const targets = panels.flatMap(({ targets: of = [] }) => of)

  it('shows only metrics that exist, and every metric of the service', async () => {
    const text = await scrape()
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]),
    )
    const named = (expr: string): string[] => expr.match(/\b(heatmark|process|nodejs)_\w+/g) ?? []
    const metricOf = (name: string): string => {
      const base = name.replace(/_(bucket|sum|count)$/, '')
      return types.get(base) === 'histogram' ? base : name
    }
    const shown = new Set<string>()
    for (const { expr } of targets) {
      expect(named(expr), expr).not.toEqual([])
      for (const name of named(expr)) shown.add(metricOf(name))
    }
    expect([...shown].filter((name) => !types.has(name))).toEqual([])
    const ours = [...types.keys()].filter((name) => name.startsWith('heatmark_'))
    expect(ours.length).toBeGreaterThan(20)
    expect(ours.filter((name) => !shown.has(name))).toEqual([])
    for (const { definition } of dashboard.templating.list)
      for (const name of named(definition ?? '')) expect(types.has(name), name).toBe(true)
  })

  it('and the alarms name only metrics that exist', async () => {
    const text = await scrape()
    const alarms = readFileSync(new URL('../../../deploy/alerts.yml', import.meta.url), 'utf8')
    const names = new Set(alarms.match(/\bheatmark_\w+/g))
    expect(names.size).toBeGreaterThan(10)
    for (const name of names) expect(text, name).toContain(`# TYPE ${name} `)
  })

  it('can be imported when the data source has another name', () => {
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' })
    for (const { datasource } of targets) expect(datasource.uid).toBe(`\${datasource}`)
    const ids = dashboard.panels.map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
