import { randomUUID } from 'node:crypto'
import { findCandidates } from '../src/http/bars/candidates.ts'
import { judgedFrom } from '../src/projections/bars/verdicts.ts'
import { vacuum, writeMany } from '../test/projections/manyRecords.ts'
import { onEmptyReadModels } from './emptyReadModels.ts'
import { type Figure, median } from './report.ts'

/**
 * Measures the candidates of a bar among 200,000 certificates, of which every fifth suits. If the bar was planned as
 * another steel, each of them has a Flag, so as many certificates are judged as the bound allows.
 */

const certificates = 200_000
const section = `candidates among ${certificates.toLocaleString('en')} certificates`
const rounds = 40

export function candidates(): Promise<Figure[]> {
  return onEmptyReadModels(async ({ postgres, readModels, reader }) => {
    const companyId = randomUUID()
    await writeMany(postgres, readModels, { companyId, certificates, orders: 8 })
    await vacuum(postgres, readModels)
    const bars = readModels.tableName('bar', 1)
    // The order of the first bar has tags that block.
    const [one, other] = await postgres.query<{ barId: string }>(
      `SELECT bar_id AS "barId" FROM ${bars} ORDER BY plan_created_at OFFSET 1`,
    )
    await postgres.query(`UPDATE ${bars} SET grade = 'S355J2+N' WHERE bar_id = $1`, [one!.barId])
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1)
      for (const [index, { barId }] of [one!, other!].entries()) {
        const start = performance.now()
        const { value } = await reader.read(judgedFrom, (reading) =>
          findCandidates(reading, { companyId, barId }),
        )
        times[index]!.push(performance.now() - start)
        if (value?.candidates.length !== 50) throw new Error('there must be 50 candidates')
      }
    const figure = (what: string, values: readonly number[]): Figure => ({
      section,
      what,
      value: median(values),
      unit: 'ms',
    })
    return [figure('enough in the first portion, p50', times[0]), figure('1,000 judged, p50', times[1])]
  })
}
