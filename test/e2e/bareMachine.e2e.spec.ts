import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readExamples } from '../../src/cli/demo/examples.ts'
import type { Verdict } from '../../src/domain/verdict/verdict.ts'
import type { ClientName } from '../../src/embedded/identities.ts'
import { runningProcesses } from '../../src/embedded/processes.ts'
import { type Answer, call, type Sent } from '../support/call.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import {
  cleanEnvironment,
  type EmbeddedService,
  root,
  type ServiceProcess,
  startEmbedded,
  startProcess,
  tokenOf,
} from '../support/serviceProcess.ts'
import { ceilingMs, soonMs, until } from '../support/until.ts'

/**
 * The service on a machine that has nothing else is started, interrupted, killed and started again on one data
 * directory. Every store is embedded, whatever EVENTSTORE_URL and DATABASE_URL name.
 */

const dataDir = newDataDir()
let service: EmbeddedService

beforeAll(async () => {
  service = await startEmbedded(dataDir, {}, ['npm', 'start'])
})

afterAll(async () => {
  await service?.end()
  for (const { pid } of processesHere()) process.kill(pid, 'SIGKILL')
  removeDataDir(dataDir)
})

/** The processes that run on the data directory, and the process that started them. */
function processesHere(folder = dataDir) {
  return runningProcesses().filter(({ args, cwd }) => `${cwd} ${args.join(' ')}`.includes(folder))
}

async function send(client: ClientName, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return call(
    method,
    `${service.url}${path.startsWith('/') ? path : `/api/company/${service.dev.companyId}/${path}`}`,
    {
      token: await tokenOf(service.dev, client),
      ...sent,
    },
  )
}

function createTag(name: string) {
  return send('editor', 'POST', 'millcert-tags', { body: { name, color: '#1f77b4' } })
}

/** Everything that the service shows of the company, with its position. */
async function everything() {
  const shown: Record<string, unknown> = {}
  for (const path of [
    'millcert/certificates',
    'orders',
    'millcert-tags',
    'order-tags',
    'order-tag-assignments',
    'production-plans',
    'production-plan-bars',
  ]) {
    const { status, body, headers } = await send('viewer', 'GET', path)
    expect(status).toBe(200)
    shown[path] = body
    shown.position = headers.get('read-position')
  }
  return shown
}

/** Run a command. One that does not end is killed in time for its output to be shown. */
async function run(command: string, ...args: string[]) {
  const env = cleanEnvironment({ HEATMARK_DATA_DIR: dataDir })
  return promisify(execFile)(command, args, { cwd: root, env, timeout: 3 * ceilingMs })
}

describe('the first start', () => {
  it('prints its address, and a command that works when pasted', async ({ skip }) => {
    const banner = service.stdout()
    expect(banner).toContain(`API     ${service.url}\n`)
    expect(banner).toContain(`Docs    ${service.url}/docs\n`)
    expect(banner).toContain(`Tokens  ${service.dev.tokenUrl}\n`)
    expect((await call('GET', `${service.url}/docs`)).status).toBe(200)
    expect(banner).toMatch(/ready after [\d.]+ s/)
    const [pasted] = /^ *curl .*$/m.exec(banner)!
    skip((await run('bash', '-c', 'command -v curl || true')).stdout === '', 'there is no curl here')
    const { stdout } = await run('bash', '-c', pasted)
    expect(stdout).toBe('[]')
  })

  it('gets examples from the demo command', async () => {
    await run('npm', 'run', '-s', 'demo')
    // The demo waits until its packs are evaluated, so nothing changes afterwards.
    const { body } = await send('admin', 'GET', 'rule-packs')
    for (const pack of body) expect(pack).toMatchObject({ subscribed: true, evaluation: { status: 'done' } })
    const loaded = await everything()
    expect(loaded['millcert/certificates']).toContainEqual(expect.objectContaining({ blocked: true }))
    const { certificates, orders, findings } = readExamples()
    // A list leaves voided certificates out.
    const voided = findings.decisions.filter(({ decision }) => decision === 'void')
    expect(loaded['millcert/certificates']).toHaveLength(
      certificates.length + findings.certificates.length - voided.length,
    )
    expect(loaded.orders).toHaveLength(orders.length + findings.orders.length)
  })

  it('is not changed by a second run of the demo command', async () => {
    const loaded = await everything()
    await run('npm', 'run', '-s', 'demo')
    expect(await everything()).toEqual(loaded)
  })

  it('shows every finding of a verdict on a bar of the examples', async () => {
    const { name, bars } = readExamples().findings.plan
    const { body: plans } = await send('viewer', 'GET', 'production-plans')
    const { planId } = plans.find((plan: { name: string }) => plan.name === name)
    const { body: judged } = await send(
      'viewer',
      'GET',
      `production-plan-bars?planId=${planId}&include=verdict&limit=200`,
    )
    const found = judged.map(({ verdict }: { verdict: Verdict }) => verdict.findings.map(({ code }) => code))
    expect(found).toEqual(bars.map(({ finding }) => expect.arrayContaining([finding])))
  })
})

/** Start the service and expect that it fails. */
function start(env: Record<string, string>): ServiceProcess {
  return startProcess(process.execPath, ['src/main.ts', '--embedded'], { HEATMARK_DATA_DIR: dataDir, ...env })
}

describe('Ctrl-C', () => {
  it('answers requests under way, loses nothing, and stops everything within 5 s', async () => {
    const before = await everything()
    const blocker = new pg.Client({ connectionString: service.dev.databaseUrl })
    blocker.on('error', () => {})
    await blocker.connect()
    const { rows } = await blocker.query(
      `SELECT quote_ident(schemaname) AS schema FROM pg_tables WHERE tablename = 'checkpoint'`,
    )
    // The read models stand still, so the request is under way for as long as possible.
    await blocker.query(`BEGIN; LOCK TABLE ${rows[0].schema}.checkpoint IN EXCLUSIVE MODE`)
    const blocked = async () => {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'heatmark projector' AND wait_event_type = 'Lock'`
      return (await blocker.query(sql)).rowCount !== 0
    }
    const underWay = createTag('under way')
    await until(blocked)

    const began = performance.now()
    service.signal('SIGINT', 'group')
    const { status, headers } = await underWay
    expect(status).toBe(201)
    expect(headers.get('projection-status')).toBe('pending')
    await blocker.end().catch(() => {})
    await service.ended
    expect(performance.now() - began).toBeLessThan(soonMs)
    expect(processesHere()).toEqual([])
    expect(service.stderr().replace(/^npm .*\n/gm, '')).toBe('')
    expect(service.stdout()).toMatch(/^heatmark: stopped on SIGINT after [\d.]+ s, in order\n/m)

    service = await startEmbedded(dataDir)
    await until(async () => JSON.stringify(await everything()).includes('under way'))
    const { 'millcert-tags': tags, position: _, ...rest } = await everything()
    const { 'millcert-tags': tagsBefore, position: __, ...restBefore } = before
    expect(rest).toEqual(restBefore)
    expect((tags as object[]).length).toBe((tagsBefore as object[]).length + 1)
  })

  it('ends even the very first start', async () => {
    const fresh = newDataDir()
    const starting = start({ HEATMARK_DATA_DIR: fresh, PORT: '0' })
    await until(() => existsSync(join(fresh, 'postgres.json')))
    const began = performance.now()
    starting.signal('SIGINT', 'group')
    expect(await starting.ended).toBe(0)
    expect(performance.now() - began).toBeLessThan(soonMs)
    expect(starting.stdout()).toMatch(/^heatmark: stopped on SIGINT after [\d.]+ s, in order\n$/)
    expect(starting.stderr()).toBe('')
    expect(processesHere(fresh)).toEqual([])
    removeDataDir(fresh)
  })

  it.each([
    ['SIGTERM', 'npm', ['start']],
    ['SIGHUP', 'npm', ['start']],
    ['SIGKILL', 'npm', ['start']],
    ['SIGTERM', 'npx', ['heatmark', 'start', '--embedded']],
  ] as const)('leaves nothing running after %s to %s alone', async (name, command, args) => {
    const fresh = newDataDir()
    const npm = startProcess(command, [...args], { HEATMARK_DATA_DIR: fresh, PORT: '0' })
    await until(() => existsSync(join(fresh, 'postgres.json')))
    npm.signal(name)
    await until(() => processesHere(fresh).length === 0)
    await npm.ended
    expect(npm.stdout()).toMatch(
      /^heatmark: stopped on (SIGTERM|the end of npm) after [\d.]+ s, in order\n$/m,
    )
    expect(npm.stderr().replace(/^npm .*\n/gm, '')).toBe('')
    removeDataDir(fresh)
  })
})

describe('a service that cannot start', () => {
  beforeAll(() => service.end('SIGINT'))
  const complaintOf = async (env: Record<string, string>) => {
    const failed = start(env)
    expect(await failed.ended).toBe(1)
    return failed.stderr()
  }

  it('names the port that is in use, and leaves no process', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await complaintOf({ PORT: String(port) })).toBe(
      `heatmark: PORT: cannot listen on 127.0.0.1:${port}: the port is in use\n`,
    )
    server.close()
    expect(processesHere()).toEqual([])
  })

  it('names a data directory that is read-only', async ({ skip }) => {
    const folder = newDataDir()
    // Root can write everywhere except on a read-only disk.
    const isRoot = process.getuid?.() === 0
    const mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]).status === 0
    skip(isRoot && !mounted, 'no disk can be mounted here')
    if (!isRoot) chmodSync(folder, 0o500)
    // The service makes a folder of its own user private and writable again, so an ordinary user tries one inside.
    const dataDir = isRoot ? folder : join(folder, 'inside')
    try {
      expect(await complaintOf({ HEATMARK_DATA_DIR: dataDir })).toMatch(
        new RegExp(`^heatmark: ${dataDir} cannot be written: [^\n]*(read-only|permission denied)\n$`),
      )
    } finally {
      if (mounted) spawnSync('umount', [folder])
      removeDataDir(folder)
    }
  })

  it('lists every invalid setting', async () => {
    const complaint = await complaintOf({ PORT: 'x', HEATMARK_PORT: '1' })
    expect(complaint).toMatch(/^heatmark: [^\n]*\n {2}PORT: [^\n]*\n {2}HEATMARK_PORT: [^\n]*\n$/)
  })
})

describe('kill -9', () => {
  beforeAll(async () => {
    service = await startEmbedded(dataDir)
  })

  it('of the service leaves all data, and the next start ends the processes that it left', async () => {
    const before = await everything()
    expect(await service.end('SIGKILL')).toBe('SIGKILL')
    expect(processesHere()).not.toEqual([])
    service = await startEmbedded(dataDir)
    expect(await everything()).toEqual(before)
    expect((await createTag('after the service was killed')).status).toBe(201)
  })

  it('of all processes under load loses no acknowledged event', async () => {
    const acknowledged: string[] = []
    let going = true
    const load = async (worker: number) => {
      for (let n = 0; going; n++) {
        const name = `load ${worker}.${n}`
        const answer = await createTag(name).catch(() => undefined)
        if (answer?.status === 201) acknowledged.push(name)
      }
    }
    const loads = [0, 1, 2, 3].map(load)
    await until(() => acknowledged.length >= 20)
    for (const { pid } of processesHere()) process.kill(pid, 'SIGKILL')
    service.signal('SIGKILL')
    await service.ended
    going = false
    await Promise.all(loads)

    service = await startEmbedded(dataDir)
    const { body } = await send('viewer', 'GET', 'millcert-tags')
    const names = body.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(names).size).toBe(names.length)
    expect((await createTag('after all were killed')).status).toBe(201)
  })
})
