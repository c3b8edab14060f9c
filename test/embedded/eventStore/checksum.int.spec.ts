import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkSample } from '../../../src/embedded/eventStore/storage/check.ts'
import { openForReading, openForWriting } from '../../../src/embedded/eventStore/storage/database.ts'
import { openLog } from '../../../src/embedded/eventStore/storage/log.ts'
import { openPages } from '../../../src/embedded/eventStore/storage/pages.ts'
import type { ReadRequest } from '../../../src/embedded/eventStore/storage/types.ts'
import { write } from '../../../src/embedded/eventStore/storage/writing.ts'
import { newDataDir, removeDataDir } from '../../support/dataDir.ts'

const folder = newDataDir()
const file = join(folder, 'events.sqlite')
let database: DatabaseSync

beforeAll(() => {
  database = openForWriting(file)
  const event = (n: number) => ({
    id: randomUUID(),
    type: 'Happened',
    isJson: true,
    data: Buffer.from(`{"n":${n}}`),
    metadata: Buffer.from('{}'),
  })
  const context = { log: openLog(database), now: Date.now(), onWritten: () => {} }
  write({ stream: 'sound', expected: 'noStream', events: [event(0)] }, context)
  write({ stream: 'spoilt', expected: 'noStream', events: [1, 2, 3].map(event) }, context)
})
afterAll(() => {
  database.close()
  removeDataDir(folder)
})

function read(stream: string | undefined, from = 0) {
  const reading = openForReading(file)
  const request: ReadRequest = {
    stream,
    direction: 'forwards',
    from,
    limit: 100,
    filter: undefined,
    checkpointEvery: 0,
    considered: 0,
  }
  try {
    return openPages(reading)(request)
  } finally {
    reading.close()
  }
}

it.each([
  `data = '{"n":9}'`,
  `metadata = '{"a":0}'`,
  `type = 'Changed'`,
  'created = created + 1',
  'json = 0',
  `id = '${randomUUID()}'`,
  "stream = (SELECT id FROM stream WHERE name = 'sound'), revision = 1",
])('serves the events before one with a changed byte, and names that one: %s', (change) => {
  const [before] = database.prepare('SELECT * FROM event WHERE revision = 1').all()
  database.exec(`UPDATE event SET ${change.replace(/'(\{.*?\})'/, "CAST('$1' AS BLOB)")} WHERE revision = 1`)

  const named = /^the event at position \d+ \(\w+, revision 1 of (spoilt|sound)\) is not as it was written/
  const first = read(undefined)
  expect([first.events, first.end]).toStrictEqual([2, false])
  expect(() => read(undefined, first.next)).toThrow(named)
  expect(() => checkSample(file, 1_000)).toThrow(/events\.sqlite: is damaged: the event at position/)

  const columns = Object.keys(before!)
  database
    .prepare(`UPDATE event SET ${columns.map((name) => `${name} = ?`)} WHERE position = ?`)
    .run(...Object.values(before!), before!.position!)
  expect(read(undefined).events).toBe(4)
  expect(read('spoilt').events).toBe(3)
  expect(checkSample(file, 4)).toBe(4)
  const places = [0, 0.99]
  expect(checkSample(file, 3, () => places.pop()!)).toBe(2)
})

it('serves no event of a stream whose name was changed', () => {
  database.exec(`UPDATE stream SET name = 'sp0ilt' WHERE name = 'spoilt'`)
  expect(() => read('sp0ilt')).toThrow(/revision 0 of sp0ilt/)
  expect(read('sound').events).toBe(1)
})
