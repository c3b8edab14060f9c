import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import * as verifier from '../../examples/verify/verifyExport.ts'
import type { Recorded } from '../../src/domain/event.ts'
import { publishedKey } from '../../src/record/signingKey.ts'
import { id, timeOf } from '../support/given.ts'
import { type Attack, attacksWith, outcomeOf } from './attacks.ts'
import {
  filesOf,
  historyOf,
  inMemory,
  keySetOf,
  newKey,
  noteOf,
  origin,
  persons,
  withZip,
} from './histories.ts'

const { openExport, tellVerdict, verifyAt, verifyExport, WrongExport } = verifier
const program = join(import.meta.dirname, '../../examples/verify/verifyExport.ts')
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

const check = (files: Files, trusted?: verifier.Trusted) => verifyExport(inMemory(files), trusted)
const wrongIn = (files: Files, trusted?: verifier.Trusted): Promise<string> =>
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
      const inside = spawnSync(process.execPath, [program, '.'], { cwd: folder, encoding: 'utf8' })
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

describe('the verifier', () => {
  let attacks: readonly Attack[]
  beforeAll(async () => {
    attacks = await attacksWith(key, otherKey)
  })

  it('names the first thing that is wrong, and accepts honest exports', async () => {
    for (const attack of attacks)
      expect([attack.name, await outcomeOf(verifier, attack)]).toEqual([attack.name, attack.message])
  })

  it('cannot tell a history that was signed again without a key or an older checkpoint, and says so', async () => {
    const forged = events.with(100, { ...events[100]!, data: { heatNumber: 'H 9' } } as Recorded)
    for (const signer of [key, otherKey])
      expect(tellVerdict(await check(await filesOf(forged, signer)))).toContain(
        '\nNeither --keys nor an older --checkpoint was given',
      )
  })

  it('says so when another key has signed since the older checkpoint', async () => {
    const both = { keys: [key, otherKey].map((one) => publishedKey(one, origin)) }
    const files = (await filesOf(events, otherKey)).set('keys.json', Buffer.from(`${JSON.stringify(both)}\n`))
    const verdict = await check(files, { checkpoints: [older] })
    expect(tellVerdict(verdict)).toContain('\nAnother key signed an older --checkpoint')
    const trusted = { keys: [keySetOf(key), keySetOf(otherKey)], checkpoints: [older] }
    expect(await check(files, trusted)).toMatchObject({ continues: [200], isKeyContinued: false })
    const sameKey = await check(honest, { checkpoints: [older] })
    expect(tellVerdict(sameKey)).not.toContain('--keys')
  })

  it.each([
    'events.ndjson',
    'checkpoint',
    'keys.json',
    'persons.ndjson',
    'tile/0/001.p/44',
    'tile/1/000.p/1',
  ])('gives no verdict when %s cannot be read to its end', async (path) => {
    const files = inMemory(honest)
    const fails = () => {
      throw new Error('EIO: the disk is broken')
    }
    const broken: verifier.ExportFiles = {
      ...files,
      bytes: async (one) => (one === path ? fails() : files.bytes(one)),
      async *stream(one) {
        const bytes = await files.bytes(one)
        yield one === path ? bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1) : bytes
        if (one === path) fails()
      },
    }
    await expect(verifyExport(broken)).rejects.toThrow('EIO')
  })

  it('ends with 1 for a wrong export, and with 3 for one that it cannot read', async () => {
    await withZip(events, key, async (zip) => {
      const run = (...words: string[]) =>
        spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' })
      expect(run(zip)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('300 events of Example Steel'),
      })
      truncateSync(zip, readFileSync(zip).length - 1_000)
      expect(run(zip)).toMatchObject({ status: 1, stdout: '' })
      expect(run(`${zip}.none`)).toMatchObject({ status: 3, stdout: '' })
      expect(run()).toMatchObject({ status: 2, stdout: '' })
    })
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
