import { items, member, type Part, textOf } from '../json.ts'
import type { At, Draft } from '../readRow.ts'
import { inUnit, isUnit } from '../units.ts'
import { at, readEnergy } from './choices.ts'
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
    draft.propose(`${test}.kind`, kind, at(property))
    readSpecimen(draft, test, member(property, 'SpecimenSpecification'))
    return test
  }
  for (const property of properties) {
    if (isImpact(property)) readImpact(draft, property, testOf(property.pointer, 'impact', property))
    else
      readTensile(draft, property, (specimen) =>
        testOf(`${placeOf(property)} ${specimen}`, 'tensile', property),
      )
  }
}

function isImpact(property: Part): boolean {
  const symbol = textOf(member(property, 'PropertySymbol')) ?? ''
  const name = textOf(member(property, 'PropertyName')) ?? ''
  const isEnergy = isUnit(textOf(member(property, 'Unit')) ?? '', 'J')
  return isEnergy && (/^(?:KV[28]?|CVN)\b/i.test(symbol) || /impact|kerbschlag|charpy/i.test(name))
}

/** Identify the place, the direction and the conditions of a test. */
function placeOf(property: Part): string {
  const specimen = member(property, 'SpecimenSpecification')
  const parts = [...['Location', 'CustomLocation', 'Orientation'].map((name) => member(specimen, name))]
  return JSON.stringify([...parts, member(property, 'TestConditions')].map(textOf))
}

function readSpecimen(draft: Draft, test: string, specimen: Part): void {
  const orientation = member(specimen, 'Orientation')
  const direction = directionIn(textOf(orientation) ?? '')
  if (direction) draft.propose(`${test}.direction`, direction, at(orientation))
  const custom = member(specimen, 'CustomLocation')
  const location = textOf(custom) === undefined ? member(specimen, 'Location') : custom
  if (textOf(location) !== undefined) draft.propose(`${test}.location`, textOf(location), at(location))
}

interface Result {
  readonly value: number
  readonly conversion?: string | undefined
  readonly at: At
}

/** Return the single results in the unit of their field; undefined when they are limits, texts or in an unknown unit. */
function resultsOf(property: Part, field: 'MPa' | 'J' | '%'): readonly Result[] | undefined {
  const actual = member(property, 'Actual')
  const unit = textOf(member(property, 'Unit'))
  const values = member(actual, 'Values')
  const single = Array.isArray(values.value) ? items(values) : [actual]
  const results = single.map((result) => {
    const operator = textOf(member(result, 'Operator')) ?? '='
    const number = member(result, 'Value')
    const isResult = typeof number.value === 'number' && operator === '='
    const { values, conversion } = (isResult && inUnit([number.value], field, unit)) || { values: [] }
    return values[0] === undefined ? undefined : { value: values[0], conversion, at: at(number) }
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
  const symbol = member(property, 'PropertySymbol')
  const symbolText = textOf(symbol) ?? ''
  const name = symbolText.replaceAll(/\s/g, '').replaceAll(',', '.')
  const kinds = yields[name.toUpperCase()]
  const isElongation = /^A(?:\d|$)/.test(name)
  if (!kinds && name.toUpperCase() !== 'RM' && !isElongation) return
  const unit = textOf(member(property, 'Unit'))
  const results = resultsOf(property, isElongation ? '%' : 'MPa')
  const celsius = celsiusIn(textOf(member(property, 'TestConditions')) ?? '')
  if (!results || (celsius !== undefined && (celsius < room.least || celsius > room.most))) {
    draft.leaveOpen('tests', [], at(property), `${symbolText} ${unit ?? ''}`.trim())
    return
  }
  for (const [specimen, { value, conversion, at: place }] of results.entries()) {
    const test = testOf(specimen)
    if (isElongation) {
      draft.propose(`${test}.elongationPercent`, value, place, conversion)
      readGaugeLength(draft, test, symbol, { method: textOf(member(property, 'Method')) ?? '' })
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
  draft.propose(`${test}.rawYieldKind`, textOf(symbol), at(symbol))
  draft.propose(`${test}.rawYieldMpa`, value, place, conversion)
  for (const kind of kinds) draft.leaveOpen(`${test}.${kind}`, [value], place, textOf(symbol))
}

function readImpact(draft: Draft, property: Part, test: string): void {
  const conditions = member(property, 'TestConditions')
  const celsius = celsiusIn(textOf(conditions) ?? '')
  if (celsius !== undefined) draft.propose(`${test}.temperatureC`, celsius, at(conditions))
  const actual = member(property, 'Actual')
  const results = resultsOf(property, 'J')
  const values = member(actual, 'Values')
  const place = at(Array.isArray(values.value) ? values : member(actual, 'Value'))
  if (results)
    draft.propose(
      `${test}.valuesJoule`,
      results.map(({ value }) => value),
      place,
    )
  else draft.leaveOpen(`${test}.valuesJoule`, [], at(actual))
  const average = member(actual, 'Statistics', 'Average', 'Value')
  readEnergy(draft, `${test}.averageJoule`, average, textOf(member(property, 'Unit')))
}
