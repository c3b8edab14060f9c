import type { ProductForm } from '../../domain/certificates/certificateContent.ts'
import { itemsOf, memberOf, membersNamed, type Part, textOf } from '../json.ts'
import { numberOf } from '../numbers.ts'
import { createDraft, type Draft, type ReadRow } from '../readRow.ts'
import { type InUnit, inUnit } from '../units.ts'
import { type Analysed, readAnalysis } from './analysis.ts'
import { type Choice, choiceIn, open, placeOf, proposeText, readEnergy, readShare } from './choices.ts'
import {
  analysedOf,
  measuredIn,
  readDelivery,
  readGaugeLength,
  readInspectionDocument,
  readMeasured,
  readProductForm,
} from './sharedFields.ts'
import { celsiusIn, directionIn, yieldKindsIn } from './words.ts'

/**
 * Digital certificates according to EN 10168 as JSON, versions 0.4.1 and 0.5.0. Names such as C00 are the fields of the
 * standard.
 */

/** Read a certificate: one row for each heat. */
export function readEn10168(certificate: Part): readonly ReadRow[] {
  const inspections = itemsOf(memberOf(certificate, 'Inspection'))
  return byHeat(inspections).map(({ heat, parts }, index) => {
    const draft = createDraft()
    readCommerce(draft, memberOf(certificate, 'CommercialTransaction'))
    readProduct(draft, memberOf(certificate, 'ProductDescription'))
    readValidation(draft, memberOf(certificate, 'Validation'))
    if (heat) draft.propose('heatNumber', textOf(heat), placeOf(heat))
    else leaveHeatOpen(draft, certificate, parts)
    readInspections(draft, parts)
    return draft.finish(index + 1, { pointer: certificate.pointer })
  })
}

interface OfOneHeat {
  /** C00 of one of the inspections; undefined when none of them names a heat. */
  readonly heat: Part | undefined
  readonly parts: readonly Part[]
}

/** A heat number has a digit. A text such as "Charge Chemical Analysis" names a test. */
function namesHeat(c00: Part): boolean {
  return /\d/.test(textOf(c00) ?? '')
}

/** Inspections without a heat belong to the only heat of the others. If there are several heats, they are a row of their own. */
function byHeat(inspections: readonly Part[]): readonly OfOneHeat[] {
  const heats = new Map<string, { heat: Part; parts: Part[] }>()
  const without: Part[] = []
  for (const part of inspections) {
    const heat = memberOf(part, 'C00')
    if (!namesHeat(heat)) without.push(part)
    else {
      const text = textOf(heat)!
      const ofHeat = heats.get(text) ?? { heat, parts: [] }
      ofHeat.parts.push(part)
      heats.set(text, ofHeat)
    }
  }
  const [only, ...others] = heats.values()
  if (!only) return [{ heat: undefined, parts: inspections }]
  if (others.length === 0) return [{ heat: only.heat, parts: inspections }]
  return [only, ...others, ...(without.length > 0 ? [{ heat: undefined, parts: without }] : [])]
}

function leaveHeatOpen(draft: Draft, certificate: Part, parts: readonly Part[]): void {
  const heatPart = parts.map((part) => memberOf(part, 'C00')).find((c00) => textOf(c00) !== undefined)
  draft.leaveOpen(
    'heatNumber',
    [],
    { pointer: (heatPart ?? certificate).pointer },
    heatPart && textOf(heatPart),
  )
}

function readCommerce(draft: Draft, commerce: Part): void {
  const mill = memberOf(commerce, 'A01')
  const name = memberOf(mill, 'CompanyName')
  proposeText(draft, 'manufacturer', textOf(name) === undefined ? memberOf(mill, 'Name') : name)
  proposeText(draft, 'certificateNumber', memberOf(commerce, 'A03'))
  proposeText(draft, 'purchaseOrder', memberOf(commerce, 'A07'))
  readInspectionDocument(draft, memberOf(commerce, 'A02'), commerce)
}

const forms: Readonly<Record<string, ProductForm>> = {
  Tube: 'Tube',
  Pipe: 'Tube',
  RectangularTube: 'HollowSection',
  QuadraticTube: 'HollowSection',
  RectangularPipe: 'HollowSection',
  Coil: 'Coil',
  Scroll: 'Coil',
  Strip: 'Coil',
  Sheet: 'Plate',
  Plate: 'Plate',
  RoundBar: 'Bar',
  HexagonalBar: 'Bar',
  FlatBar: 'Bar',
  Slab: 'Other',
  Other: 'Other',
}

function readProduct(draft: Draft, product: Part): void {
  const designation = memberOf(product, 'B02')
  open(
    draft,
    'grade',
    readChoices(memberOf(designation, 'SteelDesignation')),
    placeOf(memberOf(designation, 'SteelDesignation')),
  )
  const standards = [
    ...readChoices(memberOf(designation, 'ProductNorm')),
    ...readChoices(memberOf(designation, 'MaterialNorm')),
  ]
  if (standards.length > 0) open(draft, 'standard', standards, placeOf(designation))
  readDelivery(draft, memberOf(product, 'B04'))
  readShape(draft, memberOf(product, 'B09'))
}

function readChoices(list: Part): readonly Choice[] {
  return itemsOf(list).flatMap(choiceIn)
}

function readShape(draft: Draft, shape: Part): void {
  readProductForm(draft, memberOf(shape, 'Form'), forms)
  const unit = textOf(memberOf(shape, 'Unit'))
  const wall = memberOf(shape, 'WallThickness')
  readLength(draft, 'thicknessMm', wall.value === undefined ? memberOf(shape, 'Thickness') : wall, unit)
  readLength(draft, 'widthMm', memberOf(shape, 'Width'), unit)
  const diameter = memberOf(shape, 'Diameter')
  const text = textOf(diameter)
  if (text !== undefined) {
    const quote = `Diameter ${text} ${unit ?? 'mm'}`
    draft.leaveOpen('thicknessMm', measuredIn(diameter, 'mm', unit).values, placeOf(diameter), quote)
  }
}

function readLength(draft: Draft, field: string, part: Part, unit: string | undefined): void {
  if (part.value !== undefined)
    readMeasured(draft, field, measuredIn(part, 'mm', unit), placeOf(part), textOf(part))
}

function readValidation(draft: Draft, validation: Part): void {
  proposeText(draft, 'issuedOn', memberOf(validation, 'Z02'))
  const inspector = memberOf(validation, 'Z03')
  proposeText(
    draft,
    'inspector',
    typeof inspector.value === 'string' ? inspector : memberOf(inspector, 'Name'),
  )
  proposeText(draft, 'declarationOfPerformance', memberOf(validation, 'Z04', 'DoCNumber'))
}

function readInspections(draft: Draft, inspections: readonly Part[]): void {
  let tests = 0
  const nextTest = () => {
    tests += 1
    return `tests.${tests - 1}`
  }
  for (const inspection of inspections) {
    readComposition(draft, memberOf(inspection, 'ChemicalComposition'))
    readTensile(draft, inspection, nextTest)
    readImpact(draft, inspection, nextTest)
  }
}

function readComposition(draft: Draft, composition: Part): void {
  proposeText(draft, 'steelmakingProcess', memberOf(composition, 'C70'))
  // A number such as C71 stands for no fixed element: the symbol names the element.
  const elements = membersNamed(composition, /^C(?:7[1-9]|8\d|9\d|1[01]\d)$/)
  readAnalysis(
    draft,
    elements.flatMap((element) => readResult(element)),
  )
}

/** Version 0.4.1 writes a result as a text, version 0.5.0 as an object with an operator. */
function readResult(element: Part): Analysed[] {
  const actual = memberOf(element, 'Actual')
  const result = typeof actual.value === 'object' ? memberOf(actual, 'Value') : actual
  return analysedOf(element, memberOf(element, 'Symbol'), result)
}

function readTensile(draft: Draft, inspection: Part, nextTest: () => string): void {
  const tensile = memberOf(inspection, 'TensileTest')
  const [yields, strength, elongation] = ['C11', 'C12', 'C13'].map((code) => memberOf(tensile, code))
  if ([yields!, strength!, elongation!].every(({ value }) => value === undefined)) return
  const test = nextTest()
  draft.propose(`${test}.kind`, 'tensile', placeOf(tensile))
  readSpecimen(draft, test, inspection)
  readYield(draft, test, yields!)
  const rm = memberOf(strength!, 'Value')
  readStress(draft, `${test}.rmMpa`, strength!, rm)
  readElongation(draft, test, elongation!)
}

function readSpecimen(draft: Draft, test: string, inspection: Part, type?: Part): void {
  const places = [memberOf(inspection, 'C02'), ...(type ? [type] : [])]
  const place = places.find((place) => directionIn(textOf(place) ?? '') !== undefined)
  if (place) draft.propose(`${test}.direction`, directionIn(textOf(place)!), placeOf(place))
  proposeText(draft, `${test}.location`, memberOf(inspection, 'C01'))
}

/** The longest heading that a test keeps. */
const longestHeading = 50

function readYield(draft: Draft, test: string, measured: Part): void {
  const value = memberOf(measured, 'Value')
  if (value.value === undefined) return
  const property = memberOf(measured, 'Property')
  const heading = textOf(property)
  const kinds = yieldKindsIn(heading ?? '')
  if (kinds.length === 1) {
    readStress(draft, `${test}.${kinds[0]}`, measured, value)
    return
  }
  draft.propose(
    `${test}.rawYieldKind`,
    (heading ?? 'C11').slice(0, longestHeading).toWellFormed(),
    placeOf(heading === undefined ? measured : property),
  )
  readStress(draft, `${test}.rawYieldMpa`, measured, value)
  const possible = kinds.length > 0 ? kinds : (['reHMpa', 'reLMpa', 'rp02Mpa'] as const)
  for (const kind of possible)
    draft.leaveOpen(`${test}.${kind}`, stressesOf(measured, value).values, placeOf(value), heading)
}

/** Return the stresses in MPa that a value may state. */
function stressesOf(measured: Part, value: Part): InUnit {
  return measuredIn(value, 'MPa', textOf(memberOf(measured, 'Unit')))
}

function readStress(draft: Draft, field: string, measured: Part, value: Part): void {
  const text = `${textOf(value)} ${textOf(memberOf(measured, 'Unit')) ?? ''}`
  if (value.value !== undefined) readMeasured(draft, field, stressesOf(measured, value), placeOf(value), text)
}

function readElongation(draft: Draft, test: string, measured: Part): void {
  const value = memberOf(measured, 'Value')
  if (textOf(value) === undefined) return
  readShare(draft, `${test}.elongationPercent`, value)
  readGaugeLength(draft, test, memberOf(measured, 'Property'), { missingFrom: placeOf(measured) })
}

function readImpact(draft: Draft, inspection: Part, nextTest: () => string): void {
  const impact = memberOf(inspection, 'NotchedBarImpactTest')
  const values = itemsOf(memberOf(impact, 'C42'))
  const joules = values.map((measured) => {
    const number = numberOf(textOf(memberOf(measured, 'Value')) ?? '')
    return number && inUnit([number], 'J', textOf(memberOf(measured, 'Unit')))?.values[0]
  })
  const average = memberOf(impact, 'C43', 'Value')
  const unitOfAverage = textOf(memberOf(impact, 'C43', 'Unit'))
  if (joules.length === 0 && average.value === undefined) return
  const test = nextTest()
  draft.propose(`${test}.kind`, 'impact', placeOf(impact))
  readSpecimen(draft, test, inspection, memberOf(impact, 'C40'))
  readTemperature(draft, test, memberOf(inspection, 'C03'))
  const width = memberOf(impact, 'C41')
  readLength(draft, `${test}.specimenWidthMm`, memberOf(width, 'Value'), textOf(memberOf(width, 'Unit')))
  const mean = measuredIn(average, 'J', unitOfAverage).values
  const single = joules.every((joule) => joule !== undefined)
  if (joules.length > 0 && single)
    draft.propose(`${test}.valuesJoule`, joules, placeOf(memberOf(impact, 'C42')))
  else draft.leaveOpen(`${test}.valuesJoule`, mean.length === 1 ? [mean] : [], placeOf(impact))
  readEnergy(draft, `${test}.averageJoule`, average, unitOfAverage)
}

function readTemperature(draft: Draft, test: string, stated: Part): void {
  const text = textOf(stated)
  if (text === undefined) return
  const celsius = celsiusIn(text, true)
  if (celsius !== undefined) draft.propose(`${test}.temperatureC`, celsius, placeOf(stated))
  else draft.leaveOpen(`${test}.temperatureC`, [], placeOf(stated), text)
}
