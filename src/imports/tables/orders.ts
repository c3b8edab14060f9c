import { spellingOf } from '../../domain/kernel/spellings.ts'
import { lineItemFields, orderHeadFields, orderNumbers } from '../../domain/orders/orderContent.ts'
import { createDraft, type ReadRow } from '../readRow.ts'
import { readDocumentType } from './cellValues.ts'
import { surfaceWords, ultrasonicWords, zQualityWords } from './certificates.ts'
import { type ColumnField, columnsOf, createRecogniser } from './fields.ts'
import { createGroups, transfer } from './groups.ts'
import type { DataRow } from './headings.ts'

/** Orders in a table: one line item on each row. The rows of one order number are one order. */

// A permission needs the role Quality or Admin, and no table grants one.
// Options are those of the line in their row.
const { allowedSubstitutes: _, options: ___, ...headFields } = orderHeadFields
const { allowedSubstitutes: __, ...lineItemColumns } = lineItemFields

const ofOrder = columnsOf(
  { ...orderNumbers, ...headFields },
  {
    orderNumber: { headings: 'order orderno ordernr auftrag auftragsnummer auftragsnr auftragnr' },
    customer: { headings: 'client kunde auftraggeber kundenname' },
    dueDate: { headings: 'due deliverydate deliverby liefertermin lieferdatum termin faellig' },
    requiredInspectionDocument: {
      headings: 'inspectiondocument en10204 pruefbescheinigung abnahmepruefzeugnis zeugnis',
      read: readDocumentType,
    },
    executionClass: {
      headings: 'exc ausfuehrungsklasse',
      values: { EXC1: /^1$/, EXC2: /^2$/, EXC3: /^3$/, EXC4: /^4$/ },
    },
  },
)

const ofLine = columnsOf(lineItemColumns, {
  lineNumber: { headings: 'line lineno position pos posnr item zeile' },
  description: { headings: 'text beschreibung bezeichnung benennung' },
  standard: { headings: 'norm werkstoffnorm' },
  grade: { headings: 'steelgrade material werkstoff stahlsorte guete' },
  profile: { headings: 'profil section querschnitt' },
  pieceMark: { headings: 'mark piece piecemarkno assemblymark teil teilnummer teilnr positionsnummer' },
  lengthMm: { headings: 'length laenge schnittlaenge' },
  quantity: { headings: 'qty pieces pcs menge anzahl stueck stueckzahl stk' },
  cancelled: { headings: 'storniert storno' },
  'options.zQuality': zQualityWords,
  'options.ultrasonicClass': ultrasonicWords,
  'options.surfaceClass': surfaceWords,
  'options.siliconClass': { headings: 'siliziumklasse' },
  'options.mostCev': { headings: 'maxcev cevmax' },
})

export const orderColumns: readonly ColumnField[] = [...ofOrder, ...ofLine]

export const recogniseOrderHeading = createRecogniser(orderColumns)

const lineFields = new Set(ofLine.map(({ field }) => field))

/**
 * Read the orders of a table. None is yielded before the last row, which may add a line item. @throws Failure
 * `unreadable`
 */
export async function* readOrderTable(table: AsyncIterable<DataRow>): AsyncIterable<ReadRow> {
  const groups = createGroups()
  const lines = new Map<string, number>()
  for await (const data of table) {
    const draft = createDraft()
    data.read(draft)
    const row = draft.finish(1, { line: data.line, column: 1 })
    const number = row.values.find(({ field }) => field === 'orderNumber')?.value
    // A row without an order number is an order of its own, and is refused.
    const key = number === undefined ? `line ${data.line}` : `order ${spellingOf(String(number))}`
    const { draft: order } = groups.of(key, data.line)
    const index = lines.get(key) ?? 0
    lines.set(key, index + 1)
    const without = {
      ...row,
      values: row.values.filter(({ field }) => index === 0 || field !== 'orderNumber'),
    }
    transfer(without, order, (field) => (lineFields.has(field) ? `lineItems.${index}.${field}` : field))
  }
  yield* groups.finish()
}
