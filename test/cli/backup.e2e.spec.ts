import { randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/embedded/backup/manifest.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { call } from '../support/call.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { type Ran, runHeatmark, startHeatmark } from '../support/heatmark.ts'
import { type EmbeddedService, startEmbedded, tokenOf } from '../support/serviceProcess.ts'
import { until } from '../support/until.ts'

/** One service, saved while it is used; then others, from what was saved. */

const folder = newDataDir()
const dataDir = join(folder, 'data')
const saved = join(folder, 'saved')
let service: EmbeddedService

const heatmark = (dir: string, ...args: string[]): Promise<Ran> =>
  runHeatmark(args, { HEATMARK_DATA_DIR: dir })
const edit = async (method: string, path: string, body?: object) => {
  const token = await tokenOf(service.dev, 'admin')
  return call(method, `${service.url}/api/company/${service.dev.companyId}/${path}`, {
    token,
    ...(body && { body }),
  })
}
const register = (heatNumber: string) =>
  edit('POST', 'millcert/certificates', {
    certificateNumber: 'MC',
    heatNumber,
    standard: 'EN 10025-2',
    grade: 'S355J2+N',
    thicknessMm: 20,
    manufacturer: 'Ostwerk',
    productForm: 'Plate',
    inspectionDocument: '3.1',
    mechanical: { reHMpa: 361, rmMpa: 520, a5Percent: 24, kvJoule: 22, kvTemperatureC: -20 },
  })
const evaluated = async () => {
  const { body } = await edit('GET', 'rule-packs')
  return body.find(({ subscribed }: { subscribed: boolean }) => subscribed)?.evaluation
}
/** All that the service shows of the company, and of the caller's keys. */
const everything = async () => {
  const shown: Record<string, unknown> = {}
  const lists = ['millcert/certificates', 'millcert-tags', 'millcert-tag-assignments', 'members', 'documents']
  for (const path of lists) {
    const { status, body } = await edit('GET', path)
    expect(status, path).toBe(200)
    shown[path] = body
  }
  const [{ documentId }] = shown.documents as [{ documentId: string }]
  shown.content = (await edit('GET', `documents/${documentId}/content`)).body
  shown.evaluation = await evaluated()
  const keys = await call('GET', `${service.url}/api/me/keys`, { token: await tokenOf(service.dev, 'admin') })
  shown.keys = keys.body
  return shown
}
const eventsOf = async ({ dev }: EmbeddedService) => {
  const store = connectEventStore(dev.eventStoreUrl)
  const events = await Array.fromAsync(store.readAll(0))
  await store.close()
  return events
}
const leftovers = (of: string) => readdirSync(folder).filter((name) => name.startsWith(`${of}.`))

let key: string
let token: string
let shown: Record<string, unknown>
let savedEvents: Awaited<ReturnType<typeof eventsOf>>

beforeAll(async () => {
  service = await startEmbedded(dataDir)
  token = await tokenOf(service.dev, 'admin')
  for (const heat of ['H 1', 'H 2', 'H 3']) expect((await register(heat)).status).toBe(201)
  expect((await edit('POST', 'documents?fileName=heat.json', { heat: 'H 1' })).status).toBe(201)
  const made = await call('POST', `${service.url}/api/me/keys`, { token, body: { label: 'saw' } })
  key = made.body.key
  const packs = await edit('GET', 'rule-packs')
  const pack = packs.body.find(({ id }: { id: string }) => id.includes('mechanical'))
  expect((await edit('POST', `rule-packs/${pack.id}/subscribe`)).status).toBe(200)
  await until(async () => (await evaluated())?.done === 3 && (await evaluated()).status === 'done')
  const lastUse = async () => {
    const keys = await call('GET', `${service.url}/api/me/keys`, { token })
    return keys.body[0].lastUsedAt
  }
  await call('GET', `${service.url}/api/me`, { headers: { 'service-api-key': key } })
  await until(lastUse)
  shown = await everything()
})
afterAll(async () => {
  await service?.end()
  for (const name of readdirSync(folder)) removeDataDir(join(folder, name))
  rmSync(folder, { recursive: true, force: true })
})

describe('backup', () => {
  it('saves a service in use whole, into a folder for this user alone', async () => {
    let writing = true
    const writer = (async () => {
      while (writing) await register(`H ${randomUUID()}`)
    })()
    // The backup runs while events are being written.
    const during = await heatmark(dataDir, '--json', 'backup', join(folder, 'busy'))
    writing = false
    await writer
    expect(during).toMatchObject({ code: 0, stderr: '' })
    const manifest = JSON.parse(during.stdout)
    const events = await eventsOf(service)
    expect(manifest.events.events).toBeLessThanOrEqual(events.length)
    expect(events[manifest.events.events - 1]!.position).toBe(manifest.events.head)

    shown = await everything()
    savedEvents = events
    const ran = await heatmark(dataDir, 'backup', saved)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(
      new RegExp(`^${events.length} events in \\d+ streams, .* saved in ${saved}\\..*\n$`),
    )
    expect(readdirSync(saved).sort()).toEqual([
      'backup.json',
      'checkpointKey.pem',
      'documents',
      'events.sqlite',
      'identities.json',
      'identityProvider.json',
      'local.json',
    ])
    expect(statSync(saved).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(saved, { recursive: true, encoding: 'utf8' })) {
      const found = statSync(join(saved, name))
      expect(found.mode & 0o777, name).toBe(found.isDirectory() ? 0o700 : 0o600)
    }
    expect(leftovers('saved')).toEqual([])
  })

  it('refuses a folder that exists, one in a folder that does not, and one in the data directory', async () => {
    const link = join(folder, 'link')
    symlinkSync(dataDir, link)
    const there = await heatmark(dataDir, 'backup', saved)
    expect(there).toMatchObject({
      code: 3,
      stdout: '',
      stderr: `heatmark: ${saved} exists already: name a new folder\n`,
    })
    const nowhere = await heatmark(dataDir, 'backup', join(folder, 'no', 'where'))
    expect(nowhere).toMatchObject({
      code: 3,
      stderr: `heatmark: ${join(folder, 'no')} cannot be written: there is no such folder\n`,
    })
    for (const to of [join(dataDir, 'saved'), join(link, 'saved')]) {
      const inside = await heatmark(dataDir, 'backup', to)
      expect(inside).toMatchObject({ code: 3, stdout: '' })
      expect(inside.stderr).toMatch(/^heatmark: \S+ is in the data directory itself, [^\n]*\n$/)
      expect(existsSync(to)).toBe(false)
    }
    const ofNothing = await heatmark(join(folder, 'no'), 'backup', join(folder, 'nothing'))
    expect(ofNothing.stderr).toMatch(
      /^heatmark: \S+ is not a data directory of the embedded stack: [^\n]*\n$/,
    )
    const elsewhere = await runHeatmark(['backup', join(folder, 'elsewhere')], {
      EVENTSTORE_URL: 'esdb://store.example',
    })
    expect(elsewhere.stderr).toMatch(/^heatmark: [^\n]*EVENTSTORE_URL names another store[^\n]*\n$/)
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
  })

  it('leaves no folder that restore accepts when it is killed', async () => {
    const to = join(folder, 'killed')
    const started = startHeatmark(['backup', to], { HEATMARK_DATA_DIR: dataDir })
    await until(() => leftovers('killed').length > 0)
    await started.end('SIGKILL')
    expect(existsSync(to)).toBe(false)
    for (const name of leftovers('killed')) {
      const ran = await heatmark(join(folder, 'fresh'), 'restore', join(folder, name))
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(ran.stderr).toMatch(/^heatmark: \S+ is not a backup, or an interrupted one: [^\n]*\n$/)
    }
    expect(existsSync(join(folder, 'fresh'))).toBe(false)
    expect((await heatmark(dataDir, 'backup', to)).code).toBe(0)
  })
})

/** The path of the only document. */
const documentIn = (copy: string) => {
  const folder = join(copy, 'documents')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return join(folder, files.find((name) => /^[^/]+\/[^/]+\/[^/]+$/.test(name))!)
}

const editManifest = (copy: string, edit: (manifest: Manifest) => object): void => {
  const file = join(copy, 'backup.json')
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')))))
}
const spoil: [what: string, how: (copy: string) => void, complaint: RegExp][] = [
  [
    'a byte of the events',
    (copy) => {
      const file = join(copy, 'events.sqlite')
      const bytes = readFileSync(file)
      bytes[bytes.length - 100]! ^= 1
      writeFileSync(file, bytes)
    },
    /events\.sqlite is not as it was saved: its content has changed/,
  ],
  [
    'some bytes of a file',
    (copy) => writeFileSync(join(copy, 'identities.json'), '{}'),
    /identities\.json is not as it was saved: it has 2 bytes, and had \d+/,
  ],
  ...['identityProvider.json', 'local.json'].map((name): (typeof spoil)[number] => [
    name,
    (copy) => rmSync(join(copy, name)),
    new RegExp(`spoilt is not whole: ${name}, which was saved, is missing\n`),
  ]),
  [
    'the file of a document',
    (copy) => writeFileSync(documentIn(copy), '{"heat":"H 2"}'),
    /documents\/[0-9a-f/-]+ is not as it was saved: its content has changed/,
  ],
  [
    'a document less',
    (copy) => rmSync(documentIn(copy)),
    /documents is not whole: it has 0 files with 0 bytes, and 1 with \d+ were saved/,
  ],
  ['its table of contents', (copy) => rmSync(join(copy, 'backup.json')), /is not a backup/],
  ...[0, 2].map((format): (typeof spoil)[number] => [
    `its format, and has ${format} instead`,
    (copy) => editManifest(copy, (manifest) => ({ ...manifest, format })),
    new RegExp(`is a backup of format ${format}, and this release restores format 1: .*\n`),
  ]),
  [
    'its version',
    (copy) => editManifest(copy, (manifest) => ({ ...manifest, localVersion: 99 })),
    /has heatmark_local at version 99, and this release knows \d+: restore it with a release that knows that/,
  ],
  ['sense', (copy) => editManifest(copy, () => ({})), /backup\.json is not as backup writes it: format: /],
  [
    'its events',
    (copy) => editManifest(copy, (manifest) => ({ ...manifest, files: manifest.files.slice(1) })),
    /backup\.json is not as backup writes it: events\.sqlite is missing/,
  ],
  ...['../stray.json', 'stray.json'].map((name): (typeof spoil)[number] => [
    `a name, and has ${name} instead`,
    (copy) =>
      editManifest(copy, (manifest) => ({
        ...manifest,
        files: manifest.files.map((file) => (file.name === 'identities.json' ? { ...file, name } : file)),
      })),
    /backup\.json is not as backup writes it: files\.1\.name: /,
  ]),
]

describe('restore', () => {
  it('refuses a directory that a service uses, with and without --replace', async () => {
    for (const more of [[], ['--replace']]) {
      const ran = await heatmark(dataDir, 'restore', saved, ...more)
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(ran.stderr).toBe(
        `heatmark: data directory ${dataDir} is in use by another Heatmark (pid ${service.pid})\n`,
      )
    }
  })

  it.each(spoil)('refuses a backup that has lost %s', async (_what, how, complaint) => {
    const copy = join(folder, 'spoilt')
    rmSync(copy, { recursive: true, force: true })
    cpSync(saved, copy, { recursive: true })
    how(copy)
    const ran = await heatmark(join(folder, 'fresh'), 'restore', copy)
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toMatch(/^heatmark: [^\n]*\n$/)
    expect(ran.stderr).toMatch(complaint)
    expect(existsSync(join(folder, 'fresh'))).toBe(false)
  })

  it('refuses a data directory that is the backup, holds it or is in it, also through links', async () => {
    const home = join(folder, 'home')
    const copy = join(home, 'copy')
    cpSync(saved, copy, { recursive: true })
    symlinkSync(copy, join(folder, 'toCopy'))
    const linked = join(folder, 'toCopy')
    const dirs = [copy, home, join(copy, 'data'), linked, join(linked, 'data')]
    for (const ran of await Promise.all(dirs.map((dir) => heatmark(dir, 'restore', copy, '--replace')))) {
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(ran.stderr).toMatch(
        /^heatmark: the backup \S+ and [^\n]* are the same folder, or one is in [^\n]*\n$/,
      )
    }
    expect(readdirSync(copy).sort()).toEqual(readdirSync(saved).sort())
    expect(leftovers('home')).toEqual([])
  })

  it("refuses to move a stranger's folder aside", async () => {
    const strange = join(folder, 'strange')
    mkdirSync(strange)
    writeFileSync(join(strange, 'lock'), 'a letter')
    const ran = await heatmark(strange, 'restore', saved, '--replace')
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toMatch(
      /^heatmark: \S+ is not empty, and is not a data directory of the embedded stack: [^\n]*\n$/,
    )
    expect(readdirSync(strange)).toEqual(['lock'])
    expect(leftovers('strange')).toEqual([])
  })

  it('says that it was interrupted, and leaves nothing', async () => {
    const fresh = join(folder, 'fresh')
    const started = startHeatmark(['restore', saved], { HEATMARK_DATA_DIR: fresh })
    const makesDatabase = (name: string) => existsSync(join(folder, name, 'postgres.json'))
    await until(() => leftovers('fresh').some(makesDatabase))
    expect(await started.end('SIGINT')).toBe(130)
    expect(started.stderr()).toBe(
      `heatmark: interrupted: nothing was restored and ${fresh} is as it was; to restore it, start again\n`,
    )
    expect(existsSync(fresh)).toBe(false)
    expect(leftovers('fresh')).toEqual([])
  })

  it('brings everything back, and moves the present directory aside', async () => {
    await register('H after the backup')
    await service.end()
    const refused = await heatmark(dataDir, 'restore', saved)
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toMatch(/^heatmark: \S+ is not empty: [^\n]*--replace[^\n]*\n$/)

    const ran = await heatmark(dataDir, '--json', 'restore', saved, '--replace')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const { aside, events, policyRestarts } = JSON.parse(ran.stdout)
    expect(policyRestarts).toBe(false)
    expect(events.events).toBe(savedEvents.length)
    expect(leftovers('data')).toEqual([aside.slice(folder.length + 1)])
    expect(existsSync(join(aside, 'events.sqlite'))).toBe(true)

    const before = service
    service = await startEmbedded(dataDir)
    // A token and a key from before the backup are still valid.
    await until(async () => (await call('GET', `${service.url}/api/me`, { token })).status === 200)
    expect(service.dev.clients).toEqual(before.dev.clients)
    await until(async () => (await heatmark(dataDir, 'status')).code === 0)
    expect(await everything()).toEqual(shown)
    expect(await eventsOf(service)).toEqual(savedEvents)
    const byKey = await call('GET', `${service.url}/api/me`, { headers: { 'service-api-key': key } })
    expect(byKey.body.memberships).toMatchObject([{ companyId: service.dev.companyId, roles: ['Admin'] }])
    expect((await register('H after the restore')).status).toBe(201)
  })

  it('makes a new directory from a backup of a service that is stopped', async () => {
    const { length } = await eventsOf(service)
    // The rule policy must have seen more than the first backup has.
    const seen = async () => (await heatmark(dataDir, 'doctor')).stdout.includes('every event is applied')
    await until(seen)
    await service.end()
    const cold = join(folder, 'cold')
    expect(await heatmark(dataDir, 'backup', cold)).toMatchObject({ code: 0, stderr: '' })
    const fresh = join(folder, 'fresh')
    mkdirSync(fresh)
    const ran = await heatmark(fresh, 'restore', cold)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(fresh).sort()).toEqual([
      'checkpointKey.pem',
      'documents',
      'events.sqlite',
      'identities.json',
      'identityProvider.json',
      'postgres',
      'postgres.json',
    ])
    expect(statSync(fresh).mode & 0o777).toBe(0o700)
    expect(ran.stdout).toMatch(new RegExp(`^${length} events `))
  })

  it('restores a backup of a rewound event store without the progress of rule packs', async () => {
    // Put an older copy in its place, and leave PostgreSQL as it is.
    for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `events.sqlite${end}`), { force: true })
    cpSync(join(saved, 'events.sqlite'), join(dataDir, 'events.sqlite'))
    const ahead = join(folder, 'ahead')
    expect(await heatmark(dataDir, 'backup', ahead)).toMatchObject({ code: 0 })
    const { rows } = JSON.parse(readFileSync(join(ahead, 'local.json'), 'utf8'))
    expect(rows.policy_cursor[0].position).toBeGreaterThan(savedEvents.at(-1)!.position)
    expect(rows.rule_evaluation).not.toEqual([])

    const ran = await heatmark(dataDir, 'restore', ahead, '--replace')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/\nThe progress of rule packs was not restored, [^\n]*\n$/)

    service = await startEmbedded(dataDir)
    const findings = JSON.parse((await heatmark(dataDir, '--json', 'doctor')).stdout)
    expect(findings).toContainEqual(expect.objectContaining({ check: 'rule packs', status: 'ok' }))
    await until(async () => (await heatmark(dataDir, 'status')).code === 0)
    await until(async () => (await evaluated())?.status === 'done')
    // It shows the same as before the backup, and the later uses of keys.
    const { keys, evaluation, ...rest } = await everything()
    expect(shown).toMatchObject(rest)
    // The evaluation began anew while the read models were being built, so its total is what they showed by then.
    // Certificates that were registered later are evaluated one by one.
    const { length: all } = rest['millcert/certificates'] as unknown[]
    const { done, total } = evaluation as { done: number; total: number }
    expect(done).toBe(total)
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThanOrEqual(all)
    expect(keys).toMatchObject([{ lastUsedAt: expect.any(String) }])
  })
})
