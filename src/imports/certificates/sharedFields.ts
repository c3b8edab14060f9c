import type { ProductForm } from '../../domain/certificates/certificateContent.ts'
import { memberOf, numbersOf, type Part, textOf } from '../json.ts'
import type { At, Draft } from '../readRow.ts'
import { type FieldUnit, type InUnit, inUnit } from '../units.ts'
import type { Analysed } from './analysis.ts'
import { placeOf } from './choices.ts'
import { deliveryCode, deliveryConditionsIn, documentTypesIn, gaugeLengthsIn } from './words.ts'

/** Fields that the formats of digital certificates state in the same way, at different places. */

/** Propose the type of the document. If the file states none, the type stays open at the place where it is missing. */
export function readInspectionDocument(draft: Draft, type: Part, missingFrom: Part): void {
  const text = textOf(type)
  if (text === undefined) draft.leaveOpen('inspectionDocument', [], placeOf(missingFrom))
  else if (documentTypesIn(text)[0] === text) draft.propose('inspectionDocument', text, placeOf(type))
  else draft.leaveOpen('inspectionDocument', documentTypesIn(text), placeOf(type), text)
}

/** Propose a delivery condition that is written as a code. For words, leave open the conditions that they may mean. */
export function readDelivery(draft: Draft, condition: Part): void {
  const text = textOf(condition)
  if (text === undefined) return
  const code = deliveryCode(text)
  if (code !== undefined) draft.propose('deliveryCondition', code, placeOf(condition))
  else draft.leaveOpen('deliveryCondition', deliveryConditionsIn(text), placeOf(condition), text)
}

/** @param forms the forms by the names that the format has for them */
export function readProductForm(
  draft: Draft,
  form: Part,
  forms: Readonly<Record<string, ProductForm>>,
): void {
  const name = textOf(form) ?? ''
  if (Object.hasOwn(forms, name)) draft.propose('productForm', forms[name], placeOf(form))
}

/** Return the numbers that a part may state, in the unit of their field: none in an unknown unit. */
export function measuredIn(part: Part, field: FieldUnit, unit: string | undefined): InUnit {
  return inUnit(numbersOf(part), field, unit) ?? { values: [], conversion: undefined }
}

/** Propose the only number that a part may state, or leave the field open. @param text quotes the part in the question */
export function readMeasured(
  draft: Draft,
  field: string,
  { values, conversion }: InUnit,
  at: At,
  text: string | undefined,
): void {
  if (values.length === 1) draft.propose(field, values[0], at, conversion)
  else draft.leaveOpen(field, values, at, text)
}

/** Return the value of an element, or no value if the symbol or the result is missing. */
export function analysedOf(element: Part, symbol: Part, result: Part): Analysed[] {
  const name = textOf(symbol)
  const text = textOf(result)
  if (name === undefined || text === undefined) return []
  return [
    {
      symbol: name,
      text,
      numbers: numbersOf(result),
      at: placeOf(result),
      unit: textOf(memberOf(element, 'Unit')),
      operator: textOf(memberOf(element, 'Actual', 'Operator')),
      formula: textOf(memberOf(element, 'Formula')),
    },
  ]
}

/**
 * @param missingFrom the place of the question without a heading
 * @param method the standard of the test, if it is stated beside the heading
 */
export function readGaugeLength(
  draft: Draft,
  test: string,
  heading: Part,
  {
    missingFrom = placeOf(heading),
    method = '',
  }: { readonly missingFrom?: At; readonly method?: string } = {},
): void {
  const text = textOf(heading)
  const lengths = gaugeLengthsIn(`${text ?? ''} ${method}`)
  if (lengths.length === 1) draft.propose(`${test}.gaugeLength`, lengths[0], placeOf(heading))
  else
    draft.leaveOpen(`${test}.gaugeLength`, lengths, text === undefined ? missingFrom : placeOf(heading), text)
}
