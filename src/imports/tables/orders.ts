import { spelled } from '../../domain/kernel/spellings.ts'
import { createDraft, type ReadRow } from '../readRow.ts'
import { readDocumentType, readFlag, readOneOf, readQuantity, readText } from './cellValues.ts'
import { type ColumnField, recogniser } from './fields.ts'
import { createGroups, transfer } from './groups.ts'
import { dataRows } from './headings.ts'
import type { Table } from './table.ts'

/** Orders in a table: one line item on each row. The rows of one order number are one order. */

const ofOrder: readonly ColumnField[] = [
  {
    field: 'orderNumber',
    names: ['order', 'orderno', 'ordernr', 'auftrag', 'auftragsnummer', 'auftragsnr', 'auftragnr'],
    read: readText,
  },
  { field: 'customer', names: ['client', 'kunde', 'auftraggeber', 'kundenname'], read: readText },
  {
    field: 'requiredInspectionDocument',
    names: ['inspectiondocument', 'en10204', 'pruefbescheinigung', 'abnahmepruefzeugnis', 'zeugnis'],
    read: readDocumentType,
  },
  {
    field: 'executionClass',
    names: ['exc', 'ausfuehrungsklasse'],
    read: readOneOf({ EXC1: /^1$/, EXC2: /^2$/, EXC3: /^3$/, EXC4: /^4$/ }),
  },
]

const ofLine: readonly ColumnField[] = [
  {
    field: 'lineNumber',
    names: ['line', 'lineno', 'position', 'pos', 'posnr', 'item', 'zeile'],
    read: readQuantity(),
  },
  { field: 'description', names: ['text', 'beschreibung', 'bezeichnung', 'benennung'], read: readText },
  { field: 'standard', names: ['norm', 'werkstoffnorm'], read: readText },
  { field: 'grade', names: ['steelgrade', 'material', 'werkstoff', 'stahlsorte', 'guete'], read: readText },
  { field: 'profile', names: ['profil', 'section', 'querschnitt'], read: readText },
  { field: 'lengthMm', names: ['length', 'laenge', 'schnittlaenge'], read: readQuantity(), isLength: true },
  {
    field: 'quantity',
    names: ['qty', 'pieces', 'pcs', 'menge', 'anzahl', 'stueck', 'stueckzahl', 'stk'],
    read: readQuantity(),
  },
  { field: 'cancelled', names: ['storniert', 'storno'], read: readFlag },
]

export const orderColumns: readonly ColumnField[] = [...ofOrder, ...ofLine]

export const recogniseOrderHeading = recogniser(orderColumns)

const lineFields = new Set(ofLine.map(({ field }) => field))

/** Read the orders of a table. None is yielded before the last row, which may add a line item. @throws Unreadable */
export async function* readOrderTable(table: Table): AsyncIterable<ReadRow> {
  const groups = createGroups()
  const lines = new Map<string, number>()
  for await (const data of dataRows(table, recogniseOrderHeading)) {
    const draft = createDraft()
    data.read(draft)
    const read = draft.finish(1, { line: data.line, column: 1 })
    const number = read.values.find(({ field }) => field === 'orderNumber')?.value
    // A row without an order number is an order of its own, and is refused.
    const key = number === undefined ? `line ${data.line}` : `order ${spelled(String(number))}`
    const { draft: order } = groups.of(key, data.line)
    const index = lines.get(key) ?? 0
    lines.set(key, index + 1)
    const without = {
      ...read,
      values: read.values.filter(({ field }) => index === 0 || field !== 'orderNumber'),
    }
    transfer(without, order, (field) => (lineFields.has(field) ? `lineItems.${index}.${field}` : field))
  }
  yield* groups.finish()
}
