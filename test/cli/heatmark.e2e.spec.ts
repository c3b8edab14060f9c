import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/cli/heatmark/doctor/finding.ts'
import { catalogueStream } from '../../src/domain/tags/tagCatalogue.ts'
import { lockDataDir } from '../../src/embedded/dataDirLock.ts'
import { writeDevFile } from '../../src/embedded/devFile.ts'
import { backupStore } from '../../src/embedded/eventStore/storage/backup.ts'
import { projections } from '../../src/projections/all.ts'
import { noStream } from '../../src/stores/eventStore.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { call } from '../support/call.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { alice } from '../support/given.ts'
import { type Ran, runHeatmark, runHeatmarkProcess, startHeatmark } from '../support/heatmark.ts'
import { startNode, temporaryFolder } from '../support/node.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { startEmbedded, startServiceNode, tokenOf } from '../support/serviceProcess.ts'
import { startStore } from '../support/store.ts'
import { until } from '../support/until.ts'

// A stack of its own always: one of these events stops projections.
const dataDir = newDataDir()
afterAll(() => removeDataDir(dataDir))
let tagId: string
let ofRevision: string

const service = await own(startEmbedded(dataDir))
const eventStore = await own(connectEventStore(service.dev.eventStoreUrl))
const stream = catalogueStream(service.dev.companyId)
beforeAll(async () => {
  ofRevision = `for a revision, run "heatmark stream show ${stream} --revision 1"`
  const created = await edit('POST', 'millcert-tags', { name: 'Charpy too low', color: '#c00' })
  tagId = created.body.tagId
  await edit('PUT', `millcert-tags/${tagId}`, { name: 'Impact energy too low', color: '#c00' })
})

const edit = async (method: string, path: string, body: object) => {
  const token = await tokenOf(service.dev, 'editor')
  return call(method, `${service.url}/api/company/${service.dev.companyId}/${path}`, { token, body })
}
const heatmark = (...args: string[]): Promise<Ran> => runHeatmark(args, { HEATMARK_DATA_DIR: dataDir })
const asProcess = (...args: string[]): Promise<Ran> =>
  runHeatmarkProcess(args, { HEATMARK_DATA_DIR: dataDir })
const lines = (text: string): string[] => text.split('\n').filter(Boolean)
const records = ({ stdout }: Ran) => lines(stdout).map((line) => JSON.parse(line))
const well = { code: 0, stderr: '' }

// The other tests run the command in this process.
it.each<[code: number, ...args: string[]]>([
  [0, '--help'],
  [0, 'status'],
  [0, '--json', 'events', 'tail'],
  [2, 'satus'],
  [3, 'stream', 'show', 'tags-nobody'],
])('as a process, it ends with code %i and the same output: %s %s %s', async (code, ...args) => {
  const ran = await asProcess(...args)
  expect(ran.code).toBe(code)
  expect(ran).toEqual(await heatmark(...args))
})

describe('status', () => {
  it('shows every read model, and the last position of the store', async () => {
    const { position } = (await eventStore.last())!
    const shown = await heatmark('status')
    expect(shown).toMatchObject(well)
    const [head, ...rows] = lines(shown.stdout)
    expect(head).toMatch(/^name +version +status +position +head +lag +generation +lastError$/)
    expect(rows.map((row) => row.split(/ +/).slice(0, 6))).toEqual(
      projections
        .map(({ name, version }) => [name, `${version}`, 'running', `${position}`, `${position}`, '0'])
        .sort(),
    )
    const [asJson] = records(await heatmark('--json', 'status'))
    expect(asJson.find((row: { name: string }) => row.name === 'tags')).toEqual({
      name: 'tags',
      version: 1,
      status: 'running',
      position,
      head: position,
      lag: 0,
      generation: 1,
      condition: null,
      lastError: null,
      skipped: [],
    })
  })
})

describe('events', () => {
  it('tail shows the last events, oldest first', async () => {
    const shown = await heatmark('events', 'tail', '-n', '2')
    expect(shown).toMatchObject(well)
    expect(lines(shown.stdout)).toEqual([
      expect.stringMatching(/^\d+ {2}20\S+Z {2}TagCreated {2}tags-\S+@0 {2}\S{36} {2}\{.*Charpy too low/),
      expect.stringMatching(/^\d+ {2}20\S+Z {2}TagUpdated {2}tags-\S+@1 {2}\S{36} {2}\{.*Impact energy/),
    ])
    expect(lines((await heatmark('events', 'tail', '-n', '0')).stdout)).toEqual([])
  })

  it('tail filters by company, stream and type', async () => {
    const types = async (...args: string[]) =>
      records(await heatmark('--json', 'events', 'tail', ...args)).map(({ type }) => type)
    const { companyId, otherCompanyId } = service.dev
    expect(await types('--stream', stream)).toEqual(['TagCreated', 'TagUpdated'])
    expect(await types('--type', 'TagUpdated')).toEqual(['TagUpdated'])
    expect(await types('--company', companyId.toUpperCase(), '-n', '3')).toEqual([
      'MemberRolesSet',
      'TagCreated',
      'TagUpdated',
    ])
    expect(await types('--company', otherCompanyId, '--type', 'TagCreated')).toEqual([])
    expect(await types('--company', otherCompanyId)).toContain('CompanyRegistered')
    expect(await types('--stream', stream, '-n', '1')).toEqual(['TagUpdated'])
  })

  it('tail says when no event matches, and refuses a type that does not exist', async () => {
    const nobody = randomUUID()
    expect(await heatmark('events', 'tail', '--company', nobody, '--type', 'TagUpdated')).toEqual({
      code: 0,
      stdout: '',
      stderr: `heatmark: nothing matched: there is no event of company ${nobody}, type TagUpdated\n`,
    })
    expect((await heatmark('--json', 'events', 'tail', '--stream', 'tags-nobody')).stderr).toBe(
      'heatmark: nothing matched: there is no event of stream tags-nobody\n',
    )
    expect((await heatmark('events', 'tail', '--stream', `${stream}@1`)).stderr).toBe(
      `heatmark: nothing matched: there is no event of stream ${stream}@1: ${ofRevision}\n`,
    )
    const misspelt = await heatmark('events', 'tail', '-f', '--type', 'TagCreate')
    expect(misspelt).toMatchObject({ code: 3, stdout: '' })
    expect(misspelt.stderr).toMatch(
      /^heatmark: there is no event type TagCreate; [^\n]*\bTagCreated\b[^\n]*\n$/,
    )
  })

  it('tail ends at the first Ctrl-C when it does not follow', async () => {
    // A store that says nothing keeps it waiting.
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const asked = once(silent, 'connection')
    const { port } = silent.address() as AddressInfo
    const tailing = startHeatmark(['events', 'tail'], {
      EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false`,
      DATABASE_URL: service.dev.databaseUrl,
    })
    await asked
    expect(await tailing.end('SIGINT')).toBe('SIGINT')
    silent.close()
  })

  it('tail --follow goes on until it is interrupted', async () => {
    const following = startHeatmark(
      ['--json', 'events', 'tail', '-n', '1', '-f', '--type', 'TagSoftDeleted'],
      { HEATMARK_DATA_DIR: dataDir },
    )
    const created = await edit('POST', 'order-tags', { name: 'Rush', color: '#0c0' })
    const path = `order-tags/${created.body.tagId}`
    const deleted = await edit('DELETE', path, {})
    expect(deleted.status).toBeLessThan(300)
    await until(() => lines(following.stdout()).length === 1)
    expect(JSON.parse(following.stdout())).toMatchObject({
      type: 'TagSoftDeleted',
      data: { tagId: created.body.tagId },
    })
    expect(await following.end('SIGINT')).toBe(0)
    expect(following.stderr()).toBe('')
  })

  it('show prints the event at a position whole, and refuses a position without one', async () => {
    const [event] = await Array.fromAsync(eventStore.readStream(stream, 0))
    const shown = await heatmark('events', 'show', `${event!.position}`)
    expect(shown).toMatchObject(well)
    expect(JSON.parse(shown.stdout)).toEqual(event)
    expect(records(await heatmark('--json', 'events', 'show', `${event!.position}`))).toEqual([event])
    const between = event!.position + 1
    expect(await heatmark('events', 'show', `${between}`)).toEqual({
      code: 3,
      stdout: '',
      stderr: `heatmark: there is no event at position ${between}\n`,
    })
  })
})

describe('stream show', () => {
  it('shows the events and the state that they fold to, as of any revision', async () => {
    const now = await heatmark('stream', 'show', stream)
    expect(now).toMatchObject(well)
    expect(now.stdout).toMatch(/^0 {2}@\d+ .* TagCreated .*\n1 {2}@\d+ .* TagUpdated /)
    expect(now.stdout).toMatch(/\n\w+ at revision \d+:\n\{[\s\S]*"name": "Impact energy too low"/)
    const [then] = records(await heatmark('--json', 'stream', 'show', stream, '--revision', '0'))
    expect(then).toMatchObject({ stream, events: [{ type: 'TagCreated', revision: 0 }] })
    expect(JSON.stringify(then.state)).toContain('"Charpy too low"')
  })

  it('refuses a stream without events, and $all', async () => {
    expect(await heatmark('stream', 'show', 'tags-nobody')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'heatmark: stream tags-nobody has no events\n',
    })
    expect((await heatmark('stream', 'show', `${stream}@1`)).stderr).toBe(
      `heatmark: stream ${stream}@1 has no events: ${ofRevision}\n`,
    )
    const ofStore = await heatmark('stream', 'show', '$all')
    expect(ofStore).toMatchObject({ code: 3, stdout: '' })
    expect(ofStore.stderr).toMatch(/^heatmark: "stream show" shows streams of aggregates, and \$all is /)
  })

  it('names the last revision of a stream that does not have the one that was asked for', async () => {
    const last = (await Array.fromAsync(eventStore.readStream(stream, 0))).at(-1)!.revision
    expect(await heatmark('stream', 'show', stream, '--revision', `${last + 1}`)).toEqual({
      code: 3,
      stdout: '',
      stderr: `heatmark: stream ${stream} has no revision ${last + 1}: its last is ${last}\n`,
    })
  })
})

describe('wrong usage', () => {
  it('exits with code 2 and says what is wrong', async () => {
    const wrong: [complaint: string, ...args: string[]][] = [
      ['Usage: heatmark'],
      ["error: unknown command 'satus'", 'satus'],
      ["error: unknown option '--quickly'", 'status', '--quickly'],
      ["error: missing required argument 'position'", 'events', 'show'],
      ['It must be a whole number.', 'events', 'show', 'last'],
      ['It must be a whole number.', 'events', 'tail', '-n', '-1'],
      ['argument missing', 'events', 'tail', '--company'],
      ['error: too many arguments', 'stream', 'show', 'tags-1', 'tags-2'],
      ["error: missing required argument 'directory'", 'backup'],
      ['It must not be empty.', 'stream', 'show', ''],
      ['It must not be empty.', 'events', 'tail', '--type', ''],
      ['It must be the id of a company', 'events', 'tail', '--company', 'Ostwerk'],
    ]
    for (const [complaint, ...args] of wrong) {
      const ran = await heatmark(...args)
      expect(ran, args.join(' ')).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(complaint)
    }
  })

  it('does not include --help and --version', async () => {
    expect(await heatmark('--help')).toMatchObject(well)
    expect((await heatmark('--version')).stdout).toMatch(/^\d+\.\d+\.\d+( \([0-9a-f]{12}\))?\n$/)
  })
})

it('exits with code 3 and advice when no store is named, or one does not answer', async () => {
  const nowhere = { HEATMARK_DATA_DIR: '/nonexistent' }
  for (const command of ['status', 'doctor']) {
    const ran = await runHeatmark([command], nowhere)
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toMatch(
      /^heatmark: no stores found: [^\n]*\/nonexistent\/dev\.json for as long as it runs\n$/,
    )
  }
  const { databaseUrl: DATABASE_URL, eventStoreUrl: EVENTSTORE_URL } = service.dev
  const gone = await runHeatmark(['status'], { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', DATABASE_URL })
  expect(gone).toMatchObject({ code: 3, stdout: '' })
  expect(gone.stderr).toMatch(/^heatmark: event store: [^\n]*\n→ .* EVENTSTORE_URL [^\n]*\n$/)
  // The advice to start the embedded stack is for its own stores alone.
  const nobody = 'postgres://127.0.0.1:1/heatmark'
  const wrong = await runHeatmark(['status'], { HEATMARK_DATA_DIR: dataDir, DATABASE_URL: nobody })
  expect(wrong.stderr).toMatch(/^heatmark: PostgreSQL: [^\n]*\n→ .* DATABASE_URL [^\n]*\n$/)
  const stopped = newDataDir()
  const unlock = lockDataDir(stopped)
  const dev = { ...service.dev, eventStoreUrl: 'esdb://127.0.0.1:1?tls=false', databaseUrl: nobody }
  writeDevFile(stopped, dev)
  const env = { HEATMARK_DATA_DIR: stopped }
  const others: Record<string, string>[] = [{}, { EVENTSTORE_URL }, { DATABASE_URL }]
  for (const named of others)
    expect((await runHeatmark(['status'], { ...env, ...named })).stderr).toMatch(/\n→ .*"npm start"/)
  const { findings } = await examine(env)
  for (const check of ['event store', 'PostgreSQL'])
    expect(findings.find((one) => one.check === check)?.todo).toContain('"npm start"')
  unlock()
  removeDataDir(stopped)
})

it("every command gives the same message for a store or a database that is not the service's", async () => {
  const { databaseUrl, eventStoreUrl } = service.dev
  const [node, empty, strange] = await Promise.all([startStore(), createDatabase(), createDatabase()])
  const admin = new pg.Client({ connectionString: strange.url })
  await admin.connect()
  await admin.query(`CREATE SCHEMA "heatmark_${'0'.repeat(32)}_abcdefabcdef"; CREATE SCHEMA heatmark_local`)
  await admin.end()
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  await owner.query("CREATE ROLE stranger LOGIN PASSWORD 'stranger'")
  await owner.end()
  const ofStranger = new URL(databaseUrl)
  ofStranger.username = ofStranger.password = 'stranger'

  const mine = { HEATMARK_DATA_DIR: dataDir }
  const cases: [DATABASE_URL: string, EVENTSTORE_URL: string, what: RegExp][] = [
    [empty.url, eventStoreUrl, /the database \S+ has no read models\n→ .*correct DATABASE_URL/],
    [
      strange.url,
      eventStoreUrl,
      /the database \S+ has read models of another event store, and none of this one\n→ .* belong together/,
    ],
    [
      databaseUrl,
      node.url,
      /no service has used this event store yet\n→ .*EVENTSTORE_URL does not name its store/,
    ],
    [
      ofStranger.href,
      eventStoreUrl,
      /permission denied for schema \S+\n→ the database user of DATABASE_URL /,
    ],
  ]
  for (const [DATABASE_URL, EVENTSTORE_URL, what] of cases) {
    const ran = await runHeatmark(['status'], { DATABASE_URL, EVENTSTORE_URL })
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toMatch(new RegExp(`^heatmark: ${what.source}`))
  }
  const { stderr } = await runHeatmark(['status'], { ...mine, DATABASE_URL: empty.url })
  for (const command of ['list', 'verify tags', 'rebuild tags', 'prune']) {
    const args = ['projections', ...command.split(' ')]
    const ran = await runHeatmark(args, { ...mine, DATABASE_URL: empty.url })
    expect(ran, command).toEqual({ code: 3, stdout: '', stderr })
  }
  const { of } = await examine({ DATABASE_URL: strange.url })
  expect(of('read models')).toMatchObject({
    status: 'problem',
    found: expect.stringContaining('of another event store'),
    todo: expect.stringContaining('belong together'),
  })
  await Promise.all([node.stop(), empty.drop(), strange.drop()])
})

const examine = async (env: Readonly<Record<string, string>> = {}) => {
  const ran = await runHeatmark(['--json', 'doctor'], { HEATMARK_DATA_DIR: dataDir, ...env })
  expect(ran.stderr).toBe('')
  const findings: Finding[] = JSON.parse(ran.stdout)
  return { code: ran.code, findings, of: (check: string) => findings.find((one) => one.check === check) }
}
const problems = (findings: readonly Finding[]) => findings.filter(({ status }) => status === 'problem')

describe('doctor', () => {
  it('finds no problem in a healthy service, and writes nothing', async () => {
    const before = await eventStore.last()
    const { code, findings } = await examine()
    expect(problems(findings)).toEqual([])
    expect(code).toBe(0)
    expect(findings.map(({ check }) => check)).toEqual([
      'Heatmark',
      'Node',
      `disk of ${dataDir}`,
      'event store',
      'store id',
      'PostgreSQL',
      'connections',
      'size of the database',
      'may create schemas',
      'may end its sessions',
      'LISTEN and NOTIFY',
      'stored events',
      'clock of PostgreSQL',
      'schema heatmark_local',
      'projector',
      'rule policy',
      'rule packs',
      'approval policy',
      'approvals',
      'signer',
      'webhooks',
      'read models',
      'history',
      'projections',
      'ids of persons',
      'documents',
      'identity provider',
      'clock of the identity provider',
    ])
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
    expect((await eventStore.last())?.id).toBe(before?.id)
    const shown = await heatmark('doctor')
    expect(shown).toMatchObject(well)
    expect(lines(shown.stdout)).toHaveLength(findings.length)
  })

  it('warns of ids that are e-mail addresses, which is no problem', async () => {
    const postgres = new pg.Client({ connectionString: service.dev.databaseUrl })
    await postgres.connect()
    await postgres.query(
      `INSERT INTO heatmark_local.person (store_id, company_id, user_id, name, salt, name_hash)
       SELECT store_id, company_id, id, 'Spec', 's', 'h'
       FROM (SELECT store_id, company_id FROM heatmark_local.person LIMIT 1) known,
            unnest(ARRAY['eve@example.com', 'saw@clients']) id`,
    )
    const { code, of, findings } = await examine()
    await postgres.query("DELETE FROM heatmark_local.person WHERE name = 'Spec'")
    await postgres.end()
    expect([code, problems(findings)]).toEqual([0, []])
    expect(of('ids of persons')).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/^1 id is an e-mail address: /),
      todo: expect.stringContaining('OIDC_USER_CLAIM'),
    })
  })

  it('gives advice for each problem', async () => {
    const issuer = 'http://127.0.0.1:1/tenant'
    const { code, of, findings } = await examine({
      OIDC_ISSUER: issuer,
      DATABASE_URL: 'postgres://heatmark:secret@127.0.0.1:1/heatmark',
    })
    expect(code).toBe(1)
    expect(of('PostgreSQL')).toMatchObject({
      status: 'problem',
      todo: expect.stringContaining('DATABASE_URL'),
    })
    expect(of('identity provider')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining(issuer),
      todo: expect.stringContaining('OIDC_ISSUER'),
    })
    expect(of('event store')).toMatchObject({ status: 'ok' })
    expect(of('read models')).toMatchObject({ status: 'unknown' })
    expect(JSON.stringify(findings)).not.toContain('secret')
    const shown = await heatmark('doctor')
    expect(shown.stdout).not.toMatch(/^PROBLEM/m)
  })

  it('names the permission that the role of the database lacks', async () => {
    const admin = new pg.Client({ connectionString: service.dev.databaseUrl })
    await admin.connect()
    await admin.query(
      `CREATE ROLE humble LOGIN PASSWORD 'humble'; GRANT USAGE ON SCHEMA heatmark_local TO humble;
       GRANT SELECT ON ALL TABLES IN SCHEMA heatmark_local TO humble`,
    )
    await admin.end()
    const url = new URL(service.dev.databaseUrl)
    url.username = url.password = 'humble'
    const ran = await runHeatmark(['doctor'], { HEATMARK_DATA_DIR: dataDir, DATABASE_URL: url.href })
    expect(ran.stdout).toMatch(
      /\nPROBLEM may create schemas +permission denied [^\n]*\n {8}→ GRANT CREATE ON DATABASE [^\n]*\n/,
    )
    expect(ran.stdout).toMatch(/\nok +may end its sessions/)
  })

  it('reports an unused store, and writes nothing to it', async () => {
    const node = await startStore()
    const { code, of } = await examine({ EVENTSTORE_URL: node.url })
    expect(code).toBe(1)
    expect(of('store id')).toMatchObject({ status: 'problem' })
    const untouched = connectEventStore(node.url)
    expect(await untouched.last()).toBeUndefined()
    await untouched.close()
    await node.stop()
  })

  it('reports a rewound event store', async () => {
    const folder = temporaryFolder()
    const dbFile = join(folder, 'older.db')
    backupStore(join(dataDir, 'events.sqlite'), dbFile)
    const { position } = (await eventStore.last())!
    await edit('POST', 'millcert-tags', { name: 'After the copy', color: '#00c' })
    const node = await startNode({ dbFile })
    const { code, of } = await examine({ EVENTSTORE_URL: node.url })
    expect(code).toBe(1)
    expect(of('history')).toMatchObject({
      status: 'problem',
      found: expect.stringMatching(/^event-store-went-back: /),
      todo: expect.stringContaining('docs/operations.md'),
    })
    expect(of('event store')!.found).toContain(`position ${position}`)
    const status = await runHeatmark(['status'], { HEATMARK_DATA_DIR: dataDir, EVENTSTORE_URL: node.url })
    expect(status.code).toBe(1)
    expect(of('projections')).toBeUndefined()
    const env = { HEATMARK_DATA_DIR: dataDir, EVENTSTORE_URL: node.url }
    for (const shown of [status, await runHeatmark(['projections', 'list'], env)]) {
      expect(shown.stdout).toMatch(/\ntags +1 +went-back +/)
      // The advice appears once, because it is the same for all.
      expect(shown.stdout).toMatch(
        /\naccess, .*, tags, .*: event-store-went-back: [^\n]*\n→ stop every process[^\n]*\n$/,
      )
    }
    for (const command of ['rebuild', 'verify'])
      expect(await runHeatmark(['projections', command, 'tags'], env)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(/^heatmark: event-store-went-back: [^\n]*\n→ stop every process/),
      })
    await node.stop()
    rmSync(folder, { recursive: true })
  })

  it('reports that no process projects or evaluates rules', async () => {
    const [node, database] = await Promise.all([startStore(), createDatabase()])
    const settings = { EVENTSTORE_URL: node.url, DATABASE_URL: database.url }
    const alone = await startServiceNode({
      ...settings,
      PROCESS_ROLES: 'http',
      OIDC_ISSUER: `${service.dev.authUrl}/${service.dev.tenant}`,
    })
    const { code, of } = await examine(settings)
    expect(code).toBe(1)
    expect(of('projector')).toMatchObject({ status: 'problem', found: 'no process has ever led' })
    expect(of('rule policy')).toMatchObject({ status: 'problem', found: 'no process has ever led' })
    expect(of('projection tags')).toMatchObject({
      status: 'problem',
      found: expect.stringMatching(/^at 0, /),
    })
    // The last holder saw another store, and was stopped.
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    await admin.query(
      `INSERT INTO heatmark_local.lease
       SELECT 'projector/' || nspname, 'gone', 1, now(), 1, '-infinity', 'event-store-went-back: no event there'
       FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_'`,
    )
    await admin.end()
    expect((await examine(settings)).of('projector')).toMatchObject({
      status: 'problem',
      found: expect.stringMatching(/^no process leads; .*event-store-went-back/),
      todo: expect.stringContaining('docs/operations.md'),
    })
    await alone.end()
    await Promise.all([node.stop(), database.drop()])
  })
})

describe('policies sweep', () => {
  it('waits until the service has looked at every company', async () => {
    const ran = await heatmark('policies', 'sweep', 'approvalReview')
    expect(ran).toEqual({
      ...well,
      stdout: expect.stringMatching(/^approvalReview: (\d+) of \1 companies are done\n$/),
    })
  })

  it('needs the name of a policy that starts at the head', async () => {
    const ran = await heatmark('policies', 'sweep', 'ruleTagging')
    expect(ran).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        'ruleTagging is no policy that can be swept. Name one of these: approvalReview.',
      ),
    })
  })
})

const oddStream = catalogueStream(randomUUID())
const tagCreated = (schemaVersion: number, data: object | null) => ({
  id: randomUUID(),
  type: 'TagCreated',
  data: data as object,
  metadata: { actor: alice, occurredAt: new Date().toISOString(), correlationId: 'c', schemaVersion },
})

// The tests from here on come last, because they leave a projection stopped.
it('exits with code 1 for a projection that has stopped, and shows the event and the stack', async () => {
  // A newer release would record this.
  await eventStore.append(oddStream, noStream, [tagCreated(99, {})])
  const { position } = (await eventStore.last())!
  await until(async () => (await heatmark('status')).stdout.includes('tags: stopped before '))
  const shown = await heatmark('status')
  expect(shown.stderr).toBe('')
  expect(shown.stdout).toMatch(new RegExp(`\ntags +1 +failed .*newer-release-running at ${position}\n`))
  expect(shown.stdout).toMatch(new RegExp(`\ntags at ${position}:\nFailure: .*\n +at .*fold\\.ts`))
  const asJson = await heatmark('--json', 'status')
  expect(asJson.code).toBe(1)
  const [rows] = records(asJson)
  expect(rows.find((row: { name: string }) => row.name === 'tags')).toMatchObject({
    status: 'failed',
    condition: { what: expect.stringContaining(`stopped before TagCreated at ${position}: `) },
    lastError: { code: 'newer-release-running', event: { type: 'TagCreated', position } },
  })
  expect(lines(asJson.stdout)).toHaveLength(1)
  const listed = await asProcess('projections', 'list')
  expect(listed.code).toBe(1)
  expect(listed).toEqual(await heatmark('projections', 'list'))

  const verified = await heatmark('projections', 'verify', 'tags')
  expect(verified.code).toBe(1)
  expect(verified.stdout).toMatch(
    new RegExp(
      `^tags: no difference, over \\d+ events\ntags has stopped before position ${position} and was compared up to there: `,
    ),
  )
  const ofMachine = await heatmark('--json', 'projections', 'verify', '--all')
  expect(ofMachine.code).toBe(1)
  expect(records(ofMachine)).toMatchObject([
    {
      differenceCount: 0,
      differing: [],
      stopped: expect.arrayContaining([{ projection: 'tags', position }]),
    },
  ])

  const { code, of } = await examine()
  expect(code).toBe(1)
  expect(of('projection tags')).toMatchObject({
    status: 'problem',
    found: expect.stringContaining(`stopped before TagCreated at ${position}`),
    todo: expect.stringContaining('newer release'),
  })
})

it('skips the event that a projection stopped at, and every command shows the skip', async () => {
  const reason = 'a trial of another program'
  const skip = (...more: string[]) => heatmark('projections', 'skip', 'tags', ...more)
  for (const wrong of [[], ['--reason', ' '], ['--reason', 'x'.repeat(501)]])
    expect((await skip(...wrong)).code).toBe(2)
  const { position } = (await eventStore.last())!

  expect(await skip('--reason', reason)).toEqual({
    code: 0,
    stderr: '',
    stdout: `tags skips TagCreated of ${oddStream} at ${position} for good\n`,
  })
  const status = async () => {
    const [all] = records(await heatmark('--json', 'status'))
    return all.find(({ name }: { name: string }) => name === 'tags')
  }
  await until(async () => (await status()).lag === 0)
  const told = new RegExp(`^tags skips TagCreated at ${position} since \\S+: ${reason}$`, 'm')
  expect((await heatmark('status')).stdout).toMatch(told)
  expect((await heatmark('projections', 'list')).stdout).toMatch(told)
  const verified = await heatmark('projections', 'verify', 'tags')
  expect(verified.code).toBe(0)
  expect(verified.stdout).toMatch(told)
  expect((await examine()).of('skip of tags')).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(told),
  })
  expect(await status()).toMatchObject({
    status: 'running',
    lastError: null,
    skipped: [{ projection: 'tags', eventType: 'TagCreated', streamName: oddStream, position, reason }],
  })

  expect(await skip('--reason', reason)).toMatchObject({
    code: 3,
    stdout: '',
    stderr: 'heatmark: tags has not stopped at an event: there is nothing to skip\n',
  })
})

it('names a company that a policy cannot serve, with the reason and advice', async () => {
  const admin = new pg.Client({ connectionString: service.dev.databaseUrl })
  await admin.connect()
  const companyId = randomUUID()
  await admin.query(
    `INSERT INTO heatmark_local.policy_parked
     SELECT store_id, policy, $1, 'rule-pack-not-shipped: version 7 is in force', 1,
            '2026-01-02T03:04:05Z', now() + interval '1 hour'
     FROM heatmark_local.policy_cursor`,
    [companyId],
  )
  const { code, of } = await examine()
  await admin.query('DELETE FROM heatmark_local.policy_parked')
  await admin.end()
  expect(code).toBe(1)
  expect(of('rule policy')).toMatchObject({ status: 'ok' })
  expect(of('rule packs')).toMatchObject({
    status: 'problem',
    found: expect.stringMatching(
      `^1 company cannot be served; the others are, up to position [0-9]+\\. ${companyId} since 2026-01-02T03:04:05.000Z: rule-pack-not-shipped: version 7 is in force$`,
    ),
    todo: expect.stringMatching(/^run the release that ships these rule packs on every node/),
  })
})

it('reports a policy that has met a newer release, with advice', async () => {
  const data = { companyId: randomUUID(), rulePackId: 'structural-steel' }
  const event = { ...tagCreated(99, data), type: 'RulePackSubscribed' }
  await eventStore.append(catalogueStream(data.companyId), noStream, [event])
  const todo = expect.stringMatching(/^run the newer release on every node/)
  await until(async () => {
    const { of } = await examine()
    expect(of('rule policy')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining(': newer-release-running: '),
      todo,
    })
    expect(of('rule packs')).toMatchObject({
      status: 'problem',
      todo: 'resolve the problem of the rule policy above',
    })
    return true
  })
})

it('shows a stream that cannot be folded, and names the events that its state lacks', async () => {
  const newer = await heatmark('stream', 'show', oddStream)
  expect(newer).toMatchObject({ code: 1, stderr: '' })
  expect(newer.stdout).toMatch(/^0 {2}@\d+ .* TagCreated .*\n\ntagCatalogue at revision 0:\n\{/)
  expect(newer.stdout).toMatch(
    /\nRevision 0, TagCreated of version 99, is not in this state: this release knows its type up to version 1\n$/,
  )
  // An event without metadata is folded as commands fold it.
  const bare = { companyId: randomUUID(), family: 'millCert', tagId: randomUUID(), name: 'Bare' }
  const theirs = catalogueStream(bare.companyId)
  await eventStore.append(theirs, noStream, [{ ...tagCreated(1, bare), metadata: undefined as never }])
  const shown = await heatmark('stream', 'show', theirs)
  expect(shown).toMatchObject({ ...well, stdout: expect.stringContaining('"name": "Bare"') })

  await eventStore.append(oddStream, 0, [tagCreated(1, {})])
  const { position } = (await eventStore.last())!
  const malformed = await heatmark('stream', 'show', oddStream)
  expect(malformed).toMatchObject({ code: 1, stderr: '' })
  expect(malformed.stdout).toMatch(/^0 {2}@\d+ .*\n1 {2}@\d+ .* TagCreated .* \{\}\n/)
  expect(malformed.stdout).toMatch(
    new RegExp(
      `\ntagCatalogue cannot be folded: TagCreated at revision 1 \\(position ${position}\\) is malformed: .+\n$`,
    ),
  )
  const [asJson] = records(await heatmark('--json', 'stream', 'show', oddStream))
  expect(asJson).toMatchObject({ state: null, unreadable: [{ revision: 0 }], fault: { revision: 1 } })
  expect((await heatmark('stream', 'show', oddStream, '--revision', '0')).stdout).toBe(newer.stdout)
})
