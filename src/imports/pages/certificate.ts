import { joinRows } from '../certificates/testRows.ts'
import { createDraft, type Draft, type ReadRow } from '../readRow.ts'
import { transfer } from '../tables/groups.ts'
import { readAnalyses } from './analysisTable.ts'
import { certificatesOf } from './certificatesOf.ts'
import { withDoubts } from './doubts.ts'
import { readLabelled } from './labels.ts'
import { type Line, linesOf, placeOf } from './lines.ts'
import { notTakenOf } from './notTaken.ts'
import type { Page } from './page.ts'
import { type HeatRows, heatTablesOf, type PageParts, type PageRow, type PageTable } from './pageTables.ts'
import { readProse } from './prose.ts'

/** Read mill certificates from the pages of a document. */

/** The fields that a certificate must have. */
const needed = ['certificateNumber', 'heatNumber', 'grade', 'inspectionDocument']
/** The fields that nearly every certificate states. */
const expected = [
  'manufacturer',
  'standard',
  ...['C', 'Si', 'Mn', 'P', 'S'].map((element) => `chemistry.${element}`),
]
/** A certificate states strengths in one of these forms. */
const strengths = /^(?:mechanical|tests)\b/
const expectedStrengths = ['mechanical.reHMpa', 'mechanical.rmMpa', 'mechanical.a5Percent']

/**
 * Return a row for each heat that a table names, of each certificate on the pages. Without such a table, return one row for
 * each certificate: if it names several heats, a person chooses.
 */
export function readCertificate(pages: readonly Page[]): readonly ReadRow[] {
  const parts = partsOf(pages)
  const certificates = certificatesOf(parts, (read) => sharedOf([read]))
  const rows = certificates.flatMap((own) => {
    const onPages = certificates.length > 1 ? { onPages: own.map(({ page }) => page.page) } : {}
    return rowsOf(own).map((row) => ({ ...row, ...onPages }))
  })
  const [first, ...others] = withDoubts(
    rows.map((row, index) => ({ ...row, row: index + 1 })),
    parts,
  )
  const notTaken = notTakenOf(parts, rows)
  const texts = pages.map(({ page, text }) => ({ page, text }))
  return [{ ...first!, pages: texts, ...(notTaken.length > 0 && { notTaken }) }, ...others]
}

function partsOf(pages: readonly Page[]): readonly PageParts[] {
  let before: PageTable | undefined
  return pages.map((page) => {
    const lines = linesOf(page)
    const tables = heatTablesOf(page, lines, before)
    before = tables.at(-1) ?? before
    return {
      page,
      tables,
      others: lines.filter((line) => !tables.some((table) => table.lines.has(line))),
    }
  })
}

/** Return the rows of one certificate. */
function rowsOf(parts: readonly PageParts[]): readonly ReadRow[] {
  const heats = joinHeats(parts.flatMap(({ tables }) => tables.flatMap((table) => table.heats)))
  const { page } = parts[0]!
  const sharedRow = sharedOf(parts)
  if (heats.length === 0) return [recordOf(page, (draft) => transfer(sharedRow, draft, (field) => field))]
  const shared = without('heatNumber', sharedRow)
  const numbers = heats.flatMap(({ heat }) => heat?.text ?? [])
  return heats.map((heat) =>
    recordOf(page, (draft) => {
      readHeat(draft, heat, numbers)
      transfer(shared, draft, (field) => field)
    }),
  )
}

/** Return what stands outside of the tables of heats, and holds for all heats. */
function sharedOf(parts: readonly PageParts[]): ReadRow {
  const draft = createDraft()
  const at = { page: 1, box: [0, 0, 0, 0] } as const
  for (const { others } of parts) {
    readLabelled(draft, others)
    readAnalyses(draft, others)
  }
  const fieldsOfRow = fieldsOf(draft.finish(1, at))
  for (const { others } of parts) readProse(draft, others, fieldsOfRow)
  return draft.finish(1, at)
}

function fieldsOf({ values, undecided }: ReadRow): ReadonlySet<string> {
  return new Set([...values, ...undecided].map(({ field }) => field))
}

/** Prefer a table of heats to a label, because the label may name only one of them. */
function without(field: string, { values, undecided, faults, ...row }: ReadRow): ReadRow {
  const isOther = (one: { readonly field?: string }) => one.field !== field
  return {
    ...row,
    values: values.filter(isOther),
    undecided: undecided.filter(isOther),
    faults: faults.filter(isOther),
  }
}

/** Join the rows of one heat, which may be on several pages, and in a table of tests beside one of analyses. */
function joinHeats(heats: readonly HeatRows[]): readonly HeatRows[] {
  const byNumber = new Map<string, HeatRows>()
  for (const [index, heat] of heats.entries()) {
    const key = heat.heat?.text ?? `rows ${index}`
    const before = byNumber.get(key)
    byNumber.set(key, before ? { ...before, rows: [...before.rows, ...heat.rows] } : heat)
  }
  return [...byNumber.values()]
}

/** @param numbers the heats of the document: rows without a heat may belong to any of them */
function readHeat(draft: Draft, { heat, rows }: HeatRows, numbers: readonly string[]): void {
  const [first] = rows
  if (heat) draft.propose('heatNumber', heat.text, placeOf(lineOf(rows, heat.box[1]), heat))
  else draft.leaveOpen('heatNumber', numbers, placeOf(first!.line, first!.line.cells[0]!), 'no heat number')
  joinRows(rows.map(readRow), draft, true)
}

function lineOf(rows: readonly PageRow[], bottom: number): Line {
  return rows.find(({ line }) => Math.abs(line.bottom - bottom) < 1)?.line ?? rows[0]!.line
}

function readRow({ line, read }: PageRow): ReadRow {
  const draft = createDraft()
  read(draft)
  return draft.finish(1, placeOf(line, line.cells[0]!))
}

/** Return the record that `read` gathers. A field that it must have is left open when the document does not state it. */
function recordOf({ page, box }: Page, read: (draft: Draft) => void): ReadRow {
  const at = { page, box }
  const draft = createDraft()
  read(draft)
  const fieldsOfRow = fieldsOf(draft.finish(1, at))
  for (const field of needed) if (!fieldsOfRow.has(field)) draft.leaveOpen(field, [], at)
  const hasStrengths = [...fieldsOfRow].some((field) => strengths.test(field))
  const notFound = [...expected, ...(hasStrengths ? [] : expectedStrengths)].filter(
    (field) => !fieldsOfRow.has(field),
  )
  return { ...draft.finish(1, at), ...(notFound.length > 0 && { notFound }) }
}
