import { createDraft, type ReadRow } from '../readRow.ts'
import { readAnalyses } from './analysisTable.ts'
import { readLabelled } from './labels.ts'
import { linesOf } from './lines.ts'
import { readPages } from './pages.ts'

/** Read a mill certificate from the text layer of a PDF. */

export { loadPdfJs } from './pages.ts'

/** The fields that a certificate must have. */
const needed = ['certificateNumber', 'heatNumber', 'grade', 'inspectionDocument']

/** Return one row for the whole file. If it names several heats, a person chooses. @throws Unreadable */
export async function readPdf(bytes: Uint8Array): Promise<ReadRow> {
  const pages = await readPages(bytes)
  const draft = createDraft()
  for (const page of pages) {
    const lines = linesOf(page)
    readLabelled(draft, lines)
    readAnalyses(draft, lines)
  }
  const at = { page: 1, box: pages[0]!.box }
  const found = draft.finish(1, at)
  const known = new Set([...found.values, ...found.undecided].map(({ field }) => field))
  for (const field of needed) if (!known.has(field)) draft.leaveOpen(field, [], at)
  return { ...draft.finish(1, at), pages: pages.map(({ page, text }) => ({ page, text })) }
}
