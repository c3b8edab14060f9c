import { itemsOf, memberOf, type Part, textOf } from '../json.ts'
import type { At, Draft } from '../readRow.ts'
import { inUnit, isUnit } from '../units.ts'
import { placeOf, readEnergy } from './choices.ts'
import { readGaugeLength } from './sharedFields.ts'
import { celsiusIn, directionIn, type YieldKind } from './words.ts'

/**
 * The mechanical properties of a Metals passport. The passport lists properties, each with the results of all specimens;
 * a certificate lists tests. Results with the same place and direction are one test for each specimen.
 */

export function readMechanical(draft: Draft, properties: readonly Part[]): void {
  const tests = new Map<string, string>()
  const testOf = (key: string, kind: 'tensile' | 'impact', property: Part) => {
    const earlier = tests.get(key)
    if (earlier !== undefined) return earlier
    const test = `tests.${tests.size}`
    tests.set(key, test)
    draft.propose(`${test}.kind`, kind, placeOf(property))
    readSpecimen(draft, test, memberOf(property, 'SpecimenSpecification'))
    return test
  }
  for (const property of properties) {
    if (isImpact(property)) readImpact(draft, property, testOf(property.pointer, 'impact', property))
    else
      readTensile(draft, property, (specimen) =>
        testOf(`${placeOfSpecimen(property)} ${specimen}`, 'tensile', property),
      )
  }
}

function isImpact(property: Part): boolean {
  const symbol = textOf(memberOf(property, 'PropertySymbol')) ?? ''
  const name = textOf(memberOf(property, 'PropertyName')) ?? ''
  const isEnergy = isUnit(textOf(memberOf(property, 'Unit')) ?? '', 'J')
  return isEnergy && (/^(?:KV[28]?|CVN)\b/i.test(symbol) || /impact|kerbschlag|charpy/i.test(name))
}

/** Identify the place, the direction and the conditions of a test. */
function placeOfSpecimen(property: Part): string {
  const specimen = memberOf(property, 'SpecimenSpecification')
  const parts = [...['Location', 'CustomLocation', 'Orientation'].map((name) => memberOf(specimen, name))]
  return JSON.stringify([...parts, memberOf(property, 'TestConditions')].map(textOf))
}

function readSpecimen(draft: Draft, test: string, specimen: Part): void {
  const orientation = memberOf(specimen, 'Orientation')
  const direction = directionIn(textOf(orientation) ?? '')
  if (direction) draft.propose(`${test}.direction`, direction, placeOf(orientation))
  const custom = memberOf(specimen, 'CustomLocation')
  const location = textOf(custom) === undefined ? memberOf(specimen, 'Location') : custom
  if (textOf(location) !== undefined) draft.propose(`${test}.location`, textOf(location), placeOf(location))
}

interface Result {
  readonly value: number
  readonly conversion?: string | undefined
  readonly at: At
}

/** Return the single results in the unit of their field; undefined when they are limits, texts or in an unknown unit. */
function resultsOf(property: Part, field: 'MPa' | 'J' | '%'): readonly Result[] | undefined {
  const actual = memberOf(property, 'Actual')
  const unit = textOf(memberOf(property, 'Unit'))
  const values = memberOf(actual, 'Values')
  const single = Array.isArray(values.value) ? itemsOf(values) : [actual]
  const results = single.map((result) => {
    const operator = textOf(memberOf(result, 'Operator')) ?? '='
    const number = memberOf(result, 'Value')
    const isResult = typeof number.value === 'number' && operator === '='
    const { values, conversion } = (isResult && inUnit([number.value], field, unit)) || { values: [] }
    return values[0] === undefined ? undefined : { value: values[0], conversion, at: placeOf(number) }
  })
  return results.every((result) => result !== undefined) ? results : undefined
}

const yields: Readonly<Record<string, readonly YieldKind[]>> = {
  REH: ['reHMpa'],
  REL: ['reLMpa'],
  'RP0.2': ['rp02Mpa'],
  RP02: ['rp02Mpa'],
  RE: ['reHMpa', 'reLMpa'],
  'REH/RP0.2': ['reHMpa', 'rp02Mpa'],
}

/** Room temperature (EN ISO 6892-1). A test at another temperature says nothing about the yield strength of a grade. */
const room = { least: 10, most: 35 }

function readTensile(draft: Draft, property: Part, testOf: (specimen: number) => string): void {
  const symbol = memberOf(property, 'PropertySymbol')
  const symbolText = textOf(symbol) ?? ''
  const name = symbolText.replaceAll(/\s/g, '').replaceAll(',', '.')
  const kinds = yields[name.toUpperCase()]
  const isElongation = /^A(?:\d|$)/.test(name)
  if (!kinds && name.toUpperCase() !== 'RM' && !isElongation) return
  const unit = textOf(memberOf(property, 'Unit'))
  const results = resultsOf(property, isElongation ? '%' : 'MPa')
  const celsius = celsiusIn(textOf(memberOf(property, 'TestConditions')) ?? '')
  if (!results || (celsius !== undefined && (celsius < room.least || celsius > room.most))) {
    draft.leaveOpen('tests', [], placeOf(property), `${symbolText} ${unit ?? ''}`.trim())
    return
  }
  for (const [specimen, { value, conversion, at: place }] of results.entries()) {
    const test = testOf(specimen)
    if (isElongation) {
      draft.propose(`${test}.elongationPercent`, value, place, conversion)
      readGaugeLength(draft, test, symbol, { method: textOf(memberOf(property, 'Method')) ?? '' })
    } else if (kinds) readYield(draft, test, symbol, kinds, { value, conversion, at: place })
    else draft.propose(`${test}.rmMpa`, value, place, conversion)
  }
}

function readYield(
  draft: Draft,
  test: string,
  symbol: Part,
  kinds: readonly YieldKind[],
  { value, conversion, at: place }: Result,
): void {
  if (kinds.length === 1) {
    draft.propose(`${test}.${kinds[0]}`, value, place, conversion)
    return
  }
  draft.propose(`${test}.rawYieldKind`, textOf(symbol), placeOf(symbol))
  draft.propose(`${test}.rawYieldMpa`, value, place, conversion)
  for (const kind of kinds) draft.leaveOpen(`${test}.${kind}`, [value], place, textOf(symbol))
}

function readImpact(draft: Draft, property: Part, test: string): void {
  const conditions = memberOf(property, 'TestConditions')
  const celsius = celsiusIn(textOf(conditions) ?? '')
  if (celsius !== undefined) draft.propose(`${test}.temperatureC`, celsius, placeOf(conditions))
  const actual = memberOf(property, 'Actual')
  const results = resultsOf(property, 'J')
  const values = memberOf(actual, 'Values')
  const place = placeOf(Array.isArray(values.value) ? values : memberOf(actual, 'Value'))
  if (results)
    draft.propose(
      `${test}.valuesJoule`,
      results.map(({ value }) => value),
      place,
    )
  else draft.leaveOpen(`${test}.valuesJoule`, [], placeOf(actual))
  const average = memberOf(actual, 'Statistics', 'Average', 'Value')
  readEnergy(draft, `${test}.averageJoule`, average, textOf(memberOf(property, 'Unit')))
}
