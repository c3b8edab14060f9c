import type { ProductForm } from '../../domain/certificates/certificateContent.ts'
import { items, member, type Part, textOf } from '../json.ts'
import { createDraft, type Draft, type ReadRow } from '../readRow.ts'
import { readAnalysis } from './analysis.ts'
import { at, type Choice, choiceIn, open, proposeText } from './choices.ts'
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
  const analyses = items(member(passport, 'ChemicalAnalysis'))
  return (analyses.length > 0 ? analyses : [member(passport, 'ChemicalAnalysis')]).map((analysis, index) => {
    const draft = createDraft()
    proposeText(draft, 'certificateNumber', member(passport, 'Id'))
    proposeText(draft, 'issuedOn', member(passport, 'IssueDate'))
    readTransaction(draft, member(passport, 'TransactionData'))
    readProduct(draft, member(passport, 'Product'))
    readHeat(draft, analysis)
    readMechanical(draft, items(member(passport, 'MechanicalProperties')))
    readValidation(draft, member(passport, 'Validation'))
    return draft.finish(index + 1, { pointer: passport.pointer })
  })
}

function readTransaction(draft: Draft, transaction: Part): void {
  proposeText(draft, 'manufacturer', member(transaction, 'Parties', 'Manufacturer', 'Name'))
  proposeText(draft, 'purchaseOrder', member(transaction, 'BusinessTransaction', 'Order', 'Id'))
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
  const grades = items(member(product, 'MaterialDesignations')).flatMap(readDesignation)
  const name = member(product, 'Name')
  if (grades.length > 0) open(draft, 'grade', grades, at(member(product, 'MaterialDesignations')))
  else draft.leaveOpen('grade', [], at(name), textOf(name))
  const standards = [
    ...items(member(product, 'ProductNorms')),
    ...items(member(product, 'MaterialNorms')),
  ].flatMap(readStandard)
  if (standards.length > 0) open(draft, 'standard', standards, at(product))
  readDelivery(draft, member(product, 'DeliveryCondition', 'Code'))
  readShape(draft, member(product, 'Shape'))
}

/** A designation names one steel, by its name, its number or both. */
function readDesignation(designation: Part): Choice[] {
  const names = ['Name', 'Number'].map((kind) => member(designation, kind, 'Value'))
  return names.flatMap(choiceIn).slice(0, 1)
}

function readStandard(norm: Part): Choice[] {
  const standard = member(norm, 'Standard')
  const name = textOf(standard)
  if (name === undefined) return []
  const year = textOf(member(norm, 'Year'))
  return [{ value: year === undefined ? name : `${name}:${year}`, at: at(standard) }]
}

function readShape(draft: Draft, shape: Part): void {
  readProductForm(draft, member(shape, 'Form'), forms)
  const unit = textOf(member(shape, 'Unit'))
  const lengthOf = (name: string) => {
    const part = member(shape, name)
    const text = textOf(part)
    const measured = measuredIn(part, 'mm', unit)
    return text === undefined ? [] : [{ measured, at: at(part), text: `${text} ${unit ?? 'mm'}` }]
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
  const heat = member(analysis, 'HeatNumber')
  if (textOf(heat) === undefined) draft.leaveOpen('heatNumber', [], at(analysis))
  else draft.propose('heatNumber', textOf(heat), at(heat))
  proposeText(draft, 'steelmakingProcess', member(analysis, 'MeltingProcess'))
  const sample = member(analysis, 'SampleLocation')
  const kinds = samples.filter(([words]) => words.test(textOf(sample) ?? ''))
  if (kinds.length === 1) draft.propose('analysis', kinds[0]![1], at(sample))
  readAnalysis(
    draft,
    items(member(analysis, 'Elements')).flatMap((element) =>
      analysedOf(element, member(element, 'PropertySymbol'), member(element, 'Actual', 'Value')),
    ),
  )
}

function readValidation(draft: Draft, validation: Part): void {
  readInspectionDocument(draft, member(validation, 'CertificateType', 'Type'), validation)
  const validators = items(member(validation, 'Validators')).flatMap((validator) =>
    choiceIn(member(validator, 'Name')),
  )
  if (validators.length > 0) open(draft, 'inspector', validators, at(member(validation, 'Validators')))
  proposeText(draft, 'declarationOfPerformance', member(validation, 'CEMarking', 'DoCNumber'))
}
