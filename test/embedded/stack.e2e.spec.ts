import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRunning, runningProcesses } from '../../src/embedded/processes.ts'
import { type Stack, type StackOptions, startStack } from '../../src/embedded/stack.ts'
import { openClient } from '../../src/stores/eventStoreDb/client.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { hold } from '../support/holder.ts'
import { soonMs, until } from '../support/until.ts'

const dataDir = newDataDir()
const holderScript = join(import.meta.dirname, '../support/stackHolder.ts')
const log: string[] = []
const exits: string[] = []
const options: StackOptions = {
  env: {},
  dataDir,
  log: (line) => log.push(line),
  onExit: (name) => exits.push(name),
}
let stack: Stack

beforeAll(async () => {
  chmodSync(dataDir, 0o755)
  stack = await startStack(options)
})
afterAll(async () => {
  await stack.stop()
  removeDataDir(dataDir)
})

async function query(statement: string) {
  const client = new pg.Client({ connectionString: stack.settings.DATABASE_URL })
  client.on('error', () => {}) // the server may be killed under it
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
async function append(stream = `test-${randomUUID()}`) {
  const client = openClient(stack.settings.EVENTSTORE_URL!)
  try {
    const event = jsonEvent({ type: 'Tested', data: {} })
    return await client.appendToStream(stream, event, { expectedRevision: NO_STREAM })
  } finally {
    await client.dispose()
  }
}
/** The processes of a stack on this data directory, except this process. */
function left(folder: string) {
  return runningProcesses().filter(({ args, cwd }) => `${cwd} ${args.join(' ')}`.includes(folder))
}

async function complaintOf(starting: Promise<Stack>) {
  const error: Error = await starting.then(
    async (started) => {
      await started.stop()
      return new Error('it started')
    },
    (error) => error,
  )
  return error.message
}

test('a data directory is enough to start a store, a database and an identity provider', async () => {
  expect(Object.keys(stack.settings).sort()).toEqual([
    'DATABASE_URL',
    'EVENTSTORE_URL',
    'OIDC_AUDIENCE',
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'OIDC_ISSUER',
    'OIDC_PROGRAM_SCOPE',
    'OIDC_SCOPE',
    'SIGNING_KEY',
  ])
  expect((await append()).success).toBe(true)
  expect(await query('SELECT current_database() AS name')).toEqual([{ name: 'heatmark' }])
})

test('a data directory that was open to others is for this user alone, and so are the events in it', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect(modeOf(dataDir)).toBe('700')
  const ofEvents = readdirSync(dataDir).filter((name) => name.startsWith('events.sqlite'))
  expect(ofEvents.sort()).toEqual(
    ['', '-lock', '-shm', '-wal', '.socket'].map((end) => `events.sqlite${end}`),
  )
  for (const name of ofEvents) expect(modeOf(join(dataDir, name)), name).toMatch(/^[67]00$/)
})

test('dev.json has all that a caller needs, and is for this user alone', () => {
  const file = stack.writeDevFile('http://127.0.0.1:8080')
  expect(file).toBe(join(dataDir, 'dev.json'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const client = { clientId: expect.any(String), clientSecret: expect.any(String) }
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
  const dev = JSON.parse(readFileSync(file, 'utf8'))
  expect(dev).toEqual({
    baseUrl: 'http://127.0.0.1:8080',
    authUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    tenant: id,
    tokenUrl: `${dev.authUrl}/${dev.tenant}/oauth2/v2.0/token`,
    scope: 'api://heatmark/access_as_user',
    eventStoreUrl: stack.settings.EVENTSTORE_URL,
    databaseUrl: stack.settings.DATABASE_URL,
    companyId: id,
    otherCompanyId: id,
    clients: {
      admin: client,
      editor: client,
      planner: client,
      cutter: client,
      quality: client,
      viewer: client,
      auditor: client,
      operator: client,
      platformAdmin: client,
      outsider: client,
    },
    people: expect.objectContaining({
      editor: { userName: 'editor', name: 'Edith Editor', password: expect.stringMatching(/^.{16}$/) },
    }),
  })
  expect(Object.keys(dev.people)).toEqual(Object.keys(dev.clients))
})

test('dev.json is there for as long as the stack runs', async () => {
  const file = stack.writeDevFile('http://127.0.0.1:8080')
  await stack.stop()
  expect(existsSync(file)).toBe(false)
  // A kill leaves it.
  writeFileSync(file, '{}')
  stack = await startStack(options)
  expect(existsSync(file)).toBe(false)
})

function token(args: string[], folder: string) {
  const script = join(import.meta.dirname, '../../bin/heatmark.js')
  const env = { ...process.env, HEATMARK_DATA_DIR: folder }
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    // Asynchronous, because the identity provider runs in this process.
    const child = execFile(process.execPath, [script, 'token', ...args], { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    )
  })
}

test('every client gets a token for a user with the right memberships', async () => {
  const { tokenUrl, scope, clients, companyId, otherCompanyId } = stack.dev
  const accounts = new Map<string, { name: string; roles: unknown }>()
  for (const [name, { clientId, clientSecret }] of Object.entries(clients)) {
    const credentials = { client_id: clientId, client_secret: clientSecret, scope: scope! }
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials })
    const answer = await fetch(tokenUrl!, { method: 'POST', body })
    const claims = decodeJwt(((await answer.json()) as { access_token: string }).access_token)
    accounts.set(String(claims.oid), { name, roles: claims.roles })
  }
  expect([...accounts.values()].filter(({ roles }) => String(roles))).toEqual([
    { name: 'operator', roles: ['Operator'] },
    { name: 'platformAdmin', roles: ['PlatformAdmin'] },
  ])
  const members = stack.companies.map((company) => [
    company.companyId,
    company.members.map(({ userId, roles }) => `${accounts.get(userId)?.name}: ${roles}`),
  ])
  expect(members).toEqual([
    [
      companyId,
      [
        'admin: Admin',
        'editor: Editor',
        'planner: Planner',
        'viewer: Viewer',
        'cutter: Cutter',
        'quality: Quality',
        'auditor: Auditor',
      ],
    ],
    [otherCompanyId, ['outsider: Admin']],
  ])
})

test('the token command prints a token and nothing else', async () => {
  stack.writeDevFile('http://127.0.0.1:8080')
  const { status, stdout, stderr } = await token(['editor'], dataDir)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  expect(decodeJwt(stdout).name).toBe('Edith Editor')
})

test('the token command names an unknown client in one line', async () => {
  const unknown = await token(['edtior'], dataDir)
  expect(unknown).toMatchObject({ status: 3, stdout: '' })
  expect(unknown.stderr).toMatch(/^[^\n]*"edtior"[^\n]*editor[^\n]*\n$/)
  const nowhere = await token(['editor'], '/nonexistent')
  expect(nowhere).toMatchObject({ status: 3, stdout: '' })
  expect(nowhere.stderr).toMatch(/^heatmark: no service found[^\n]*\/nonexistent[^\n]*\n$/)
})

test('a second Heatmark on the same data directory is refused', async () => {
  const complaint = await complaintOf(startStack({ ...options, env: {} }))
  expect(complaint).toBe(`data directory ${dataDir} is in use by another Heatmark (pid ${process.pid})`)
  await expect(hold(holderScript, [dataDir])).rejects.toThrow(complaint)
})

test('a node or a PostgreSQL that is killed comes back at the same address', async () => {
  const before = stack.pids()
  const appended = await append('test-before')
  process.kill(before.eventStore!, 'SIGKILL')
  process.kill(before.postgres!, 'SIGKILL')
  await until(() => log.filter((line) => line.includes('is back')).length === 2)
  expect((await append()).success).toBe(true)
  expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  const after = stack.pids()
  expect(after.eventStore).not.toBe(before.eventStore)
  expect(after.postgres).not.toBe(before.postgres)
  expect(exits.sort()).toEqual(['PostgreSQL', 'event store'])
  expect(log.filter((line) => line.includes('ended by itself')).sort()).toEqual([
    expect.stringMatching(/^PostgreSQL ended by itself \(SIGKILL; it last said: .+\) and is started again$/),
    'event store ended by itself (SIGKILL) and is started again',
  ])
  expect(await append('test-before').catch(() => 'there')).toBe('there')
  expect(appended.success).toBe(true)
})

test('it stops soon, leaves no process, and starts again with the same data', async () => {
  const { settings, dev } = stack
  const began = performance.now()
  await stack.stop()
  expect(performance.now() - began).toBeLessThan(soonMs)
  expect(left(dataDir)).toEqual([])

  const gone = await token(['editor'], dataDir)
  expect(gone).toMatchObject({ status: 3, stdout: '' })
  expect(gone.stderr).toMatch(/^heatmark: no service found: [^\n]*\n$/)

  stack = await startStack(options)
  expect(stack.settings).toMatchObject({
    DATABASE_URL: settings.DATABASE_URL,
    OIDC_ISSUER: settings.OIDC_ISSUER,
  })
  expect(stack.dev.clients).toEqual(dev.clients)
  expect(await append('test-before').catch(() => 'there')).toBe('there')
})

test('the start after kill -9 stops all processes that were left, a stopped node included', async () => {
  await stack.stop()
  const holder = await hold(holderScript, [dataDir])
  const { pids } = holder.said as { pids: { eventStore: number; postgres: number } }
  process.kill(pids.eventStore, 'SIGSTOP') // so that it cannot see that its parent is gone
  await holder.end('SIGKILL')
  expect(isRunning(pids.eventStore)).toBe(true)
  expect(isRunning(pids.postgres)).toBe(true)

  stack = await startStack(options)
  expect(isRunning(pids.eventStore)).toBe(false)
  expect(isRunning(pids.postgres)).toBe(false)
  expect((await append()).success).toBe(true)
})

test('servers that the environment names are not started', async () => {
  const named = {
    EVENTSTORE_URL: 'esdb://store.example:2113',
    DATABASE_URL: 'postgres://db.example/heatmark',
    OIDC_ISSUER: 'https://login.example/tenant/v2.0',
  }
  const folder = newDataDir()
  const other = await startStack({ ...options, env: named, dataDir: folder })
  expect(other.settings).toEqual({ SIGNING_KEY: join(folder, 'checkpointKey.pem') })
  expect(existsSync(other.settings.SIGNING_KEY!)).toBe(true)
  expect(other.companies).toEqual([])
  expect(other.dev).toMatchObject({ eventStoreUrl: named.EVENTSTORE_URL, databaseUrl: named.DATABASE_URL })
  expect(left(folder)).toEqual([])
  await other.stop()
  removeDataDir(folder)
})

test('the error of a server that cannot start is thrown, and the others are stopped', async () => {
  const { authUrl } = stack.dev
  const port = Number(new URL(authUrl!).port)
  await stack.stop()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  expect(await complaintOf(startStack(options))).toMatch(
    new RegExp(`^port ${port} of 127.0.0.1, [^\n]* is in use by another program[^\n]*$`),
  )
  expect(left(dataDir)).toEqual([])
  await new Promise((resolve) => other.close(resolve))
  stack = await startStack(options)
})

test('one line names an event store file that is not one', async () => {
  const folder = newDataDir()
  writeFileSync(join(folder, 'events.sqlite'), 'not a store, whatever its name says\n'.repeat(200))
  const env = { DATABASE_URL: 'postgres://db.example/heatmark', OIDC_ISSUER: 'https://login.example/tenant' }
  const complaint = await complaintOf(startStack({ ...options, env, dataDir: folder }))
  expect(complaint).toMatch(/^the event store node does not start: [^\n]*events\.sqlite[^\n]*$/)
  removeDataDir(folder)
})

test('one line names a data directory that cannot be made', async () => {
  const folder = newDataDir()
  writeFileSync(join(folder, 'file'), '')
  const impossible = join(folder, 'file', '.heatmark')
  expect(await complaintOf(startStack({ ...options, dataDir: impossible }))).toBe(
    `${impossible} cannot be written: a part of this path is a file, not a folder`,
  )
  removeDataDir(folder)
})

/** A small disk. Only root may mount one, and not everywhere. */
function mount(folder: string, size: string) {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0
}

test('one line names a full disk, and the next start works once there is room', async ({ skip }) => {
  const disk = newDataDir()
  skip(!mount(disk, '8m'), 'no disk can be mounted here')
  try {
    const folder = join(disk, '.heatmark')
    const complaint = await complaintOf(startStack({ ...options, dataDir: folder }))
    // Both servers start at once, and either may meet the full disk first.
    expect(complaint).toMatch(
      new RegExp(`^[^\n]*${folder}/(postgres|events)[^\n]*(No space left on device|the disk is full)[^\n]*$`),
    )
    expect(left(folder)).toEqual([])
    spawnSync('mount', ['-o', 'remount,size=200m', disk])
    await (await startStack({ ...options, dataDir: folder })).stop()
  } finally {
    spawnSync('umount', [disk])
    removeDataDir(disk)
  }
})

test('one line names a disk without any room, and a read-only one', async ({ skip }) => {
  const disk = newDataDir()
  skip(!mount(disk, '1m'), 'no disk can be mounted here')
  try {
    const folder = join(disk, '.heatmark')
    mkdirSync(folder)
    spawnSync('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=1024'])
    expect(await complaintOf(startStack({ ...options, dataDir: folder }))).toMatch(
      new RegExp(`^${folder}/[^\n]* cannot be written: the disk is full$`),
    )
    spawnSync('mount', ['-o', 'remount,ro', disk])
    expect(await complaintOf(startStack({ ...options, dataDir: folder }))).toMatch(
      new RegExp(`^${folder}[^\n]* cannot be written: the disk is read-only$`),
    )
  } finally {
    spawnSync('umount', [disk])
    removeDataDir(disk)
  }
})
