import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { runHeatmark } from '../support/heatmark.ts'
import { createDatabase } from '../support/postgres.ts'
import { startStore } from '../support/store.ts'

/** `heatmark setup`, on stores that no service has used. */

const [store, database] = await Promise.all([startStore(), createDatabase()])
const folder = newDataDir()
afterAll(async () => {
  await Promise.all([store.stop(), database.drop()])
  removeDataDir(folder)
})

const env = {
  EVENTSTORE_URL: store.url,
  DATABASE_URL: database.url,
  // Nobody answers there.
  OIDC_ISSUER: 'http://127.0.0.1:1',
  SIGNING_KEY: join(folder, 'signing.pem'),
}
const setUp = (...args: string[]) => runHeatmark(['--json', 'setup', ...args], env)

it('prepares the stores, makes the key, registers the company and its Admin, and changes nothing when repeated', async () => {
  const first = await setUp('--company', 'Ostwerk', '--admin', 'eve')
  // The provider is the one thing that is still missing.
  expect(first).toMatchObject({ code: 1, stderr: '' })
  const [schema, key, company, place, provider] = first.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(key.signingKey).toContain('made just now')
  expect(statSync(env.SIGNING_KEY).mode & 0o777).toBe(0o600)
  expect(schema.schema).toMatch(/^heatmark_/)
  expect(company).toMatchObject({ name: 'Ostwerk', admin: 'eve' })
  expect(place).toMatchObject({ check: 'documents', status: 'warning' })
  expect(provider).toMatchObject({
    status: 'problem',
    found: expect.stringMatching(/^http:\S+: fetch failed/),
  })

  const shown = async () => (await runHeatmark(['--json', 'events', 'tail'], env)).stdout
  const before = await shown()
  expect(before).toMatch(/CompanyRegistered.*MemberRolesSet/s)
  expect((await setUp('--company', 'Ostwerk', '--admin', 'eve')).stdout).toContain(company.companyId)
  expect(await shown()).toBe(before)
})

it('says in one line what is wrong with the settings, before it makes anything', async () => {
  const file = join(folder, 'other.pem')
  const wrong = { ...env, SIGNING_KEY: file, DATABASE_URL: database.url.replace(/[^/]+$/, 'nothing') }
  const { code, stderr } = await runHeatmark(['setup', '--company', 'A', '--admin', 'eve'], wrong)
  expect(code).toBe(3)
  expect(stderr).toMatch(/^heatmark: DATABASE_URL: .*does not exist\. Create the database/)
  expect(existsSync(file)).toBe(false)
})

it('names every missing setting at once', async () => {
  const { code, stderr } = await runHeatmark(['setup', '--company', 'A', '--admin', 'eve'], {
    SIGNING_KEY: env.SIGNING_KEY,
  })
  expect(code).toBe(3)
  expect(stderr).toMatch(/EVENTSTORE_URL: is missing.*DATABASE_URL: is missing.*OIDC_ISSUER: is missing/s)
})

it.each([
  [
    { TLS_CERT: join(folder, 'no.pem'), TLS_KEY: join(folder, 'no.pem') },
    /^heatmark: TLS_CERT: .*no\.pem cannot be read/,
  ],
  [
    { SIGNING_KEY: join(folder, 'nowhere', 'key.pem') },
    /^heatmark: SIGNING_KEY: .*key\.pem cannot be written/,
  ],
])('names the setting whose file cannot be used', async (wrong, fault) => {
  const { code, stderr } = await runHeatmark(['setup', '--company', 'A', '--admin', 'eve'], {
    ...env,
    ...wrong,
  })
  expect(code).toBe(3)
  expect(stderr).toMatch(fault)
})

it('says what the place for documents lacks', async () => {
  const { code, stdout } = await runHeatmark(['setup', '--company', 'Ostwerk', '--admin', 'eve'], {
    ...env,
    DOCUMENTS_URL: 's3://heatmark',
    AWS_REGION: '',
  })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^documents: the operator has to set AWS_REGION\n→ set it in the environment/m)
})

it('warns about nothing on standard error', async () => {
  expect((await setUp('--company', 'Ostwerk', '--admin', 'eve')).stderr).toBe('')
})
