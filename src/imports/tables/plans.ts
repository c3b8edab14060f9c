import { plannedCutStatuses } from '../../domain/bars/barContent.ts'
import { numbersIn } from '../numbers.ts'
import { createDraft, type Draft, type ReadRow, type ReadValue } from '../readRow.ts'
import { unreadable } from '../unreadable.ts'
import { millimetres, readMeasure, readOneOf, readQuantity, readText } from './cellValues.ts'
import { type ColumnField, createRecogniser } from './fields.ts'
import { createGroups, transfer } from './groups.ts'
import type { DataRow } from './headings.ts'

/** Production plans in a table: one cut on each row, or several equal ones. Rows of one plan and bar are one bar. */

const certificate = [
  {
    field: 'certificateNumber',
    names: ['certificate', 'certificateno', 'zeugnis', 'zeugnisnummer', 'zeugnisnr'],
    read: readText,
  },
  {
    field: 'heatNumber',
    names: ['heat', 'heatno', 'schmelze', 'schmelzenummer', 'charge', 'chargennummer'],
    read: readText,
  },
  { field: 'item', names: [], read: readText },
]

const ofBar: readonly ColumnField[] = [
  {
    field: 'stockLengthMm',
    names: ['stocklength', 'stock', 'stangenlaenge', 'lagerlaenge', 'rohlaenge'],
    read: readMeasure(millimetres),
    measure: millimetres,
  },
  { field: 'grade', names: ['steelgrade', 'material', 'werkstoff', 'stahlsorte', 'guete'], read: readText },
  { field: 'profile', names: ['profil', 'section', 'querschnitt'], read: readText },
  ...certificate,
]

const ofCut: readonly ColumnField[] = [
  {
    field: 'orderNumber',
    names: ['order', 'orderno', 'auftrag', 'auftragsnummer', 'auftragsnr'],
    read: readText,
  },
  { field: 'lineNumber', names: ['line', 'lineno', 'position', 'pos', 'posnr'], read: readQuantity },
  {
    field: 'lengthMm',
    names: ['length', 'cutlength', 'laenge', 'schnittlaenge', 'zuschnitt'],
    read: readMeasure(millimetres),
    measure: millimetres,
  },
  { field: 'pieceMark', names: ['mark', 'piece', 'teil', 'teilnummer', 'positionsnummer'], read: readText },
  {
    field: 'status',
    names: [],
    read: readOneOf(plannedCutStatuses, {
      Proposed: /^(?:vorgeschlagen|vorschlag)$/i,
      Accepted: /^(?:angenommen|akzeptiert)$/i,
      Rejected: /^(?:abgelehnt|verworfen)$/i,
    }),
  },
]

const plan: ColumnField = {
  field: 'name',
  names: ['plan', 'planname', 'schnittplan', 'saegeplan'],
  read: readText,
}
const bar: ColumnField = { field: 'bar', names: ['barno', 'stange', 'stab', 'stangennummer'], read: readText }
const quantity: ColumnField = {
  field: 'quantity',
  names: ['qty', 'pieces', 'menge', 'anzahl', 'stueck'],
  read: readText,
}

export const planColumns: readonly ColumnField[] = [plan, bar, ...ofBar, ...ofCut, quantity]

export const recognisePlanHeading = createRecogniser(planColumns)

const barFields = new Set(ofBar.map(({ field }) => field))
const cutFields = new Set(ofCut.map(({ field }) => field))

/** A row stands for at most as many cuts as a bar may have. */
const mostCutsOfRow = 200
/** The most cuts of a table. All of them are in memory at once. */
export const mostCuts = 50_000

/** Read the plans of a table. None is yielded before the last row, which may add a cut. @throws Failure `unreadable` */
export async function* readPlanTable(table: AsyncIterable<DataRow>): AsyncIterable<ReadRow> {
  const groups = createGroups()
  let total = 0
  const bars = new Map<string, Map<string, { index: number; cuts: number }>>()
  for await (const data of table) {
    const row = readAlone(data)
    const findValue = (name: string) => row.values.find(({ field }) => field === name)
    const name = String(findValue('name')?.value ?? '')
    const { draft } = groups.of(name, data.line)
    const barsOfPlan = bars.get(name) ?? new Map<string, { index: number; cuts: number }>()
    bars.set(name, barsOfPlan)
    // A row without a bar is a bar of its own.
    const label = String(findValue('bar')?.value ?? `line ${data.line}`)
    const place = barsOfPlan.get(label) ?? { index: barsOfPlan.size, cuts: 0 }
    barsOfPlan.set(label, place)
    const fieldOfPlan = (field: string, cut: number) => {
      if (barFields.has(field)) return `bars.${place.index}.${field}`
      return cutFields.has(field) ? `bars.${place.index}.cuts.${cut}.${field}` : field
    }
    const count = countPieces(findValue('quantity'), draft)
    total += count
    if (total > mostCuts) throw unreadable('too-large', `The table has more than ${mostCuts} cuts. Split it.`)
    for (let piece = count; piece > 0; piece -= 1) {
      const plan = {
        ...row,
        values: row.values.filter(({ field }) => field !== 'bar' && field !== 'quantity'),
      }
      transfer(plan, draft, (field) => fieldOfPlan(field, place.cuts))
      place.cuts += 1
    }
  }
  yield* groups.finish()
}

function readAlone({ line, read }: { line: number; read(draft: Draft): void }): ReadRow {
  const draft = createDraft()
  read(draft)
  return draft.finish(1, { line, column: 1 })
}

/** Return the number of equal cuts in a row; one unless the row states another. */
function countPieces(quantity: ReadValue | undefined, draft: Draft): number {
  if (!quantity) return 1
  const { value, at } = quantity
  const [count = 0, other] = numbersIn(String(value))
  if (other === undefined && Number.isInteger(count) && count >= 1 && count <= mostCutsOfRow) return count
  const message = `must be a whole number from 1 to ${mostCutsOfRow}`
  draft.refuse({ field: 'quantity', at, code: 'out-of-bounds', message })
  return 1
}
