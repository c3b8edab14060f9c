import { randomUUID } from 'node:crypto'
import type { Recorded } from '../src/domain/kernel/event.ts'
import { millCertificationIdOf } from '../src/domain/kernel/identifiers.ts'
import { clock } from '../src/lib/clocks.ts'
import { certificates, liveCertificateList } from '../src/projections/certificates/certificates.ts'
import { asOf } from '../src/projections/engine/reading/asOf.ts'
import { filteredList } from '../src/projections/engine/reading/filteredList.ts'
import type { Reader } from '../src/projections/engine/reading/reader.ts'
import { foldInMemory } from '../src/projections/engine/rows/fold.ts'
import type { ReadModels } from '../src/projections/engine/schema/readModels.ts'
import { tags } from '../src/projections/tags/tags.ts'
import * as facts from '../test/domain/verdict/facts.ts'
import { vacuum } from '../test/projections/manyRecords.ts'
import { writeRows } from '../test/projections/tables.ts'
import { alice, id } from '../test/support/given.ts'
import { onEmptyReadModels } from './emptyReadModels.ts'
import { type Figure, median } from './report.ts'

/**
 * Compares a list as of an earlier time with the present one, read from PostgreSQL: 500 certificates of each of two companies,
 * which have 300 former rows each.
 */

const section = 'as of an earlier time'
const records = 500
const versions = 300
const rounds = 25
/** Certificates that are folded together: all their rows are in memory. */
const portion = 50

export function asOfLists(): Promise<Figure[]> {
  return onEmptyReadModels(async ({ postgres, readModels, reader }) => {
    const companies = [randomUUID(), randomUUID()]
    for (const companyId of companies)
      for (let from = 0; from < records; from += portion) {
        const rows = foldInMemory(certificates, corrections(companyId, from))
        await writeRows(postgres, readModels, certificates, rows)
      }
    await vacuum(postgres, readModels)
    const read = timedRead(reader, readModels, companies[0]!)
    const now = await read()
    const figures: Figure[] = [{ section, what: `${records} certificates, p50`, value: now, unit: 'ms' }]
    for (const share of [0.1, 0.5, 0.9]) {
      const value = await read(Math.round(share * versions) * records)
      const ratio = { to: 'the present list', value: value / now, most: 3 }
      figures.push({
        section,
        what: `as of ${share * 100} % of their history, p50`,
        value,
        unit: 'ms',
        ratio,
      })
    }
    return figures
  })
}

/** Each certificate is corrected in each round of the history. */
function corrections(companyId: string, from: number): Recorded[] {
  return Array.from({ length: (versions + 1) * portion }, (_, index) => {
    const round = Math.floor(index / portion)
    const n = from + (index % portion)
    const numbers = { certificateNumber: `MC-${n}`, heatNumber: `H${n}` }
    const millCertificationId = millCertificationIdOf(
      companyId,
      numbers.certificateNumber,
      numbers.heatNumber,
    )
    const content = facts.certificateContent({ thicknessMm: 1 + round })
    const position = round * records + n + 1
    return {
      type: round === 0 ? 'MillCertificateRegistered' : 'MillCertificateCorrected',
      data: { companyId, millCertificationId, ...numbers, ...content, changes: [] },
      id: id(position),
      streamName: `millCertificate-${companyId}_${n}`,
      revision: round,
      position,
      metadata: {
        actor: alice,
        occurredAt: '2026-01-02T03:04:05.678Z',
        correlationId: 'c',
        schemaVersion: 1,
      },
    } as unknown as Recorded
  })
}

/** Return a function for the median time of reading the whole list at a position; without one, the present list. */
function timedRead(reader: Reader, readModels: ReadModels, companyId: string) {
  return async (position?: number): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const began = clock()
      const { value } = await reader.read([certificates, tags], async (snapshot) => {
        const reading = position === undefined ? snapshot : asOf(snapshot, readModels, position)
        return reading.query(await filteredList(liveCertificateList, reading, { companyId, asked: {} }))
      })
      times.push(clock() - began)
      if (value.length !== records) throw new Error(`the list has ${value.length} certificates`)
    }
    return median(times)
  }
}
