import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPostgres, type Postgres } from '../../src/stores/postgres/postgres.ts'
import { type Company, newCompany } from '../http/people.ts'
import { runHeatmark } from '../support/heatmark.ts'
import { own } from '../support/own.ts'
import { startTestService } from '../support/testService.ts'

/** `heatmark audit check` and `heatmark audit replace-key`, beside a running service. */

let postgres: Postgres
let company: Company
let env: Record<string, string>
const folder = mkdtempSync(join(tmpdir(), 'heatmark-audit-'))
// A store has one key, which these commands replace.
const service = await own(startTestService({ EVENTSTORE_URL: '' }))
beforeAll(async () => {
  const { EVENTSTORE_URL, DATABASE_URL, SIGNING_KEY } = service.settings
  env = { EVENTSTORE_URL: EVENTSTORE_URL!, DATABASE_URL: DATABASE_URL!, SIGNING_KEY: SIGNING_KEY! }
  postgres = connectPostgres({ url: DATABASE_URL!, name: 'spec', size: 1 })
  company = await newCompany(service)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await postgres.close()
})

const check = () => runHeatmark(['audit', 'check'], env)
const checkpoint = async () => {
  const { status, body } = await company.admin.send('GET', 'history/log/checkpoint')
  return { status, code: body.code }
}

describe('audit check', () => {
  it('compares the history of each company with its last checkpoint', async () => {
    expect((await checkpoint()).status).toBe(200)
    await company.createTag(company.admin)
    const { code, stdout, stderr } = await check()
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^histories +\d+ read\n$/) })
    expect(stdout).toMatch(
      new RegExp(
        `^${company.companyId}: 3 events, unchanged since the last checkpoint(, which covers all but the last 1)?; not anchored`,
        'm',
      ),
    )
    const json = await runHeatmark(['audit', 'check', '--json'], env)
    const records = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.find(({ companyId }) => companyId === company.companyId)).toMatchObject({
      events: 3,
      fault: null,
    })
  })

  it('says up to which event the history is anchored', async () => {
    const ofCompany = async () =>
      (await check()).stdout.split('\n').find((line) => line.startsWith(company.companyId))
    expect(await ofCompany()).toMatch(/; not anchored: the service knows of no checkpoint elsewhere$/)
    expect((await company.admin.send('GET', 'audit/export')).status).toBe(200)
    await company.createTag(company.admin, 'Later')
    expect(await ofCompany()).toMatch(
      /; anchored up to event 3 by an export of 20\d\d-\d\d-\d\d \d\d:\d\d UTC, which covers all but the last 1$/,
    )
  })

  it('names the company whose history was changed, and ends with 1', async () => {
    const of = [company.companyId]
    const set = (change: string) =>
      postgres.query(`UPDATE heatmark_local.log_checkpoint SET ${change} WHERE company_id = $1`, of)
    await set(`size = size + 1000`)
    const { code, stdout } = await check()
    expect(code).toBe(1)
    expect(stdout).toMatch(
      new RegExp(`^${company.companyId}: CHANGED: the events are no longer the 100\\d that the last`, 'm'),
    )
    await set(`size = size - 1000`)
    expect((await check()).code).toBe(0)
  })
})

describe('audit replace-key', () => {
  it('makes the nodes with the old key refuse to sign, and the nodes with the new key sign', async () => {
    const file = join(folder, 'new.pem')
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(file, pem, { mode: 0o600 })
    const { SIGNING_KEY: _, ...without } = env
    expect(await runHeatmark(['audit', 'replace-key', file], without)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('SIGNING_KEY must name the present key'),
    })
    expect(await runHeatmark(['audit', 'replace-key', file], env)).toMatchObject({ code: 0, stderr: '' })
    expect((await company.admin.send('GET', 'audit/export')).body).toMatchObject({
      code: 'signing-key-differs',
    })
    const another = await service.startAnother({ SIGNING_KEY: file })
    try {
      const token = await service.identity.token({ oid: company.admin.userId })
      const ask = async (path: string) =>
        await fetch(`${another.url}/api/company/${company.companyId}/${path}`, {
          headers: { authorization: `Bearer ${token}` },
        })
      const { keys } = (await (await ask('history/log/keys')).json()) as { keys: { vkey: string }[] }
      expect(keys).toHaveLength(2)
      const [name, id] = keys[0]!.vkey.split('+')
      const note = await (await ask('history/log/checkpoint')).text()
      const line = note.split('\n').find((one) => one.startsWith(`— ${name} `))!
      expect(Buffer.from(line.split(' ')[2]!, 'base64').subarray(0, 4).toString('hex')).toBe(id)
      expect((await ask('audit/export')).status).toBe(200)
    } finally {
      await another.stop()
    }
  })
})
