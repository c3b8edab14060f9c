import { type Doubt, doubtIn } from '../../domain/certificates/readingDoubts.ts'
import { brokenChecks, withKnownCev } from '../certificates/checks.ts'
import type { At, ReadFault, ReadRow, ReadValue, Undecided } from '../readRow.ts'
import { unevenCells } from './decimals.ts'
import type { Box, Page, ScannedText } from './page.ts'
import type { PageParts } from './pageTables.ts'

/** Values of a page that a person must confirm one by one, because they were read with doubt or break a check. */

/** A value with a letter that is less certain than this is in doubt. Of 720 numbers of real scans, some 15 are. */
const leastConfidence = 0.5
/**
 * A page is weak if more than this share of its texts is in doubt, and a line, which a pen may have crossed, if more than
 * that share is. Letters that seem more certain are wrong there, too.
 */
const shareOfWeakPage = 0.1
const shareOfWeakLine = 1 / 6
const shortestLine = 6
const leastWhereWeak = 0.8

/** Fields whose value comes from a heading, and which stand in the place of another value. */
const ofHeading = /\.(?:kind|rawYieldKind|gaugeLength)$/

/** Return the rows with boxes on the pages as they were scanned, and each value in doubt left open with its reason. */
export function withDoubts(rows: readonly ReadRow[], parts: readonly PageParts[]): readonly ReadRow[] {
  const reading: Reading = {
    heats: rows.flatMap(({ values }) => values.flatMap(heatIn)),
    pages: new Map(parts.map(({ page }) => [page.page, page])),
    weakPages: new Set(
      parts.flatMap(({ page }) => (isWeak(page.scan?.texts ?? [], shareOfWeakPage) ? [page.page] : [])),
    ),
    uneven: new Map(parts.filter(({ page }) => page.scan).flatMap(unevenIn)),
  }
  return rows.map((row) => doubtRow(withKnownCev(row), reading))
}

/** A value is compared with these beside its row. */
interface Reading {
  readonly heats: readonly string[]
  readonly pages: Pages
  readonly weakPages: ReadonlySet<number>
  /** The doubts about numbers with other decimals than those of their columns, by their places. */
  readonly uneven: ReadonlyMap<string, Doubt>
}

function unevenIn({ page: { page }, tables }: PageParts) {
  return tables.flatMap(({ columns }) =>
    columns.flatMap((cells) =>
      unevenCells(cells).map(([{ box }, doubt]) => [keyOf({ page, box }), doubt] as const),
    ),
  )
}

function keyOf(at: At): string {
  return 'page' in at ? [at.page, ...at.box].join(' ') : ''
}

function heatIn({ field, value }: ReadValue): readonly string[] {
  return field === 'heatNumber' && typeof value === 'string' ? [value] : []
}

type Pages = ReadonlyMap<number, Page>

function doubtRow(row: ReadRow, reading: Reading): ReadRow {
  const { heats, pages, uneven } = reading
  const broken = brokenChecks(row)
  const values: ReadValue[] = []
  const open: Undecided[] = []
  const faults: ReadFault[] = []
  for (const one of row.values) {
    const confidence = confidenceOf(one.at, pages)
    const scanned = { ...one, at: asScanned(one.at, pages), ...(confidence !== undefined && { confidence }) }
    const reason =
      broken.get(one.field) ??
      oddHeat(heatIn(one)[0], heats) ??
      uneven.get(keyOf(one.at)) ??
      (ofHeading.test(one.field) ? undefined : doubtConfidence(confidence, leastOn(one.at, reading)))
    if (reason === undefined) values.push(scanned)
    else {
      const { field, value, at } = scanned
      open.push({
        field,
        candidates: [value],
        at,
        doubt: reason,
        ...(confidence !== undefined && { confidence }),
      })
      faults.push({ field, at, code: 'unconfirmed', message: doubtIn('en', reason) })
    }
  }
  return {
    ...row,
    at: asScanned(row.at, pages),
    values,
    undecided: [...open, ...row.undecided.map((one) => ({ ...one, at: asScanned(one.at, pages) }))],
    faults: [...row.faults.map((one) => ({ ...one, at: asScanned(one.at, pages) })), ...faults],
  }
}

/** Return the place on the page as it was scanned. */
function asScanned(at: At, pages: Pages): At {
  const scan = 'page' in at ? pages.get(at.page)?.scan : undefined
  return scan && 'page' in at ? { page: at.page, ...scan.placeOf(at.box) } : at
}

/** A heat number that is longer or shorter than those of all other heats may lack a digit. */
function oddHeat(heat: string | undefined, heats: readonly string[]): Doubt | undefined {
  const others = heats.filter((other) => other !== heat).map(({ length }) => length)
  const isOdd =
    heat !== undefined && others.length > 1 && new Set(others).size === 1 && others[0] !== heat.length
  return isOdd ? { text: 'heat-length', values: { length: heat.length, others: others[0]! } } : undefined
}

function isWeak(texts: readonly ScannedText[], share: number): boolean {
  const uncertain = texts.filter(({ confidence }) => confidence < leastConfidence)
  return uncertain.length > share * texts.length
}

function leastOn(at: At, { pages, weakPages }: Reading): number {
  if (!('page' in at)) return leastConfidence
  const line = pages.get(at.page)?.scan?.texts.filter(({ box }) => isBeside(box, at.box)) ?? []
  const isWeakLine = line.length >= shortestLine && isWeak(line, shareOfWeakLine)
  return isWeakLine || weakPages.has(at.page) ? leastWhereWeak : leastConfidence
}

function isBeside([, bottom, , top]: Box, [, otherBottom, , otherTop]: Box): boolean {
  const middle = (bottom + top) / 2
  return middle > otherBottom && middle < otherTop
}

function doubtConfidence(confidence: number | undefined, least: number): Doubt | undefined {
  if (confidence === undefined || confidence >= least) return undefined
  return { text: 'uncertain', values: { percent: Math.round(100 * confidence) } }
}

/** Return how sure the network is of the texts in a box; undefined for a value that stands on no text. */
function confidenceOf(at: At, pages: Pages): number | undefined {
  const scan = 'page' in at ? pages.get(at.page)?.scan : undefined
  if (!scan || !('page' in at)) return undefined
  const inside = scan.texts.filter(({ box }) => isInside(box, at.box))
  return inside.length === 0 ? undefined : Math.min(...inside.map(({ confidence }) => confidence))
}

function isInside([left, bottom, right, top]: Box, outer: Box): boolean {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  return x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3]
}
