import { joinRows } from '../certificates/testRows.ts'
import { createDraft, type Draft, type ReadRow } from '../readRow.ts'
import { transfer } from '../tables/groups.ts'
import { readAnalyses } from './analysisTable.ts'
import { readLabelled } from './labels.ts'
import { type Line, linesOf, placeOf } from './lines.ts'
import type { Page } from './page.ts'
import { type HeatRows, heatTablesOf, type PageRow } from './pageTables.ts'
import { readProse } from './prose.ts'

/** Read mill certificates from the pages of a document. */

/** The fields that a certificate must have. */
const needed = ['certificateNumber', 'heatNumber', 'grade', 'inspectionDocument']

/**
 * Return a row for each heat that a table names. Without such a table, return one row for the whole document: if it names
 * several heats, a person chooses.
 */
export function readCertificate(pages: readonly Page[]): readonly ReadRow[] {
  const read = pages.map((page) => {
    const lines = linesOf(page)
    const tables = heatTablesOf(page, lines)
    const others = lines.filter((line) => !tables.some((table) => table.lines.has(line)))
    return { others, heats: tables.flatMap(({ heats }) => heats) }
  })
  const readShared = (draft: Draft) => {
    for (const { others } of read) {
      readLabelled(draft, others)
      readAnalyses(draft, others)
    }
    const { values, undecided } = draft.finish(1, { page: 1, box: [0, 0, 0, 0] })
    const known = new Set([...values, ...undecided].map(({ field }) => field))
    for (const { others } of read) readProse(draft, others, known)
  }
  const heats = joinHeats(read.flatMap(({ heats }) => heats))
  const texts = pages.map(({ page, text }) => ({ page, text }))
  if (heats.length === 0) return [{ ...recordOf(1, pages[0]!, readShared), pages: texts }]
  const shared = readAllBut('heatNumber', readShared)
  const numbers = heats.flatMap(({ heat }) => heat?.text ?? [])
  return heats.map((heat, index) => {
    const first = index === 0 ? { pages: texts } : {}
    const record = recordOf(index + 1, pages[0]!, (draft) => {
      readHeat(draft, heat, numbers)
      transfer(shared, draft, (field) => field)
    })
    return { ...record, ...first }
  })
}

/** Prefer a table of heats to a label, because the label may name only one of them. */
function readAllBut(field: string, read: (draft: Draft) => void): ReadRow {
  const all = createDraft()
  read(all)
  const { values, undecided, faults, ...row } = all.finish(1, { page: 1, box: [0, 0, 0, 0] })
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
function recordOf(row: number, { page, box }: Page, read: (draft: Draft) => void): ReadRow {
  const at = { page, box }
  const draft = createDraft()
  read(draft)
  const found = draft.finish(row, at)
  const known = new Set([...found.values, ...found.undecided].map(({ field }) => field))
  for (const field of needed) if (!known.has(field)) draft.leaveOpen(field, [], at)
  return draft.finish(row, at)
}
