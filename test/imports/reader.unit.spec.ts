import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { type ImportRun, planOf } from '../../src/http/imports/intake/importRuns.ts'
import { faultsOf, propose } from '../../src/http/imports/intake/proposal.ts'
import { problemOf } from '../../src/http/kit/problem.ts'
import type { LineAnswer } from '../../src/http/kit/routing/bulkRun.ts'
import { confinement } from '../../src/imports/confine.ts'
import type { ImportFormat } from '../../src/imports/read.ts'
import { createImportReader, type Limits } from '../../src/imports/reader.ts'
import { createDraft, type ReadRow } from '../../src/imports/readRow.ts'
import { inTurns } from '../../src/lib/inTurns.ts'
import { pdfOf, streamOf } from './pdfFile.ts'

const at = { line: 1, column: 1 }

const plenty: Limits = { cpuMs: 60_000, cpuMsOfMiB: 0, withinMs: 60_000, heapMegabytes: 512 }

function read(format: ImportFormat, text: string, limits = plenty) {
  const reader = createImportReader(() => performance.now(), limits)
  return reader.read('company', { kind: 'certificates', format }, async () => contentOf(text))
}

function contentOf(text: string) {
  return portions(Buffer.from(text))
}

async function* portions(bytes: Uint8Array) {
  yield bytes
}

/** Return a spreadsheet with these rows. */
function sheet(rows: string): Uint8Array {
  const part = (content: string) => Buffer.from(content)
  return zipSync({
    'xl/workbook.xml': part(
      '<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': part(
      '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': part(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
  })
}

async function rowsOf(rows: AsyncIterable<ReadRow>): Promise<ReadRow[]> {
  const all: ReadRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

const packed = deflateSync(Buffer.alloc(600_000_000, 'q Q '))

/** Forms that draw the next one twice: the last of them is drawn 2 to the power of their count times. */
function doublingForms(count: number): readonly string[] {
  const form = (index: number) => {
    const next = `/Resources << /Font << /F1 3 0 R >> /XObject << /X0 ${index + 1} 0 R >> >>`
    const content = index < 5 + count - 1 ? '/X0 Do /X0 Do' : 'BT /F1 8 Tf 9 9 Td (again) Tj ET'
    const dictionary = `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${next} /Length ${content.length} >>`
    return streamOf(dictionary, content).toString('latin1')
  }
  return Array.from({ length: count }, (_, index) => form(5 + index))
}

const table = (rows: number) =>
  `Zeugnis;Schmelze\n${Array.from({ length: rows }, (_, row) => `Z-${row};H\n`).join('')}`

const tried = (attempt: string) =>
  `try { await ${attempt}; console.log('reached') } catch (error) { console.log(error.code) }`

it('the process that reads a file reaches nothing of the service, the machine or the network', async () => {
  const written = (name: string) => JSON.stringify(join(tmpdir(), name))
  const attempts = [
    // The environment of the service, with its passwords.
    `readFile('/proc/${process.pid}/environ')`,
    // The data of the embedded stack.
    `readFile(${JSON.stringify(fileURLToPath(new URL('../../.heatmark/dev.json', import.meta.url)))})`,
    `readFile(${JSON.stringify(import.meta.filename)})`,
    `writeFile(${written('written')}, '')`,
    // Other processes would run what stands in the cache.
    `writeFile(${written('cache/x')}, '')`,
    `new Promise((_, reject) => connect(1, '127.0.0.1').once('error', reject))`,
    `promisify(execFile)('true')`,
    `(async () => new Worker('', { eval: true }))()`,
  ]
  const program = `
    import { execFile } from 'node:child_process'
    import { readFile, writeFile } from 'node:fs/promises'
    import { connect } from 'node:net'
    import { promisify } from 'node:util'
    import { Worker } from 'node:worker_threads'
    import { confine } from ${JSON.stringify(new URL('../../src/imports/confine.ts', import.meta.url).href)}
    confine()
    ${attempts.map(tried).join('\n')}`
  const args = [...confinement(join(tmpdir(), 'cache')), '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.trim().split('\n')).toEqual(attempts.map(() => 'ERR_ACCESS_DENIED'))
})

/** Return the number of programs whose compiled form is kept after a file was read. */
async function keptAfter(format: ImportFormat, bytes: Uint8Array): Promise<number> {
  const cache = mkdtempSync(join(tmpdir(), 'heatmark-cache-'))
  vi.stubEnv('NODE_COMPILE_CACHE', cache)
  try {
    const file = { kind: 'certificates', format } as const
    const rows = createImportReader(() => performance.now(), plenty).read('company', file, async () =>
      portions(bytes),
    )
    // The heading is unknown, which the reader finds out once all its programs are loaded.
    await expect(rowsOf(rows)).rejects.toMatchObject({ code: 'unreadable' })
    return readdirSync(cache, { recursive: true }).length
  } finally {
    vi.unstubAllEnvs()
    rmSync(cache, { recursive: true })
  }
}

it('the process that reads a spreadsheet loads its programs while what it has compiled is kept', async () => {
  const cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>'
  expect(await keptAfter('xlsx', sheet(cell))).toBeGreaterThan(await keptAfter('csv', Buffer.from('a\n1')))
})

describe('the reader of files', () => {
  it('reads all rows in their order, however many portions they take', async () => {
    const rows = await rowsOf(read('csv', table(250)))
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  })

  it.each(['csv', 'json', 'xlsx'] as const)('gives up %s that takes too long', async (format) => {
    const late = read(format, table(10), { ...plenty, withinMs: 0 })
    await expect(rowsOf(late)).rejects.toThrow(/takes longer than 0 s to read/)
  })

  it('gives a file time of the processor for its length', async () => {
    const long = table(9_000)
    const limits = { ...plenty, cpuMs: 1 }
    await expect(rowsOf(read('csv', long, limits))).rejects.toThrow(/takes longer than 1 s to read/)
    const first = read('csv', long, { ...limits, cpuMsOfMiB: 30_000 })[Symbol.asyncIterator]()
    expect((await first.next()).value).toMatchObject({ row: 1 })
    await first.return?.()
  })

  it('reads the file of a company that has used no time before the next files of others', async () => {
    const reader = createImportReader(() => performance.now(), plenty)
    const begun: string[] = []
    const file = (name: string) =>
      rowsOf(
        reader.read(name[0]!, { kind: 'certificates', format: 'csv' }, async () => {
          begun.push(name)
          return contentOf(table(1))
        }),
      )
    await Promise.all(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'c1'].map(file))
    expect(begun.slice(0, 3)).toEqual(['a1', 'b1', 'c1'])
  })

  it('gives up a file that takes too much memory, and the process goes on', async () => {
    const large = read('json', `[${'[],'.repeat(4_000_000)}[]]`, { ...plenty, heapMegabytes: 24 })
    await expect(rowsOf(large)).rejects.toThrow(/takes too much memory/)
  })

  it.each([
    ['a cell far away', 'xlsx', () => sheet('<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>')],
    ['many small objects', 'json', () => Buffer.from(`[${'{},'.repeat(3_000_000)}{}]`)],
  ] as const)('outlives a file with %s, for which V8 finds no memory at all', async (_, format, content) => {
    const reader = createImportReader(() => performance.now(), { ...plenty, heapMegabytes: 64 })
    const rows = reader.read('company', { kind: 'certificates', format }, async () => portions(content()))
    await expect(rowsOf(rows)).rejects.toThrow(/takes too much memory/)
  })

  it('gives up a PDF with packed gigabytes, which the heap does not count', async () => {
    const reader = createImportReader(() => performance.now(), { ...plenty, heapMegabytes: 64 })
    const file = { kind: 'certificates', format: 'pdf' } as const
    const rows = reader.read('company', file, async () => portions(pdfOf([packed], { isPacked: true })))
    await expect(rowsOf(rows)).rejects.toThrow(/takes too much memory/)
  })

  it('gives up a PDF whose forms draw each other a trillion times', async () => {
    const reader = createImportReader(() => performance.now(), { ...plenty, cpuMs: 1_000 })
    const pdf = pdfOf([Buffer.from('/X0 Do')], { objects: doublingForms(40) })
    const rows = reader.read('company', { kind: 'certificates', format: 'pdf' }, async () => portions(pdf))
    await expect(rowsOf(rows)).rejects.toThrow(/more than 500000 characters|takes longer than 1 s/)
  })

  it('gives up a row that is much longer than its line, because one text is in it many times', async () => {
    const csv = `Plan;Teil;Menge\n${`P;${'x'.repeat(400_000)};200\n`.repeat(2)}`
    const reader = createImportReader(() => performance.now(), plenty)
    const rows = reader.read('company', { kind: 'plans', format: 'csv' }, async () => contentOf(csv))
    await expect(rowsOf(rows)).rejects.toThrow(/takes too much memory/)
  })

  it('takes pages out of a PDF', async () => {
    const reader = createImportReader(() => performance.now(), plenty)
    const texts = ['the first page of this file', 'the second page of this file, which is taken']
    const file = pdfOf(texts.map((text) => [{ text, x: 40, y: 700 }]))
    const taken = await reader.pages('company', { format: 'pdf', pages: [2] }, async () => portions(file))
    const [row] = await rowsOf(
      reader.read('company', { kind: 'certificates', format: 'pdf' }, async () => portions(taken)),
    )
    expect(row!.pages?.map(({ text }) => text.trim())).toEqual([`${texts[1]}`])
    for (const [format, start] of [
      ['pdf', '%PDF-1.7'],
      ['tiff', 'II*\0\x08\0\0\0'],
    ] as const) {
      const damaged = reader.pages('company', { format, pages: [1] }, async () =>
        portions(Buffer.from(start)),
      )
      await expect(damaged).rejects.toThrow('damaged')
    }
  })

  it('passes on why a file is unreadable', async () => {
    await expect(rowsOf(read('csv', 'a;b\n1;2'))).rejects.toMatchObject({ code: 'unreadable' })
    await expect(rowsOf(read('json', '{'))).rejects.toThrow('This file is not JSON in UTF-8.')
  })

  it('reads one file of a company at a time, and the next one also after a caller has left', async () => {
    const reader = createImportReader(() => performance.now(), plenty)
    const begun: string[] = []
    const file = (name: string) =>
      reader.read('company', { kind: 'certificates', format: 'csv' }, async () => {
        begun.push(name)
        return contentOf(table(1_000))
      })
    const first = file('first')[Symbol.asyncIterator]()
    await first.next()
    const second = rowsOf(file('second'))
    expect(begun).toEqual(['first'])
    await first.return?.()
    expect(await second).toHaveLength(1_000)
    expect(begun).toEqual(['first', 'second'])
  })
})

describe('a proposal', () => {
  const run = (carryOut: ImportRun['carryOut']) => ({
    isDry: true,
    carryOut,
    waitUntilShown: async () => true,
    position: () => 0,
    end: () => {},
  })

  it('fails as a whole when one row fails while another one has not been read', async () => {
    const rows = async function* () {
      yield createDraft().finish(1, at)
      await pause(10)
      yield createDraft().finish(2, at)
    }
    const failing = run(async () => {
      throw new Error('the row has failed')
    })
    // An error that nobody waits for fails the whole run of the specs.
    const proposing = propose(rows(), failing, createHash('sha256'))[Symbol.asyncIterator]()
    await expect(proposing.next()).rejects.toThrow('the row has failed')
  })

  it('names the places of many faults in no time', async () => {
    const draft = createDraft()
    const count = 50_000
    const cell = (index: number) => ({ line: index + 1, column: 1 })
    for (let index = 0; index < count; index += 1)
      draft.propose(`bars.0.cuts.${index}.lengthMm`, -1, cell(index))
    const errors = Array.from({ length: count }, (_, index) => ({
      path: `/bars/0/cuts/${index}/orderId`,
      code: 'required',
      message: 'is required',
    }))
    const faults = await inTurns(faultsOf(draft.finish(1, at), { line: 1, status: 400, errors }))
    expect(faults).toHaveLength(count)
    expect(faults.at(-1)).toEqual({
      field: `bars.0.cuts.${count - 1}.orderId`,
      at: cell(count - 1),
      code: 'required',
      message: `bars.0.cuts.${count - 1}.orderId: is required`,
    })
  })
})

it.each([
  ['sound', 1_000, 'create'],
  ['faulty', -1, 'refused'],
])('lets other work have its turn while it checks a %s plan of 48,000 cuts', async (_, lengthMm, action) => {
  const id = '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
  const draft = createDraft()
  draft.propose('name', 'Week 47', at)
  for (let bar = 0; bar < 240; bar += 1) {
    draft.propose(`bars.${bar}.stockLengthMm`, 50_000, at)
    draft.propose(`bars.${bar}.grade`, 'S355J2', at)
    for (let cut = 0; cut < 200; cut += 1) {
      const line = bar * 200 + cut + 1
      draft.propose(`bars.${bar}.cuts.${cut}.orderNumber`, 'SO-1', { line, column: 1 })
      draft.propose(`bars.${bar}.cuts.${cut}.lineNumber`, 10, { line, column: 2 })
      draft.propose(`bars.${bar}.cuts.${cut}.lengthMm`, lengthMm, { line, column: 3 })
    }
  }
  const run = {
    isDry: true,
    carryOut: async (line: number, content: object) => {
      const refused = await planOf(id, id, content).then(() => undefined, problemOf)
      const answer = refused
        ? { line, status: 400, errors: refused.members.errors as LineAnswer['errors'] }
        : { line, status: 201, outcome: 'created' as const }
      return { answer: answer as LineAnswer, revision: 1 }
    },
    waitUntilShown: async () => true,
    position: () => 0,
    end: () => {},
  }
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const parts: Buffer[] = []
  const one = (async function* () {
    yield draft.finish(1, at)
  })()
  for await (const part of propose(one, run, createHash('sha256'))) parts.push(part)
  isOver = true
  const row = JSON.parse(Buffer.concat(parts).toString())
  expect([row.action, row.faults.length]).toEqual([action, action === 'create' ? 0 : 1_000])
  // 144,000 values in portions of 5,000, and the bars one by one.
  expect(turns).toBeGreaterThan(action === 'create' ? 240 : 50)
})

it('refuses a proposal that is too long, and names the bound', async () => {
  const draft = createDraft()
  for (let index = 0; index < 100; index += 1)
    draft.propose(`field${index}`, 'x'.repeat(10_000), { line: 1, column: 1 })
  const row = draft.finish(1, { line: 1, column: 1 })
  const rows = async function* () {
    for (let count = 0; count < 100; count += 1) yield row
  }
  const answer = { line: 1, status: 201, outcome: 'created' } as const
  const run = {
    isDry: true,
    carryOut: async () => ({ answer, revision: 1 }),
    waitUntilShown: async () => true,
    position: () => 0,
    end: () => {},
  }
  let bytes = 0
  const proposing = async () => {
    for await (const portion of propose(rows(), run, createHash('sha256'))) bytes += portion.length
  }
  await expect(proposing()).rejects.toThrow(/more than 67108864 bytes/)
  expect(bytes).toBeGreaterThan(60_000_000)
})
