import type { Draft } from '../readRow.ts'
import { type Line, placeOf } from './lines.ts'

/** Values that stand in a sentence or a title, without a label and a value beside it. */

const statements: readonly (readonly [field: string, RegExp])[] = [
  [
    'inspectionDocument',
    /EN\s*10204(?:\s*[:/-]?\s*20\d\d)?(?![\d.])[\s:,/()–-]*(?:type|typ)?[\s:.(]*(?<value>[23]\.[12])(?![\d.])/i,
  ],
  [
    'inspectionDocument',
    /(?<![\d.])(?<value>[23]\.[12])[\s:,/()–-]*(?:acc\w*\.?|as per|nach|gem\w*\.?|to|\s)*(?:DIN\s*)?EN\s*10204/i,
  ],
  ['grade', /\bSPECIFICATION\b.*\bGRADE\b[\s:.-]*(?<value>[A-Z]{1,2}\s?\d{3}\s?[A-Z]{0,3}\d?)(?![\w-])/i],
  [
    'standard',
    /\bSPECIFICATION\b[\s:.-]*(?<value>(?:BS|EN|DIN|ISO|ASTM)[\w\s.-]*?\d)\s*(?::|\/|,|\bGRADE\b)/i,
  ],
]

/** Read the statements about fields that the page does not state beside a label. */
export function readProse(draft: Draft, lines: readonly Line[], known: ReadonlySet<string>): void {
  for (const line of lines)
    for (const cell of line.cells)
      for (const [field, pattern] of statements) {
        const value = known.has(field) ? undefined : pattern.exec(cell.text)?.groups?.value
        if (value !== undefined) draft.propose(field, value.trim(), placeOf(line, cell))
      }
}
