import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { projections } from '../../src/projections/all.ts'
import { createReadModels, type ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { readStates } from '../../src/projections/engine/schema/schema.ts'
import { connectPostgres } from '../../src/stores/postgres/postgres.ts'
import { runHeatmark, startHeatmark } from '../support/heatmark.ts'
import { own } from '../support/own.ts'
import { sized } from '../support/size.ts'
import { startStore } from '../support/store.ts'
import { startTestService } from '../support/testService.ts'
import { until } from '../support/until.ts'

/** `heatmark projections`, beside a running service. Rows are spoilt, so its store is a local one always. */

const kills = sized(2, 10)

let schema: string
let readModels: ReadModels
const node = await own(startStore())
const service = await own(startTestService({ EVENTSTORE_URL: node.url }))
const env = { EVENTSTORE_URL: node.url, DATABASE_URL: service.settings.DATABASE_URL! }
const postgres = await own(connectPostgres({ url: env.DATABASE_URL!, name: 'spec', size: 2 }))
beforeAll(async () => {
  const [found] = await postgres.query<{ schema: string }>(
    `SELECT nspname AS schema FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_'`,
  )
  schema = found!.schema
  readModels = createReadModels(schema, projections)
  for (const name of ['Hold', 'Scrap']) await createTag(name)
})

const createTag = async (name: string) => {
  const { status } = await service.send('editor', 'POST', 'millcert-tags', {
    body: { name, color: '#123456' },
  })
  expect(status).toBe(201)
}
const run = (...args: string[]) => runHeatmark(['projections', ...args], env)
const generationOf = async (projection: string) =>
  (await readStates(postgres, readModels)).find(({ name }) => name === projection)!.generation
const rename = async () => {
  const table = readModels.tableName('tag', await generationOf('tags'))
  await postgres.query(`UPDATE ${table} SET name = 'Spoilt' WHERE name = 'Hold'`)
}
const names = projections.map(({ name }) => name)

it('lists every projection, as a table and as JSON', async () => {
  const { code, stdout } = await run('list')
  expect(code).toBe(0)
  expect(stdout.split('\n')[0]).toMatch(
    /^name +version +status +position +head +lag +generation +rows +lastError$/,
  )
  for (const { name, version } of projections)
    expect(stdout).toMatch(new RegExp(`^${name} +${version} +running +`, 'm'))
  const { stdout: json } = await runHeatmark(['--json', 'projections', 'list'], env)
  const listed = JSON.parse(json) as { name: string; lastError: unknown }[]
  expect(listed.map(({ name }) => name)).toEqual(names.toSorted())
  for (const one of listed) expect(one.lastError).toBeNull()
})

it('verify and --dry-run show a wrong row and keep it, and rebuild corrects it', async () => {
  expect(await run('verify', '--all')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no difference'),
  })
  await rename()

  for (const args of [
    ['verify', 'tags'],
    ['rebuild', 'tags', '--dry-run'],
  ]) {
    const { code, stdout } = await run(...args)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^tags\.tag {.*}: name\n {2}live {5}"Spoilt"\n {2}rebuilt {2}"Hold"\n/)
    expect(stdout).toContain('tags: one difference, over ')
    expect(stdout).toMatch(/\n→ "heatmark projections rebuild tags" makes the rows again from the events\n$/)
  }
  const { code, stdout } = await runHeatmark(['--json', 'projections', 'verify', 'tags'], env)
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    differenceCount: 1,
    differences: [{ table: 'tag', column: 'name', live: 'Spoilt', rebuilt: 'Hold' }],
  })

  const before = await generationOf('tags')
  const { code: rebuilt, stdout: said } = await run('rebuild', 'tags')
  expect(said).toMatch(/^rebuilt tags from \d+ events$/m)
  expect(rebuilt).toBe(0)
  expect(await generationOf('tags')).toBe(before + 1)
  expect((await run('verify', 'tags')).code).toBe(0)
})

it('every command reports a table that was dropped by hand, and a rebuild makes it again', async () => {
  const table = `tag_${await generationOf('tags')}`
  await postgres.query(`DROP TABLE ${schema}.${table}`)
  const todo = '"heatmark projections rebuild tags"'
  const missing = `\ntags: its table ${table} is missing\n→ ${todo}`

  const status = await runHeatmark(['status'], env)
  expect(status).toMatchObject({ code: 1, stderr: '', stdout: expect.stringContaining(missing) })
  expect(status.stdout).toMatch(/^tags +1 +table-missing +/m)
  const listed = await run('list')
  expect(listed.code).toBe(1)
  expect(listed.stdout).toMatch(/^tags +1 +table-missing +.* missing$/m)
  expect(listed.stdout).toContain(missing)
  const doctor = await runHeatmark(['doctor'], env)
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(
    new RegExp(`^PROBLEM projection tags +its table ${table} is missing\n +→ ${todo}`, 'm'),
  )
  expect(doctor.stdout).not.toMatch(/^ok +projections /m)
  for (const args of [
    ['verify', '--all'],
    ['rebuild', 'tags', '--dry-run'],
  ])
    expect(await run(...args)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining(
        `heatmark: tags cannot be compared: its table ${table} is missing; ${todo}`,
      ),
    })

  const ready = await fetch(`${service.url}/health/ready`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({
    notReady: expect.arrayContaining(['projection tags']),
    missing: [{ name: 'projection tags', tables: [table], todo: expect.stringContaining(todo) }],
  })
  const { body: shown } = await service.send('operator', 'GET', '/api/ops/projections')
  expect(shown.find(({ name }: { name: string }) => name === 'tags')).toMatchObject({
    status: 'table-missing',
    rows: null,
    condition: { what: `its table ${table} is missing`, todo: expect.stringContaining(todo) },
  })
  expect(await service.send('viewer', 'GET', 'millcert-tags?limit=5')).toMatchObject({
    status: 503,
    body: { code: 'database-unavailable', detail: expect.stringContaining('"heatmark doctor"') },
  })

  // A write that fails does not make it another fault.
  await createTag('Meanwhile')
  await until(async () =>
    (await readStates(postgres, readModels)).some(({ failure }) => failure?.code === '42P01'),
  )
  expect((await runHeatmark(['status'], env)).stdout).toContain(missing)
  expect((await run('rebuild', 'tags')).code).toBe(0)
  expect((await runHeatmark(['status'], env)).code).toBe(0)
  const { body } = await service.send('viewer', 'GET', 'millcert-tags')
  expect(body).toHaveLength(3)
})

it('every command reports a column that was dropped by hand, and none an additional one', async () => {
  const table = `tag_${await generationOf('tags')}`
  await postgres.query(`ALTER TABLE ${schema}.${table} DROP COLUMN color, DROP COLUMN name`)
  const lacks = `its table ${table} lacks the columns name, color`
  const todo = '"heatmark projections rebuild tags" makes the rows again from the events'
  for (const command of ['status', 'projections list'])
    expect(await runHeatmark(command.split(' '), env)).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringContaining(`\ntags: ${lacks}\n→ ${todo}\n`),
    })
  expect((await runHeatmark(['doctor'], env)).stdout).toMatch(
    new RegExp(`^PROBLEM projection tags +${lacks}\n +→ ${todo}`, 'm'),
  )
  expect(await run('verify', 'tags')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining(`heatmark: tags cannot be compared: ${lacks}; ${todo}`),
  })
  // The service may still have the generation before in mind, whose table the spec above has dropped.
  let ready: Response
  let missing: { tables: string[] }[]
  await until(async () => {
    ready = await fetch(`${service.url}/health/ready`)
    missing = ((await ready.json()) as { missing: typeof missing }).missing
    return missing[0]?.tables[0]?.startsWith(table)
  })
  expect(ready!.status).toBe(503)
  expect(missing!).toMatchObject([{ name: 'projection tags', tables: [`${table}.name`, `${table}.color`] }])
  expect((await run('rebuild', 'tags')).code).toBe(0)
  expect((await runHeatmark(['status'], env)).code).toBe(0)

  // An additional column is no fault.
  await postgres.query(`ALTER TABLE ${schema}.tag_${await generationOf('tags')} ADD COLUMN remark text`)
  expect((await run('verify', 'tags')).code).toBe(0)
})

it('marks the estimated row count of a large table', async () => {
  const table = readModels.tableName('idempotencyKey', await generationOf('idempotency'))
  await postgres.query(
    `INSERT INTO ${table} (caller, request, key, request_hash, recorded_at)
       SELECT repeat('c', 200), n, 'k', 'h', now() FROM generate_series(1, 160000) n;
     ANALYZE ${table}`,
  )
  expect((await run('list')).stdout).toMatch(/^idempotency +\d+ +running +.* ~1[56]\d{4}$/m)
  const { stdout } = await runHeatmark(['--json', 'projections', 'list'], env)
  const listed = JSON.parse(stdout) as { name: string; rowsAreEstimated: boolean }[]
  expect(listed.filter(({ rowsAreEstimated }) => rowsAreEstimated).map(({ name }) => name)).toEqual([
    'idempotency',
  ])
  expect((await run('rebuild', 'idempotency')).code).toBe(0)
})

it('finishes a rebuild after others were killed at any moment', async () => {
  for (let n = 0; n < kills; n++) {
    const before = await generationOf('history')
    const table = `${schema}.tag_history_${before + 1}`
    const started = startHeatmark(['projections', 'rebuild', '--all'], env)
    // The run may have switched to its new tables by the time they are seen.
    await until(async () => {
      const [there] = await postgres.query<{ there: boolean }>(
        `SELECT to_regclass('${table}') IS NOT NULL AS there`,
      )
      return there!.there
    })
    await pause(Math.random() * 150)
    started.signal('SIGKILL')
    await started.ended
    await createTag(`Killed ${n}`)
  }
  // PostgreSQL takes a moment to notice the killed sessions.
  const table = `${schema}.tag_history_${(await generationOf('history')) + 1}`
  await until(async () => {
    expect((await run('prune')).code).toBe(0)
    const [left] = await postgres.query<{ name: string | null }>(`SELECT to_regclass('${table}') AS name`)
    return left!.name === null
  })
  const { code, stdout } = await run('rebuild', '--all')
  expect(stdout).toMatch(/^rebuilt tags, /)
  expect(code).toBe(0)
  expect((await run('verify', '--all')).code).toBe(0)
  const { body } = await service.send('viewer', 'GET', 'millcert-tags')
  expect(body).toHaveLength(3 + kills)
})

it('exits with code 2 when the projection is missing or unknown, and names the projections', async () => {
  expect(await run('rebuild')).toMatchObject({
    code: 2,
    stderr: 'error: name one projection, or use --all\n',
  })
  expect(await run('verify', 'tags', '--all')).toMatchObject({ code: 2 })
  expect(await run('verify', 'tag')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error: there is no projection tag; there are tags, '),
  })
  const nobody = { ...env, EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' }
  const { code, stderr } = await runHeatmark(['projections', 'list'], nobody)
  expect(code).toBe(3)
  expect(stderr).toMatch(/^heatmark: .+\n→ .+\n$/)
})

it('says that there was nothing to prune', async () => {
  expect(await run('prune')).toMatchObject({ code: 0, stdout: 'there was nothing to drop\n' })
})
