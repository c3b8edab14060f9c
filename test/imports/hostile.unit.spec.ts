import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readCertificateJson } from '../../src/imports/certificates/json.ts'
import { contentOf } from '../../src/imports/content.ts'
import { type ImportKind, readFile } from '../../src/imports/read.ts'
import { createDraft, type ReadRow } from '../../src/imports/readRow.ts'
import { mostCuts } from '../../src/imports/tables/plans.ts'
import { mostRows } from '../../src/imports/tables/table.ts'
import { mostUnpackedBytes, readXlsx } from '../../src/imports/tables/xlsx.ts'

/** Files that are made to take for ever, or all memory. A slow reader fails here by the time limit of a test. */

async function rowsOf(kind: ImportKind, csv: string): Promise<ReadRow[]> {
  const all: ReadRow[] = []
  for await (const row of readFile({ kind, format: 'csv', bytes: Buffer.from(csv) })) all.push(row)
  return all
}

describe('a hostile spreadsheet', () => {
  it('is refused when its stored parts are larger than they say', async () => {
    const large = Buffer.alloc(mostUnpackedBytes / 4)
    const parts = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`xl/${name}.xml`, large]))
    const bytes = Buffer.from(zipSync(parts, { level: 0 }))
    // The central directory says that every part is empty.
    for (const name of Object.keys(parts)) bytes.writeUInt32LE(0, bytes.lastIndexOf(name) - 46 + 24)
    await expect(readXlsx(bytes)).rejects.toThrow(/unpacks to more than/)
  })
})

describe('a hostile table', () => {
  it.each([',', '(', '[ '])('is refused when a heading repeats %j without end', async (sign) => {
    const csv = `Zeugnis;"${sign.repeat(200_000)}x"\n`
    await expect(rowsOf('certificates', csv)).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('is refused when it has more rows than an import may have', async () => {
    const csv = `Auftrag;Pos\n${'A;1\n'.repeat(mostRows + 1)}`
    await expect(rowsOf('orders', csv)).rejects.toThrow(`more than ${mostRows} rows`)
    await expect(rowsOf('orders', csv.slice(0, -4))).resolves.toHaveLength(1)
  })

  it('is refused when its quantities stand for too many cuts', async () => {
    const lines = mostCuts / 200
    const csv = `Plan;Länge;Menge\n${'P;1000;200\n'.repeat(lines)}`
    await expect(rowsOf('plans', csv)).resolves.toHaveLength(1)
    await expect(rowsOf('plans', `${csv}P;1000;1\n`)).rejects.toThrow(`more than ${mostCuts} cuts`)
  })
})

describe('a hostile cell of JSON', () => {
  const read = async (heading: string, json: string) => {
    const csv = `Zeugnis;Schmelze;${heading}\nZ;H;"${json.replaceAll('"', '""')}"\n`
    const [row] = await rowsOf('certificates', csv)
    return { content: contentOf(row!), faults: row!.faults.map(({ field, code }) => [field, code]) }
  }
  const numbers = { certificateNumber: 'Z', heatNumber: 'H' }

  it.each(['tests', 'chemistry'])('is refused when %s is nested without end', async (field) => {
    const json = `${'{"C":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expect(await read(field, json)).toEqual({ content: numbers, faults: [[field, 'out-of-bounds']] })
  })

  it.each(['x.99999999', 'x.y', '7', ''])('is refused when it names the member %j, a path', async (name) => {
    expect(await read('chemistry', `{"C":0.1,"${name}":1}`)).toEqual({
      content: { ...numbers, chemistry: { C: 0.1 } },
      faults: [['chemistry', 'unknown-member']],
    })
  })
})

describe('a hostile certificate', () => {
  it('leaves a field open with a few candidates, however many the file has', () => {
    const C71 = { Symbol: 'Xx', Actual: '1' }
    const ChemicalComposition = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`C${71 + index}`, { ...C71, Actual: String(index) }]),
    )
    const Inspection = Array.from({ length: 20 }, (_, index) => ({
      C00: 'H1',
      ChemicalComposition: Object.fromEntries(
        Object.entries(ChemicalComposition).map(([name, one], place) => [
          name,
          { ...one, Actual: String(index * 40 + place) },
        ]),
      ),
    }))
    const ProductNorm = Array.from({ length: 100_000 }, (_, index) => `EN ${index}`)
    const [row] = readCertificateJson({
      Certificate: { Inspection, ProductDescription: { B02: { ProductNorm } } },
    })
    const counts = row!.undecided.map(({ candidates }) => candidates.length)
    expect(Math.max(...counts)).toBeLessThanOrEqual(20)
    expect(row!.undecided.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['chemistry', 'standard']),
    )
  })
})

it('leaves the read values as they are when decisions are put into them', () => {
  const draft = createDraft()
  draft.propose('tests', [{ kind: 'tensile', rmMpa: 500 }], { pointer: '' })
  const row = draft.finish(1, { pointer: '' })
  contentOf(row, [{ row: 1, field: 'tests.0.rmMpa', value: 400 }])
  expect(contentOf(row)).toEqual({ tests: [{ kind: 'tensile', rmMpa: 500 }] })
})
