import { numberOf } from './numbers.ts'
import { createDraft, type ReadRow } from './readRow.ts'
import { unreadable } from './unreadable.ts'

/**
 * DSTV NC1: a file describes one part for a saw or a drill. Its block `ST` begins with the order, the drawing, the phase,
 * the piece mark, the grade, the quantity, the profile, the code of the profile and the length in mm, each on a line of
 * its own. Comments begin with `**`.
 */

const header = [
  'orderNumber',
  'lineItems.0.description',
  undefined,
  'lineItems.0.pieceMark',
  'lineItems.0.grade',
  'lineItems.0.quantity',
  'lineItems.0.profile',
  undefined,
  'lineItems.0.lengthMm',
] as const

const numbers: readonly (string | undefined)[] = ['lineItems.0.quantity', 'lineItems.0.lengthMm']

/** Whether a text is NC1. */
export function isNc1(text: string): boolean {
  return linesOf(text)[0]?.value === 'ST'
}

/** Read the part as an order of one line. NC1 has no line numbers, so that of the order stays open. */
export function readNc1(bytes: Uint8Array): ReadRow {
  const [start, ...values] = linesOf(new TextDecoder('windows-1252').decode(bytes))
  if (start?.value !== 'ST' || values.length < header.length)
    throw unreadable('damaged', 'This file is not NC1: it has no complete block ST.')
  const place = { line: start.line, column: 1 }
  const draft = createDraft()
  for (const [index, field] of header.entries()) {
    const { value, line } = values[index]!
    if (field === undefined || value === '' || value === '-') continue
    const at = { line, column: 1 }
    if (!numbers.includes(field)) {
      draft.propose(field, value, at)
      continue
    }
    // A second length, behind a comma, is that of the stock before mitre cuts.
    const number = numberOf(value.split(',')[0]!)
    if (number === undefined) draft.leaveOpen(field, [], at, value)
    else draft.propose(field, number, at)
  }
  draft.leaveOpen('lineItems.0.lineNumber', [], place)
  return draft.finish(1, place)
}

/** The lines that are no comments. Empty lines before the block do not count; within it they are empty values. */
function linesOf(text: string) {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((value, index) => ({ value: value.trim(), line: index + 1 }))
    .filter(({ value }) => !value.startsWith('**'))
  return lines.slice(
    Math.max(
      lines.findIndex(({ value }) => value !== ''),
      0,
    ),
  )
}
