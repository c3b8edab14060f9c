import { celsiusIn } from '../certificates/words.ts'
import { joules, readMeasure } from '../tables/cellValues.ts'
import type { ReadColumn } from '../tables/findHeadings.ts'
import { readHeading } from '../tables/headingNames.ts'

/** Impact tests in columns: an energy for each test piece, and their mean. */

/** Energies of a V notch; the energy of an area (KCV) and that of a U notch are other values. */
const impact = /(?<!\p{L})(?:KV\d?|CVN|charpy|impact|kerbschlag\p{L}*|r[ée]sil\p{L}*)(?!\p{L})/iu
const otherEnergy = /(?<!\p{L})K(?:C[UV]?|U)\d?(?!\p{L})/u
export function namesImpact(text: string): boolean {
  return impact.test(text) && !otherEnergy.test(text)
}

const piece = /(?:^|\s)([1-6])(?=\s|$)/
const mean = /(?<!\p{L})(?:av(?:g|e|erage)?|mean|mittel(?:wert)?|media|moy(?:enne)?|ort)(?!\p{L})|[øØ⌀]/iu

/**
 * Return how to read the columns of energies. An energy in a column without a number is read as the only one of its test.
 * @param titles the words above each column that it shares with others
 */
export function impactColumns(
  headings: readonly string[],
  titles: readonly string[],
): ReadonlyMap<number, ReadColumn> {
  const columns = headings.flatMap((heading, index) => {
    const title = `${titles[index]} ${heading}`
    const number = piece.exec(heading)?.[1]
    if (!namesImpact(title) || (number === undefined && !mean.test(heading))) return []
    const field = number === undefined ? 'impact.averageJoule' : `impact.valuesJoule.${Number(number) - 1}`
    return [{ index, field, heading, title: titles[index]!, celsius: celsiusIn(title) }]
  })
  if (!columns.some(({ field }) => field.startsWith('impact.valuesJoule'))) return new Map()
  return new Map(
    columns.map(({ index, field, heading, title, celsius }) => {
      const unit = readHeading(heading).unit ?? readHeading(title).unit
      const readEnergy = readMeasure(joules, unit)
      const read: ReadColumn = (draft, cell, at) => {
        readEnergy(draft, field, cell, at)
        if (celsius !== undefined) draft.propose('impact.temperatureC', celsius, at)
      }
      return [index, read] as const
    }),
  )
}
