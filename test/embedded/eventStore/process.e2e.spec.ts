import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkStore } from '../../../src/embedded/eventStore/storage/check.ts'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { alice, now } from '../../support/given.ts'
import { nodeMain, startNode, temporaryFolder } from '../../support/node.ts'
import { type Ended, runMain, runProgram } from './runMain.ts'
import { events, newStream } from './storeUnderTest.ts'

let folder: string
/** A store with some events that no node has open. */
let store: string

beforeAll(async () => {
  folder = temporaryFolder()
  store = join(folder, 'events.db')
  const node = await startNode({ dbFile: store })
  const client = openClient(node.url)
  for (let n = 0; n < 20; n++) await client.appendToStream(newStream(), events(20))
  await client.dispose()
  await node.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function copyOfStore(name: string): string {
  const copy = join(folder, name)
  writeFileSync(copy, readFileSync(store))
  return copy
}

function execIn(file: string, statement: string): void {
  const database = new DatabaseSync(file)
  database.exec(statement)
  database.close()
}

/** Expects one line with these parts on standard error, and exit code 1. */
function expectRefusal(ended: Ended, ...parts: string[]): void {
  for (const part of parts) expect(ended.stderr).toContain(part)
  expect(ended.stderr).toMatch(/^event store: [^\n]+\n$/)
  expect(ended.stdout).toBe('')
  expect(ended.code).toBe(1)
}

it('keeps other users from files that were open to them', async () => {
  const file = copyOfStore('open.db')
  const names = ['', '-wal', '-shm', '-lock'].map((end) => `${file}${end}`)
  for (const name of names.slice(1)) writeFileSync(name, '')
  for (const name of names) chmodSync(name, 0o644)
  const node = await startNode({ dbFile: file })
  for (const name of names) expect((statSync(name).mode & 0o777).toString(8), name).toBe('600')
  await node.stop()
})

describe('a node that starts', () => {
  it('refuses a file that another node has open, under any path', async () => {
    const node = await startNode({ dbFile: store })
    const link = join(folder, 'link.db')
    symlinkSync(store, link)
    expectRefusal(await runMain('--db', store), store, 'is in use by another event store node')
    expectRefusal(await runMain('--db', link), 'is in use by another event store node')
    await node.stop()
  })

  it.each<[string, (file: string) => void, refusal: string]>([
    [
      'an SQLite file of another application',
      (file) => execIn(file, 'CREATE TABLE thing (id INTEGER)'),
      'another application',
    ],
    [
      'a file of a newer format',
      (file) => {
        writeFileSync(file, readFileSync(store))
        execIn(file, 'PRAGMA user_version = 2')
      },
      'has format 2, but this release reads format 1',
    ],
    [
      'a file that is not an SQLite file',
      (file) => writeFileSync(file, 'These are notes, and nothing but notes.\n'.repeat(100)),
      'is not an event store',
    ],
    [
      'a file with a damaged page',
      (file) => {
        const bytes = readFileSync(store)
        const middle = Math.floor(bytes.length / 2)
        writeFileSync(file, bytes.fill(0x5a, middle, middle + 8192))
      },
      'is damaged',
    ],
    [
      'a file with its end cut off',
      (file) => {
        const bytes = readFileSync(store)
        writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2 / 4096) * 4096))
      },
      'is damaged',
    ],
    ['a folder', (file) => mkdirSync(file), ''],
  ])('refuses %s', async (_, make, refusal) => {
    const file = join(folder, 'wrong.db')
    rmSync(file, { recursive: true, force: true })
    make(file)
    const before = statSync(file).isFile() && readFileSync(file)
    expectRefusal(await runMain('--db', file), file, refusal)
    expect(before).toEqual(statSync(file).isFile() && readFileSync(file))
  })

  it('refuses a file in a folder that does not exist', async () => {
    const file = join(folder, 'nowhere', 'events.db')
    expectRefusal(await runMain('--db', file), file, 'no such folder')
  })

  it('refuses a port that is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const ended = await runMain('--db', join(folder, 'port.db'), '--port', String(port))
    expectRefusal(ended, `127.0.0.1:${port}`, 'the port is in use')
    await new Promise((resolve) => other.close(resolve))
  })

  it('refuses a path that is too long for a socket', async () => {
    const file = join(folder, `${'long'.repeat(30)}.db`)
    expectRefusal(
      await runMain('--db', file),
      `${file}.socket`,
      'choose a data directory with a shorter path',
    )
  })

  it('refuses a wrong command line', async () => {
    expectRefusal(await runMain(), '--db')
    expectRefusal(await runMain('--db', store, '--port', 'many'), '--port')
    expectRefusal(await runMain('--db', store, '--live-buffer', '-1'), '--live-buffer')
    expectRefusal(await runMain('--db', store, '--quickly'), '--quickly')
  })
})

describe.runIf(process.platform === 'linux')('a disk', () => {
  it('is reported at the start when it is full', async () => {
    const file = join(folder, 'full.db')
    // No file may grow at all, which looks like a full disk to a program.
    const ended = await runProgram('sh', [
      '-c',
      `trap '' XFSZ; ulimit -f 0; exec "$@"`,
      'sh',
      process.execPath,
      nodeMain,
      '--db',
      file,
    ])
    expectRefusal(ended, file, 'cannot be')
  })

  it('is reported at the start when it is read-only', async () => {
    const file = '/proc/events.db'
    expectRefusal(await runMain('--db', file), file)
  })

  it('that fills up refuses appends, serves reads, and takes appends again when it has room', async () => {
    const file = join(folder, 'filling.db')
    // No file may grow beyond 2 MiB, which a program sees as a used-up quota. The limit can be raised again.
    const limit = `trap '' XFSZ; ulimit -S -f 4096; exec "$@"`
    const args = [process.execPath, nodeMain, '--db', file, '--stdin-guard']
    const child = spawn('sh', ['-c', limit, 'sh', ...args], { stdio: 'pipe' })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const ended = once(child, 'exit')
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    const store = connectEventStore(JSON.parse(line).listening)
    const stream = newStream()
    const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 1 }
    const big = () => ({ id: randomUUID(), type: 'Big', data: { text: 'x'.repeat(100_000) }, metadata })
    const recorded: string[] = []
    const append = async () => {
      const event = big()
      await store.append(stream, recorded.length - 1, [event])
      recorded.push(event.id)
    }
    const refusal = await (async () => {
      for (;;) await append()
    })().catch((error: unknown) => error)

    expect(refusal).toMatchObject({ code: 'store-full' })
    await expect(append()).rejects.toMatchObject({ code: 'store-full' })
    await expect(store.append(stream, 7_000, [big()])).rejects.toMatchObject({ code: 'wrong-revision' })
    expect(store.isFull()).toBe(true)
    expect(stderr.match(/^event store: [^\n]*filling\.db[^\n]*cannot be[^\n]*\n/gm)).toHaveLength(1)
    const present = async () => (await Array.fromAsync(store.readStream(stream, 0))).map(({ id }) => id)
    expect(recorded).not.toStrictEqual([])
    expect(await present()).toStrictEqual(recorded)
    await runProgram('prlimit', ['--pid', `${child.pid}`, '--fsize=unlimited:'])
    for (let n = 0; n < 3; n += 1) await append()
    expect(store.isFull()).toBe(false)
    expect(await present()).toStrictEqual(recorded)

    await store.close()
    child.stdin.end()
    await ended
    expect(checkStore(file).events).toBe(recorded.length)
  })
})

describe('a node', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('stops on %s with code 0 and prints nothing', async (signal) => {
    const { child, ended, said } = await started('--db', join(folder, 'signals.db'))
    child.kill(signal)
    expect(await ended).toBe(0)
    expect(said()).toBe('')
  })

  it('stops when its standard input ends, with --stdin-guard', async () => {
    const { child, ended, said } = await started('--db', join(folder, 'guard.db'), '--stdin-guard')
    child.stdin.end()
    expect(await ended).toBe(0)
    expect(said()).toBe('')
  })

  async function started(...args: string[]) {
    const child = spawn(process.execPath, [nodeMain, ...args], { stdio: 'pipe' })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const ended = once(child, 'exit').then(([code]) => code as number)
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    expect(line).toBe(`{"listening":"esdb+unix://${args[1]}.socket"}\n`)
    return { child, ended, said: () => stderr }
  }
})
