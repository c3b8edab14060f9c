import type { Box } from '../pages/page.ts'
import type { At, ReadFault, ReadRow, ReadValue, Undecided } from '../readRow.ts'
import type { ScannedPage } from './readScan.ts'

/** Values of a scan that a person must confirm one by one, because they were read with doubt or break a check. */

/** A value with a letter that is less certain than this is in doubt. Of 720 numbers of real scans, some 15 are. */
const leastConfidence = 0.5

/** The largest shares of elements that structural and reinforcing steels have, in percent: beyond them a comma was missed. */
const largestShare: Readonly<Record<string, number>> = {
  C: 0.6,
  Si: 1,
  Mn: 2.5,
  P: 0.1,
  S: 0.1,
  N: 0.05,
  Al: 0.2,
  Cu: 1,
  Cr: 2,
  Ni: 2.5,
  Mo: 1,
  V: 0.3,
  Nb: 0.2,
  Ti: 0.3,
  B: 0.01,
}
/** Fields whose value comes from a heading, and which stand in the place of another value. */
const ofHeading = /\.(?:kind|rawYieldKind|gaugeLength)$/

/** The least and largest strengths (MPa), elongation (%) and energies (J) of such steels. */
const strength = [150, 1_500] as const
const elongation = [2, 60] as const
const energy = [1, 400] as const

/** Return the rows with boxes on the pages as they were scanned, and each value in doubt left open with its reason. */
export function withDoubts(rows: readonly ReadRow[], pages: readonly ScannedPage[]): readonly ReadRow[] {
  const byNumber = new Map(pages.map((page) => [page.page, page]))
  const placed = (at: At): At => {
    const page = 'page' in at ? byNumber.get(at.page) : undefined
    return page && 'page' in at ? { page: at.page, box: page.onScan(at.box) } : at
  }
  return rows.map((row) => {
    const broken = new Map([...outOfRange(row.values), ...unequalStrengths(row.values)])
    const values: ReadValue[] = []
    const doubted: (Undecided & { readonly reason: string })[] = []
    for (const one of row.values) {
      const confidence = confidenceOf(one.at, byNumber)
      const at = placed(one.at)
      const reason = broken.get(one.field) ?? (ofHeading.test(one.field) ? undefined : uncertain(confidence))
      if (reason === undefined) values.push({ ...one, at, ...(confidence !== undefined && { confidence }) })
      else doubted.push({ field: one.field, candidates: [one.value], at, reason })
    }
    const toConfirm = doubted.map(
      ({ field, at, reason }): ReadFault => ({ field, at, code: 'unconfirmed', message: reason }),
    )
    return {
      ...row,
      at: placed(row.at),
      values,
      undecided: [
        ...doubted.map(({ reason: text, ...open }) => ({ ...open, text })),
        ...row.undecided.map((open) => ({ ...open, at: placed(open.at) })),
      ],
      faults: [...row.faults.map((fault) => ({ ...fault, at: placed(fault.at) })), ...toConfirm],
    }
  })
}

function uncertain(confidence: number | undefined): string | undefined {
  if (confidence === undefined || confidence >= leastConfidence) return undefined
  return `was read with a certainty of ${Math.round(100 * confidence)} %. Compare it with the scan, and confirm or correct it`
}

/** Return how sure the network is of the texts in a box; undefined for a value that stands on no text. */
function confidenceOf(at: At, pages: ReadonlyMap<number, ScannedPage>): number | undefined {
  const page = 'page' in at ? pages.get(at.page) : undefined
  if (!page || !('page' in at)) return undefined
  const inside = page.texts.filter(({ box }) => isInside(box, at.box))
  return inside.length === 0 ? undefined : Math.min(...inside.map(({ confidence }) => confidence))
}

function isInside([left, bottom, right, top]: Box, outer: Box): boolean {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  return x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3]
}

function* outOfRange(values: readonly ReadValue[]): Generator<[string, string]> {
  for (const { field, value } of values) {
    const range = rangeOf(field)
    if (!range || typeof value !== 'number' || (value >= range[0] && value <= range[1])) continue
    yield [
      field,
      `is ${value}, and steels have ${range[0]} to ${range[1]}. Compare it with the scan, and confirm or correct it`,
    ]
  }
}

function rangeOf(field: string): readonly [number, number] | undefined {
  const element = /^chemistry\.(\w+)$/.exec(field)?.[1]
  if (element !== undefined) return [0, largestShare[element] ?? 1]
  if (/(?:reHMpa|reLMpa|rp02Mpa|rmMpa|rawYieldMpa)$/.test(field)) return strength
  if (/(?:a5Percent|elongationPercent)$/.test(field)) return elongation
  return /(?:kvJoule|averageJoule|valuesJoule\.\d)$/.test(field) ? energy : undefined
}

/** A yield strength above the tensile strength of the same test: one of them was misread. */
function* unequalStrengths(values: readonly ReadValue[]): Generator<[string, string]> {
  const byField = new Map(values.map(({ field, value }) => [field, value]))
  for (const [field, yieldMpa] of byField) {
    const test = /^(.*\.)(?:reHMpa|reLMpa|rp02Mpa|rawYieldMpa)$/.exec(field)?.[1]
    const tensile = test === undefined ? undefined : byField.get(`${test}rmMpa`)
    if (typeof yieldMpa !== 'number' || typeof tensile !== 'number' || yieldMpa <= tensile) continue
    const reason = `the yield strength ${yieldMpa} is above the tensile strength ${tensile}. Compare both with the scan, and confirm or correct them`
    yield [field, reason]
    yield [`${test}rmMpa`, reason]
  }
}
