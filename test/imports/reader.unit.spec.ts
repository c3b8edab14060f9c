import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { propose } from '../../src/http/kit/intake/proposal.ts'
import type { ImportFormat } from '../../src/imports/read.ts'
import { createImportReader, type Limits } from '../../src/imports/reader.ts'
import { createDraft, type ReadRow } from '../../src/imports/readRow.ts'
import { Unreadable } from '../../src/imports/unreadable.ts'

const plenty: Limits = { withinMs: 60_000, heapMegabytes: 512 }

function read(format: ImportFormat, text: string, limits = plenty) {
  const reader = createImportReader(() => performance.now(), limits)
  return reader.read('company', { kind: 'certificates', format }, async () => contentOf(text))
}

async function* contentOf(text: string) {
  yield Buffer.from(text)
}

async function rowsOf(rows: AsyncIterable<ReadRow>): Promise<ReadRow[]> {
  const all: ReadRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

const table = (rows: number) =>
  `Zeugnis;Schmelze\n${Array.from({ length: rows }, (_, row) => `Z-${row};H\n`).join('')}`

describe('the reader of files', () => {
  it('reads all rows in their order, however many portions they take', async () => {
    const rows = await rowsOf(read('csv', table(250)))
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  })

  it.each(['csv', 'json', 'xlsx'] as const)('gives up %s that takes too long', async (format) => {
    const late = read(format, table(10), { ...plenty, withinMs: 0 })
    await expect(rowsOf(late)).rejects.toThrow(/takes longer than 0 s to read/)
  })

  it('gives up a file that takes too much memory, and the process goes on', async () => {
    const large = read('json', `[${'[],'.repeat(4_000_000)}[]]`, { ...plenty, heapMegabytes: 24 })
    await expect(rowsOf(large)).rejects.toThrow(/takes too much memory/)
  })

  it('passes on why a file is unreadable', async () => {
    await expect(rowsOf(read('csv', 'a;b\n1;2'))).rejects.toThrow(Unreadable)
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
    untilShown: async () => true,
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
