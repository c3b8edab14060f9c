import { celsiusIn } from '../certificates/words.ts'
import { numbersIn } from '../numbers.ts'
import { createDraft, type Draft } from '../readRow.ts'
import {
  joules,
  readDate,
  readDelivery,
  readDocumentType,
  readMeasure,
  readText,
} from '../tables/cellValues.ts'
import { recogniseCertificateHeading } from '../tables/certificates.ts'
import type { ReadColumn } from '../tables/findHeadings.ts'
import { isUnitAlone, numberAndUnit } from '../units.ts'
import { type Cell, type Line, overlap, placeOf } from './lines.ts'
import { fieldsOf } from './tableHeadings.ts'

/** Values that stand beside or below their label, in English or German, or with a code of EN 10168. */

const manufacturer: ReadColumn = (draft, cell, at) => readText(draft, 'manufacturer', cell, at)

/**
 * Fields of EN 10168 that their code identifies better than their words: B01 is the product in words, and B09 its
 * shape.
 */
const byCode: Readonly<Record<string, ReadColumn | null>> = {
  A01: manufacturer,
  A02: (draft, cell, at) => readDocumentType(draft, 'inspectionDocument', cell, at),
  A03: (draft, cell, at) => readText(draft, 'certificateNumber', cell, at),
  A07: (draft, cell, at) => readText(draft, 'purchaseOrder', cell, at),
  B01: null,
  B04: (draft, cell, at) => readDelivery(draft, 'deliveryCondition', cell, at),
  C00: (draft, cell, at) => readText(draft, 'heatNumber', cell, at),
  C03: readTemperature,
  C43: (draft, cell, at) => readMeasure(joules)(draft, 'mechanical.kvJoule', cell, at),
  C70: (draft, cell, at) => readText(draft, 'steelmakingProcess', cell, at),
  Z02: (draft, cell, at) => readDate(draft, 'issuedOn', cell, at),
  Z03: (draft, cell, at) => readText(draft, 'inspector', cell, at),
}

function readTemperature(draft: Draft, cell: Parameters<ReadColumn>[1], at: Parameters<ReadColumn>[2]): void {
  const celsius = celsiusIn(String(cell), true)
  if (celsius === undefined) draft.leaveOpen('mechanical.kvTemperatureC', [], at, String(cell))
  else draft.propose('mechanical.kvTemperatureC', celsius, at)
}

const code = /^([A-DZ]\d{2})(?:\.\d)?(?=\s|$)/
const onlyCode = /^[A-DZ]\d{2}(?:\.\d)?$/

/** Codes whose values may be words. The value of any other code has a digit. */
const ofWords = new Set(['A01', 'B04', 'C70', 'Z03'])

/** Headings of a table that say nothing certain between other texts. */
const vague =
  /^(?:\p{L}|[A-Z][a-z]|item|rev(?:\. ?no)?\.?|pos(?:ition)?|tests|chemistry|analyse|heat|cast|werk|process|product|erzeugnis)$/iu
const meaningful = /^(?:Rm|Re|Rp|KV)$/

/** The longest label. */
const longestLabel = 150

interface Label {
  readonly isManufacturer: boolean
  readonly read: ReadColumn
}

/** Return the label in a text, without its code. A label in two languages is written with a slash. */
function labelIn(text: string): Label | undefined {
  if (text.length > longestLabel) return undefined
  const [, letters] = code.exec(text) ?? []
  const readCode = letters === undefined ? undefined : byCode[letters]
  if (readCode === null) return undefined
  if (readCode) return { isManufacturer: readCode === manufacturer, read: readCode }
  const words = text.replace(code, '').trim()
  const names = [words, ...words.split(/\s\/\s?/)].map((name) => name.replace(/\s*:$/, '').trim())
  const name = names.find(isHeading)
  if (name === undefined) return undefined
  const read = recogniseCertificateHeading(name)!
  return { isManufacturer: fieldsOf(read) === 'manufacturer', read }
}

function isHeading(name: string): boolean {
  if (name === '' || (vague.test(name) && !meaningful.test(name))) return false
  return recogniseCertificateHeading(name) !== undefined
}

export function isLabel({ text }: Cell): boolean {
  return code.test(text) || labelIn(text) !== undefined
}

/** Read every labelled value on a page. */
export function readLabelled(draft: Draft, lines: readonly Line[]): void {
  for (const [index, line] of lines.entries()) {
    const below = lines.slice(index + 1)
    // A colon may stand alone between a label and its value.
    const cells = line.cells.filter(({ text }) => text !== ':')
    const labels = cells.filter(isLabel).length
    const isHeader = labels > 1 && labels * 2 > cells.length
    for (const [place, cell] of cells.entries()) {
      const [, before, behind] = /^([^:]{2,60}):\s+(\S.*)$/.exec(cell.text) ?? []
      const inside = before === undefined ? undefined : labelIn(before)
      if (inside) {
        readValue(draft, inside, line, { ...cell, text: behind! })
        continue
      }
      const label = labelIn(place === 0 ? wholeLabel(cell, below) : cell.text)
      if (!label) continue
      const beside = valuesBeside(cell, withoutName(cell, cells.slice(place + 1)))
      for (const value of beside) readValue(draft, label, line, value)
      const under = valuesBelow(cell, below)
      // A name may be beside its label, or on the first line of an address below it.
      if (label.isManufacturer)
        for (const [at, value] of under.slice(0, 1)) readValue(draft, label, at, value)
      else if (isHeader && beside.length === 0)
        for (const [at, value] of under) readValue(draft, label, at, value)
    }
  }
}

/** Leave out the name of a field that stands between its code and its value: "A03", "Certificate No.", "Z-4711". */
function withoutName(label: Cell, cells: readonly Cell[]): readonly Cell[] {
  const [name, value] = cells
  if (!name || !value || !onlyCode.test(label.text) || ofWords.has(label.text.slice(0, 3))) return cells
  return /\d/.test(name.text) || !/\d/.test(value.text) || code.test(value.text) ? cells : cells.slice(1)
}

/** Return a label with its second line, which has nothing else: it may change the meaning ("ReH/" and "RP0,2"). */
function wholeLabel(label: Cell, below: readonly Line[]): string {
  const [next] = below
  const [more, ...others] = next?.cells ?? []
  const goesOn =
    more !== undefined &&
    others.length === 0 &&
    Math.abs(more.box[0] - label.box[0]) < 2 &&
    label.box[1] - more.box[1] < 1.4 * label.size &&
    !code.test(more.text)
  return goesOn ? `${label.text} ${more.text}` : label.text
}

/** Words in front of a value that say what it must be. */
const isLimit = /^(?:min|max|≥|≤|>=|<=|spec)/i

/** Return the cells that may be the value of the label before them: several, if they are numbers. */
function valuesBeside(label: Cell, cells: readonly Cell[]): readonly Cell[] {
  const [first, ...others] = cells.filter((cell) => !isFootnote(cell, label))
  if (!first || isLabel(first) || isLimit.test(first.text) || isMark(first.text)) return []
  if (!isNumber(first.text)) return [first]
  const end = others.findIndex(({ text }) => !isNumber(text))
  return [first, ...others.slice(0, end < 0 ? others.length : end)]
}

function isFootnote({ text, size, box }: Cell, label: Cell): boolean {
  return /^\d$/.test(text) && (size < 0.8 * label.size || box[1] - label.box[1] > 0.15 * label.size)
}

/** The most values below a label. */
const mostBelow = 20

/** Return the texts that stand close below a label, and close below each other. */
function valuesBelow(label: Cell, lines: readonly Line[]): readonly (readonly [Line, Cell])[] {
  const places: (readonly [Line, Cell])[] = []
  let bottom = label.box[1]
  for (const line of lines) {
    if (bottom - line.bottom > 2.5 * label.size || places.length === mostBelow) break
    const cell = line.cells.find((one) => overlap(one, label))
    if (!cell) continue
    if (isLabel(cell)) break
    bottom = line.bottom
    if (!isMark(cell.text) && !isUnitAlone(cell.text)) places.push([line, cell])
  }
  return places
}

function isMark(text: string): boolean {
  return /^[-–—·:/*]+$/.test(text)
}

function isNumber(text: string): boolean {
  return numbersIn(numberAndUnit(text).number.replace(/^[<>≤≥]=?\s*/, '')).length > 0
}

/** A text that is no value of its field is quoted if it is this short and has a digit; else the label means something else. */
const longestUnclear = 20

function readValue(draft: Draft, label: Label, line: Line, cell: Cell): void {
  const text = cell.text.replace(/[\s·–—-]+$/, '')
  const at = placeOf(line, cell)
  const alone = createDraft()
  label.read(alone, text, at)
  const { values, undecided, faults } = alone.finish(1, at)
  const isUnclear = text.length <= longestUnclear && /\d/.test(text)
  for (const { field } of faults) if (field && isUnclear) draft.leaveOpen(field, [], at, text)
  if (faults.length > 0) return
  for (const { field, value, conversion } of values) {
    const choices = choicesFor(field, value, text)
    const [, standard, grade] = (field === 'grade' && standardFirst.exec(text)) || []
    if (standard !== undefined && !choices) {
      draft.propose('standard', standard, at)
      draft.propose('grade', grade, at)
    } else if (choices) draft.leaveOpen(field, choices, at, text)
    else draft.propose(field, value, at, conversion)
  }
  for (const one of undecided) draft.leaveOpen(one.field, one.candidates, at, one.text)
}

/** A steel with its standard, such as "EN 10025-2 S355J2+N". */
const standardFirst = /^((?:DIN )?EN \d{4,5}(?:-\d)?)(?::\d{4}(?:-\d\d)?)?\s+(\S.*)$/

/** Return the values that a text may mean, if it is not certain to mean the value that was read. */
function choicesFor(field: string, value: unknown, text: string): readonly unknown[] | undefined {
  if ((field === 'grade' || field === 'standard') && /,\s|;/.test(text)) return text.split(/[,;]\s*/)
  if (field === 'heatNumber' && !/\d/.test(text)) return []
  return field === 'productForm' && value === text ? [] : undefined
}
