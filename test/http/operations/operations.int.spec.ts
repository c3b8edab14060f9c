import { randomUUID } from 'node:crypto'
import { jsonEvent } from '@eventstore/db-client'
import { beforeAll, expect, test } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import type { ManualAssignmentsReplaced } from '../../../src/domain/tags/assignments.ts'
import { projections } from '../../../src/projections/all.ts'
import type { Run } from '../../../src/projections/engine/operations/runs.ts'
import type { ColumnType, Projection, Table } from '../../../src/projections/engine/projection.ts'
import { createReadModels, type ReadModels } from '../../../src/projections/engine/schema/readModels.ts'
import { readStates } from '../../../src/projections/engine/schema/schema.ts'
import { snakeCase } from '../../../src/projections/engine/schema/sql.ts'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { connectPostgres, quoteIdentifier } from '../../../src/stores/postgres/postgres.ts'
import { storedEvents } from '../../golden/golden.ts'
import { own } from '../../support/own.ts'
import { sized } from '../../support/size.ts'
import { startStore } from '../../support/store.ts'
import { type Answer, startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/**
 * Operators replay a running service's read models. The store is a local one whatever EVENTSTORE_URL names:
 * events are put into it as no service would.
 */

const rebuilds = sized(2, 10)

let schema: string
let readModels: ReadModels
const node = await own(startStore())
// No policy reacts to events that no command has decided.
const service = await own(
  startTestService({
    EVENTSTORE_URL: node.url,
    PROCESS_ROLES: 'http,projector',
    API_RATE_LIMIT: '1000000',
  }),
)
const postgres = await own(connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 2 }))
beforeAll(async () => {
  const [found] = await postgres.query<{ schema: string }>(
    `SELECT nspname AS schema FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_'`,
  )
  schema = found!.schema
  readModels = createReadModels(schema, projections)
})

const ops = (method: string, path: string) => service.send('operator', method, `/api/ops/${path}`)
const start = async (projection: string, kind: Run['kind']): Promise<string> => {
  const { status, headers, body } = await ops('POST', `projections/${projection}/${kind}`)
  expect(status).toBe(202)
  expect(body).toMatchObject({ kind, projection, status: 'running' })
  expect(headers.get('location')).toBe(`/api/ops/runs/${body.runId}`)
  return body.runId
}
const ended = async (runId: string): Promise<Run> => {
  let run: Run
  await until(async () => {
    run = (await ops('GET', `runs/${runId}`)).body
    return run.status !== 'running'
  })
  return run!
}
const runToEnd = async (projection: string, kind: Run['kind']) => ended(await start(projection, kind))

const golden = storedEvents().map(({ event }) => event)
const goldenOf = (wanted: string) => golden.find(({ type }) => type === wanted)!

/** The golden events give tags to a certificate alone, and take none away. */
const orderTagged = (): Recorded => {
  const { streamName, data } = goldenOf('OrderRegistered')
  const tagged = goldenOf('ManualAssignmentsReplaced')
  const { orderId: subjectId } = data as { orderId: string }
  return { ...tagged, streamName, data: { ...tagged.data, family: 'order', subjectId } }
}
const orderUntagged = (): Recorded => {
  const { data, ...tagged } = orderTagged()
  const { added } = data as ManualAssignmentsReplaced['data']
  return { ...tagged, data: { ...data, assignments: [], added: [], removed: added } }
}

/** Every kind of event that puts rows into tables, and none that takes the last of them away. */
const told = [
  ...golden.filter(({ type }) => !/Deleted|Detached|Removed|Unsubscribed/.test(type)),
  orderTagged(),
]

/** The whole story of another company, whose rows change and go, so that most tables of former rows have some. */
const toldElsewhere: Recorded[] = JSON.parse(
  JSON.stringify([...golden, orderTagged(), orderUntagged()]).replaceAll(
    (golden[0]!.data as { companyId: string }).companyId,
    randomUUID(),
  ),
)
const appendStory = async () => {
  const client = openClient(node.url)
  let position = 0n
  // Recorded today: a row whose retention has passed would be deleted, and no difference.
  const occurredAt = new Date().toISOString()
  for (const { streamName, type, data, metadata: then } of [...told, ...toldElsewhere]) {
    const metadata = { ...then, occurredAt }
    const event = jsonEvent({ type, data: data as never, metadata: metadata as never, id: randomUUID() })
    position = (await client.appendToStream(streamName, event)).position!.commit
  }
  // The log keeps a node for every 256 events of a company, of whatever type.
  const notes = Array.from({ length: 300 }, (_, n) => jsonEvent({ type: 'NoteTaken', data: { n } }))
  const { streamName } = goldenOf('OrderRegistered')
  position = (await client.appendToStream(streamName, notes)).position!.commit
  await client.dispose()
  await until(async () =>
    (await readStates(postgres, readModels)).every((one) => one.position >= Number(position)),
  )
}

const spoilt: Record<ColumnType, (column: string) => string> = {
  uuid: () => 'gen_random_uuid()',
  text: (column) => `${column} || '!'`,
  boolean: (column) => `NOT ${column}`,
  integer: (column) => `${column} + 1`,
  bigint: (column) => `${column} + 1`,
  double: (column) => `${column} + 1`,
  timestamptz: (column) => `${column} + interval '1 second'`,
  date: (column) => `${column} + 1`,
  json: () => `'"spoilt"'`,
}

/** Changes a value that is no key; answers its column, or deletes a row where there is nothing but keys. */
const spoil = async (sqlName: string, table: Table): Promise<string | undefined> => {
  for (const [column, { type }] of Object.entries(table.columns)) {
    if (table.key.includes(column)) continue
    const name = quoteIdentifier(snakeCase(column))
    const changed = await postgres.query(
      `UPDATE ${sqlName} SET ${name} = ${spoilt[type](name)}
       WHERE ctid = (SELECT ctid FROM ${sqlName} WHERE ${name} IS NOT NULL LIMIT 1) RETURNING 1`,
    )
    if (changed.length > 0) return column
  }
  const deleted = await postgres.query(
    `DELETE FROM ${sqlName} WHERE ctid = (SELECT ctid FROM ${sqlName} LIMIT 1) RETURNING 1`,
  )
  expect(deleted.length, sqlName).toBe(leftEmpty.test(sqlName) ? 0 : 1)
  return deleted.length > 0 ? '*' : undefined
}

/** The golden events leave no former rows in these tables, and void the one delivery. */
const leftEmpty =
  /\b(?:(?:finding|certificate_tag|certificate_word|line_item|order_tag|own_version|release_policy|validation)_past_|item_\d)/

const sqlNameOf = async ({ name }: Projection, table: string): Promise<string> => {
  const { generation } = (await readStates(postgres, readModels)).find((state) => state.name === name)!
  return readModels.tableName(table, generation)
}

test('a verify finds a spoilt row of every table there is, with its events; a rebuild mends it', async () => {
  await appendStory()
  for (const projection of projections) {
    const spoilings: [string, string][] = []
    for (const [name, table] of Object.entries(projection.tables)) {
      const column = await spoil(await sqlNameOf(projection, name), table)
      if (column !== undefined) spoilings.push([name, column])
    }

    const { differenceCount, differences, ...run } = await runToEnd(projection.name, 'verify')
    expect(run).toMatchObject({
      kind: 'verify',
      status: 'succeeded',
      progress: 1,
      etaSeconds: null,
      error: null,
    })
    expect(differences.map(({ table, column }) => [table, column])).toEqual(spoilings)
    expect(differenceCount).toBe(spoilings.length)
    for (const difference of differences) {
      expect(difference.live).not.toEqual(difference.rebuilt)
      expect(Object.keys(difference.key).length).toBeGreaterThan(0)
    }

    expect(await runToEnd(projection.name, 'rebuild')).toMatchObject({
      status: 'succeeded',
      differenceCount: 0,
    })
    expect(await runToEnd(projection.name, 'verify')).toMatchObject({ differenceCount: 0, differences: [] })
  }
})

test('the list says how far each is', async () => {
  const { status, body } = await ops('GET', 'projections')
  expect(status).toBe(200)
  expect(body.map(({ name, version }: Projection) => `${name} ${version}`)).toEqual(
    projections.map(({ name, version }) => `${name} ${version}`).toSorted(),
  )
  for (const one of body)
    expect(one).toMatchObject({ status: 'running', lag: 0, position: one.head, lastError: null })
  await until(async () => {
    const tags = (await ops('GET', 'projections')).body.find(({ name }: Projection) => name === 'tags')
    return tags.rows > 0
  })
})

test('what there is not is not found', async () => {
  expect(await ops('POST', 'projections/nothing/rebuild')).toMatchObject({
    status: 404,
    body: {
      code: 'projection-not-found',
      detail: `There is no projection nothing; there are ${projections.map(({ name }) => name).join(', ')}.`,
    },
  })
  expect(await ops('GET', `runs/${randomUUID()}`)).toMatchObject({
    status: 404,
    body: { code: 'run-not-found' },
  })
  expect((await ops('GET', 'runs/7')).status).toBe(400)
})

test('a service carries out one run at a time, and a projection is replayed by one service', async () => {
  const another = await service.startAnother()
  // A service that is busy may answer 503, which asks the caller to try again.
  const at = async (url: string, projection: string): Promise<Answer> => {
    const answer = await service.send('operator', 'POST', `/api/ops/projections/${projection}/rebuild`, {
      at: url,
    })
    return answer.status === 503 ? at(url, projection) : answer
  }
  // Any of them may come first. Each service runs one at most, and so does each projection.
  const answers = await Promise.all([
    at(service.url, 'history'),
    at(service.url, 'history'),
    at(service.url, 'tags'),
    at(another.url, 'history'),
  ])
  const refused = answers.filter(({ status }) => status === 409)
  expect(answers.filter(({ status }) => status === 202).length).toBe(answers.length - refused.length)
  expect(refused.length).toBeGreaterThanOrEqual(2)
  for (const { body } of refused) expect(body.code).toBe('run-under-way')
  for (const { status, body } of answers) if (status === 202) await ended(body.runId)
  await another.stop()
})

test('a repeat under its key gets the first answer also after the read models were rebuilt', async () => {
  const create = (name: string) =>
    service.send('editor', 'POST', 'order-tags', {
      body: { name, color: '#123456' },
      headers: { 'idempotency-key': 'rebuilt' },
    })
  const first = await create('Keyed')
  for (const projection of ['tags', 'idempotency'])
    expect(await runToEnd(projection, 'rebuild')).toMatchObject({ status: 'succeeded' })
  const again = await create('Keyed')
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect((await create('Another')).status).toBe(422)
})

test('a run whose process has gone has failed', async () => {
  const runId = randomUUID()
  await postgres.query(
    `INSERT INTO heatmark_local.run (run_id, schema, kind, projection, status, updated_at, detail)
     VALUES ('${runId}', '${schema}', 'rebuild', 'tags', 'running', now() - interval '1 hour', '{"progress": 0.5}')`,
  )
  expect((await ops('GET', `runs/${runId}`)).body).toMatchObject({
    status: 'failed',
    progress: 0.5,
    error: 'its process has gone',
  })
})

test('the list of runs has the last 100, newest first, without their differences', async () => {
  const addRuns = (count: number, startedAt: string, ofSchema = schema) =>
    postgres.query(
      `INSERT INTO heatmark_local.run (run_id, schema, kind, projection, status, started_at, detail)
       SELECT gen_random_uuid(), '${ofSchema}', 'verify', 'tags', 'succeeded', ${startedAt} - n * interval '1 second',
         '{"progress": 1, "differenceCount": 1, "differences": [{"table": "tag"}]}'
       FROM generate_series(1, ${count}) n RETURNING run_id AS "runId", started_at AS "startedAt"`,
    )
  const latest = await runToEnd('tags', 'verify')
  await addRuns(110, "now() - interval '1 hour'")
  await addRuns(1, "now() + interval '1 hour'", 'heatmark_of_another_release')

  const { status, body } = await ops('GET', 'runs')
  expect(status).toBe(200)
  expect(body).toHaveLength(100)
  const { differences: _, ...summary } = latest
  expect(body[0]).toEqual(summary)
  expect(body[99]).toMatchObject({ differenceCount: 1, error: null, stopped: [] })
  expect(body[99]).not.toHaveProperty('differences')
  const times = body.map(({ startedAt }: Run) => startedAt)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('while all is rebuilt under load every list is whole, and every command is carried out', async () => {
  const C = `/api/company/${service.companyId}`
  let done = false
  let named = 0
  /** The number of them that an answer has promised to show. */
  let shown = 0
  const write = async () => {
    while (!done) {
      const body = { name: `Load ${named}`, color: '#123456' }
      const { status, headers } = await service.send('editor', 'POST', `${C}/millcert-tags`, { body })
      expect(status).toBe(201)
      named++
      if (headers.get('projection-status') !== 'pending') shown = named
    }
  }
  let looks = 0
  const look = async () => {
    let most = 0
    while (!done) {
      const least = Math.min(shown, 1_000)
      const { status, body } = await service.send('viewer', 'GET', `${C}/millcert-tags?limit=1000`)
      expect(status).toBe(200)
      expect(body.length, 'of those that are promised').toBeGreaterThanOrEqual(least)
      expect(body.length, 'of those seen before').toBeGreaterThanOrEqual(most)
      most = body.length
      looks++
    }
  }
  const load = Promise.all([write(), look()])
  const rebuilt = projections.slice(0, rebuilds).map(({ name }) => name)
  for (const name of rebuilt) {
    const before = { named, looks }
    const run = await runToEnd(name, 'rebuild')
    expect(run).toMatchObject({ status: 'succeeded', progress: 1 })
    await until(() => named > before.named && looks > before.looks)
  }
  done = true
  await load
  const foldTags = ['history', 'entries', 'idempotency', 'log', 'dailyBytes']
  for (const name of new Set([...rebuilt, ...foldTags]))
    expect(await runToEnd(name, 'verify')).toMatchObject({ status: 'succeeded', differenceCount: 0 })
}, 600_000)
