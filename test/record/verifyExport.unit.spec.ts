import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  openExport,
  type Trusted,
  tellVerdict,
  verifyAt,
  verifyExport,
  WrongExport,
} from '../../src/cli/heatmark/audit/verifyExport.ts'
import type { Recorded } from '../../src/domain/event.ts'
import { checkpointNote, originOf } from '../../src/record/checkpoint.ts'
import { publishedKey } from '../../src/record/signingKey.ts'
import { companyId, id, timeOf } from '../support/given.ts'
import {
  filesOf,
  historyOf,
  inMemory,
  keySetOf,
  newKey,
  noteOf,
  origin,
  persons,
  storeId,
  withZip,
} from './histories.ts'

const verifier = join(import.meta.dirname, '../../src/cli/heatmark/audit/verifyExport.ts')
const long = process.env.HEATMARK_TEST_LONG === '1'

type Files = Map<string, Buffer>

const key = newKey()
const otherKey = newKey()
const events = historyOf(300)
const { kid } = publishedKey(key, origin)
const older = { name: 'older.txt', note: noteOf(events.slice(0, 200), key) }
let honest: Files
beforeAll(async () => {
  honest = await filesOf(events, key)
})

const check = (files: Files, trusted?: Trusted) => verifyExport(inMemory(files), trusted)
const wrongIn = (files: Files, trusted?: Trusted): Promise<string> =>
  check(files, trusted).then(
    () => 'all is well',
    (error) => {
      if (error instanceof WrongExport) return error.message
      throw error
    },
  )
const changed = (path: string, edit: (text: string) => string): Files =>
  new Map(honest).set(path, Buffer.from(edit(honest.get(path)!.toString())))
const editLines = (edit: (lines: string[]) => string[]): Files =>
  changed('events.ndjson', (text) =>
    edit(text.slice(0, -1).split('\n'))
      .map((line) => `${line}\n`)
      .join(''),
  )

describe('an honest export', () => {
  it('verifies as a ZIP file and as a folder, and tells what a check cannot show', async () => {
    await withZip(events, key, async (zip) => {
      const verdict = await verifyAt(zip, {})
      expect(verdict).toEqual({
        ...{ events: 300, company: 'Example Steel', until: timeOf(299) },
        ...{ signedBy: [kid], isKeyTrusted: false, continues: [], isKeyContinued: false },
      })
      expect(tellVerdict(verdict)).toMatch(
        /^300 events of Example Steel, complete and unchanged up to 2026-01-01 16:59 UTC\nsigned by the key .*\nNeither --keys nor an older/,
      )
      const folder = join(dirname(zip), 'unpacked')
      for (const [path, bytes] of honest) {
        mkdirSync(join(folder, dirname(path)), { recursive: true })
        writeFileSync(join(folder, path), bytes)
      }
      const files = { keys: join(dirname(zip), 'keys'), older: join(dirname(zip), 'older') }
      writeFileSync(files.keys, keySetOf(key))
      writeFileSync(files.older, older.note)
      const anchored = await verifyAt(folder, { keys: [files.keys], checkpoints: [files.older] })
      expect(anchored).toMatchObject({ isKeyTrusted: true, continues: [200], isKeyContinued: true })
      expect(tellVerdict(anchored)).toContain('UTC, anchored by a checkpoint of 200 events\n')
      expect(openExport(relative('', folder)).paths.toSorted()).toEqual([...honest.keys()].toSorted())
      const inside = spawnSync(process.execPath, [verifier, '.'], { cwd: folder, encoding: 'utf8' })
      expect(inside.stdout).toContain('300 events of Example Steel')
    })
  })

  it.each([0, 1, 2, 255, 256, 257, 513])('verifies with %i events', async (length) => {
    expect(await check(await filesOf(historyOf(length), key))).toMatchObject({ events: length })
  })

  it('verifies whatever its events hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string({ unit: 'grapheme' }), async (data, name) => {
        const [first] = historyOf(1)
        const odd = {
          ...first!,
          type: name,
          data: { data, '': name },
          metadata: null,
          id: id(2),
          revision: 1,
        }
        const bytes = { ...odd, data: { base64: 'AP8=' }, isJson: false, id: id(3), revision: 2 }
        const files = await filesOf([first!, odd, bytes] as unknown as Recorded[], key)
        expect(await wrongIn(files)).toBe('all is well')
        expect(files.get('events.ndjson')!.toString()).toContain('"data":{"$bytes":"AP8="}')
      }),
      { numRuns: long ? 1_000 : 10 },
    )
  })

  it('leaves out what the event store has added to the metadata', async () => {
    const copied = events.map((event) => ({ ...event, metadata: { ...event.metadata, $by: 'copy' } }))
    expect(await filesOf(copied, key)).toEqual(honest)
  })

  it('ignores signatures by unknown keys', async () => {
    const signatures = noteOf(events, otherKey).split('\n\n')[1]
    expect(await wrongIn(changed('checkpoint', (note) => `${note}${signatures}`))).toBe('all is well')
  })

  it('names only the authors of its events', async () => {
    const files = await filesOf(events.slice(0, 1), key)
    expect(files.get('persons.ndjson')!.toString()).toBe(`${JSON.stringify(persons[0])}\n`)
  })
})

describe('the first thing that is wrong', () => {
  const line = 123
  it.each<[string, () => Files, string]>([
    [
      'a changed value',
      () => editLines((lines) => lines.with(line - 1, lines[line - 1]!.replace('H 122', 'H 9'))),
      `events.ndjson, line ${line}: this is not the event that was recorded here`,
    ],
    [
      'a missing event',
      () => editLines((lines) => lines.toSpliced(line - 1, 1)),
      `events.ndjson, line ${line}: this is not the event that was recorded here`,
    ],
    [
      'a doubled event',
      () => editLines((lines) => lines.toSpliced(line, 0, lines[line - 1]!)),
      `events.ndjson, line ${line + 1}: this is not the event that was recorded here`,
    ],
    [
      'a missing end',
      () => editLines((lines) => lines.slice(0, -1)),
      'events.ndjson ends after line 299, but the checkpoint covers 300 events',
    ],
    [
      'no events',
      () => editLines(() => []),
      'events.ndjson ends after line 0, but the checkpoint covers 300 events',
    ],
    [
      'an event after the end',
      () => editLines((lines) => [...lines, lines[0]!]),
      'events.ndjson, line 301: the checkpoint covers only 300 events',
    ],
    [
      'a line that is cut off',
      () => changed('events.ndjson', (text) => text.slice(0, -1)),
      'events.ndjson, line 300 is cut off: it does not end with a line feed',
    ],
    [
      'a line that is not JSON',
      () => editLines((lines) => lines.with(4, '{')),
      'events.ndjson, line 5: this is not an event in the form that exports have',
    ],
    [
      'the same event in another form',
      () => editLines((lines) => lines.with(4, lines[4]!.replace(':', ': '))),
      'events.ndjson, line 5: this is not an event in the form that exports have',
    ],
    [
      'a changed tile',
      () => new Map(honest).set('tile/0/000', Buffer.alloc(8_192)),
      'the tiles under tile/0 differ from the events, and the checkpoint was signed for the events',
    ],
    [
      'a changed tile above',
      () => new Map(honest).set('tile/1/000.p/1', Buffer.alloc(32)),
      'tile/1/000.p/1: hash 1 is not that of the tile below',
    ],
    [
      'a short tile',
      () => new Map(honest).set('tile/0/000', Buffer.alloc(8)),
      'tile/0/000 has 8 bytes instead of 8192',
    ],
    [
      'a file that belongs to none',
      () => new Map(honest).set('tile/0/002.p/1', Buffer.alloc(32)),
      'tile/0/002.p/1 does not belong to an export',
    ],
    [
      'an old checkpoint',
      () => changed('checkpoint', () => noteOf(events.slice(0, 10), key)),
      'tile/0/000.p/10 is missing',
    ],
    [
      'an origin of another kind',
      () => changed('checkpoint', (note) => note.replace('heatmark/', 'example/')),
      "checkpoint, line 1: this is not the origin of a company's log",
    ],
    [
      'a size with a zero in front',
      () => changed('checkpoint', (note) => note.replace('\n300\n', '\n0300\n')),
      'checkpoint, line 2: this is not the size of a log',
    ],
    [
      'a hash in another form of base64',
      () => changed('checkpoint', (note) => note.replace('=\n\n', '\n\n')),
      'checkpoint, line 3: this is not a SHA-256 hash in base64',
    ],
    [
      'a doubled signature',
      () => changed('checkpoint', (note) => `${note}${note.split('\n\n')[1]}`),
      `checkpoint, line 6: the key ${kid} has signed already`,
    ],
    [
      'a signature of another text',
      () => changed('checkpoint', (note) => note.replace('\n300\n', '\n301\n')),
      `checkpoint, line 5: the signature is not that of the key ${kid}`,
    ],
    [
      'a checkpoint without a known signature',
      () => changed('checkpoint', () => noteOf(events, otherKey)),
      'checkpoint has no signature by a known key',
    ],
    [
      'another name',
      () => changed('persons.ndjson', (text) => text.replace('Anna', 'Anne')),
      'persons.ndjson, line 1: the name is not the one whose hash the events hold',
    ],
    [
      'a name of somebody else',
      () => changed('persons.ndjson', (text) => text.replace('user-0', 'user-1')),
      'persons.ndjson, line 1: no event has this author',
    ],
    [
      'a person named twice',
      () => changed('persons.ndjson', (text) => text + text),
      'persons.ndjson, line 3: the person is named twice',
    ],
  ])('is named: %s', async (_, files, message) => {
    expect(await wrongIn(files())).toBe(message)
  })

  it.each(['events.ndjson', 'checkpoint', 'keys.json', 'persons.ndjson', 'tile/0/000', 'tile/1/000.p/1'])(
    'is a missing %s',
    async (path) => {
      const files = new Map(honest)
      files.delete(path)
      expect(await wrongIn(files)).toBe(`${path} is missing`)
    },
  )

  it('is a ZIP file that breaks off', async () => {
    await withZip(events, key, async (zip) => {
      truncateSync(zip, readFileSync(zip).length - 1_000)
      expect(() => openExport(zip)).toThrow('this is not a whole ZIP file')
    })
  })

  it('is a ZIP file that other programs may read differently', async () => {
    await withZip(events, key, async (zip) => {
      const bytes = readFileSync(zip)
      const end = bytes.length - 22
      const withEnd = (edit: (copy: Buffer) => void) => {
        const copy = Buffer.from(bytes)
        edit(copy)
        return copy
      }
      for (const [other, why] of [
        [Buffer.concat([bytes, bytes.subarray(end)]), 'its directory is missing or damaged'],
        [Buffer.concat([Buffer.alloc(40), bytes]), 'its directory is missing or damaged'],
        [withEnd((copy) => copy.writeUInt16LE(bytes.readUInt16LE(end + 10) - 1, end + 10)), 'its directory'],
        [withEnd((copy) => copy.write('E', 30)), 'events.ndjson cannot be unpacked'],
      ] as const) {
        writeFileSync(zip, other)
        await expect(verifyAt(zip, {})).rejects.toThrow(why)
      }
    })
  })

  it('is a checkpoint that is signed for more events than any export has', async () => {
    const note = checkpointNote(origin, { size: Number.MAX_SAFE_INTEGER, root: Buffer.alloc(32) }, key)
    expect(await wrongIn(changed('checkpoint', () => note))).toBe('tile/0/001 is missing')
  })

  it('is a line that does not continue its stream or is of another company, although the export is signed', async () => {
    const inOrder = (edit: (all: Recorded[]) => Recorded[]) => filesOf(edit([...events]), key).then(wrongIn)
    expect(await inOrder((all) => all.toSpliced(20, 1))).toMatch(
      /^events\.ndjson, line 40: the stream .* goes on/,
    )
    const foreign = `order-${id(9)}_${id(8)}`
    expect(await inOrder((all) => all.with(299, { ...all[299]!, streamName: foreign }))).toBe(
      `events.ndjson, line 300: the stream ${foreign} does not belong to company ${companyId}`,
    )
    // A terminal would clear its screen.
    expect(await inOrder((all) => all.with(0, { ...all[0]!, streamName: '\x1b[2J' }))).toBe(
      `events.ndjson, line 1: the stream \ufffd[2J does not belong to company ${companyId}`,
    )
  })
})

describe('a history that was changed and signed again', () => {
  const forged = events.with(100, { ...events[100]!, data: { heatNumber: 'H 9' } })

  it('is found by the keys that are trusted, if by another key', async () => {
    const files = await filesOf(forged, otherKey)
    expect(await wrongIn(files)).toBe('all is well')
    expect(await wrongIn(files, { keys: [keySetOf(key)] })).toMatch(
      /^keys\.json has none of the trusted keys/,
    )
  })

  it('is found by an older checkpoint, if by the same key', async () => {
    const files = await filesOf(forged, key)
    expect(await wrongIn(files, { keys: [keySetOf(key)] })).toBe('all is well')
    expect(await wrongIn(files, { checkpoints: [older] })).toBe(
      'older.txt was signed for other events: something in the first 200 events of events.ndjson was changed later',
    )
  })

  it('is found by an older checkpoint, if its end was cut off', async () => {
    expect(await wrongIn(await filesOf(events.slice(0, 150), key), { checkpoints: [older] })).toBe(
      'older.txt covers 200 events, but the export has only 150: the end is cut off, or the export is older',
    )
  })

  it('is told apart from another history, and from one whose key was replaced', async () => {
    const foreign = checkpointNote(originOf(storeId, id(9)), { size: 0, root: Buffer.alloc(32) }, key)
    expect(await wrongIn(honest, { checkpoints: [{ name: 'foreign', note: foreign }] })).toBe(
      'foreign has no signature by a known key',
    )
    const foreignKeys = `${JSON.stringify({ keys: [publishedKey(key, originOf(storeId, id(9)))] })}\n`
    const keys = [keySetOf(key), foreignKeys]
    expect(await wrongIn(honest, { keys, checkpoints: [{ name: 'foreign', note: foreign }] })).toBe(
      `foreign belongs to another log: ${originOf(storeId, id(9))}`,
    )
    const files = await filesOf(events, otherKey)
    const trusted = { keys: [keySetOf(key), keySetOf(otherKey)], checkpoints: [older] }
    expect(await check(files, trusted)).toMatchObject({ continues: [200], isKeyContinued: false })
  })

  it('is found by the keys that are trusted, if it is the history of another company', async () => {
    const ofOther = `${JSON.stringify({ keys: [publishedKey(key, originOf(storeId, id(9)))] })}\n`
    expect(await wrongIn(honest, { keys: [ofOther] })).toBe(
      `keys.json belongs to another log than the trusted keys: ${origin}`,
    )
  })

  it('is told of, if a key set with another key has both', async () => {
    const both = { keys: [key, otherKey].map((one) => publishedKey(one, origin)) }
    const files = (await filesOf(events, otherKey)).set('keys.json', Buffer.from(`${JSON.stringify(both)}\n`))
    const verdict = await check(files, { checkpoints: [older] })
    expect(tellVerdict(verdict)).toContain('\nAnother key signed an older --checkpoint')
    const sameKey = await check(honest, { checkpoints: [older] })
    expect(tellVerdict(sameKey)).not.toContain('--keys')
  })

  it('is found without them, if the key was not at hand', async () => {
    const files = (await filesOf(forged, key)).set('checkpoint', honest.get('checkpoint')!)
    expect(await wrongIn(files)).toBe(
      'checkpoint, line 3: the checkpoint was signed for other events than those of events.ndjson',
    )
  })
})

describe('random changes', () => {
  const checked = fc.constantFrom('events.ndjson', 'checkpoint', 'keys.json', 'persons.ndjson', 'tile')
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const pathOf = (kind: string, at: number): string => {
    const tiles = [...honest.keys()].filter((path) => path.startsWith('tile/'))
    return kind === 'tile' ? tiles[Math.floor(at * tiles.length)]! : kind
  }
  const how = fc.oneof(
    fc.record({ kind: fc.constant('bit' as const), value: fc.integer({ min: 0, max: 7 }) }),
    fc.record({ kind: fc.constant('byte' as const), value: fc.integer({ min: 1, max: 255 }) }),
    fc.record({ kind: fc.constantFrom('drop', 'insert'), value: fc.integer({ min: 0, max: 255 }) }),
  )
  const bytesWith = (bytes: Buffer, at: number, { kind, value }: { kind: string; value: number }): Buffer => {
    const index = Math.floor(at * bytes.length)
    if (kind === 'drop') return Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)])
    if (kind === 'insert')
      return Buffer.concat([bytes.subarray(0, index), Buffer.of(value), bytes.subarray(index)])
    const copy = Buffer.from(bytes)
    copy[index] = copy[index]! ^ (kind === 'bit' ? 1 << value : value)
    return copy
  }

  it('of one byte are found in every file that is checked', async () => {
    await fc.assert(
      fc.asyncProperty(checked, place, place, how, async (kind, file, at, change) => {
        const path = pathOf(kind, file)
        const bytes = bytesWith(honest.get(path)!, at, change)
        fc.pre(!bytes.equals(honest.get(path)!))
        expect(await wrongIn(new Map(honest).set(path, bytes))).not.toBe('all is well')
      }),
      { numRuns: long ? 7_000 : 60 },
    )
  })

  it('of lines are found, and the first wrong line is named', async () => {
    const line = fc.integer({ min: 0, max: 299 })
    const kinds = fc.constantFrom('drop', 'double', 'swap', 'field')
    await fc.assert(
      fc.asyncProperty(line, line, kinds, async (from, to, kind) => {
        fc.pre(kind !== 'swap' || from !== to)
        const [first, second] = [Math.min(from, to), Math.max(from, to)]
        const lines = honest.get('events.ndjson')!.toString().slice(0, -1).split('\n')
        const files = editLines((all) => {
          if (kind === 'drop') return all.toSpliced(first, 1)
          if (kind === 'double') return all.toSpliced(second + 1, 0, all[first]!)
          if (kind === 'swap') return all.with(first, all[second]!).with(second, all[first]!)
          const event = JSON.parse(all[first]!)
          const field = Object.keys(event)[second % 6]!
          return all.with(first, JSON.stringify({ ...event, [field]: `${JSON.stringify(event[field])}x` }))
        })
        const wrong = { drop: first + 1, double: second + 2, swap: first + 1, field: first + 1 }[kind]
        const message = await wrongIn(files)
        if (kind === 'drop' && first === lines.length - 1) expect(message).toContain('ends after line 299')
        else expect(message).toMatch(new RegExp(`^events\\.ndjson, line ${wrong}: `))
      }),
      { numRuns: long ? 3_000 : 40 },
    )
  })

  it('of a ZIP file never pass with other content', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heatmark-zip-'))
    try {
      const zip = await withZip(events, key, async (file) => readFileSync(file))
      const file = join(folder, 'export.zip')
      await fc.assert(
        fc.asyncProperty(place, how, async (at, change) => {
          writeFileSync(file, bytesWith(zip, at, change))
          const verdict = await verifyAt(file, {}).catch((error) => {
            if (error instanceof WrongExport) return undefined
            throw error
          })
          if (!verdict) return
          const files = openExport(file)
          for (const path of files.paths.filter((one) => one !== 'README.txt'))
            expect(await files.bytes(path)).toEqual(honest.get(path))
        }),
        { numRuns: long ? 1_000 : 15 },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
