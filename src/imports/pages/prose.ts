import type { Draft } from '../readRow.ts'
import { type Line, placeOf } from './lines.ts'

/** Values that stand in a sentence or a title, without a label and a value beside it. */

const statements: readonly (readonly [field: string, RegExp])[] = [
  [
    'inspectionDocument',
    /EN\s*10204(?:\s*[:/-]?\s*20\d\d)?\s*(?![\d.]{4})[\s:,/()–-]*(?:type|typ)?[\s:.(]*(?<value>[23][.,][12])(?![\d.])/i,
  ],
  [
    'inspectionDocument',
    /(?<![\d.])(?<value>[23]\.[12])[\s:,/()–-]*(?:acc\w*\.?|as per|nach|gem\w*\.?|to|\s)*(?:DIN\s*)?EN\s*10204/i,
  ],
  ['grade', /\bSPECIFICATION\b.*\bGRADE[\s:.-]*(?<value>[A-Z]{1,2}\s?\d{3}\s?[A-Z]{0,3}\d?)(?![\w-])/i],
  ['standard', /\bSPECIFICATION\b[\s:.-]*(?<value>(?:BS|EN|DIN|ISO|ASTM)[\w\s.-]*?\d)\s*(?::|\/|,|\bGRADE)/i],
]

/** Read the statements about fields that the page does not state beside a label. */
export function readProse(draft: Draft, lines: readonly Line[], known: ReadonlySet<string>): void {
  for (const line of lines) {
    const text = line.cells.map(({ text }) => text).join(' ')
    for (const [field, pattern] of statements) {
      const value = known.has(field) ? undefined : pattern.exec(text)?.groups?.value
      if (value === undefined) continue
      const cell = line.cells.find(({ text }) => text.includes(value)) ?? line.cells[0]!
      draft.propose(field, value.trim().replace(/^([23]),/, '$1.'), placeOf(line, cell))
    }
  }
  if (!known.has('manufacturer')) readCompanies(draft, lines)
}

const legalForm =
  /(?:^|[\s.,])(?:A\.?[SŞ]\.?|AG|GmbH(?: & Co\.? KG(?:aA)?)?|KG|S\.?p\.?A\.?|S\.?A\.?(?:\.?U\.?|S\.?)?|S\.?L\.?|S\.?r\.?[lo]\.?|Ltd\.?|Limited|LLC|plc|Inc\.?|Corp(?:oration|\.)?|Co\.|B\.?V\.?|N\.?V\.?|AB|AS|A\/S|Oy[jJ]?|a\.s\.|Sp\. ?z ?o\. ?o\.|d\.o\.o\.|Kft\.?|Zrt\.?)$/

/** A page may name its mill by a heading alone. It may name a trader or a customer as well, so a person chooses. */
function readCompanies(draft: Draft, lines: readonly Line[]): void {
  for (const line of lines)
    for (const cell of line.cells)
      if (legalForm.test(cell.text) && /\p{L}{3}/u.test(cell.text) && cell.text.length <= longestName)
        draft.leaveOpen('manufacturer', [cell.text], placeOf(line, cell))
}

const longestName = 100
