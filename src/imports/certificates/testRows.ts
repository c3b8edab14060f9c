import type { Draft, ReadRow } from '../readRow.ts'
import { transfer } from '../tables/groups.ts'

/** Rows of a table that state one test each become the tests of one certificate. */

/** The member of a tensile or impact test for the value of a row. */
const tensile: Readonly<Record<string, string>> = {
  'mechanical.reHMpa': 'reHMpa',
  'mechanical.rmMpa': 'rmMpa',
  'mechanical.a5Percent': 'elongationPercent',
  'mechanical.rmReRatio': 'rmReRatio',
  'mechanical.agtPercent': 'agtPercent',
  'mechanical.massPerMetreKg': 'massPerMetreKg',
}
const impact: Readonly<Record<string, string>> = {
  'mechanical.kvJoule': 'valuesJoule.0',
  'mechanical.kvTemperatureC': 'temperatureC',
}
const testOfRow = 'tests.0.'
const impactOfRow = 'impact.'

/**
 * Hand the rows of a record to its draft. The values of a single row stay the summary; those of several rows become
 * tests, each on its own. Rows that state different values of the certificate itself leave them open.
 */
export function joinRows(rows: readonly ReadRow[], into: Draft, areTests = rows.length > 1): void {
  if (!areTests) {
    for (const row of rows) transfer(row, into, (field) => field)
    return
  }
  let tests = 0
  for (const row of rows) {
    const fields = [...row.values, ...row.undecided, ...row.faults].flatMap(({ field }) => field ?? [])
    const isTensile = fields.some((field) => field in tensile || field.startsWith(testOfRow))
    const isImpact = fields.some((field) => field in impact || field.startsWith(impactOfRow))
    const tensileTest = `tests.${tests}`
    const impactTest = `tests.${tests + (isTensile ? 1 : 0)}`
    tests += (isTensile ? 1 : 0) + (isImpact ? 1 : 0)
    if (isTensile) into.propose(`${tensileTest}.kind`, 'tensile', row.at)
    if (fields.includes('mechanical.a5Percent')) into.propose(`${tensileTest}.gaugeLength`, '5.65', row.at)
    if (isImpact) into.propose(`${impactTest}.kind`, 'impact', row.at)
    transfer(row, into, (field) => {
      if (field in tensile) return `${tensileTest}.${tensile[field]}`
      if (field in impact) return `${impactTest}.${impact[field]}`
      if (field.startsWith(impactOfRow)) return `${impactTest}.${field.slice(impactOfRow.length)}`
      return field.startsWith(testOfRow) ? `${tensileTest}.${field.slice(testOfRow.length)}` : field
    })
  }
}
