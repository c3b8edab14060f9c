import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import * as verifier from '../../../examples/verify/verifyExport.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { publishedKey } from '../../../src/proofs/signing/signingKey.ts'
import { id, timeOf } from '../../support/given.ts'
import { sized } from '../../support/size.ts'
import { type Attack, attacksWith, messageOf, outcomeOf } from './attacks.ts'
import {
  type Files,
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

const { openExport, tellVerdict, verifyAt, verifyExport } = verifier
const program = join(import.meta.dirname, '../../../examples/verify/verifyExport.ts')

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
const wrongIn = (files: Files): Promise<string> => messageOf(check(files))
describe('an honest export', () => {
  it('verifies as a ZIP file and as a folder, and tells what a check cannot show', async () => {
    await withZip(events, key, async (zip) => {
      const verdict = await verifyAt(zip, {})
      expect(verdict).toEqual({
        events: 300,
        company: 'Example Steel',
        until: timeOf(299),
        signedBy: [kid],
        isKeyTrusted: false,
        continues: [],
        isKeyContinued: false,
        timestamp: undefined,
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
      const recent = await verifyAt(folder, { keys: [files.keys] })
      expect(tellVerdict(recent)).toContain('\nNo older --checkpoint was given: ')
      const anchored = await verifyAt(folder, { keys: [files.keys], checkpoints: [files.older] })
      expect(anchored).toMatchObject({ isKeyTrusted: true, continues: [200], isKeyContinued: true })
      expect(tellVerdict(anchored)).toContain('UTC, anchored by a checkpoint of 200 events\n')
      expect(tellVerdict(anchored)).not.toContain('--checkpoint')
      expect(openExport(relative('', folder)).paths.toSorted()).toEqual([...honest.keys()].toSorted())
      const inside = spawnSync(process.execPath, [program, '.'], { cwd: folder, encoding: 'utf8' })
      expect(inside.stdout).toContain('300 events of Example Steel')
    })
  })

  it.each([0, 1, 2, 255, 256, 257, 513])('verifies with %i events', async (length) => {
    expect(await check(await filesOf(historyOf(length), key))).toMatchObject({ events: length })
  })

  it('verifies whatever its events hold', { timeout: 600_000 }, async () => {
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
      { numRuns: sized(10, 300) },
    )
  })

  it('leaves out what the event store has added to the metadata', async () => {
    const copied = events.map((event) => ({ ...event, metadata: { ...event.metadata, $by: 'copy' } }))
    expect(await filesOf(copied, key)).toEqual(honest)
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
