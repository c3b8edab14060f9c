import { randomUUID } from 'node:crypto'
import { projections } from '../src/projections/all.ts'
import { liveCertificateList } from '../src/projections/certificates/certificates.ts'
import { filteredList } from '../src/projections/engine/reading/filteredList.ts'
import type { FilterValues } from '../src/projections/engine/reading/filters.ts'
import type { Reader } from '../src/projections/engine/reading/reader.ts'
import { manyAt, manyTagId, vacuum, writeMany } from '../test/projections/manyRecords.ts'
import { onEmptyReadModels } from './emptyReadModels.ts'
import { type Figure, median } from './report.ts'

/**
 * Compares the first page of a filtered list, read from PostgreSQL, with that of the whole list: 200,000 certificates
 * of a company, and a filter whose matches are many or few.
 */

const section = 'filters of 200,000 certificates'
const certificates = 200_000
const limit = 100
const rounds = 25

const newest = manyAt(certificates - 1_000)
const asks: readonly FilterValues[] = [
  { certificateNumber: 'MC-2026-100000' },
  { heatNumber: 'H033333' },
  { grade: 'S235JR' },
  { manufacturer: 'Ostwerk Werk 1' },
  { purchaseOrder: 'PO-002000' },
  { inspectionDocument: '3.1' },
  { status: ['Received'] },
  { tagId: manyTagId('millCert', 0) },
  { tagId: manyTagId('millCert', 5) },
  { blocked: true },
  { blocked: false },
  { updatedSince: manyAt(0) },
  { updatedSince: manyAt(certificates / 2) },
  { updatedSince: manyAt(certificates - 9_000) },
  { updatedSince: newest },
  { q: ['OST'] },
  { q: ['2026'] },
  { q: ['001'] },
  { q: ['H03'] },
  { q: ['100', 'OST'] },
  { blocked: true, grade: 'S235JR' },
  { q: ['OST'], blocked: true, updatedSince: newest },
]

export function filters(): Promise<Figure[]> {
  return onEmptyReadModels(async ({ postgres, readModels, reader }) => {
    const companyId = randomUUID()
    await writeMany(postgres, readModels, { companyId, certificates, orders: 0 })
    await vacuum(postgres, readModels)
    const times = await timesOf(reader, companyId)
    const whole = median(times[0]!)
    return [
      { section, what: `the whole list, first ${limit}, p50`, value: whole, unit: 'ms' },
      ...asks.map((asked, index) => {
        const value = median(times[index + 1]!)
        const ratio = { to: 'the whole list', value: value / whole, most: 3 }
        return { section, what: JSON.stringify(asked), value, unit: 'ms', ratio }
      }),
    ]
  })
}

/** The lists take turns, so that the machine's speed is the same for all. */
async function timesOf(reader: Reader, companyId: string): Promise<number[][]> {
  const all = [{}, ...asks]
  const times = all.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, asked] of all.entries()) {
      const start = performance.now()
      await firstPage(reader, companyId, asked)
      times[index]!.push(performance.now() - start)
    }
  return times
}

async function firstPage(reader: Reader, companyId: string, asked: FilterValues): Promise<void> {
  await reader.read(projections, async (reading) => {
    const page = { limit: limit + 1 }
    await reading.query(await filteredList(liveCertificateList, reading, { companyId, asked }, page))
  })
}
