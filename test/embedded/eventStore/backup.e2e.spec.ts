import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backupStore } from '../../../src/embedded/eventStore/storage/backup.ts'
import { checkStore } from '../../../src/embedded/eventStore/storage/check.ts'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { startNode, temporaryFolder } from '../../support/node.ts'
import { own } from '../../support/own.ts'
import { until } from '../../support/until.ts'
import { runProgram } from './runMain.ts'
import { anEvent, collect, events, newStream } from './storeUnderTest.ts'

const backupModule = new URL('../../../src/embedded/eventStore/storage/backup.ts', import.meta.url)

// Always a local node, because the spec is about its file.

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const node = await own(startNode({ dbFile: join(folder, 'events.db') }))
const client = openClient(node.url)
beforeAll(async () => {
  await client.appendToStream(newStream(), events(500))
})
afterAll(() => client.dispose())

describe('a backup', () => {
  it('is a snapshot of the log, taken while the node goes on writing', async () => {
    const file = join(folder, 'backup.db')
    const stream = newStream()
    let appended = 0
    let writing = true
    const writers = Array.from({ length: 8 }, async () => {
      for (; writing; appended++) await client.appendToStream(stream, anEvent())
    })
    await until(() => appended > 20)
    const before = appended
    // In this process, the writers would wait meanwhile.
    const backup = `import { backupStore } from '${backupModule}'
      console.log(JSON.stringify(backupStore('${node.dbFile}', '${file}')))`
    const { code, stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', backup])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ file, bytes: readFileSync(file).length })
    const during = appended
    await until(() => appended > during)
    writing = false
    await Promise.all(writers)

    checkStore(file)
    const restored = await startNode({ dbFile: file })
    const reader = openClient(restored.url)
    const copied = await collect(reader.readAll())
    const original = await collect(client.readAll())
    expect(copied).toEqual(original.slice(0, copied.length))
    expect(copied.filter(({ event }) => event?.streamId === stream).length).toBeGreaterThanOrEqual(before)
    await reader.dispose()
    await restored.stop()
  })

  it('does not overwrite an existing file', () => {
    const file = join(folder, 'precious.txt')
    writeFileSync(file, 'precious')
    expect(() => backupStore(node.dbFile, file)).toThrow(`${file} exists already`)
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  it('leaves no file behind when it fails', () => {
    const file = join(folder, 'nowhere', 'backup.db')
    expect(() => backupStore(node.dbFile, file)).toThrow(/^[^\n]*nowhere[^\n]*$/)
    expect(existsSync(`${file}.partial`)).toBe(false)
  })

  it('does not create a store that does not exist', () => {
    const missing = join(folder, 'missing.db')
    expect(() => backupStore(missing, join(folder, 'empty.db'))).toThrow(`${missing} does not exist`)
    expect(existsSync(missing)).toBe(false)
  })
})

describe('a check', () => {
  it('counts events and streams of a sound store that is in use', async () => {
    const all = await collect(client.readAll())
    const streams = new Set(all.map(({ event }) => event?.streamId)).size
    const head = Number(all.at(-1)!.event!.position!.commit)
    expect(checkStore(node.dbFile)).toEqual({ events: all.length, streams, head })
  })

  it.each([
    ['a gap between revisions', 'DELETE FROM event WHERE revision = 100', 'gap between their revisions'],
    [
      'an event of no stream',
      "INSERT INTO event VALUES (99999999, 777, 0, 1, 1, 1, 1, x'', x'', 0)",
      'stream that is not there',
    ],
    [
      'positions out of order',
      `UPDATE event SET position = (SELECT max(position) + 1 FROM event)
        WHERE position = (SELECT min(position) FROM event WHERE revision = 200)`,
      'not in the order of their revisions',
    ],
    [
      'a changed byte of an event',
      'UPDATE event SET data = zeroblob(length(data)) WHERE revision = 100',
      /the event at position \d+ \(Happened, revision 100 of stream-[0-9a-f-]+\) is not as it was written/,
    ],
  ])('finds %s', (_what, spoil, fault) => {
    const file = join(folder, 'spoilt.db')
    rmSync(file, { force: true })
    backupStore(node.dbFile, file)
    const spoilt = new DatabaseSync(file, { enableForeignKeyConstraints: false })
    spoilt.exec(spoil)
    spoilt.close()
    expect(() => checkStore(file)).toThrow(`${file}: is damaged`)
    expect(() => checkStore(file)).toThrow(fault)
  })

  it('finds a damaged page', () => {
    const file = join(folder, 'page.db')
    backupStore(node.dbFile, file)
    const bytes = readFileSync(file)
    bytes.fill(0x5a, bytes.length - 12_288, bytes.length - 4096)
    writeFileSync(file, bytes)
    expect(() => checkStore(file)).toThrow(/^[^\n]+$/)
    expect(() => checkStore(file)).toThrow(`${file}: is damaged`)
  })
})
