import { itemsOf, memberOf, membersNamed, type Part, textOf } from '../json.ts'
import { numberOf } from '../numbers.ts'
import { createDraft, type Draft, type ReadRow } from '../readRow.ts'
import { type FieldUnit, type InUnit, inUnit } from '../units.ts'
import { type Analysed, readAnalysis } from './analysis.ts'
import { choiceIn, open, placeOf, proposeText } from './choices.ts'
import { readDelivery, readGaugeLength, readInspectionDocument, readMeasured } from './sharedFields.ts'

/**
 * Mill test reports as verifiable credentials, in the words of the W3C traceability vocabulary: a report has inspections,
 * or a product with observations. The proof of a credential is not checked: a person compares the values.
 */

const reportTypes = ['MillTestReportCredential', 'MillTestReportCertificate']

export function isMillTestReport(credential: Part): boolean {
  return itemsOf(memberOf(credential, 'type')).some((type) => reportTypes.includes(textOf(type) ?? ''))
}

/** Read a credential: one row for each heat. */
export function readMillTestReport(credential: Part): readonly ReadRow[] {
  const heats = itemsOf(memberOf(credential, 'credentialSubject')).flatMap((report) =>
    byHeat(report).map((parts) => ({ report, parts })),
  )
  return heats.map(({ report, parts }, index) => {
    const draft = createDraft()
    readReport(draft, credential, report)
    open(draft, 'heatNumber', choiceIn(memberOf(parts[0]!, 'heatNumber')), placeOf(parts[0]!))
    readParts(draft, parts)
    return draft.finish(index + 1, { pointer: report.pointer })
  })
}

/** Return the inspections of each heat, or the product with observations. */
function byHeat(report: Part): readonly (readonly Part[])[] {
  const parts = [...itemsOf(memberOf(report, 'inspections')), ...itemsOf(memberOf(report, 'product'))]
  const heats = [...Map.groupBy(parts, (part) => textOf(memberOf(part, 'heatNumber'))).values()]
  return heats.length > 0 ? heats : [[report]]
}

function readReport(draft: Draft, credential: Part, report: Part): void {
  proposeText(draft, 'certificateNumber', memberOf(report, 'certificateNumber'))
  const issued = firstOf(memberOf(credential, 'issuanceDate'), memberOf(credential, 'validFrom'))
  proposeText(draft, 'issuedOn', { ...issued, value: textOf(issued)?.replace(/T.*$/, '') })
  const mill = firstOf(memberOf(report, 'manufacturer', 'name'), memberOf(credential, 'issuer', 'name'))
  proposeText(draft, 'manufacturer', mill)
  proposeText(draft, 'purchaseOrder', memberOf(report, 'purchaseOrderNumber'))
  const type = memberOf(report, 'certification')
  const withoutStandard = textOf(type)?.replace(/^EN\s*10204(?::\d{4})?[\s.:/-]+/i, '')
  readInspectionDocument(draft, { ...type, value: withoutStandard }, report)
  const product = firstOf(memberOf(report, 'productSpecification'), memberOf(report, 'product'))
  const grade = memberOf(product, 'grade')
  open(draft, 'grade', itemsOf(grade).flatMap(choiceIn), placeOf(grade))
  proposeText(draft, 'standard', firstOf(memberOf(product, 'standard'), memberOf(product, 'specification')))
  readDelivery(draft, memberOf(product, 'heatTreatment'))
}

/** Return the part that has a value. */
function firstOf(part: Part, other: Part): Part {
  return part.value === undefined ? other : part
}

function readParts(draft: Draft, parts: readonly Part[]): void {
  let tests = 0
  const nextTest = (kind: string, measured: Part) => {
    const test = `tests.${tests}`
    tests += 1
    draft.propose(`${test}.kind`, kind, placeOf(measured))
    return test
  }
  for (const part of parts) {
    const observed = observedIn(part)
    proposeText(draft, 'steelmakingProcess', memberOf(part, 'meltPractice'))
    for (const [name, field] of dimensions)
      readLength(draft, field, memberOf(part, 'productDimensions', name))
    readAnalysis(draft, [...compositionOf(part), ...observed.flatMap(elementIn)])
    const measured = [...propertiesOf(part), ...observed.flatMap(propertyIn)]
    let tensile: string | undefined
    for (const one of measured)
      if (/^[cs]harpy\b/i.test(one.name)) readImpact(draft, nextTest('impact', one.measured), one)
      else if (tensileNames.test(one.name)) {
        tensile ??= nextTest('tensile', one.measured)
        readTensile(draft, tensile, one)
      }
  }
}

const dimensions = [
  ['thickness', 'thicknessMm'],
  ['width', 'widthMm'],
] as const

function readLength(draft: Draft, field: string, measured: Part): void {
  if (measured.value !== undefined) readNumber(draft, field, 'mm', measured)
}

/** Codes of UN/ECE Recommendation 20 that nobody writes as a unit. */
const unitCodes = new Map(
  Object.entries({ P1: '%', '59': 'ppm', C56: 'N/mm2', MMT: 'mm', CMT: 'cm', MTR: 'm', INH: 'in', JOU: 'J' }),
)

function unitOf(measured: Part): string | undefined {
  const code = textOf(memberOf(measured, 'unitCode'))
  return code === undefined ? undefined : (unitCodes.get(code) ?? code)
}

/** Return the number of a measurement. It has a decimal point, also as a text, and no thousands. */
function numbersOf(value: Part): readonly number[] {
  const number = numberOf(textOf(value) ?? '')
  return number === undefined ? [] : [number]
}

function quantityIn(measured: Part, unit: FieldUnit): InUnit {
  const none = { values: [], conversion: undefined }
  return inUnit(numbersOf(memberOf(measured, 'value')), unit, unitOf(measured)) ?? none
}

function quoteOf(measured: Part): string {
  return [memberOf(measured, 'value'), memberOf(measured, 'unitCode')]
    .flatMap((part) => textOf(part) ?? [])
    .join(' ')
}

function readNumber(draft: Draft, field: string, unit: FieldUnit, measured: Part): void {
  const place = placeOf(memberOf(measured, 'value'))
  readMeasured(draft, field, quantityIn(measured, unit), place, quoteOf(measured))
}

/** The members of a composition are symbols in small letters. Their values are percentages. */
function compositionOf(part: Part): readonly Analysed[] {
  return membersNamed(memberOf(part, 'chemicalComposition'), /^(?:[a-z]{1,2}|nbCb)$/).flatMap((result) => {
    const symbol = result.pointer.split('/').at(-1)!
    return readResult(symbol === 'nbCb' ? 'Nb' : symbol, result, undefined)
  })
}

function readResult(symbol: string | undefined, result: Part, unit: string | undefined): Analysed[] {
  const text = textOf(result)
  if (symbol === undefined || text === undefined) return []
  const numbers = numbersOf(result)
  return [{ symbol, numbers, text, unit, operator: undefined, formula: undefined, at: placeOf(result) }]
}

interface Observation {
  readonly property: Part
  readonly measured: Part
}

function observedIn(part: Part): readonly Observation[] {
  const inspection = memberOf(part, 'inspection')
  return membersNamed(inspection, /^(?:chemicalO|mechanicalO|o)bservation$/)
    .flatMap(itemsOf)
    .map((one) => ({ property: memberOf(one, 'property'), measured: memberOf(one, 'measurement') }))
}

function isOfType(property: Part, type: string): boolean {
  return itemsOf(memberOf(property, 'type')).some((one) => one.value === type)
}

function elementIn({ property, measured }: Observation): readonly Analysed[] {
  if (!isOfType(property, 'ChemicalProperty')) return []
  const symbol = textOf(firstOf(memberOf(property, 'formula'), memberOf(property, 'name')))
  return readResult(symbol, memberOf(measured, 'value'), unitOf(measured))
}

interface Named {
  readonly name: string
  readonly measured: Part
}

function propertyIn({ property, measured }: Observation): readonly Named[] {
  const name = textOf(memberOf(property, 'name'))
  return name === undefined || !isOfType(property, 'MechanicalProperty') ? [] : [{ name, measured }]
}

function propertiesOf(part: Part): readonly Named[] {
  const properties = memberOf(part, 'mechanicalProperties')
  // The vocabulary has had both spellings of Charpy.
  return ['yield', 'tensile', 'elongation', 'charpy', 'sharpy']
    .map((name) => ({ name, measured: memberOf(properties, name) }))
    .filter(({ measured }) => measured.value !== undefined)
}

const tensileNames = /^(?:yield|(?:ultimate )?tensile|elongation)\b/i
const yieldKinds = ['reHMpa', 'reLMpa', 'rp02Mpa']

function readTensile(draft: Draft, test: string, { name, measured }: Named): void {
  if (/^elongation/i.test(name)) {
    readNumber(draft, `${test}.elongationPercent`, '%', measured)
    readGaugeLength(draft, test, { ...measured, value: name })
  } else if (!/^yield/i.test(name)) readNumber(draft, `${test}.rmMpa`, 'MPa', measured)
  else {
    const place = placeOf(memberOf(measured, 'value'))
    draft.propose(`${test}.rawYieldKind`, 'yield', placeOf(measured))
    readNumber(draft, `${test}.rawYieldMpa`, 'MPa', measured)
    for (const kind of yieldKinds)
      draft.leaveOpen(`${test}.${kind}`, quantityIn(measured, 'MPa').values, place, quoteOf(measured))
  }
}

/** The vocabulary does not say whether an energy is that of one test piece or the mean of several. */
function readImpact(draft: Draft, test: string, { measured }: Named): void {
  const { values } = quantityIn(measured, 'J')
  const candidates = values.length === 1 ? [values] : []
  draft.leaveOpen(`${test}.valuesJoule`, candidates, placeOf(memberOf(measured, 'value')), quoteOf(measured))
  readNumber(draft, `${test}.averageJoule`, 'J', measured)
}
