import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openExport, type Verdict, verifyAt } from '../../../examples/verify/verifyExport.ts'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { own } from '../../support/own.ts'
import { startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'
import { newCompany } from '../people.ts'

/** The export of a company's history, as an auditor takes and checks it. */

const folder = mkdtempSync(join(tmpdir(), 'heatmark-audit-'))
const service = await own(startTestService())
const postgres = await own(connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 1 }))
const company = await newCompany(service)
const auditor = await company.admit('Aurel Auditor', ['Auditor'])
afterAll(() => rmSync(folder, { recursive: true }))

/** Save an export under a name, and return its files. */
async function exportAs(name: string): Promise<{ file: string; read(path: string): Promise<string> }> {
  const token = await service.identity.token({ oid: auditor.userId })
  const response = await fetch(`${service.url}/api/company/${company.companyId}/audit/export`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  const file = join(folder, name)
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  return { file, read: async (path) => (await openExport(file).bytes(path)).toString() }
}

function saved(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const asLines = { headers: { accept: 'application/x-ndjson' } }

it('an export holds every event of the company, and verifies against the published keys and an older checkpoint', async () => {
  const eve = await company.admit('Eve Eder', ['Editor'])
  await company.createTag(eve)
  const first = await exportAs('first.zip')
  const lines = (await first.read('events.ndjson')).split('\n').slice(0, -1)
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    'CompanyRegistered',
    'MemberRolesSet',
    'MemberRolesSet',
    'MemberRolesSet',
    'TagCreated',
  ])
  expect(await first.read('persons.ndjson')).toContain('"name":"Eve Eder"')
  await company.createTag(eve, 'Retest')
  const second = await exportAs('second.zip')
  const keySet = await auditor.send('GET', 'history/log/keys')
  expect(JSON.stringify(keySet.body)).toBe((await second.read('keys.json')).trimEnd())
  const keys = saved('keys.json', await first.read('keys.json'))
  const checkpoints = [saved('checkpoint', await first.read('checkpoint'))]
  expect(await verifyAt(second.file, { keys: [keys], checkpoints })).toMatchObject({
    events: 6,
    isKeyTrusted: true,
    continues: [5],
    signedBy: [keySet.body.keys[0].kid],
  } satisfies Partial<Verdict>)
  // The unsigned export has the same lines.
  const { body, headers } = await auditor.send('GET', 'audit/export', asLines)
  expect(headers.get('content-type')).toBe('application/x-ndjson')
  expect(body).toBe(await second.read('events.ndjson'))
})

it('an export that was downloaded anchors the history up to its last event', async () => {
  await exportAs('anchor.zip')
  const { events, anchors } = (await auditor.send('GET', 'history/log/anchors')).body
  expect(anchors).toEqual([{ kind: 'export', events, anchoredAt: expect.stringMatching(/^20\d\d-.*Z$/) }])
  await company.createTag(company.admin, 'Later')
  // The log is folded in the background.
  await until(async () => {
    const { body } = await auditor.send('GET', 'history/log/anchors')
    expect(body.anchors).toEqual(anchors)
    return body.events === events + 1
  })
})

it('an export verifies after an erasure, without the name', async () => {
  const eve = await company.admit('Eve Ewald', ['Editor'])
  await company.createTag(eve, 'Blend')
  const before = await exportAs('before.zip')
  expect((await company.erase(eve.userId)).status).toBe(200)
  const after = await exportAs('after.zip')
  expect(await after.read('persons.ndjson')).not.toContain('Ewald')
  const checkpoints = [saved('before', await before.read('checkpoint'))]
  expect((await verifyAt(after.file, { checkpoints })).continues).toHaveLength(1)
  await verifyAt(before.file, {})
})

it('an export is not signed when the events contradict the last checkpoint', async () => {
  const { read } = await exportAs('last.zip')
  const [, size, root] = (await read('checkpoint')).split('\n')
  const of = [company.companyId]
  const set = (change: string) =>
    postgres.query(`UPDATE heatmark_local.log_checkpoint SET ${change} WHERE company_id = $1`, of)
  for (const change of [
    `root = '${root!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}'`,
    'size = 999',
  ]) {
    await set(change)
    expect(await auditor.send('GET', 'audit/export'), change).toMatchObject({
      status: 409,
      body: { code: 'history-diverged' },
    })
    await set(`size = ${size}, root = '${root}'`)
  }
  expect((await auditor.send('GET', 'audit/export', asLines)).status).toBe(200)
  await exportAs('again.zip')
})

it('a service without a key gives the keys and the events unsigned, and refuses a signed export', async () => {
  const another = await service.startAnother({ SIGNING_KEY: '' })
  try {
    const sent = async (path: string, accept: string) => {
      const token = await service.identity.token({ oid: auditor.userId })
      const headers = { authorization: `Bearer ${token}`, accept }
      const response = await fetch(`${another.url}/api/company/${company.companyId}/${path}`, { headers })
      return [response.status, (await response.text()).includes('signing-key-missing')]
    }
    expect(await sent('audit/export', '*/*')).toEqual([503, true])
    expect(await sent('history/log/keys', '*/*')).toEqual([200, false])
    expect(await sent('audit/export', 'application/x-ndjson')).toEqual([200, false])
  } finally {
    await another.stop()
  }
})
