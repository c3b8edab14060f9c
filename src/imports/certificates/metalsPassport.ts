import type { ProductForm } from '../../domain/certificates/certificateContent.ts'
import { itemsOf, memberOf, type Part, textOf } from '../json.ts'
import { createDraft, type Draft, type ReadRow } from '../readRow.ts'
import { readAnalysis } from './analysis.ts'
import { type Choice, choiceIn, open, placeOf, proposeText } from './choices.ts'
import { readMechanical } from './metalsTests.ts'
import {
  analysedOf,
  measuredIn,
  readDelivery,
  readInspectionDocument,
  readMeasured,
  readProductForm,
} from './sharedFields.ts'

/** Metals passports as JSON, version 0.1.1. */

/** Read a passport: one row for each analysed heat. `BatchId` looks like a heat number, but is none. */
export function readMetalsPassport(passport: Part): readonly ReadRow[] {
  const analyses = itemsOf(memberOf(passport, 'ChemicalAnalysis'))
  return (analyses.length > 0 ? analyses : [memberOf(passport, 'ChemicalAnalysis')]).map(
    (analysis, index) => {
      const draft = createDraft()
      proposeText(draft, 'certificateNumber', memberOf(passport, 'Id'))
      proposeText(draft, 'issuedOn', memberOf(passport, 'IssueDate'))
      readTransaction(draft, memberOf(passport, 'TransactionData'))
      readProduct(draft, memberOf(passport, 'Product'))
      readHeat(draft, analysis)
      readMechanical(draft, itemsOf(memberOf(passport, 'MechanicalProperties')))
      readValidation(draft, memberOf(passport, 'Validation'))
      return draft.finish(index + 1, { pointer: passport.pointer })
    },
  )
}

function readTransaction(draft: Draft, transaction: Part): void {
  proposeText(draft, 'manufacturer', memberOf(transaction, 'Parties', 'Manufacturer', 'Name'))
  proposeText(draft, 'purchaseOrder', memberOf(transaction, 'BusinessTransaction', 'Order', 'Id'))
}

const forms: Readonly<Record<string, ProductForm>> = {
  Plate: 'Plate',
  Sheet: 'Plate',
  Coil: 'Coil',
  Strip: 'Coil',
  RoundBar: 'Bar',
  SquareBar: 'Bar',
  HexBar: 'Bar',
  FlatBar: 'Bar',
  Beam: 'Section',
  Channel: 'Section',
  Angle: 'Section',
  Tee: 'Section',
  ZProfile: 'Section',
  Tube: 'Tube',
  Pipe: 'Tube',
  Hollow: 'HollowSection',
  Wire: 'Other',
  Forging: 'Other',
  Casting: 'Other',
  Other: 'Other',
}

function readProduct(draft: Draft, product: Part): void {
  const grades = itemsOf(memberOf(product, 'MaterialDesignations')).flatMap(readDesignation)
  const name = memberOf(product, 'Name')
  if (grades.length > 0) open(draft, 'grade', grades, placeOf(memberOf(product, 'MaterialDesignations')))
  else draft.leaveOpen('grade', [], placeOf(name), textOf(name))
  const standards = [
    ...itemsOf(memberOf(product, 'ProductNorms')),
    ...itemsOf(memberOf(product, 'MaterialNorms')),
  ].flatMap(readStandard)
  if (standards.length > 0) open(draft, 'standard', standards, placeOf(product))
  readDelivery(draft, memberOf(product, 'DeliveryCondition', 'Code'))
  readShape(draft, memberOf(product, 'Shape'))
}

/** A designation names one steel, by its name, its number or both. */
function readDesignation(designation: Part): Choice[] {
  const names = ['Name', 'Number'].map((kind) => memberOf(designation, kind, 'Value'))
  return names.flatMap(choiceIn).slice(0, 1)
}

function readStandard(norm: Part): Choice[] {
  const standard = memberOf(norm, 'Standard')
  const name = textOf(standard)
  if (name === undefined) return []
  const year = textOf(memberOf(norm, 'Year'))
  return [{ value: year === undefined ? name : `${name}:${year}`, at: placeOf(standard) }]
}

function readShape(draft: Draft, shape: Part): void {
  readProductForm(draft, memberOf(shape, 'Form'), forms)
  const unit = textOf(memberOf(shape, 'Unit'))
  const lengthOf = (name: string) => {
    const part = memberOf(shape, name)
    const text = textOf(part)
    const measured = measuredIn(part, 'mm', unit)
    return text === undefined ? [] : [{ measured, at: placeOf(part), text: `${text} ${unit ?? 'mm'}` }]
  }
  const propose = (field: string, { measured, at, text }: ReturnType<typeof lengthOf>[number]) =>
    readMeasured(draft, field, measured, at, text)
  for (const length of [...lengthOf('Thickness'), ...lengthOf('WallThickness')])
    propose('thicknessMm', length)
  for (const length of lengthOf('Width')) propose('widthMm', length)
  // Standards usually limit the thickness of a beam by its flange, and that of a round bar by its diameter.
  for (const name of ['FlangeThickness', 'WebThickness', 'Diameter'])
    for (const { measured, at, text } of lengthOf(name))
      draft.leaveOpen('thicknessMm', measured.values, at, text)
}

const samples: readonly (readonly [RegExp, string])[] = [
  [/ladle|schmelze|melt|heat/i, 'ladle'],
  [/product|st(?:ü|ue)ck/i, 'product'],
]

function readHeat(draft: Draft, analysis: Part): void {
  const heat = memberOf(analysis, 'HeatNumber')
  if (textOf(heat) === undefined) draft.leaveOpen('heatNumber', [], placeOf(analysis))
  else draft.propose('heatNumber', textOf(heat), placeOf(heat))
  proposeText(draft, 'steelmakingProcess', memberOf(analysis, 'MeltingProcess'))
  const sample = memberOf(analysis, 'SampleLocation')
  const kinds = samples.filter(([words]) => words.test(textOf(sample) ?? ''))
  if (kinds.length === 1) draft.propose('analysis', kinds[0]![1], placeOf(sample))
  readAnalysis(
    draft,
    itemsOf(memberOf(analysis, 'Elements')).flatMap((element) =>
      analysedOf(element, memberOf(element, 'PropertySymbol'), memberOf(element, 'Actual', 'Value')),
    ),
  )
}

function readValidation(draft: Draft, validation: Part): void {
  readInspectionDocument(draft, memberOf(validation, 'CertificateType', 'Type'), validation)
  const validators = itemsOf(memberOf(validation, 'Validators')).flatMap((validator) =>
    choiceIn(memberOf(validator, 'Name')),
  )
  if (validators.length > 0) open(draft, 'inspector', validators, placeOf(memberOf(validation, 'Validators')))
  proposeText(draft, 'declarationOfPerformance', memberOf(validation, 'CEMarking', 'DoCNumber'))
}
